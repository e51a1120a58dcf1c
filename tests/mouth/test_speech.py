"""A line becomes one sound of several clips; what is missing is left out, never waited for."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from tone_renderer import ToneRenderer

from narrator.moderator.effects import Say
from narrator.mouth.clips import ClipCache, Samples
from narrator.mouth.lines import VoicePack
from narrator.mouth.speech import Mouth

VOTES = Say("read_votes", {"seat": 3, "votes": 5})


@pytest.fixture
def mouth(pack: VoicePack, tones: ToneRenderer, tmp_path: Path) -> Mouth:
    return Mouth(pack, tones, ClipCache(tmp_path / "clips"), rate=16000)


def longest_silence(samples: Samples, rate: int) -> float:
    """Seconds of the longest quiet stretch between two sounds."""
    loud = np.flatnonzero(np.abs(samples) > 0.004)
    return float(np.diff(loud).max() / rate)


def test_the_screen_shows_the_whole_line(mouth: Mouth) -> None:
    assert mouth.speak(VOTES).text == "三号，五票。"


@pytest.mark.parametrize("rate", [16000, 22050, 44100, 48000])
def test_clips_are_joined_at_the_loudspeakers_rate(
    pack: VoicePack, tones: ToneRenderer, tmp_path: Path, rate: int
) -> None:
    samples = Mouth(pack, tones, ClipCache(tmp_path / "clips"), rate).speak(VOTES).samples()
    assert samples.dtype == np.float32
    assert len(samples) / rate == pytest.approx(1.09, abs=0.005)


def test_a_joint_has_neither_a_hole_nor_a_click(mouth: Mouth) -> None:
    samples = mouth.speak(VOTES).samples()
    assert longest_silence(samples, 16000) <= 0.12
    # A 300 Hz tone of level 0.5 moves by 0.06 from sample to sample; the tones start and end at full level.
    assert np.abs(np.diff(samples)).max() < 0.08
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01


def test_the_same_clip_is_made_once(mouth: Mouth, tones: ToneRenderer) -> None:
    mouth.speak(VOTES)
    mouth.speak(VOTES)
    mouth.speak(Say("read_votes", {"seat": 3, "votes": 1}))
    assert tones.asked == ["三号，", "五票。", "一票。"]


def test_a_clip_on_its_way_is_not_asked_for_again(mouth: Mouth, tones: ToneRenderer) -> None:
    tones.never.update({"三号，", "五票。"})
    assert not mouth.speak(VOTES).ready
    assert not mouth.speak(VOTES).ready
    assert tones.asked == ["三号，", "五票。"]


def test_the_synthesiser_is_given_the_spelling_it_reads_right(mouth: Mouth, tones: ToneRenderer) -> None:
    assert mouth.speak(Say("tally", {"seat": 3})).text == "三号得票最多。"
    assert tones.asked == ["三号德票最多。"]


def test_variants_take_turns_unless_the_caller_counts(mouth: Mouth) -> None:
    call = Say("call_speaker", {"seat": 3})
    assert [mouth.speak(call).text for _ in range(3)] == ["三号请发言。", "请三号发言。", "三号请发言。"]
    assert [mouth.speak(call, pick=1).text for _ in range(2)] == ["请三号发言。"] * 2


def test_a_piece_that_fails_is_left_out_and_named(mouth: Mouth, tones: ToneRenderer) -> None:
    tones.fails.add("五票。")
    utterance = mouth.speak(VOTES)
    assert utterance.ready
    assert len(utterance.samples()) == pytest.approx(8000, abs=2)
    assert utterance.missing == ("五票。",)


def test_a_late_piece_is_waited_for_no_longer_than_said(mouth: Mouth, tones: ToneRenderer) -> None:
    tones.never.update({"三号，", "五票。"})
    utterance = mouth.speak(VOTES)
    assert not utterance.ready
    started = time.monotonic()
    assert len(utterance.samples(timeout=0.2)) == 0
    assert time.monotonic() - started < 1.0
    assert utterance.missing == ("三号，", "五票。")


def test_without_a_synthesiser_everything_is_missing_at_once(pack: VoicePack, tmp_path: Path) -> None:
    utterance = Mouth(pack, None, ClipCache(tmp_path / "clips"), rate=16000).speak(VOTES)
    assert utterance.ready
    assert utterance.text == "三号，五票。"
    assert len(utterance.samples()) == 0
    assert utterance.missing == ("三号，", "五票。")


def test_preparing_reports_progress_and_what_failed(mouth: Mouth, tones: ToneRenderer) -> None:
    tones.fails.add("二号")
    seen: list[tuple[int, int]] = []
    failed = mouth.prepare(["一号", "二号", "三号"], lambda done, total: seen.append((done, total)))
    assert failed == ("二号",)
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_clip_damaged_on_disk_is_made_again(mouth: Mouth, tones: ToneRenderer, tmp_path: Path) -> None:
    whole = mouth.speak(VOTES).samples()
    for file in (tmp_path / "clips").iterdir():
        file.write_bytes(file.read_bytes()[:100])
    np.testing.assert_array_equal(mouth.speak(VOTES).samples(), whole)
    assert tones.asked == ["三号，", "五票。"] * 2
