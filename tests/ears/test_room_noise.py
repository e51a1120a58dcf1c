"""A room where others talk in the background: ears attuned to it by the room check, and ears that aren't."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from quiet_room import RATE, Speak, feed

from narrator.ears.model import RecogniserModel
from narrator.ears.voicing import VoicingSettings, level
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer
from narrator.room.measured import Room
from narrator.room.probe import noise_of
from narrator.table.listening import listener
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook

pytestmark = pytest.mark.audio

NOISE, VOICE = -45.0, -30.0
"""RMS in dB of full scale."""

SEATS = {"一号": 1, "三号": 3, "四号": 4, "五号": 5, "六号": 6, "八号": 8, "九号": 9, "十号": 10}


def at(sound: NDArray[np.float64], decibels: float) -> NDArray[np.float64]:
    return np.asarray(sound / np.sqrt((sound**2).mean()) * 10 ** (decibels / 20))


def chatter(speak: Speak, seconds: int) -> NDArray[np.float64]:
    """Two people talking at once, with the pauses that talk has."""
    total = np.zeros(seconds * RATE)
    for text, pause in (("我觉得今天的发言很有意思", 0.25), ("但是他昨天说的话我不太相信", 0.6)):
        talk = np.concatenate([speak(text) / 32768, np.zeros(round(pause * RATE))])
        total += np.resize(talk, len(total))
    return at(total, NOISE)


def test_talk_in_the_background_is_told_from_an_answer_better_once_the_room_is_known(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    asked = Expectation(Kind.SEAT)
    background = chatter(speak, 60)
    rng = np.random.default_rng(4)
    right = {"attuned": 0, "usual": 0}
    for text, seat in SEATS.items():
        start = int(rng.integers(0, len(background) - 6 * RATE))
        sound = background[start : start + 6 * RATE].copy()
        answer = at(speak(text) / 32768, VOICE)
        sound[2 * RATE : 2 * RATE + len(answer)] += answer
        blocks = np.round(sound.clip(-1, 1) * 32767).astype(np.int16)
        noise = noise_of(blocks[:RATE])
        loudest = max(level(block) for block in blocks[2 * RATE : 3 * RATE].reshape(-1, 320))
        room = Room("desk", "box", noise.floor, noise.spread, -26.0, 0.1, 0.1, 0.1, loudest, loudest)
        assert room.voicing.on > VoicingSettings().on
        for which, voicing in (("attuned", room.voicing), ("usual", None)):
            ears = listener(asked, model, phrasebook, noise.floor, voicing)
            meant = [understand(heard, asked, phrasebook) for _, heard in feed(ears, blocks)]
            first = next((answer for answer in meant if isinstance(answer, Answer)), None)
            right[which] += first is not None and first.value == seat
    assert right["attuned"] >= right["usual"] + 2, right
    assert right["attuned"] >= len(SEATS) / 2, right
