"""Rehearsals with the real parts: espeak-ng speaks, Vosk hears, a virtual room lies between them."""

from __future__ import annotations

import io
import json
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrator.cli.main import main
from narrator.ears.model import load_model
from narrator.moderator.evening import Secrets
from narrator.mouth.clips import ClipCache
from narrator.mouth.lines import load_pack
from narrator.mouth.renderer import Renderer
from narrator.rehearsal.cast.people import Cast
from narrator.rehearsal.cast.voices import EspeakVoices
from narrator.rehearsal.rehearse import Plan, Stage, rehearse
from narrator.rehearsal.room import SPEECH_LEVEL, level
from narrator.resources import voices_folder
from narrator.table.blocks import RATE
from narrator.understanding.phrasebook import load_phrasebook

pytestmark = pytest.mark.audio

SMALL = Plan("standard", 8, Secrets.CODES, seed=1, snr=20.0, speech_share=0.1)


@pytest.fixture(scope="module")
def stage(model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The real parts, with nothing rendered yet."""
    voice = voices_folder() / "zh-CN"
    with Renderer() as renderer:
        yield Stage(
            load_pack(voice),
            load_phrasebook(voice / "phrases.toml"),
            load_model(model_path),
            renderer,
            ClipCache(tmp_path_factory.mktemp("clips")),
        )


class Rehearsal:
    """A game and everything it leaves behind."""

    def __init__(self, plan: Plan, stage: Stage, folder: Path, reveal: bool = False) -> None:
        self.wav = folder / "table.wav"
        out = io.StringIO()
        self.echoed: list[str] = []
        self.figures: dict[str, Any] = rehearse(plan, stage, self.wav, out, self.echoed.append, reveal)
        self.transcript = out.getvalue().splitlines()


@pytest.fixture(scope="module")
def small(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return Rehearsal(SMALL, stage, tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def repeated(stage: Stage, small: Rehearsal, tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """The same once more, now with every clip in store and the secrets shown."""
    return Rehearsal(SMALL, stage, tmp_path_factory.mktemp("repeated"), reveal=True)


def test_a_small_table_is_understood_to_the_end(small: Rehearsal) -> None:
    figures = small.figures
    assert figures["completed"]
    assert figures["winner"] == figures["winner_implied"]
    assert (figures["misunderstood"], figures["false_stops"], figures["mistakes"]) == (0, 0, [])
    assert figures["answers"] == figures["understood_first_time"] + figures["repaired"]
    assert figures["understood_first_time"] > 0.8 * figures["answers"] > 30


def test_an_answer_is_heard_soon_after_its_last_word(small: Rehearsal) -> None:
    latency = small.figures["latency_ms"]
    assert 0 < latency["p50"] <= latency["p95"] < 1000


def test_the_same_seed_gives_the_same_figures_and_the_same_sound(
    small: Rehearsal, repeated: Rehearsal
) -> None:
    assert {**small.figures, "wall_seconds": 0} == {**repeated.figures, "wall_seconds": 0}
    assert small.wav.read_bytes() == repeated.wav.read_bytes()


def test_the_table_can_be_listened_to(small: Rehearsal) -> None:
    with wave.open(str(small.wav)) as file:
        seconds = file.getnframes() / file.getframerate()
        sound = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / 32767
    assert seconds == pytest.approx(small.figures["audio_seconds"], abs=0.1)
    assert 0.02 < np.sqrt((sound**2).mean()) < 0.5
    assert small.figures["wall_seconds"] < seconds


def test_the_transcript_tells_everything_said_and_nothing_secret(
    small: Rehearsal, repeated: Rehearsal
) -> None:
    assert small.echoed == small.transcript
    spoken = [line for line in small.transcript if " 主持  " in line]
    assert spoken[0].endswith("欢迎来玩杀人游戏。")
    assert spoken[-1].endswith("谢谢大家，下次再玩。")
    assert not any("(no sound)" in line for line in spoken)

    assert len(small.transcript) == len(repeated.transcript)
    hidden = [line for line in small.transcript if line.endswith(" 听到  ···")]
    secrets = [line for line in repeated.transcript if line not in small.transcript]
    assert len(secrets) == len(hidden) > 6
    assert all("听到" in line and "→" in line for line in secrets)


@pytest.mark.parametrize(
    "plan",
    [
        Plan("classic", 11, Secrets.JUDGE, seed=1, snr=20.0, speech_share=0.1),
        Plan("standard", 8, Secrets.KEYPAD, seed=2, snr=20.0, speech_share=0.1),
    ],
    ids=lambda plan: f"{plan.ruleset}-{plan.secrets}",
)
def test_other_tables_are_understood_too(plan: Plan, stage: Stage, tmp_path: Path) -> None:
    figures = Rehearsal(plan, stage, tmp_path).figures
    assert figures["completed"]
    assert (figures["misunderstood"], figures["mistakes"]) == (0, [])


def test_own_rules_told_aloud_in_the_lobby_are_the_ones_played(stage: Stage, tmp_path: Path) -> None:
    wanted = (("killers", 3), ("last_words", "all"), ("tie", "draw"))
    plan = Plan("standard", 8, Secrets.CODES, 4, 20.0, speech_share=0.1, knobs=wanted, by_voice=True)
    table = Rehearsal(plan, stage, tmp_path)
    assert table.figures["completed"]
    assert table.figures["own_rules"] == ["killers=3", "last_words=all", "tie=draw"]
    assert (table.figures["misunderstood"], table.figures["mistakes"]) == (0, [])
    assert any("Command(name='own_rules'" in line for line in table.transcript)


def test_the_command_leaves_sound_transcript_and_figures_behind(
    model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    out = tmp_path / "out"
    options = f"--players 8 --secrets judge --seed 5 --model {model_path} --out {out} --json"
    assert main(["rehearse", *options.split()]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((out / "figures.json").read_text(encoding="utf-8"))
    assert printed["completed"]
    sound = (out / "table.wav").stat().st_size
    assert sound == pytest.approx(printed["audio_seconds"] * RATE * 2, rel=0.001)
    assert "主持" in (out / "transcript.txt").read_text(encoding="utf-8")


# The cast


def test_the_same_people_come_again_and_others_with_another_seed(stage: Stage) -> None:
    def people(seed: int) -> list[bytes]:
        cast = Cast(8, seed, EspeakVoices(stage.renderer, stage.cache))
        return [cast.says(seat, "三号").tobytes() for seat in range(9)]

    first = people(1)
    assert first == people(1)
    assert len(set(first)) == 9
    assert first != people(2)


def test_everybody_is_loud_enough_and_some_are_louder(stage: Stage) -> None:
    cast = Cast(12, 1, EspeakVoices(stage.renderer, stage.cache))
    levels = [20 * np.log10(level(cast.says(seat, "我没什么可说的。")) / SPEECH_LEVEL) for seat in range(13)]
    assert all(-3.1 < decibels < 3.1 for decibels in levels)
    assert max(levels) - min(levels) > 2
