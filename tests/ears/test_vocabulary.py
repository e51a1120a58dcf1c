"""Phrases in the model's own words, and the way back."""

from __future__ import annotations

import json

import pytest

from narrator.ears.grammar import UNKNOWN_WORD, build_grammar, open_grammar
from narrator.ears.model import RecogniserModel
from narrator.moderator.expectations import Expectation, Kind
from narrator.pinyin import syllables
from narrator.understanding.phrasebook import Phrasebook


class Vocabulary:
    """The one thing a Vosk model is asked about words."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def vosk_model_find_word(self, word: str) -> int:
        return self._words.index(word) if word in self._words else -1


def small_model(tmp_path_factory: pytest.TempPathFactory, *words: str) -> RecogniserModel:
    path = tmp_path_factory.mktemp("model")
    lines = "".join(f"{word} {index}\n" for index, word in enumerate(words))
    (path / "words.txt").write_text(lines, encoding="utf-8")
    return RecogniserModel(path, Vocabulary(*words))


def test_a_phrase_is_spelled_in_as_few_words_as_possible(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = small_model(tmp_path_factory, "三", "号", "三号", "玩家", "玩", "家")
    assert model.spell("三号玩家") == ("三号", "玩家")
    assert model.spell("号三") == ("号", "三")


def test_a_missing_character_is_spelled_by_its_sound(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = small_model(tmp_path_factory, "准", "bei", "好了", "国")
    assert model.spell("准备好了") == ("准", "bei", "好了")
    assert model.spell("过") == ("国",)
    grammar = build_grammar(model, ["准备好了"])
    assert grammar.text(("准", "bei", "好了")) == "准备好了"
    assert grammar.text(("准", "好了")) == "准好了"


def test_real_words_are_preferred_to_mere_sounds(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = small_model(tmp_path_factory, "投", "票", "tou")
    assert model.spell("投票") == ("投", "票")


def test_what_cannot_be_spelled_is_reported_not_shortened(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = small_model(tmp_path_factory, "三", "号")
    assert model.spell("三票") is None
    grammar = build_grammar(model, ["三号", "三票"])
    assert grammar.missing == ("三票",)
    assert json.loads(grammar.json) == ["三 号"]


def test_a_grammar_is_never_empty(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = small_model(tmp_path_factory, UNKNOWN_WORD, "三")
    for phrases in ([], ["过"]):
        with pytest.raises(ValueError, match="no words"):
            build_grammar(model, phrases)


def test_phrases_spelled_alike_are_left_to_the_understanding(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    model = small_model(tmp_path_factory, "wu")
    assert build_grammar(model, ["五", "无"]).text(("wu",)) == "wu"


def test_an_open_grammar_has_one_word_for_every_syllable(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = small_model(tmp_path_factory, UNKNOWN_WORD, "过", "guo", "duo", "shuo", "完", "说完了")
    words = {words[0] for words in open_grammar(model).spellings}
    assert words == {"guo", "duo", "shuo", "完"}


def test_the_model_can_hear_every_phrase_of_the_file(model: RecogniserModel, phrasebook: Phrasebook) -> None:
    spelled = {phrase.text: model.spell(phrase.text) for phrase in phrasebook.everything()}
    assert [text for text, words in spelled.items() if words is None] == []
    assert [text for text, words in spelled.items() if not all(map(model.knows, words or ()))] == []
    # Whatever words stand for a phrase, they sound like it.
    wrong = [
        text
        for text, words in spelled.items()
        if "".join(syllables("".join(words or ()))) not in _sound(text)
    ]
    assert wrong == []


def _sound(text: str) -> str:
    return "".join(syllables(text))


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.CHOICE])
def test_every_grammar_holds_only_known_words_and_the_unknown_one(
    model: RecogniserModel, phrasebook: Phrasebook, kind: Kind
) -> None:
    expectation = Expectation(kind, none=True, commands=tuple(phrasebook.command))
    grammar = build_grammar(model, [phrase.text for phrase in phrasebook.phrases(expectation)])
    lines = json.loads(grammar.json)
    assert grammar.missing == ()
    assert lines[-1] == UNKNOWN_WORD
    assert all(model.knows(word) for line in lines for word in line.split())
