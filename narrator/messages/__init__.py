"""Every sentence for the person at the keyboard, in the person's language, read from ``*.toml`` here."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from importlib import resources

LANGUAGES = ("en", "zh")


def language() -> str:
    """``"zh"`` or ``"en"``: ``NARRATOR_LANG`` if set, else the locale of the environment."""
    # The order in which POSIX looks: the first of them that is set decides.
    for name in ("NARRATOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


@cache
def catalogue(lang: str) -> dict[str, str]:
    """All sentences of one language by key, merged from the areas' files."""
    merged: dict[str, str] = {}
    for entry in sorted(resources.files(__name__).iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(f".{lang}.toml"):
            merged.update(tomllib.loads(entry.read_text(encoding="utf-8")))
    return merged


def find(key: str) -> str | None:
    """The unfilled sentence for ``key`` in the person's language, else in English, else nothing."""
    return catalogue(language()).get(key) or catalogue("en").get(key)


def message(key: str, **params: object) -> str:
    """The sentence for ``key``, its places filled.

    It serves while a fault is being reported, so it never raises: an unknown key or a missing parameter
    gives the bare key with its parameters.
    """
    sentence = find(key)
    params = {name: _printable(value) for name, value in params.items()}
    try:
        if sentence is not None:
            return sentence.format_map(params)
    except (KeyError, IndexError, ValueError):
        pass
    return " ".join([key, *(f"{name}={value}" for name, value in params.items())])


def _printable(value: object) -> object:
    """What fills a place, without line breaks and control characters of a file or a person's own text."""
    if isinstance(value, int | float):
        return value  # the sentence may say how it is written
    return "".join(letter if letter.isprintable() else " " for letter in str(value))
