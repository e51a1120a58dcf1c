"""What people edit: rulesets, own rules, voice packs, phrases, settings, the words of the code sheet."""

from __future__ import annotations

import math
import random
import tomllib
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from doors import VOICE, target, texts
from mutation import JUNK, absurd_text, as_toml, spoiled_bytes, spoiled_data

from narrator.heard import Heard
from narrator.moderator.codesheet import CodeSheet
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.secrets import sheet_for
from narrator.mouth.lines import load_pack
from narrator.mouth.voicepack import VoicePack
from narrator.rules.custom import customise, parse
from narrator.rules.game import Game
from narrator.rules.library import OwnRules, read_own
from narrator.rules.ruleset import all_rulesets, read_ruleset
from narrator.table.required import required_lines
from narrator.table.settings import load_settings
from narrator.table.sheet import load_titles
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import load_phrasebook


@cache
def _written(file: Path) -> tuple[bytes, dict[str, Any]]:
    content = file.read_bytes()
    return content, tomllib.loads(content.decode("utf-8"))


def spoiled(file: Path, rng: random.Random) -> bytes:
    """A TOML file with something wrong in it, in its text or in its contents."""
    content, data = _written(file)
    if rng.random() < 0.4:
        return spoiled_bytes(content, rng)
    return as_toml(spoiled_data(data, rng)).encode("utf-8", "surrogatepass")


@cache
def _ruleset_files() -> list[Path]:
    import narrator.rules

    return sorted(Path(narrator.rules.__file__).parent.glob("rulesets/*.toml"))


@target(12)
def ruleset_file(rng: random.Random, folder: Path) -> None:
    """A ruleset that somebody edited; what is accepted can be dealt."""
    ruleset = read_ruleset("own", spoiled(rng.choice(_ruleset_files()), rng), "own.toml")
    for players in ruleset.deals:
        dealt = ruleset.deal(players)
        assert sum(dealt.values()) == players, dealt
        deck = [role for role, count in dealt.items() for _ in range(count)]
        Game(ruleset, players, dict(enumerate(deck, start=1)))


@target(6)
def own_ruleset(rng: random.Random, folder: Path) -> None:
    """A host's own ruleset: a base and some knobs, or a whole one."""
    if rng.random() < 0.3:
        data = _written(rng.choice(_ruleset_files()))[1] | {"name": "我们的"}
    else:
        base = rng.choice(all_rulesets())
        knobs = {knob: rng.choice(JUNK) for knob in rng.sample(base.knobs, min(2, len(base.knobs)))}
        data = {"base": base.id, "name": "我们的", **knobs}
    text = as_toml(spoiled_data(data, rng) if rng.random() < 0.7 else data)
    ruleset = read_own(OwnRules("own", text))
    for players in ruleset.deals:
        ruleset.deal(players)


@target(6)
def knob_setting(rng: random.Random, folder: Path) -> None:
    """``--set`` with anything behind it."""
    base = rng.choice(all_rulesets())
    knob = rng.choice((*base.knobs, "", "x", "杀手", "ranks"))
    value = rng.choice(
        (*map(str, range(-1, 18)), *(str(junk) for junk in JUNK), "9" * 5000, "all", "none", "1", "二")
    )
    text = rng.choice(
        (f"{knob}={value}", f"{knob} = {value} ", knob, f"{knob}=={value}", absurd_text(rng, texts()))
    )
    name, setting = parse(text)
    customise(base, {name: setting}, rng.choice((None, base.fewest, base.most, 5)))


@target(4)
def voice_pack(rng: random.Random, folder: Path) -> None:
    """A voice pack that somebody edited; what is accepted can speak every line there is."""
    file = folder / "lines.toml"
    file.write_bytes(spoiled(VOICE / "lines.toml", rng))
    guide = VOICE / "guide.toml"
    (folder / guide.name).write_bytes(spoiled(guide, rng) if rng.random() < 0.3 else _written(guide)[0])
    pack = load_pack(file)
    pack.check(required_lines())
    if rng.random() < 0.2:
        pack.every_segment()
    for line_id in rng.sample(sorted(required_lines()), 25):
        params = {name: _parameter(pack, name, rng) for name in pack.places(line_id)}
        pack.text(line_id, params, rng.randrange(3))


def _parameter(pack: VoicePack, name: str, rng: random.Random) -> Any:
    if name in pack.names:
        return rng.choice([*pack.names[name], "x"])
    if name in ("seats", "deal", "rulesets"):
        return rng.choice(((), (3,), (1, 2, 16), (("killer", 2),), ("standard",)))
    return rng.choice((0, 1, 2, 13, 17, 120))


@target(4)
def phrase_file(rng: random.Random, folder: Path) -> None:
    """A phrase file that somebody edited; what is accepted understands anything."""
    file = folder / "phrases.toml"
    file.write_bytes(spoiled(VOICE / "phrases.toml", rng))
    book = load_phrasebook(file)
    for kind in (Kind.SEAT, Kind.VOTES, Kind.YESNO, Kind.PASS):
        expectation = Expectation(kind, none=True, commands=tuple(book.command)[:4])
        understand(Heard(absurd_text(rng, texts()), typed=True), expectation, book)
        understand(Heard(absurd_text(rng, texts()), confidence=rng.random()), expectation, book)


@target(8)
def settings_file(rng: random.Random, folder: Path) -> None:
    """Settings that somebody edited."""
    good = {
        "ruleset": "standard", "players": 12, "secrets": "codes", "speech_seconds": 60, "right_hand": 1,
        "pace": 1.0, "model": "~/model", "microphone": "USB", "loudspeaker": "USB", "locale": "zh-CN",
    }  # fmt: skip
    kept = {key: good[key] for key in rng.sample([*good], rng.randrange(len(good) + 1))}
    text = as_toml(spoiled_data(kept, rng)).encode("utf-8", "surrogatepass")
    file = folder / "settings.toml"
    file.write_bytes(spoiled_bytes(text, rng) if rng.random() < 0.4 else text)
    settings = load_settings(file)
    assert settings.pace > 0, settings.pace
    assert math.isfinite(settings.speech_seconds * settings.pace)
    round(settings.speech_seconds)


@target(2)
def sheet_titles(rng: random.Random, folder: Path) -> None:
    """The words of the code sheet, edited; what is accepted names every row."""
    file = folder / "sheet.toml"
    file.write_bytes(spoiled(VOICE / "sheet.toml", rng))
    titles = load_titles("zh-CN") if rng.random() < 0.01 else _titles_of(file)
    sheet = rng.choice(_sheets())
    for row in (*sheet.rows, *sheet.spares):
        titles.heading(row)
    titles.seats(sheet)


@cache
def _sheets() -> list[CodeSheet]:
    return [sheet_for(1, ruleset.id, ruleset.fewest) for ruleset in all_rulesets()]


def _titles_of(file: Path) -> Any:
    locale = file.parent / "zh-CN"
    locale.mkdir(exist_ok=True)
    (locale / "sheet.toml").write_bytes(file.read_bytes())
    with mock.patch("narrator.table.sheet.voices_folder", return_value=file.parent):
        return load_titles("zh-CN")
