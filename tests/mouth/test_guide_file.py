"""guide.toml: the beginner's guide beside a voice pack's lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.mouth.guide import load_guide
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder


def guide(folder: Path, text: str) -> Path:
    file = folder / "guide.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_each_entry_is_one_line_of_its_sentences(tmp_path: Path) -> None:
    lines = load_guide(guide(tmp_path, '[standard]\ngame = ["天黑。", "天亮。"]'))
    assert lines == {"guide.standard.game": ("天黑。|天亮。",)}


def test_a_table_takes_over_what_it_does_not_say_itself(tmp_path: Path) -> None:
    text = '[a]\ngame = ["一。"]\nkiller = ["二。"]\n[b]\nlike = "a"\ngame = ["三。"]'
    lines = load_guide(guide(tmp_path, text))
    assert lines["guide.b.game"] == ("三。",)
    assert lines["guide.b.killer"] == lines["guide.a.killer"] == ("二。",)


def test_a_pack_without_a_guide_has_none(tmp_path: Path) -> None:
    assert load_guide(tmp_path / "guide.toml") == {}


def test_the_shipped_pack_speaks_its_guide_sentence_by_sentence() -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    assert len(pack.segments("guide.standard.game", {})) > 3


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[a]\ngame = []", "[a] game"),
        ("[a]\ngame = '一。'", "[a] game"),
        ("[a]\ngame = ['一。', 2]", "[a] game"),
        ("[a]\ngame = ['{seat}。']", "[a] game"),
        ("[a]\ngame = ['一。|二。']", "[a] game"),
        ("a = 1", "[a]"),
        ("[a]\nlike = 'b'", "[a] like"),
        ("[a]\nlike = 'a'", "[a] like"),
        ("[a", ""),
    ],
)
def test_a_broken_guide_names_the_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(Fault, match="broken_voice_pack") as fault:
        load_guide(guide(tmp_path, text))
    assert place in str(fault.value.params["why"])
