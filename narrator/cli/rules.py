"""``narrator rules``: show the rulesets, for reading or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

from narrator.cli.choice import add_set_option, chosen_rulesets, knobs_of
from narrator.cli.parts import add_locale_option, settings_for, voice_folder
from narrator.messages import find, message
from narrator.moderator.guide import guide_lines
from narrator.mouth.lines import load_pack
from narrator.rules.custom import knob_of, written
from narrator.rules.ruleset import NightStep, Ruleset
from narrator.table.settings import Settings

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("rules", help=message("help_rules"))
    parser.add_argument(
        "ruleset", nargs="?", metavar=message("rules_metavar"), help=message("help_rules_ruleset")
    )
    add_set_option(parser)
    parser.add_argument("--players", metavar="N", type=int, help=message("help_rules_players"))
    add_locale_option(parser)
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Print one ruleset with its beginner's guide, those that fit the number of players, or all."""
    chosen = chosen_rulesets(args.ruleset, args.players, knobs_of(args.set))
    if args.json:
        print(
            json.dumps([as_data(ruleset, args.players) for ruleset in chosen], ensure_ascii=False, indent=2)
        )
    else:
        print("\n\n".join(as_text(ruleset, args.players) for ruleset in chosen))
        if args.ruleset is not None:
            print_guide(chosen[0], args.players, settings_for(args))
    return 0


def print_guide(ruleset: Ruleset, players: int | None, settings: Settings) -> None:
    """The beginner's guide, in the words in which it is spoken."""
    lines = guide_lines(ruleset, players)
    if not lines:
        print("\n" + message("rules_no_guide", name=ruleset.name))
        return
    pack = load_pack(voice_folder(settings.locale, None))
    print("\n" + message("rules_guide"))
    for line in lines:
        print("  " + "".join(pack.segments(line, {})))


def as_data(ruleset: Ruleset, players: int | None = None) -> dict[str, object]:
    """A ruleset as plain data; with ``players`` only that deal."""
    deals = ruleset.deals if players is None else {players: ruleset.deal(players)}
    return {
        "id": ruleset.id,
        "players": [ruleset.fewest, ruleset.most],
        "deals": {str(number): dict(counts) for number, counts in deals.items()},
        "sides": {role: str(side) for role, side in ruleset.sides.items()},
        "night": [{"role": step.role, "act": step.act, "hint": step.hint} for step in ruleset.night],
        "last_words": ruleset.last_words,
        "tie": ruleset.tie,
        "resolution": ruleset.resolution,
        "victory": ruleset.victory,
        "repeat_first_victim": ruleset.repeat_first_victim,
        "day": asdict(ruleset.day),
        "cards": ruleset.cards,
        "peaceful": ruleset.peaceful,
        "knobs": {name: knob_of(ruleset, name).range for name in ruleset.knobs},
        "own_rules": dict(ruleset.changes),
    }


def as_text(ruleset: Ruleset, players: int | None = None) -> str:
    """A ruleset in a few lines of the person's language; with ``players`` only that deal."""
    deals = ruleset.deals if players is None else {players: ruleset.deal(players)}
    last_words = ruleset.last_words
    lines = [
        message(
            "rules_title",
            name=ruleset.name or _word("ruleset", ruleset.id),
            id=ruleset.id,
            fewest=ruleset.fewest,
            most=ruleset.most,
        ),
        *_deal_lines(deals),
        message("rules_night", steps=message("rules_then").join(map(_step, ruleset.night))),
        message("rules_resolution", rule=_word("resolution", ruleset.resolution)),
        message("rules_day", rules=message("rules_then").join(_day_lines(ruleset))),
        message(
            "rules_last_words",
            rule=message("rules_first_leavers", count=last_words)
            if isinstance(last_words, int)
            else _word("last_words", last_words),
        ),
        message("rules_tie", rule=_word("tie", ruleset.tie)),
        message("rules_victory", rule=_word("victory", ruleset.victory)),
    ]
    if not ruleset.repeat_first_victim:
        lines.append(message("rules_first_victim"))
    if ruleset.changes:
        lines.append(message("rules_changes", changes=message("rules_and").join(written(ruleset.changes))))
    if ruleset.knobs:
        knobs = (
            message("rules_knob", name=name, range=knob_of(ruleset, name).range) for name in ruleset.knobs
        )
        lines.append(message("rules_knobs", knobs="; ".join(knobs)))
    return "\n  ".join(lines)


def _deal_lines(deals: Mapping[int, Mapping[str, int]]) -> list[str]:
    """One line for every run of player numbers that differ in nothing but civilians."""

    def specials(number: int) -> list[tuple[str, int]]:
        return [(role, count) for role, count in deals[number].items() if role != "civilian"]

    lines = []
    for roles, run_of in groupby(sorted(deals), key=specials):
        numbers = list(run_of)
        dealt = message("rules_and").join(
            message("rules_count", role=_word("role", role), count=count) for role, count in roles
        )
        civilians = [deals[number].get("civilian", 0) for number in numbers]
        lines.append(
            message(
                "rules_deal",
                players=_span(numbers[0], numbers[-1]),
                roles=dealt,
                civilians=_span(civilians[0], civilians[-1]),
            )
        )
    return lines


def _day_lines(ruleset: Ruleset) -> list[str]:
    """The day's procedure, one phrase for each thing that is settled."""
    day = ruleset.day
    lines = [] if day.nights is None else [message("rules_nights")]
    lines += [_word("order", day.order), _word("ballot", day.ballot)]
    if day.laps_in(1) > 1:
        lines.insert(-1, message("rules_laps"))
    if ruleset.cards != "hidden":
        lines.append(_word("cards", ruleset.cards))
    if day.parting is not None:
        lines.append(message("rules_parting", role=_word("role", day.parting.role)))
    if ruleset.peaceful != "day":
        lines.append(_word("peaceful", ruleset.peaceful))
    return lines


def _step(step: NightStep) -> str:
    text = message("rules_step", role=_word("role", step.role), act=_word("act", step.act or "seen"))
    return text if step.hint is None else text + _word("hint", step.hint)


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _word(kind: str, name: str) -> str:
    """What ``name`` is called in the person's language; a name without a word stands for itself."""
    return find(f"rules_{kind}_{name}") or name
