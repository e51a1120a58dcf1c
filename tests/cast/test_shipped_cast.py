"""The cast that comes with the program: whole, small, and of voices the recogniser has never heard."""

from __future__ import annotations

import tomllib

import pytest
from cast_build.voices import cast_voices  # type: ignore[import-not-found]

from narrator.rehearsal.cast.natural import INDEX, clips_folder, has_natural_cast, load_voices
from narrator.rehearsal.cast.repertoire import chatter, for_everybody, for_the_judge
from narrator.rehearsal.room import level
from narrator.resources import voices_folder
from narrator.understanding.phrasebook import load_phrasebook

MOST_BYTES = 4_000_000
LEAST_SHARE = 0.92
"""Of what a voice has to say; the rest could not be made out, or was added to the phrases since."""

pytestmark = pytest.mark.skipif(
    not has_natural_cast(), reason="no clips of natural voices: make them with scripts/build_cast"
)


def test_there_are_eight_voices_or_more_and_some_can_be_a_judge() -> None:
    voices = load_voices(clips_folder())
    assert len(voices) >= 8
    assert sum(voice.judge for voice in voices.values()) >= 2


def test_they_are_the_voices_that_the_build_describes() -> None:
    index = tomllib.loads((clips_folder() / INDEX).read_text(encoding="utf-8"))
    assert {name: entry["made_of"] for name, entry in index.items()} == {
        voice.name: voice.recipe for voice in cast_voices()
    }


def test_everything_a_rehearsal_needs_is_there() -> None:
    phrasebook = load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")
    for name, voice in load_voices(clips_folder()).items():
        wanted = {*for_everybody(phrasebook), *(for_the_judge(phrasebook) if voice.judge else ())}
        assert len(wanted & set(voice.clips)) >= LEAST_SHARE * len(wanted), name
        assert set(voice.clips) >= {sentence for sentences in chatter().values() for sentence in sentences}


def test_it_is_small() -> None:
    assert sum(file.stat().st_size for file in clips_folder().iterdir()) <= MOST_BYTES


def test_every_clip_is_a_voice_of_a_likely_length() -> None:
    for voice in load_voices(clips_folder()).values():
        for text in voice.clips:
            samples = voice.read(text)
            assert samples is not None
            assert 0.05 < level(samples) < 0.2
            assert 0.1 + 0.08 * len(text) < len(samples) / 16_000 < 0.8 + 0.45 * len(text), text
