"""The real renderer speaks through pyttsx3, and survives whatever happens to its worker."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrator.moderator.effects import Say
from narrator.mouth.clips import Clip, ClipCache
from narrator.mouth.levels import LOUDNESS
from narrator.mouth.lines import load_pack
from narrator.mouth.loudness import loudness
from narrator.mouth.renderer import Renderer, RenderFailed
from narrator.mouth.speech import Mouth
from narrator.resources import voices_folder

pytestmark = pytest.mark.audio


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with Renderer() as renderer:
        yield renderer


def test_three_syllables_worth_of_sound_come_back(renderer: Renderer) -> None:
    clip = renderer.render("三号")
    assert 0.3 < clip.seconds < 1.5
    assert clip.rate == 22050
    assert loudness(clip.samples, clip.rate) == pytest.approx(LOUDNESS, abs=0.5)


def test_every_line_is_equally_loud(renderer: Renderer) -> None:
    clips = [renderer.render(text) for text in ("七", "天黑了，请大家闭眼。", "十六号请发言。", "没有票。")]
    levels = [loudness(clip.samples, clip.rate) for clip in clips]
    assert max(levels) - min(levels) < 1.0


def test_the_same_text_is_the_same_sound_whatever_came_before(renderer: Renderer) -> None:
    first = renderer.render("三号")
    renderer.render("天黑了，请大家闭眼。", voice="cmn-latn-pinyin+f3", rate=140, pitch=70)
    np.testing.assert_array_equal(renderer.render("三号").samples, first.samples)
    with Renderer() as another:
        np.testing.assert_array_equal(another.render("三号").samples, first.samples)


def test_no_clip_loses_its_beginning(renderer: Renderer) -> None:
    """Without waiting for espeak to take the properties, a few in a hundred are cut short."""
    assert len({len(renderer.render("三号").samples) for _ in range(60)}) == 1


@pytest.mark.parametrize("change", [{"voice": "cmn-latn-pinyin+f3"}, {"pitch": 70}, {"rate": 130}])
def test_voice_pitch_and_rate_are_heard(renderer: Renderer, change: dict[str, Any]) -> None:
    plain = renderer.render("三号请发言")
    other = renderer.render("三号请发言", **change)
    assert not np.array_equal(other.samples, plain.samples)


def test_fewer_words_a_minute_take_longer(renderer: Renderer) -> None:
    slow, quick = (renderer.render("三号请发言", rate=rate) for rate in (140, 190))
    assert slow.seconds > quick.seconds * 1.15


def test_a_higher_pitch_is_a_higher_tone(renderer: Renderer) -> None:
    def fundamental(clip: Clip) -> float:
        """Return the mean frequency in Hz of what lies where voices have their fundamental."""
        power = np.abs(np.fft.rfft(clip.samples))
        hertz = np.fft.rfftfreq(len(clip.samples), 1 / clip.rate)
        band = (hertz > 60) & (hertz < 400)
        return float((hertz[band] * power[band]).sum() / power[band].sum())

    assert fundamental(renderer.render("三号", pitch=70)) > fundamental(renderer.render("三号", pitch=30))


@pytest.mark.parametrize("voice", ["zh", "nosuch"])
def test_a_voice_that_does_not_exist_fails_aloud(renderer: Renderer, voice: str) -> None:
    """pyttsx3 itself would go on without a word."""
    with pytest.raises(RenderFailed, match="SetVoiceByName"):
        renderer.render("三号", voice=voice)
    assert renderer.render("三号").seconds > 0.3


@pytest.mark.parametrize("text", ["", " ", "。", "三\0号"])
def test_nothing_to_say_is_no_clip(renderer: Renderer, text: str) -> None:
    with pytest.raises(RenderFailed):
        renderer.render(text)


def test_a_worker_killed_between_clips_is_replaced(renderer: Renderer) -> None:
    renderer.warm_up()
    before = renderer.worker_pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert renderer.render("三号").seconds > 0.3
    assert renderer.worker_pid not in (None, before)


def test_a_stalled_worker_costs_one_clip_and_no_more_than_its_limit() -> None:
    with Renderer(limit=1.0) as renderer:
        renderer.warm_up()
        stalled = renderer.worker_pid
        assert stalled is not None
        os.kill(stalled, signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(RenderFailed, match="within 1 s"):
            renderer.render("三号")
        assert time.monotonic() - started < 3.0
        assert renderer.render("三号").seconds > 0.3
        assert renderer.worker_pid != stalled


def test_a_clip_that_takes_too_long_is_given_up() -> None:
    with Renderer(limit=0.5) as renderer:
        renderer.warm_up()
        with pytest.raises(RenderFailed, match=r"within 0\.5 s"):
            renderer.render("三号请发言。" * 400)
        assert renderer.worker_pid is None
        assert renderer.render("三号").seconds > 0.3


def test_a_text_that_crashes_the_synthesiser_costs_one_clip() -> None:
    """Some twelve thousand syllables end espeak with a segmentation fault, or keep it busy for minutes."""
    with Renderer(limit=1.0) as renderer:
        with pytest.raises(RenderFailed, match=r"crashed|within 1 s"):
            renderer.render("三号请发言。" * 2000)
        assert renderer.render("三号").seconds > 0.3


def test_closing_ends_the_worker_and_what_is_waiting() -> None:
    renderer = Renderer()
    renderer.warm_up()
    pid = renderer.worker_pid
    assert pid is not None
    waiting = [renderer.submit("三号请发言。" * 50) for _ in range(5)]
    renderer.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert all(coming.done() for coming in waiting)
    late: Future[Clip] = renderer.submit("三号")
    assert isinstance(late.exception(), RenderFailed)


def test_the_real_pack_speaks_and_the_second_time_comes_from_disk(renderer: Renderer, tmp_path: Path) -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    line = next(line for line in pack.lines if not pack.places(line))
    mouth = Mouth(pack, renderer, ClipCache(tmp_path), rate=48000)
    utterance = mouth.speak(Say(line))
    spoken = utterance.samples(timeout=20)
    assert utterance.missing == ()
    assert len(spoken) > 48000 * 0.3
    without = Mouth(pack, None, ClipCache(tmp_path), rate=48000).speak(Say(line))
    assert without.ready
    np.testing.assert_array_equal(without.samples(), spoken)
