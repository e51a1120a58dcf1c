"""One night and one day in real time over a sound card; prints figures as JSON. Run by test_live_game."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import soxr

from narrator.ears.microphone import SoundDeviceMicrophone
from narrator.ears.model import load_model
from narrator.moderator.effects import Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import ClipCache
from narrator.mouth.lines import load_pack
from narrator.mouth.loudspeaker import SoundDeviceLoudspeaker
from narrator.mouth.renderer import Renderer
from narrator.mouth.speech import Mouth
from narrator.rehearsal.cast.people import Cast
from narrator.rehearsal.cast.voices import EspeakVoices
from narrator.rehearsal.players import Players
from narrator.rehearsal.room import Samples
from narrator.rehearsal.script import Script
from narrator.resources import voices_folder
from narrator.rules.ruleset import load
from narrator.table.blocks import RATE
from narrator.table.listening import Ears
from narrator.table.performance import Performance
from narrator.table.session import Session
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import load_phrasebook

SEED = 38
PLAYERS = 8
PACE = 0.25
LONGEST_SECONDS = 480.0
HURRIED = 240


class RealAir:
    """People's voices, played into the room by a loudspeaker of their own."""

    def __init__(self, loudspeaker: SoundDeviceLoudspeaker) -> None:
        self._loudspeaker = loudspeaker
        self._began = time.monotonic()

    @property
    def now(self) -> float:
        return time.monotonic() - self._began

    def speak(self, samples: Samples, delay: float) -> float:
        silence = np.zeros(int(delay * RATE), dtype=np.float32)
        sound = np.concatenate([silence, samples])
        rate = self._loudspeaker.rate
        self._loudspeaker.play(np.asarray(soxr.resample(sound, RATE, rate), dtype=np.float32))
        return self.now + len(sound) / RATE

    def hush(self) -> None:
        self._loudspeaker.stop()


class Diary(Witness):
    """Keeps what happened, and tells when the first day is over."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lines: list[str] = []
        self.silent = 0
        self.over = False

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self.lines.append(say.line)
        self.silent += silent

    def noted(self, note: Note) -> None:
        self.notes.append(note.what)
        if note.what == "verdict" or (note.what == "night" and note.data["round"] == 2):
            self.over = True


def main(model: Path) -> None:
    voice = voices_folder() / "zh-CN"
    pack, phrasebook = load_pack(voice), load_phrasebook(voice / "phrases.toml")
    # A hurried narrator: the room is real, and so is the time it takes.
    pack = replace(pack, voice=replace(pack.voice, rate=HURRIED))
    script = Script(load("standard"), PLAYERS, Secrets.CODES, SEED)
    setup = Setup(SEED, ruleset="standard", players=PLAYERS, secrets=Secrets.CODES)
    people, narrator = SoundDeviceLoudspeaker("pulse"), SoundDeviceLoudspeaker("pulse")
    air, diary, cache = RealAir(people), Diary(), ClipCache()
    with Renderer() as renderer:
        cast = Cast(PLAYERS, SEED, EspeakVoices(renderer, cache))
        players = Players(script, cast, air, phrasebook, SEED, speech_share=0.3)
        witnesses = (players, diary)
        microphone = SoundDeviceMicrophone("pulse")
        session = Session(
            Moderator(setup),
            microphone,
            Performance(Mouth(pack, renderer, cache, narrator.rate), narrator, witnesses, PACE),
            pack,
            phrasebook,
            ears=Ears(load_model(model), phrasebook),
            keyboard=players.keyboard,
            witnesses=witnesses,
            pace=PACE,
        )
        session.begin()
        while not diary.over and session.elapsed < LONGEST_SECONDS:
            session.tick(microphone.read())
    microphone.close()
    people.close()
    narrator.close()
    figures = players.figures
    print(
        json.dumps(
            {
                "over": diary.over,
                "notes": diary.notes,
                "silent_lines": diary.silent,
                "lines": len(diary.lines),
                "seconds": round(air.now, 1),
                "clock_seconds": round(session.elapsed, 1),
                "answers": figures.answers,
                "repaired": figures.repaired,
                "misunderstood": figures.misunderstood,
                "mistakes": figures.mistakes,
                "latency_ms": round(1000 * float(np.median(figures.latencies))),
            },
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
