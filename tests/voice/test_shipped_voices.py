"""The recorded voices that come with the program say everything it can say."""

from __future__ import annotations

import json

import numpy as np
import pytest
from voice_build.command import LIMIT  # type: ignore[import-not-found]

from narrator.moderator.effects import Say, Value
from narrator.mouth.levels import AUDIBLE, LOUDNESS, audible
from narrator.mouth.lines import VoicePack, load_pack
from narrator.mouth.loudness import loudness
from narrator.mouth.recorded import FOLDER, INDEX, RecordedVoice, recorded_voices, voice_of
from narrator.mouth.speech import Mouth
from narrator.resources import voices_folder

RATE = 24_000
LOCALE = voices_folder() / "zh-CN"
VOICES = recorded_voices(LOCALE)
SYNTHESISED: frozenset[str] = frozenset()
"""Pieces that are left to the synthesiser: none so far."""

pytestmark = pytest.mark.skipif(not VOICES, reason="no voice is recorded: run scripts/build_voice")


@pytest.fixture(scope="module")
def pack() -> VoicePack:
    return load_pack(LOCALE)


@pytest.fixture(scope="module", params=VOICES or ["none"])
def voice(request: pytest.FixtureRequest) -> RecordedVoice:
    return voice_of(LOCALE, request.param)


def test_nothing_the_program_can_say_is_missing(pack: VoicePack, voice: RecordedVoice) -> None:
    assert pack.open_pieces() == ()
    missing = [text for text in pack.every_segment() if text not in voice and text not in SYNTHESISED]
    assert missing == []


def test_the_index_lists_the_files_there_are_and_no_others(voice: RecordedVoice) -> None:
    files = {file.name for file in voice.folder.iterdir()}
    assert files == {INDEX, *(take.file for take in voice.takes.values())}


def test_every_clip_is_whole_equally_loud_and_closely_cut(voice: RecordedVoice) -> None:
    """Every clip's checksum is looked at; every seventh is decoded and measured."""
    for number, (text, take) in enumerate(voice.takes.items()):
        clip = voice.clip(text) if number % 7 == 0 else None
        assert (voice.folder / take.file).stat().st_size > 500
        if clip is None:
            continue
        assert clip.seconds == pytest.approx(take.seconds, abs=0.002)
        assert loudness(clip.samples, clip.rate) == pytest.approx(LOUDNESS, abs=1.0), text
        start, end = audible(clip.samples)
        assert start <= 0.04 * clip.rate, text
        assert len(clip.samples) - end <= 0.12 * clip.rate, text


def test_listening_back_understood_them(voice: RecordedVoice) -> None:
    index = json.loads((voice.folder / INDEX).read_text(encoding="utf-8"))
    heard = [entry["astray"] for entry in index["clips"].values()]
    assert None not in heard
    assert np.mean([share <= LIMIT for share in heard]) >= 0.99


@pytest.mark.parametrize(
    ("line", "params"),
    [
        ("ballot.read", {"seat": 3, "votes": 5}),
        ("confirm.seat", {"seat": 12}),
        ("day.killed", {"seats": (3, 11)}),
        ("ballot.tie", {"seats": (1, 7, 16), "votes": 4}),
        ("deal.cards", {"players": 12, "deal": (("killer", 3), ("police", 3), ("civilian", 6))}),
    ],
)
def test_a_joined_line_has_neither_holes_nor_clicks(
    pack: VoicePack, voice: RecordedVoice, line: str, params: dict[str, Value]
) -> None:
    mouth = Mouth(pack, None, None, RATE, [voice])
    segments = pack.segments(line, params)
    spoken = mouth.speak(Say(line, params))
    assert len(segments) > 1
    assert spoken.missing == ()
    samples = spoken.samples()
    clips = [voice.clip(text).samples for text in segments]
    place = audible(clips[0])[1]
    for clip in clips[1:]:
        start, end = audible(clip)
        hole = int(np.flatnonzero(np.abs(samples[place:]) > AUDIBLE)[0])
        assert 0.02 * RATE < hole <= 0.12 * RATE
        joint = samples[place - 240 : place + hole + 240]
        assert np.abs(np.diff(joint)).max() < 0.2
        place += hole + end - start


def test_both_voices_together_are_small() -> None:
    files = [file for file in (LOCALE / FOLDER).rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 12_000_000
