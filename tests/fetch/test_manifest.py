"""The manifest: which models there are, and mistakes in it that are told by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.ears.fetch.manifest import Checksums, choose_entry, load_manifest
from narrator.faults import Fault
from narrator.resources import manifest_file

SHA = "0123456789abcdef" * 4
GOOD = f"""
[[model]]
name = "small"
url = "https://example.org/small.zip"
size = 1_000
sha256 = "{SHA}"
licence = "Apache-2.0"

[[model]]
name = "other"
url = "https://example.org/other.zip"
"""


def manifest(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "manifest.toml"
    file.write_text(text)
    return file


def test_the_manifest_that_comes_along_pins_every_checksum_and_names_every_licence() -> None:
    entries = load_manifest(manifest_file())
    assert entries[0].name == "vosk-model-small-cn-0.22"
    for entry in entries:
        assert entry.url.startswith("https://")
        assert entry.sha256 is not None
        assert entry.size is not None
        assert entry.licence != "?"


def test_the_first_model_is_taken_unless_another_is_named(tmp_path: Path) -> None:
    entries = load_manifest(manifest(tmp_path, GOOD))
    assert choose_entry(entries, None).name == "small"
    assert choose_entry(entries, "other").sha256 is None
    with pytest.raises(Fault) as caught:
        choose_entry(entries, "large")
    assert caught.value.key == "not_in_manifest"
    assert caught.value.params["known"] == "small, other"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("", "[[model]]"),
        ("[[model", "]]"),
        (GOOD.replace('"other"', '"small"'), "twice"),
        (GOOD.replace('"small"', '"../small"'), "../small"),
        (GOOD.replace('"small"', '".."'), "'..'"),
        (GOOD.replace("https://example.org/small", "file:///etc/small"), "file:"),
        (GOOD.replace("https://example.org/other", "http://example.org/other"), "other: url"),
        (GOOD.replace("1_000", "-1"), "size = -1"),
        (GOOD.replace("1_000", "true"), "size = True"),
        (GOOD.replace(SHA, SHA[:-1]), "sha256"),
    ],
)
def test_a_mistake_in_the_manifest_is_told(wrong: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        load_manifest(manifest(tmp_path, wrong))
    assert caught.value.key == "broken_manifest"
    assert told in str(caught.value.params["why"])


def test_plain_http_will_do_where_a_checksum_vouches_for_what_comes(tmp_path: Path) -> None:
    plain = GOOD.replace("https://example.org/small", "http://example.org/small")
    assert load_manifest(manifest(tmp_path, plain))[0].url == "http://example.org/small.zip"


def test_no_manifest_at_all_is_told(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        load_manifest(tmp_path / "none.toml")
    assert caught.value.key == "broken_manifest"


@pytest.mark.parametrize("content", ["{", "[]", '{"small": "123"}'])
def test_recorded_checksums_that_were_tampered_with_are_not_passed_over(content: str, tmp_path: Path) -> None:
    (tmp_path / "checksums.json").write_text(content)
    entry = load_manifest(manifest(tmp_path, GOOD))[1]
    with pytest.raises(Fault) as caught:
        Checksums(tmp_path / "checksums.json").recorded(entry)
    assert caught.value.key == "broken_checksums"
