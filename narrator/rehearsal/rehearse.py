"""A rehearsal: a whole game with synthetic players through real synthesis and real recognition."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from narrator.ears.model import RecogniserModel
from narrator.heard import Heard
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.evening import Knobs, Secrets, Setup
from narrator.moderator.inputs import Answer, Input
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import ClipCache
from narrator.mouth.recorded import SpokenBy
from narrator.mouth.renderer import Renderer
from narrator.mouth.speech import Mouth
from narrator.mouth.voicepack import VoicePack
from narrator.rehearsal.cast.natural import RecordedVoices
from narrator.rehearsal.cast.people import Cast
from narrator.rehearsal.cast.voices import EspeakVoices
from narrator.rehearsal.players import Players
from narrator.rehearsal.room import Room
from narrator.rehearsal.script import Script
from narrator.rehearsal.wishes import Wishes
from narrator.rules.custom import Setting, parse, setting_of
from narrator.rules.library import OwnRules, library
from narrator.rules.ruleset import Ruleset
from narrator.table.listening import Ears
from narrator.table.performance import Performance
from narrator.table.session import Session
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook

# Two hours of the table's time: far more than any game needs.
_LONGEST_SECONDS = 7_200


@dataclass(frozen=True, slots=True)
class Plan:
    """What is rehearsed. ``snr`` in dB; ``speech_share`` scales how much players talk.

    ``knobs`` are the table's own rules, fixed beforehand or, ``by_voice``, told in the lobby one by one;
    ``own`` the host's own rulesets.
    """

    ruleset: str
    players: int
    secrets: Secrets
    seed: int
    snr: float
    games: int = 1
    speech_share: float = 1.0
    knobs: Knobs = ()
    own: tuple[OwnRules, ...] = ()
    by_voice: bool = False

    @property
    def presets(self) -> Knobs:
        """The own rules that nobody has to ask for aloud."""
        return () if self.by_voice else self.knobs


@dataclass(frozen=True, slots=True)
class Stage:
    """The real parts a rehearsal runs on.

    ``clips`` is the folder of the cast's natural voices; without one everybody speaks by espeak-ng. The
    narrator speaks with the first of the recorded ``voices``, if any.
    """

    pack: VoicePack
    phrasebook: Phrasebook
    model: RecogniserModel
    renderer: Renderer
    cache: ClipCache
    clips: Path | None = None
    voices: tuple[SpokenBy, ...] = ()


class Transcript(Witness):
    """Writes down who said what, when, and what was understood; secrets only with ``reveal``."""

    def __init__(self, room: Room, out: TextIO | None, echo: Callable[[str], None], reveal: bool) -> None:
        self._room = room
        self._out = out
        self._echo = echo
        self._reveal = reveal
        self._private = False

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        """A line of the narrator."""
        self._write("主持", text + (" (no sound)" if silent else ""))

    def opened(self, expect: Expect) -> None:
        """Whether the coming answer is a secret."""
        self._private = expect.expectation.private

    def heard(self, heard: Heard, event: Input) -> None:
        """What came back, and what it was taken for."""
        if self._private and not self._reveal:
            self._write("听到", "···")
            return
        taken = repr(event.value) if isinstance(event, Answer) else str(event)
        self._write("听到", f"{heard.text} ({heard.confidence:.2f}) → {taken}")

    def noted(self, note: Note) -> None:
        """What the game made of it."""
        if note.what in ("dawn", "voted_out", "verdict", "ejected"):
            self._write("记录", f"{note.what} {json.dumps(dict(note.data), ensure_ascii=False)}")

    def _write(self, who: str, what: str) -> None:
        minutes, seconds = divmod(self._room.now, 60)
        line = f"{int(minutes):3d}:{seconds:04.1f} {who}  {what}"
        self._echo(line)
        if self._out is not None:
            print(line, file=self._out)


class _Kept(Witness):
    """Keeps the verdicts, and the own rules that each game was begun with."""

    def __init__(self) -> None:
        self.verdicts: list[Note] = []
        self.own_rules: list[tuple[str, ...]] = []

    def noted(self, note: Note) -> None:
        """Keep what the figures need."""
        if note.what == "verdict":
            self.verdicts.append(note)
        elif note.what == "game":
            knobs = note.data.get("knobs", ())
            assert isinstance(knobs, tuple)
            self.own_rules.append(tuple(map(str, knobs)))


def rehearse(
    plan: Plan,
    stage: Stage,
    wav: Path | None = None,
    transcript: TextIO | None = None,
    echo: Callable[[str], None] = lambda line: None,
    reveal: bool = False,
) -> dict[str, Any]:
    """Play the plan and return its figures (JSON-ready); reproducible by ``plan.seed``.

    ``misunderstood`` counts wrong answers acted upon: taken for something else than was meant and not
    put right before they counted, commands nobody gave, and speakers stopped before they were done.
    """
    started = time.perf_counter()
    ruleset = library(plan.own).chosen(plan.ruleset, plan.knobs, plan.players)
    wishes = Wishes(dict(plan.knobs)) if plan.by_voice else None
    script = Script(ruleset, plan.players, plan.secrets, plan.seed, games=plan.games, wishes=wishes)
    moderator = Moderator(
        Setup(
            random.Random(f"{plan.seed}:evening").getrandbits(32),
            # Without own rules the table is asked everything, aloud.
            ruleset=plan.ruleset if plan.presets else None,
            knobs=plan.presets,
            own=plan.own,
            rhythm=stage.pack.rhythm,
        )
    )
    espeak = EspeakVoices(stage.renderer, stage.cache)
    natural = None if stage.clips is None else RecordedVoices(stage.clips, espeak)
    cast = Cast(plan.players, plan.seed, natural or espeak)
    kept = _Kept()
    with Room(plan.seed, plan.snr, wav) as room:
        mouth = Mouth(stage.pack, stage.renderer, stage.cache, room.rate, stage.voices)
        players = Players(script, cast, room, stage.phrasebook, plan.seed, plan.speech_share)
        witnesses = (Transcript(room, transcript, echo, reveal), players, kept)
        session = Session(
            moderator,
            room,
            Performance(mouth, room, witnesses, waits_for_clips=True),
            stage.pack,
            stage.phrasebook,
            ears=Ears(stage.model, stage.phrasebook),
            keyboard=players.keyboard,
            witnesses=witnesses,
        )
        session.begin()
        while not session.over and session.elapsed < _LONGEST_SECONDS:
            session.tick(room.read())
    script.settle()
    wall = time.perf_counter() - started
    figures = _figures(plan, script, players, kept, session, wall)
    return {**figures, "cast": "natural", "not_recorded": natural.missing} if natural else figures


def _figures(
    plan: Plan, script: Script, players: Players, kept: _Kept, session: Session, wall: float
) -> dict[str, Any]:
    figures = players.figures
    last = kept.verdicts[-1].data if kept.verdicts else {}
    implied = script.verdict.winner if script.verdict else None
    meant = _settings(script.ruleset, plan.players)
    agreed = bool(kept.own_rules) and all(
        _settings(library(plan.own).chosen(plan.ruleset, dict(map(parse, knobs)), plan.players), plan.players)
        == meant
        for knobs in kept.own_rules
    )
    ended = session.over and len(kept.verdicts) == plan.games
    completed = ended and agreed and last.get("winner") == implied
    latencies = np.array(figures.latencies or [0.0]) * 1000
    return {
        "completed": completed,
        "ruleset": plan.ruleset,
        "players": plan.players,
        "secrets": plan.secrets.value,
        "seed": plan.seed,
        "snr": plan.snr,
        "own_rules": list(kept.own_rules[-1]) if kept.own_rules else None,
        "cast": "espeak",
        "not_recorded": [],
        "winner": last.get("winner"),
        "winner_implied": implied,
        "reason": last.get("reason"),
        "rounds": last.get("rounds"),
        "answers": figures.answers,
        "understood_first_time": figures.understood_first_time,
        "repaired": figures.repaired,
        "misunderstood": figures.misunderstood,
        "false_stops": figures.false_stops,
        "mistakes": figures.mistakes,
        "audio_seconds": round(session.elapsed, 1),
        "wall_seconds": round(wall, 1),
        "latency_ms": {
            "p50": round(float(np.percentile(latencies, 50))),
            "p95": round(float(np.percentile(latencies, 95))),
        },
    }


def _settings(ruleset: Ruleset, players: int) -> list[Setting]:
    """How every knob of a ruleset is set, whether it was turned or not."""
    return [setting_of(ruleset, name, players) for name in (ruleset.base or ruleset).knobs]
