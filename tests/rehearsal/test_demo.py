"""A night and a dawn to listen to, made by one command."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from narrator.cli.main import main
from narrator.mouth.lines import load_pack
from narrator.mouth.speech import Mouth
from narrator.rehearsal.demo import Tape, night_and_dawn
from narrator.resources import voices_folder
from narrator.table.blocks import BLOCK_SECONDS

RATE = 16_000


def tape(with_backdrop: bool = False) -> tuple[Tape, int]:
    """A night on tape, by a narrator without a voice, and how many ticks it took."""
    ticks: list[None] = []
    loudspeaker = Tape(RATE)
    mouth = Mouth(load_pack(voices_folder() / "zh-CN"), None, None, RATE)
    night_and_dawn(mouth, loudspeaker, with_backdrop=with_backdrop, tick=lambda: ticks.append(None))
    return loudspeaker, len(ticks)


def test_it_lasts_about_a_minute_of_the_tables_time() -> None:
    loudspeaker, ticks = tape()
    assert len(loudspeaker.samples) == pytest.approx(ticks * BLOCK_SECONDS * RATE, abs=RATE / 10)
    assert 30 < ticks * BLOCK_SECONDS < 120


def test_nightfall_comes_first_and_dawn_before_the_end() -> None:
    samples = tape()[0].samples
    sounding = np.flatnonzero(np.abs(samples) > 0.01) / RATE
    assert sounding[0] < 3
    assert sounding[-1] > 0.7 * len(samples) / RATE


def test_the_backdrop_lies_under_the_night_and_not_under_its_answers() -> None:
    """Where a code number is said aloud, nothing may sound: the microphone is open."""
    quiet, laid = tape()[0].samples, tape(with_backdrop=True)[0].samples
    under = np.abs(laid - quiet).reshape(-1, RATE // 50)[: len(laid) // RATE * 50].max(axis=1) > 1e-4
    assert 0.2 < under.mean() < 0.95
    changes = np.diff(under.astype(int))
    assert (changes == 1).sum() >= 2
    assert not under[-50:].any()


def test_a_tape_keeps_what_was_played_in_its_time() -> None:
    loudspeaker = Tape(RATE)
    loudspeaker.advance(0.5)
    loudspeaker.play(np.full(RATE // 10, 0.2, np.float32))
    loudspeaker.play(np.full(RATE // 10, 0.3, np.float32))
    loudspeaker.advance(0.15)
    loudspeaker.stop()
    loudspeaker.advance(0.1)
    kept = loudspeaker.samples
    assert not kept[: RATE // 2].any()
    assert kept[RATE // 2 + 10] == pytest.approx(0.2)
    assert kept[RATE // 2 + RATE // 10 + 10] == pytest.approx(0.3)
    assert not kept[round(0.65 * RATE) :].any()


@pytest.mark.audio
def test_the_command_writes_a_sound_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--wav", str(tmp_path / "night.wav")]) == 0
    with wave.open(str(tmp_path / "night.wav")) as file:
        assert file.getnchannels() == 1
        assert file.getnframes() / file.getframerate() > 30
    assert "night.wav" in capsys.readouterr().out


def test_a_file_that_cant_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--wav", str(tmp_path / "nowhere" / "night.wav")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_an_unknown_voice_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--wav", "night.wav", "--voice", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
