"""One whole game in real time over a sound card, unplugged in its middle; prints figures as JSON.

The microphone is gone while two people speak: the judge says so once, a speech is ended at the keyboard, the
microphone is plugged in again, and the game goes on by voice. Run by test_live_game.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import soxr

from narrator.ears.microphone import Microphone, SoundDeviceMicrophone
from narrator.ears.model import load_model
from narrator.faults import Fault
from narrator.heard import Heard
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Input
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import ClipCache
from narrator.mouth.lines import load_pack
from narrator.mouth.loudspeaker import SoundDeviceLoudspeaker
from narrator.mouth.renderer import Renderer
from narrator.mouth.speech import Mouth
from narrator.rehearsal.cast.people import Cast
from narrator.rehearsal.cast.voices import EspeakVoices
from narrator.rehearsal.players import Players, VirtualKeyboard
from narrator.rehearsal.room import Samples
from narrator.rehearsal.script import Script
from narrator.resources import voices_folder
from narrator.rules.ruleset import load
from narrator.table.blocks import RATE
from narrator.table.journal import Journal
from narrator.table.listening import Ears
from narrator.table.notices import Notices
from narrator.table.performance import Performance
from narrator.table.resume import revive
from narrator.table.session import Session
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import load_phrasebook

SEED = 80
"""Of all small tables the one with the shortest game that has a night, a day and a ballot."""
PLAYERS = 8
PACE = 0.25
LONGEST_SECONDS = 480.0
HURRIED = 400
UNPLUGGED_AT = 2
"""The speech during which the microphone is pulled out; it is plugged in again during the next one."""


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
    """Keeps what happened."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lines: list[str] = []
        self.told_: list[str] = []
        self.winner = ""
        self.silent = 0
        self.taken_ = 0
        self.typed = 0
        self.heard_again = 0

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self.lines.append(say.line)
        self.silent += silent

    def heard(self, heard: Heard, event: Input) -> None:
        self.typed += heard.typed
        self.heard_again += self.told_[-1:] == ["microphone_back"] and not heard.typed

    def taken(self, event: Input) -> None:
        self.taken_ += 1

    def told(self, key: str, **params: object) -> None:
        self.told_.append(key)

    def noted(self, note: Note) -> None:
        self.notes.append(note.what)
        if note.what == "verdict":
            self.winner = str(note.data["winner"])


def pactl(*arguments: str, program: str = "pactl") -> str:
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def pull_out() -> None:
    """The microphone, and whoever records from it: left alone he would be moved to another source."""
    for line in pactl("list", "short", "source-outputs").splitlines():
        pactl("kill-source-output", line.split("\t")[0], program="pacmd")
    for line in pactl("list", "short", "modules").splitlines():
        number, name, *_ = line.split("\t")
        if name == "module-remap-source":
            pactl("unload-module", number)


def plug_in() -> None:
    pactl("load-module", "module-remap-source", "master=room.monitor", "source_name=mic")


class Unplugging(Witness):
    """Pulls the microphone out in the middle of the game, types meanwhile, and plugs it in again."""

    def __init__(self, keyboard: VirtualKeyboard) -> None:
        self._keyboard = keyboard
        self._speeches: list[object] = []
        self._lost = False
        self._typed = False
        self.in_vain = 0
        self.out_at = self.in_at = 0.0

    def microphone(self) -> Microphone:
        try:
            return SoundDeviceMicrophone("pulse")
        except Fault:
            self.in_vain += 1
            raise

    def told(self, key: str, **params: object) -> None:
        self._lost = self._lost or key == "microphone_lost"

    def opened(self, expect: Expect) -> None:
        if expect.about != "speech":
            return
        if expect.params not in self._speeches:
            self._speeches.append(expect.params)
        if len(self._speeches) == UNPLUGGED_AT and not self.out_at:
            pull_out()
            self.out_at = time.monotonic()
        elif len(self._speeches) == UNPLUGGED_AT and self._lost and not self._typed:
            self._typed = True
            # After the longest moment in which the speaker, asked again, says it himself to no avail.
            self._keyboard.type("过", 1.0)
        elif len(self._speeches) > UNPLUGGED_AT and not self.in_at:
            plug_in()
            self.in_at = time.monotonic()


def main(model: Path) -> None:
    voice = voices_folder() / "zh-CN"
    pack, phrasebook = load_pack(voice), load_phrasebook(voice / "phrases.toml")
    # A hurried narrator: the room is real, and so is the time it takes.
    pack = replace(pack, voice=replace(pack.voice, rate=HURRIED))
    script = Script(load("standard"), PLAYERS, Secrets.CODES, SEED)
    setup = Setup(SEED, ruleset="standard", players=PLAYERS, secrets=Secrets.CODES)
    people, narrator = SoundDeviceLoudspeaker("pulse"), SoundDeviceLoudspeaker("pulse")
    air, diary, cache, notices = RealAir(people), Diary(), ClipCache(), Notices()
    file = Path.home() / "narrator.db"
    journal = Journal(file, notices.tell)
    journal.open_evening(setup)
    with closing(people), closing(narrator), Renderer() as renderer:
        cast = Cast(PLAYERS, SEED, EspeakVoices(renderer, cache))
        players = Players(script, cast, air, phrasebook, SEED, speech_share=0.3)
        plug = Unplugging(players.keyboard)
        witnesses = (journal, players, diary, plug)
        microphone = SteadyMicrophone(plug.microphone(), plug.microphone, notices.tell)
        session = Session(
            Moderator(setup),
            microphone,
            Performance(Mouth(pack, renderer, cache, narrator.rate), narrator, (players, diary), PACE),
            pack,
            phrasebook,
            ears=Ears(load_model(model), phrasebook),
            keyboard=players.keyboard,
            witnesses=witnesses,
            pace=PACE,
            notices=notices,
        )
        session.begin()
        while not session.over and session.elapsed < LONGEST_SECONDS:
            session.tick(microphone.read())
        microphone.close()
    journal.close()
    # As after a power cut at the goodbye: whoever plays what the file has ends where they did.
    with closing(Journal(file)) as again:
        written = again.unfinished()
    assert written is not None
    replayed = revive(written).moderator
    figures = players.figures
    print(
        json.dumps(
            {
                "over": session.finished,
                "winner": diary.winner,
                "true_winner": script.verdict.winner if script.verdict is not None else None,
                "notes": diary.notes,
                "told": diary.told_,
                "said_of_it": [line for line in diary.lines if line.startswith("fault.")],
                "away_seconds": round(plug.in_at - plug.out_at, 1),
                "tries_in_vain": plug.in_vain,
                "journal": {
                    "inputs": len(written.inputs),
                    "notes": [what for _, what, _ in written.notes],
                    "ended": replayed.ended,
                },
                "typed": diary.typed,
                "heard_again": diary.heard_again,
                "inputs": diary.taken_,
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
