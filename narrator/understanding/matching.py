"""From what was heard to what was meant: closed matching of the whole utterance."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from narrator.heard import Heard
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Unclear, Why
from narrator.pinyin import edits, syllables
from narrator.understanding.phrasebook import HIGHEST, NUMERIC, Manner, Phrase, Phrasebook

UNKNOWN_WORD = "[unk]"
"""The recogniser's word for sounds outside its grammar."""

DONE = Answer(Kind.PASS, True)
"""What ends a speech."""

REPEATS = 3
"""How often an answer may be said in one breath (三号，三号)."""


def understand(heard: Heard, expectation: Expectation, phrasebook: Phrasebook) -> Answer | Command | Unclear:
    """What ``heard`` means as an answer to ``expectation``; never more than its phrases can mean.

    The whole text must be one of the phrases, said once or several times; a longer phrase without a
    number may miss or change a syllable, and is then doubtful. Numbers and negations are exact.
    """
    phrases = _offered(heard, expectation, phrasebook)
    text, foreign = _normalise(heard.text, phrasebook)
    if not text:
        return Unclear(Why.UNKNOWN)
    found = None if foreign else _exact(text, phrases)
    if found is not None:
        return found.meaning if heard.typed else _weigh(found, heard, phrases, phrasebook)
    near = None if heard.typed else _near(text, foreign, phrases, phrasebook)
    if near is None:
        return Unclear(Why.UNKNOWN)
    if heard.confidence < phrasebook.policy.unsure:
        return Unclear(Why.UNSURE)
    return replace(near.meaning, certainty=Certainty.DOUBTFUL)


def _offered(heard: Heard, expectation: Expectation, phrasebook: Phrasebook) -> tuple[Phrase, ...]:
    phrases = phrasebook.phrases(expectation)
    if not heard.typed:
        return phrases
    # At the keyboard no chatter can be mistaken for a command, so the prefix may be left out.
    spoken = {phrase.text for phrase in phrases}
    plain = phrasebook.commands(expectation.commands, prefixes=("",))
    return (*phrases, *(phrase for phrase in plain if phrase.text not in spoken))


def _normalise(text: str, phrasebook: Phrasebook) -> tuple[str, int]:
    """The pack's own script without spaces, marks or digits, and how many unknown words were in it."""
    foreign = text.count(UNKNOWN_WORD)
    text = unicodedata.normalize("NFKC", text.replace(UNKNOWN_WORD, " ")).casefold().strip()
    text = phrasebook.typed.get(text, text)
    text = "".join(phrasebook.script.get(letter, letter) for letter in text)
    # "10 3" must not become 十三, nor -3 a three.
    if len(re.findall(r"\d+", text)) > 1 or re.search(r"-\s*\d", text):
        return "", foreign
    text = re.sub(r"\d+", lambda digits: _number_text(digits.group(), phrasebook), text)
    return "".join(letter for letter in text if letter.isalnum()), foreign


def _number_text(digits: str, phrasebook: Phrasebook) -> str:
    # A number nobody can mean keeps its digits, and so matches nothing.
    return phrasebook.numbers[int(digits)][0] if len(digits) <= 3 and int(digits) <= HIGHEST else digits


def _exact(text: str, phrases: Iterable[Phrase]) -> Phrase | None:
    """The phrase that ``text`` is, or repeats, or spells with other characters or in pinyin."""
    by_text = {phrase.text: phrase for phrase in phrases}
    if text in by_text:
        return by_text[text]
    for times in range(2, REPEATS + 1):
        part = text[: len(text) // times]
        # 二二 is no way to say 二, so a number needs its unit to be repeated.
        if part * times == text and part in by_text and not by_text[part].bare:
            return by_text[part]
    sound = "".join(syllables(text))
    alike = [phrase for phrase in by_text.values() if "".join(syllables(phrase.text)) == sound]
    return alike[0] if len({phrase.meaning for phrase in alike}) == 1 else None


def _near(text: str, foreign: int, phrases: Iterable[Phrase], phrasebook: Phrasebook) -> Phrase | None:
    """The one phrase within its budget of changed syllables, each unknown word counting as one."""
    heard = syllables(text)
    costs: list[tuple[float, Phrase]] = []
    for phrase in phrases:
        if phrase.bare or phrase.meaning == DONE:
            continue
        if _kept(phrase.text, phrasebook) != _kept(text, phrasebook):
            continue
        wanted = syllables(phrase.text)
        cost = foreign + edits(heard, wanted)
        if cost <= len(wanted) // phrasebook.policy.syllables_per_edit:
            costs.append((cost, phrase))
    if not costs:
        return None
    least = min(cost for cost, _ in costs)
    best = [phrase for cost, phrase in costs if cost == least]
    return best[0] if len({phrase.meaning for phrase in best}) == 1 else None


def _kept(text: str, phrasebook: Phrasebook) -> str:
    """The numerals and negations of ``text``, which an inexact match must leave alone."""
    return "".join(
        letter for letter in text if letter in phrasebook.numerals or letter in phrasebook.policy.guarded
    )


def _weigh(
    phrase: Phrase, heard: Heard, phrases: Iterable[Phrase], phrasebook: Phrasebook
) -> Answer | Command | Unclear:
    policy = phrasebook.policy
    meanings = {other.text: other.meaning for other in phrases}
    rivalled = any(meanings.get(rival, phrase.meaning) != phrase.meaning for rival in heard.rivals)
    # Another hearing in which it was no phrase at all is no rival, but no agreement either.
    disputed = any(meanings.get(rival) != phrase.meaning for rival in heard.rivals)
    if heard.confidence < (policy.unsure_rivalled if rivalled else policy.unsure):
        return Unclear(Why.UNSURE)
    manner = phrasebook.manner(phrase)
    needed = policy.clear[manner]
    if manner is not Manner.WORD:
        needed = max(needed, phrasebook.confusable.get(number_meant(phrase.meaning), 0.0))
    above = math.inf if heard.above is None else heard.above
    if above < policy.near_noise:
        needed = max(needed, policy.clear_near_noise)
    # 果然 of which the noise leaves a syllable stands alone like 过.
    drowned = above < policy.drowned and len(phrase.text) == 1 and phrase.meaning == DONE
    doubtful = disputed or drowned or heard.confidence < needed
    if doubtful and phrase.bare and isinstance(phrase.meaning, Command):
        return Unclear(Why.UNSURE)
    return replace(phrase.meaning, certainty=Certainty.DOUBTFUL if doubtful else Certainty.CLEAR)


def number_meant(meaning: Answer | Command) -> int:
    """The number that was said, or -1."""
    if isinstance(meaning, Command):
        return -1 if meaning.seat is None else meaning.seat
    return meaning.value if meaning.kind in NUMERIC and isinstance(meaning.value, int) else -1
