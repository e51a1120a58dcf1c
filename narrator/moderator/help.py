"""What can be said now, in one breath: made from the open question and the commands that are legal."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind

MOST = 6
"""So many things at once can be kept in mind."""

MOST_ANSWERS = 5

_ANSWERS: Mapping[Kind, tuple[str, ...]] = {
    Kind.YESNO: ("yes", "no"),
    Kind.SEAT: ("seat",),
    Kind.VOTES: ("votes", "no_votes"),
    Kind.NUMBER: ("code",),
    Kind.PLAYERS: ("players",),
    Kind.COUNT: ("count",),
    Kind.PASS: ("done",),
    Kind.CHOICE: (),
}

# What belongs to few questions comes before what can be said at every one.
_COMMANDS = (
    *("resume", "next", "more_time", "time_left", "vote_now", "own_rules", "guide", "voice", "wording"),
    *("sound_check", "backdrop"),
    *("undo", "pause", "repeat", "eject", "warn", "living", "day", "stop", "correct"),
    *("louder", "softer", "faster", "slower", "remind", "surrender_killer", "surrender_police"),
)


def help_now(expectation: Expectation, idle: Collection[str] = ()) -> Say:
    """The line that tells it: at most ``MOST`` things, answers first.

    ``idle`` are commands that may be said but would do nothing. Of an answer that may only be typed nothing
    is told: it would invite somebody to say it.
    """
    expectation = expectation.aloud()
    answers = _ANSWERS[expectation.kind] + (("nobody",) if expectation.none else ())
    choices = expectation.choices[: MOST_ANSWERS - len(answers)]
    room = MOST - len(answers) - len(choices)
    left_out = {*idle, *choices}
    commands = [name for name in _COMMANDS if name in expectation.commands and name not in left_out]
    told = tuple(commands[:room])
    if expectation.only_commands:
        return Say("help.now_commands", {"commands": told})
    if not choices:
        return Say("help.now", {"answers": answers, "commands": told})
    if not answers:
        return Say("help.now_choices", {"choices": choices, "commands": told})
    return Say("help.now_either", {"answers": answers, "choices": choices, "commands": told})
