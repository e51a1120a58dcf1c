"""The build of the cast: nothing is rendered twice, nothing unintelligible is kept, only held-out voices."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import soundfile
import soxr
from cast_build.casting import Casting  # type: ignore[import-not-found]
from cast_build.clips import LEVEL, clip_file, trimmed  # type: ignore[import-not-found]
from cast_build.listening import Listener  # type: ignore[import-not-found]
from cast_build.reading import reading  # type: ignore[import-not-found]
from cast_build.voices import FILE, CastVoice, cast_voices  # type: ignore[import-not-found]
from speech_engines import held_out  # type: ignore[import-not-found]

from narrator.mouth.renderer import Renderer
from narrator.rehearsal.cast.natural import load_voices
from narrator.rehearsal.cast.repertoire import for_everybody, for_the_judge
from narrator.rehearsal.room import Samples, level
from narrator.resources import voices_folder
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

RATE = 24_000


@pytest.fixture(scope="module")
def phrasebook() -> Phrasebook:
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")


class Tones:
    """A synthesiser that hums; it counts what it was asked for and may break off."""

    def __init__(self) -> None:
        self.rendered = 0
        self.breaks_after = 10**9

    def style(self, blend: object) -> None:
        return None

    def read(self, groups: Sequence[Sequence[str]], style: None, speed: float) -> Samples:
        if self.rendered == self.breaks_after:
            raise KeyboardInterrupt
        self.rendered += 1
        length = sum(map(len, groups)) * 0.05 / speed
        quiet = np.zeros(RATE // 5, np.float32)
        hum = 0.4 * np.sin(2 * np.pi * 300 * np.arange(round(length * RATE)) / RATE)
        return np.concatenate([quiet, hum.astype(np.float32), quiet])


ANNA = CastVoice("anna", (("zf_xiaoni", 1.0),), 1.0, judge=True)
CHEN = CastVoice("chen", (("zm_yunxia", 0.5), ("af_heart", 0.5)), 1.1, judge=False)


def cast(
    folder: Path, phrasebook: Phrasebook, voices: Sequence[CastVoice], **more: object
) -> tuple[Any, Tones]:
    engine = Tones()
    return Casting(phrasebook, voices, folder / "clips", folder / "out", lambda: engine, **more), engine


@pytest.fixture
def casting(tmp_path: Path, phrasebook: Phrasebook) -> Callable[..., tuple[Any, Tones]]:
    """A build in the test's own folder."""
    return lambda *voices, **more: cast(tmp_path, phrasebook, voices, **more)


class Both(NamedTuple):
    """Anna and Chen, built once; a test that goes on from there does so in a copy."""

    folder: Path
    build: Any
    engine: Tones
    steps: int


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, phrasebook: Phrasebook) -> Both:
    folder, steps = tmp_path_factory.mktemp("both"), []
    build, engine = cast(folder, phrasebook, (ANNA, CHEN))
    assert build.run(lambda: steps.append(1)) == len(steps)
    return Both(folder, build, engine, len(steps))


def test_everything_a_table_says_is_packed(both: Both, phrasebook: Phrasebook) -> None:
    assert both.steps == both.build.wanted() == both.engine.rendered
    voices = load_voices(both.build.out)
    assert set(voices["chen"].clips) == set(for_everybody(phrasebook))
    assert set(voices["anna"].clips) == {*for_everybody(phrasebook), *for_the_judge(phrasebook)}
    assert (voices["anna"].judge, voices["chen"].judge) == (True, False)


def test_nothing_is_rendered_twice_and_a_changed_voice_is_rendered_again(
    casting: Callable[..., tuple[Any, Tones]], both: Both, phrasebook: Phrasebook, tmp_path: Path
) -> None:
    shutil.copytree(both.folder, tmp_path, dirs_exist_ok=True)
    again, engine = casting(CHEN)
    first = (again.out / "chen.opus").read_bytes()
    again.run(lambda: None)
    assert engine.rendered == 0
    assert len((again.out / "chen.opus").read_bytes()) == len(first)
    faster, engine = casting(replace(CHEN, speed=1.2))
    faster.run(lambda: None)
    assert engine.rendered == len(for_everybody(phrasebook))


def test_a_build_that_was_broken_off_goes_on_where_it_stopped(
    casting: Callable[..., tuple[Any, Tones]],
) -> None:
    build, engine = casting(CHEN)
    engine.breaks_after = 30
    with pytest.raises(KeyboardInterrupt):
        build.run(lambda: None)
    assert not (build.out / "index.toml").exists()
    again, engine = casting(CHEN)
    again.run(lambda: None)
    assert engine.rendered == again.wanted() - 30


def test_a_voice_that_is_gone_takes_its_file_along(
    casting: Callable[..., tuple[Any, Tones]], both: Both, tmp_path: Path
) -> None:
    shutil.copytree(both.folder, tmp_path, dirs_exist_ok=True)
    assert (tmp_path / "out" / "chen.opus").exists()
    build, _ = casting(ANNA)
    build.run(lambda: None)
    assert {file.name for file in build.out.iterdir()} == {"anna.opus", "index.toml"}


