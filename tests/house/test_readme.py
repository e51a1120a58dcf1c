"""The README tells the truth: the machine, the commands, why each package is there, the words to say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from narrator.cli.main import COMMANDS
from narrator.moderator.diagram import mermaid
from narrator.moderator.inputs import Command
from narrator.resources import voices_folder
from narrator.rules.ruleset import all_rulesets
from narrator.understanding.phrasebook import load_phrasebook

ROOT = Path(__file__).parents[2]
ENGLISH = (ROOT / "README.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")


def test_the_diagram_is_the_machine_that_runs() -> None:
    architecture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (drawn,) = re.findall(r"```mermaid\n(.*?)```", architecture, re.DOTALL)
    assert drawn == mermaid()


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_every_command_it_shows_exists(text: str) -> None:
    shown = set(re.findall(r"(?:^|`)narrator ([a-z]+)", text, re.MULTILINE))
    assert shown <= set(COMMANDS)
    assert {"check", "rehearse", "simulate", "listen", "codes", "rules", "diagram"} <= shown


def test_every_package_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[<>=]", dependency)[0] for dependency in project["dependencies"]}
    (table,) = re.findall(r"\| Package \| Why it is here \|\n\|[-|]+\|\n((?:\|.*\n)+)", ENGLISH)
    told = {name for row in table.splitlines() for name in re.findall(r"`([a-z0-9]+)`", row.split("|")[1])}
    assert told == wanted


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_judges_commands_it_teaches_are_understood(text: str) -> None:
    phrasebook = load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")
    known = {phrase.text: phrase.meaning for phrase in phrasebook.commands(phrasebook.command)}
    taught = {word for word in re.findall(r"法官[一-鿿]+", text) if word in known or "出局" in word}
    assert taught <= set(known)
    names = {meaning.name for word in taught if isinstance(meaning := known[word], Command)}
    assert names >= {
        "pause",
        "resume",
        "repeat",
        "eject",
        "warn",
        "next",
        "more_time",
        "vote_now",
        "remind",
        "undo",
        "correct",
        "stop",
    }


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_every_ruleset_is_named(text: str) -> None:
    for ruleset in all_rulesets():
        assert f"`{ruleset.id}`" in text
        assert f"{ruleset.fewest}–{ruleset.most}" in text
