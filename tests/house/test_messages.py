"""Every sentence exists in both languages, with the same places, and every fault has one."""

from __future__ import annotations

import ast
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import narrator
from narrator.messages import LANGUAGES, catalogue, language, message

SOURCE = Path(narrator.__file__).parent


def places(sentence: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(sentence) if name})


def percent_places(sentence: str) -> list[str]:
    return sorted(
        part[: part.find(")") + 2] if part[:1] == "(" else part[:1] for part in sentence.split("%")[1:]
    )


def calls() -> Iterator[tuple[str, str, str, set[str] | None]]:
    """Where, which function, which key, and the names of the parameters (``None``: not known)."""
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            if node.func.id not in ("Fault", "message"):
                continue
            names = {keyword.arg for keyword in node.keywords}
            given = None if None in names else {name for name in names if name}
            key = node.args[0]
            for choice in (key.body, key.orelse) if isinstance(key, ast.IfExp) else (key,):
                if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
                    yield f"{file.name}:{node.lineno}", node.func.id, choice.value, given


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_given_in_two_files(lang: str) -> None:
    owners: dict[str, list[str]] = {}
    for file in sorted((SOURCE / "messages").glob(f"*.{lang}.toml")):
        for key in tomllib.loads(file.read_text(encoding="utf-8")):
            owners.setdefault(key, []).append(file.name)
    assert {key: files for key, files in owners.items() if len(files) > 1} == {}


def test_both_languages_have_the_same_sentences() -> None:
    assert set(catalogue("en")) == set(catalogue("zh"))


def test_both_languages_have_the_same_places() -> None:
    different = []
    for key, sentence in catalogue("en").items():
        # argparse fills its own sentences with %, all others are filled by name.
        found_in = percent_places if key.startswith("argparse ") else places
        if found_in(sentence) != found_in(catalogue("zh")[key]):
            different.append(key)
    assert different == []


def test_every_key_used_in_the_source_has_a_sentence_and_every_place_a_parameter() -> None:
    used = list(calls())
    assert {name for _, name, _, _ in used} == {"Fault", "message"}
    missing = [(where, key) for where, _, key, _ in used if key not in catalogue("en")]
    assert missing == []
    unfilled = [
        (where, key, unknown)
        for where, _, key, given in used
        if given is not None and (unknown := set(places(catalogue("en")[key])) - given)
    ]
    assert unfilled == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fault_is_one_sentence(lang: str) -> None:
    """What, why and what to do, on one line, with no full stop before the end."""
    faults = {key for _, name, key, _ in calls() if name == "Fault"}
    sentences = {key: catalogue(lang)[key] for key in faults & set(catalogue(lang))}
    assert sentences
    crooked = [
        key
        for key, sentence in sentences.items()
        if "\n" in sentence or ". " in sentence or "。" in sentence[:-1]
    ]
    assert crooked == []


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "NARRATOR_LANG": "zh"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "NARRATOR_LANG": "en"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_locale_picks_the_language(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NARRATOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language() == expected


def test_a_sentence_missing_in_chinese_is_given_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_LANG", "zh")
    monkeypatch.delitem(catalogue("zh"), "help_play")
    assert message("help_play") == catalogue("en")["help_play"]


def test_a_fault_without_a_sentence_still_says_something() -> None:
    assert message("nobody_wrote_this", seat=3) == "nobody_wrote_this seat=3"
    assert message("bad_settings", file="x.toml") == "bad_settings file=x.toml"
