"""Plays a recorded game in processes that are killed at every single input; prints what survived as JSON.

Run by test_killed_and_resumed, in a process of its own: it forks for every input.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from fingerprint import fingerprint

from narrator.moderator.effects import Effect, Expect, Note
from narrator.moderator.evening import Secrets
from narrator.moderator.inputs import Input
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.recording import Recording, record
from narrator.rules import ruleset as rulesets
from narrator.table.journal import Journal
from narrator.table.resume import revive

# The whole rest of the game is played at every so many deaths; at the others its next input.
REST = 16


class Life:
    """What one process does: it wakes up, compares everything, takes one more input, and is killed."""

    def __init__(self, recording: Recording, expected: list[tuple[object, ...]], file: Path) -> None:
        self.recording = recording
        self.expected = expected
        self.file = file

    def live(self, at: int, report: int) -> None:
        """From the input ``at`` on; never returns."""
        with closing(Journal(self.file)) as journal:
            found: dict[str, Any] = {}
            if at == 0:
                journal.open_evening(self.recording.setup)
                moderator = Moderator(self.recording.setup)
                self._note(journal, moderator.begin())
            else:
                moderator = self._resume(journal, at, found)
            if at < len(self.recording.inputs):
                self._die_at(self.recording.inputs[at], at, journal, moderator, report, found)
            self._send(report, found)
            os.kill(os.getpid(), signal.SIGKILL)

    def _resume(self, journal: Journal, at: int, found: dict[str, Any]) -> Moderator:
        unfinished = journal.unfinished()
        assert unfinished is not None
        revived = revive(unfinished)
        revived.go_on(journal)
        asked = [effect for effect in self.recording.effects[at] if isinstance(effect, Expect)]
        put = [effect for effect in revived.moderator.resume_question() if isinstance(effect, Expect)]
        found["memory"] = fingerprint(revived.moderator) == self.expected[at]
        found["question"] = put == asked
        if at % REST == 0:
            again = revive(unfinished).moderator
            later = tuple(again.handle(event) for event in self.recording.inputs[at:])
            found["later"] = later == self.recording.effects[at + 1 :]
        return revived.moderator

    def _die_at(
        self,
        event: Input,
        at: int,
        journal: Journal,
        moderator: Moderator,
        report: int,
        found: dict[str, Any],
    ) -> None:
        """Killed as soon as the input is written down, or once what came of it is compared too."""
        journal.taken(event)
        if at % 2:
            effects = moderator.handle(event)
            found["next"] = effects == self.recording.effects[at + 1]
            self._note(journal, effects)
        self._send(report, found)
        os.kill(os.getpid(), signal.SIGKILL)

    def _note(self, journal: Journal, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                journal.noted(effect)

    def _send(self, report: int, found: dict[str, Any]) -> None:
        os.write(report, json.dumps(found).encode())


def main(ruleset: str, players: int, secrets: str, seed: int, file: Path) -> None:
    """Kill a game at every input and print how many times everything was the same afterwards."""
    recording = record(rulesets.load(ruleset), players, Secrets(secrets), seed, noise=0.35)
    moderator = Moderator(recording.setup)
    moderator.begin()
    expected = [fingerprint(moderator)]
    for event in recording.inputs:
        moderator.handle(event)
        expected.append(fingerprint(moderator))
    life = Life(recording, expected, file)
    figures: dict[str, Any] = {"inputs": len(recording.inputs), "killed": 0, "resumed": 0, "differences": []}
    for at in range(len(recording.inputs) + 1):
        reading, report = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                life.live(at, report)
            finally:
                os._exit(1)
        os.close(report)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reading) as stream:
            found = json.loads(stream.read() or '{"silent": false}')
        figures["killed"] += os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        figures["resumed"] += at > 0 and all(found.values())
        figures["differences"] += [f"{at}: {what}" for what, same in found.items() if not same]
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), Path(sys.argv[5]))
