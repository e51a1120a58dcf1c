"""Archives that would write where they mustn't, or more than they say."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from model_archives import PARTS, model_archive, zipped

from narrator.ears.fetch.unpack import HARMLESS, MOST_FILES, unpack
from narrator.faults import Fault


def stored(tmp_path: Path, content: bytes) -> Path:
    file = tmp_path / "archive.zip"
    file.write_bytes(content)
    return file


def special(kind: int, name: str = "model/am/final.mdl", content: bytes = b"/etc/passwd") -> bytes:
    """An archive whose one entry is of a kind that only Unix knows."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        entry = zipfile.ZipInfo(name)
        entry.create_system = 3
        entry.external_attr = (kind | 0o777) << 16
        archive.writestr(entry, content)
    return buffer.getvalue()


def twice() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("model/README", b"one")
        archive.writestr("model/readme", b"two")
    return buffer.getvalue()


def encrypted() -> bytes:
    content = bytearray(zipped({"model/a": b"a"}))
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + place] |= 1
    return bytes(content)


def with_nul() -> bytes:
    return zipped({"model/a_sh": b"a"}).replace(b"a_sh", b"a\0sh")


UNSAFE: dict[str, Callable[[], bytes]] = {
    "up": lambda: zipped({"../outside": b"x"}),
    "up from below": lambda: zipped({"model/../../outside": b"x"}),
    "absolute": lambda: zipped({"/tmp/outside": b"x"}),
    "backslashes": lambda: zipped({"model\\..\\..\\outside": b"x"}),
    "a drive": lambda: zipped({"C:outside": b"x"}),
    "a name with a NUL": with_nul,
    "a symbolic link": lambda: special(stat.S_IFLNK),
    "a symbolic link posing as a folder": lambda: special(stat.S_IFLNK, "model/am/"),
    "a device": lambda: special(stat.S_IFBLK),
    "a pipe": lambda: special(stat.S_IFIFO),
    "a socket": lambda: special(stat.S_IFSOCK),
    "one name twice": twice,
    "encrypted": encrypted,
    "a bomb": lambda: zipped({"model/zeros": bytes(HARMLESS + 1)}),
    "a bomb in pieces": lambda: zipped({f"model/{n}": bytes(HARMLESS // 8) for n in range(9)}),
    "a crowd": lambda: zipped({f"model/{n}": b"" for n in range(MOST_FILES + 1)}),
}


@pytest.mark.parametrize("what", UNSAFE)
def test_an_unsafe_archive_is_refused_before_a_byte_is_written(what: str, tmp_path: Path) -> None:
    file = stored(tmp_path, UNSAFE[what]())
    with pytest.raises(Fault) as caught:
        unpack(file, tmp_path / "out")
    assert caught.value.key == "unsafe_archive"
    assert [entry.name for entry in tmp_path.iterdir()] == ["archive.zip"]


def test_an_entry_larger_than_it_says_does_not_come_out_whole(tmp_path: Path) -> None:
    content = bytearray(zipped({"model/zeros": bytes(1_000_000)}))
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", content, content.index(signature) + place, 10)
    with pytest.raises(Fault) as caught:
        unpack(stored(tmp_path, bytes(content)), tmp_path / "out")
    assert caught.value.key in ("broken_archive", "unsafe_archive")
    assert (tmp_path / "out" / "model" / "zeros").stat().st_size <= 10


@pytest.mark.parametrize("damage", ["cut", "no archive", "a flipped bit"])
def test_a_damaged_archive_is_told(damage: str, tmp_path: Path) -> None:
    content = bytearray(model_archive())
    if damage == "cut":
        content = content[:-100]
    elif damage == "no archive":
        content = bytearray(b"<html>not found</html>")
    else:
        content[1000] ^= 1
    with pytest.raises(Fault) as caught:
        unpack(stored(tmp_path, bytes(content)), tmp_path / "out")
    assert caught.value.key == "broken_archive"


def test_a_file_where_a_folder_must_be_is_told(tmp_path: Path) -> None:
    file = stored(tmp_path, zipped({"model": b"a file", "model/am": b"inside it"}))
    with pytest.raises(Fault) as caught:
        unpack(file, tmp_path / "out")
    assert caught.value.key == "cannot_write"


def test_a_sound_archive_comes_out_as_plain_files(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    file = stored(tmp_path, special(stat.S_IFREG | stat.S_ISUID, content=b"network"))
    unpack(file, tmp_path / "out", lambda done, total: told.append((done, total)))
    out = tmp_path / "out" / "model" / "am" / "final.mdl"
    assert out.read_bytes() == b"network"
    # Rights are ours to give, not the archive's.
    assert not out.stat().st_mode & (stat.S_ISUID | 0o111)
    assert told == [(7, 7)]


def test_a_models_archive_comes_out_whole(tmp_path: Path) -> None:
    unpack(stored(tmp_path, model_archive()), tmp_path / "out")
    (top,) = (tmp_path / "out").iterdir()
    assert all((top / part).stat().st_size == 50_000 for part in PARTS)
