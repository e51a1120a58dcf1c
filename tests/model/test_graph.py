"""The graph: every phrase is a word of it, a grammar can be given at run time, and it is quickly rebuilt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import vosk
from model_build.command import main  # type: ignore[import-not-found]
from model_build.export import TRIPLES, transition_ids  # type: ignore[import-not-found]
from model_build.graph import Costs, arcs, vocabulary  # type: ignore[import-not-found]
from model_build.phones import FINALS, INITIALS, STATES, split, states  # type: ignore[import-not-found]
from model_build.texts import all_syllables, phrases, pinyin  # type: ignore[import-not-found]

# 过, spoken word by word, is one path of the graph.
GUO = {"过": (states("guo"),), "三": (states("san"),)}


def test_every_phrase_is_one_word_and_every_syllable_can_be_spelled(
    random_model: Path, phrase_file: Path
) -> None:
    listed = (random_model / "graph" / "words.txt").read_text("utf-8").splitlines()
    words = {line.split()[0]: int(line.split()[1]) for line in listed}
    wanted = phrases(phrase_file, joined=False)
    assert {"过", "三号", "十二号玩家", "法官", "三号出局", "没有人", "警告幺号"} <= set(wanted)
    assert set(wanted) <= set(words)
    assert {char for phrase in wanted for char in phrase} <= set(words)
    assert {"guo", "er", "lv", "zhuang", "ou", "[unk]"} <= set(words)
    assert len(set(words.values())) == len(words)


def test_vosk_takes_a_grammar_of_it_and_knows_the_unknown_word(random_model: Path) -> None:
    vosk.SetLogLevel(-1)
    model = vosk.Model(model_path=str(random_model))
    assert min(model.vosk_model_find_word(word) for word in ("三号", "过", "guo", "[unk]")) >= 0
    assert model.vosk_model_find_word("没有的词") == -1
    recogniser = vosk.KaldiRecognizer(model, 16_000, json.dumps(["三号", "过", "[unk]"], ensure_ascii=False))
    recogniser.AcceptWaveform(bytes(32_000))
    assert set(json.loads(recogniser.FinalResult())["text"].split()) <= {"三号", "过", "[unk]"}


def test_only_the_graph_is_rebuilt_and_the_network_left_alone(
    random_model: Path, phrase_file: Path, tmp_path: Path
) -> None:
    added = phrase_file.read_text("utf-8").replace('"说完了"', '"说完了", "轮到下家"')
    (tmp_path / "phrases.toml").write_text(added, "utf-8")
    network = random_model / "am" / "final.mdl"
    before = network.read_bytes()
    assert (
        main(
            ["--graph-only", "--model", str(tmp_path / "model"), "--phrases", str(tmp_path / "phrases.toml")]
        )
        == 0
    )
    assert "\n轮到下家 " in (tmp_path / "model" / "graph" / "words.txt").read_text("utf-8")
    assert network.read_bytes() == before
    assert not (tmp_path / "model" / "am").exists()


def test_a_phrase_without_pinyin_is_refused(
    tmp_path: Path, phrase_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "phrases.toml").write_text(
        phrase_file.read_text("utf-8").replace('"说完了"', '"over了"'), "utf-8"
    )
    assert main(["--graph-only", "--model", str(tmp_path), "--phrases", str(tmp_path / "phrases.toml")]) == 2
    assert "over了" in capsys.readouterr().err


def test_the_unknown_word_passes_every_sound_and_shares_no_transition_with_words() -> None:
    found, _ = arcs(GUO, Costs())
    used = {sound for _, _, sound, _, _ in found if sound}
    known = {number for output in range(len(STATES)) for number in transition_ids(output)}
    unknown = {number for output in range(1, len(STATES)) for number in transition_ids(output, unknown=True)}
    assert unknown <= used
    assert not known & unknown
    spoken = {number for output in states("guo") + states("san") for number in transition_ids(output)}
    assert used & known == spoken | set(transition_ids(0))


def test_words_with_the_same_beginning_share_it() -> None:
    one = len(arcs({"三": (states("san"),)}, Costs())[0])
    two = len(arcs({"三": (states("san"),), "三号": (states("san") + states("hao"),)}, Costs())[0])
    # Two arcs for each state of hao, and one for the word.
    assert two - one == 2 * len(states("hao")) + 1


def test_transition_states_are_sorted_as_kaldi_demands() -> None:
    assert list(TRIPLES) == sorted(TRIPLES)
    assert len(TRIPLES) == 2 * len(STATES)


def test_every_syllable_has_an_initial_and_a_final() -> None:
    syllables = all_syllables()
    assert len(syllables) > 400
    parts = [split(syllable) for syllable in syllables]
    assert {initial for initial, _ in parts} == set(INITIALS)
    assert {final for _, final in parts} == set(FINALS)


@pytest.mark.parametrize(
    ("text", "said"),
    [("二号", ("er4", "hao4")), ("绿", ("lv4",)), ("我说完了", ("wo3", "shuo1", "wan2", "le5"))],
)
def test_pinyin_of_phrases(text: str, said: tuple[str, ...]) -> None:
    assert pinyin(text) == said


@pytest.mark.parametrize("text", ["over", "3号", "嗯"])
def test_what_is_no_mandarin_syllable_has_no_pinyin(text: str) -> None:
    assert pinyin(text) is None


def test_vocabulary_pronounces_a_phrase_as_its_syllables_in_a_row() -> None:
    assert vocabulary(["三号"])["三号"] == (states("san") + states("hao"),)
