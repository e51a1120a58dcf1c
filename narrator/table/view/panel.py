"""The rows of the view: one moment of a game, in the language of whoever looks on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from narrator.messages import message
from narrator.moderator.standing import Standing
from narrator.mouth.voicepack import VoicePack
from narrator.table.view.board import Facts, Remark
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook

LOW_TERMINAL = 12
"""A terminal of fewer rows gets only the two that matter most."""

METER_CELLS = 24
_QUIETEST, _LOUDEST = -72.0, 0.0

_PROMPT = "> "
_LIVING_PHASES = ("", "lobby", "waiting")


@dataclass(frozen=True, slots=True)
class Look:
    """What is to be shown: the facts, the microphone's level in dB of full scale if there is one, the keys.

    ``typed`` is what may be seen of the line being typed, None without a keyboard.
    """

    facts: Facts = field(default_factory=Facts)
    level: float | None = None
    typed: str | None = None


class Panel(Witness):
    """Lays a look out in rows for a terminal; names of roles and rulesets are the voice pack's."""

    def __init__(self, pack: VoicePack) -> None:
        self._names = pack.names

    def reworded(self, pack: VoicePack, phrasebook: Phrasebook) -> None:
        """Names are those that are spoken."""
        self._names = pack.names

    def rows(self, look: Look, width: int, height: int) -> list[Text]:
        """At most six rows, none as wide as ``width`` cells, so that no terminal breaks one."""
        facts, width = look.facts, max(1, width - 1)
        rows = [self._headline(facts.standing), self._awaited(facts)]
        if height >= LOW_TERMINAL:
            rows[1:1] = self._seats(facts.standing)
            rows.append(_remark(facts.remark))
            if look.level is not None:
                rows.append(_meter(look.level, facts.awaited != "" and facts.voice))
        for row in rows:
            row.truncate(width, overflow="ellipsis")
        if look.typed is not None:
            rows.append(_typed(look.typed, width))
        return rows

    def _headline(self, now: Standing) -> Text:
        parts = [message(f"view_phase_{now.phase}", round=now.round) if now.phase else message("view_begins")]
        if now.ruleset:
            ruleset = now.name or self._name("ruleset", now.ruleset)
            parts.append(message("view_table", ruleset=ruleset, players=len(now.seats)))
            parts.append(self._name("secrets", now.secrets))
        # Not padded to the edge: a terminal that becomes narrower would break it.
        return Text(f" {' | '.join(parts)} ", style="bold reverse")

    def _seats(self, now: Standing) -> list[Text]:
        if not now.seats or now.phase in _LIVING_PHASES:
            return []
        row = Text(message("view_living", count=len(now.living)))
        row.append(" ".join(self._seat(seat, now.roles) for seat in now.living), style="bold")
        out = [seat for seat in now.seats if seat not in now.living]
        if out:
            row.append("  " + message("view_out"))
            row.append(" ".join(self._seat(seat, now.roles) for seat in out), style="dim")
        return [row]

    def _seat(self, seat: int, roles: Mapping[int, str]) -> str:
        return f"{seat}{self._name('role', roles[seat])}" if seat in roles else str(seat)

    def _awaited(self, facts: Facts) -> Text:
        row = Text()
        if not facts.awaited:
            row.append(message("view_speaks"))
        elif facts.private:
            row.append(message("view_awaits_secret"), style="bold")
        else:
            row.append(message(f"view_awaits_{facts.awaited}"), style="bold")
            row.append("  " + " / ".join(facts.examples), style="dim")
        clock = [] if facts.left is None else [f"{facts.left // 60}:{facts.left % 60:02d}"]
        seat = [] if facts.seat is None else [message("view_floor", seat=facts.seat)]
        halted = [message("view_halted")] if facts.holds and clock else []
        aside = " ".join([*seat, *clock, *halted])
        return Text.assemble((aside, "bold"), "  ", row) if aside else row

    def _name(self, kind: str, key: str) -> str:
        return self._names.get(kind, {}).get(key, key)


def _remark(remark: Remark) -> Text:
    if not remark.text:
        return Text(message("view_heard_nothing"), style="dim")
    row = Text(message("view_typed" if remark.typed else "view_heard"))
    row.append(f"「{remark.text}」", style="bold" if remark.understood else "")
    if remark.confidence is not None:
        row.append(f" {remark.confidence:.2f}")
    if not remark.understood:
        row.append(" " + message("view_unclear"), style="dim")
    return row


def _meter(level: float, is_open: bool) -> Text:
    share = (min(max(level, _QUIETEST), _LOUDEST) - _QUIETEST) / (_LOUDEST - _QUIETEST)
    full = round(share * METER_CELLS)
    # Plain signs: block characters are two cells wide in some Chinese terminals.
    row = Text(message("view_microphone"))
    row.append("|" * full, style="green" if is_open else "dim")
    row.append("." * (METER_CELLS - full), style="dim")
    row.append(f" {level:4.0f} dB  ")
    return row.append(message("view_open" if is_open else "view_shut"))


def _typed(line: str, width: int) -> Text:
    """The end of the line being typed, where the cursor is; it leaves room for the cursor itself."""
    room = max(0, width - len(_PROMPT) - 1)
    while cell_len(line) > room:
        line = line[1:]
    return Text(set_cell_size(_PROMPT, min(len(_PROMPT), width)) + line)