def test_a_clip_is_cut_to_the_voice_and_as_loud_as_the_others() -> None:
    for loudness in (0.05, 0.9):
        hum = loudness * np.sin(2 * np.pi * 300 * np.arange(RATE) / RATE)
        cut = trimmed(np.concatenate([np.zeros(RATE), hum, np.zeros(RATE)]).astype(np.float32))
        assert len(cut) / 16_000 == pytest.approx(1.08, abs=0.03)
        assert level(cut) == pytest.approx(LEVEL, rel=0.05)
        assert cut[0] == cut[-1] == 0
    with pytest.raises(ValueError, match="nothing"):
        trimmed(np.zeros(RATE, np.float32))


@pytest.mark.audio
def test_what_nobody_can_make_out_is_tried_at_other_speeds_and_dropped(
    casting: Callable[..., tuple[Any, Tones]], phrasebook: Phrasebook, model_path: Path
) -> None:
    listener = Listener(model_path, phrasebook)
    build, engine = casting(CHEN, listener=listener)
    spoken = "三号"
    file = clip_file(build.clips, CHEN, spoken, CHEN.speed)
    file.parent.mkdir(parents=True)
    with Renderer() as renderer:
        clip = renderer.render(spoken)
    soundfile.write(file, soxr.resample(clip.samples, clip.rate, 16_000), 16_000, format="FLAC")
    build.run(lambda: None)
    # A hum may pass for a syllable now and then, but hardly ever for the one that was meant.
    assert len(build.dropped) > 0.8 * (build.wanted() - 1)
    assert engine.rendered > 2.5 * (build.wanted() - 1)
    assert spoken in load_voices(build.out)["chen"].clips
    assert f"chen: {spoken}" not in build.dropped


# How texts are read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("一号", "yi1 hao4"),
        ("十一票", "shi2 yi1 piao4"),
        ("一票", "yi2 piao4"),
        ("一人", "yi4 ren2"),
        ("下一位", "xia4 yi2 wei4"),
        ("再来一局", "zai4 lai2 yi4 ju2"),
        ("想一想", "xiang3 yi5 xiang3"),
        ("第一个", "di4 yi1 ge4"),
        ("不对", "bu2 dui4"),
        ("可以", "ke2 yi3"),
        ("还没说完", "hai2 mei2 shuo1 wan2"),
        ("重复", "chong2 fu4"),
        ("说完了，过。", "shuo1 wan2 le5 | guo4"),
    ],
)
def test_tones_change_as_they_do_in_speech(text: str, said: str) -> None:
    assert " | ".join(" ".join(group) for group in reading(text)) == said


def test_what_is_not_mandarin_cannot_be_read() -> None:
    with pytest.raises(ValueError, match="OK"):
        reading("OK")


def test_everything_in_the_repertoire_can_be_read(phrasebook: Phrasebook) -> None:
    for text in (*for_everybody(phrasebook), *for_the_judge(phrasebook)):
        assert reading(text)


# Whose voices they are


def test_only_voices_that_the_recogniser_has_never_heard_are_mixed() -> None:
    voices = cast_voices()
    assert len(voices) >= 8
    assert {name for voice in voices for name, _ in voice.blend} <= set(held_out.KOKORO)
    assert sum(voice.judge for voice in voices) >= 2


@pytest.mark.parametrize(
    ("change", "why"),
    [(("zf_xiaoni = 1.0", "zf_xiaobei = 1.0"), "knows"), (("zf_xiaoni = 1.0", "zf_xiaoni = 0.9"), "add up")],
)
def test_a_voice_that_may_not_be_used_is_refused(change: tuple[str, str], why: str, tmp_path: Path) -> None:
    file = tmp_path / "voices.toml"
    file.write_text(FILE.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(ValueError, match=why):
        cast_voices(file)


def test_the_recogniser_is_not_trained_on_held_out_voices() -> None:
    espeak = pytest.importorskip("model_build.espeak", reason="the build of the model needs its packages")
    kokoro = pytest.importorskip("model_build.kokoro", reason="the build of the model needs its packages")
    assert set(espeak.VARIANTS) & {*held_out.ESPEAK, *held_out.TUNING_ESPEAK} == set()
    assert set(kokoro.MANDARIN) & set(held_out.KOKORO) == set()
    everyone = type("Synthesiser", (), {"voices": (*held_out.KOKORO, "af_sky", "zm_yunxi")})()
    assert kokoro.accents(everyone) == ("af_sky",)


def test_nothing_is_measured_with_a_voice_that_thresholds_were_chosen_with() -> None:
    assert set(held_out.ESPEAK) & set(held_out.TUNING_ESPEAK) == set()
    assert set(held_out.MANDARIN) & set(held_out.TUNING_KOKORO) == set()
    corpora = pytest.importorskip("model_build.corpora", reason="the build of the model needs its packages")
    people = (corpora.TRAINED_PEOPLE, corpora.TUNING_PEOPLE, corpora.HELD_OUT_PEOPLE)
    assert len({*people[0], *people[1], *people[2]}) == sum(map(len, people)) == 24
