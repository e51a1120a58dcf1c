"""Fetching a model: it is there whole and vouched for, or nothing of it is."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from archive_server import ArchiveServer
from model_archives import NAME, model_archive, zipped

from narrator.ears.fetch import fetch as fetching
from narrator.ears.fetch.download import Patience
from narrator.ears.fetch.fetch import Fetched, Stage, Vouched, fetch
from narrator.ears.fetch.manifest import ModelEntry
from narrator.ears.model import EMBEDDED, find_model
from narrator.faults import Fault

AT_ONCE = Patience(tries=1, timeout=5.0, sleep=lambda seconds: None)


def entry(server: ArchiveServer, sha256: str | None = None, size: int | None = None) -> ModelEntry:
    return ModelEntry(NAME, server.url, size, sha256, licence="Apache-2.0", about="")


def checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def vouched(server: ArchiveServer) -> ModelEntry:
    return entry(server, checksum(server.content), len(server.content))


def fault_of(what: ModelEntry, home: Path) -> Fault:
    with pytest.raises(Fault) as caught:
        fetch(what, home, patience=AT_ONCE)
    return caught.value


def files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_a_model_the_manifest_vouches_for(server: ArchiveServer, tmp_path: Path) -> None:
    stages: list[Stage] = []
    found = fetch(vouched(server), tmp_path, lambda stage, done, total: stages.append(stage))
    path = tmp_path / "models" / NAME
    assert found == Fetched(path, checksum(server.content), Vouched.BY_MANIFEST)
    assert (path / "am" / "final.mdl").stat().st_size == 50_000
    assert list(dict.fromkeys(stages)) == list(Stage)
    # Neither the archive nor a record of its checksum is of any more use.
    assert all(name.startswith(f"models/{NAME}/") for name in files(tmp_path))


def test_an_archive_with_another_checksum_is_thrown_away(server: ArchiveServer, tmp_path: Path) -> None:
    wanted = checksum(b"what was promised")
    fault = fault_of(entry(server, wanted), tmp_path)
    assert fault.key == "fetch_wrong_checksum"
    assert fault.params["found"] == checksum(server.content)
    assert files(tmp_path) == []


def test_a_part_that_was_wrong_is_not_blamed_on_the_server(server: ArchiveServer, tmp_path: Path) -> None:
    part = tmp_path / "downloads" / f"{NAME}.zip.part"
    part.parent.mkdir()
    part.write_bytes(bytes(1000))
    note = part.with_name(part.name + ".json")
    note.write_text(json.dumps({"url": server.url, "validator": server.tag}))
    found = fetch(vouched(server), tmp_path, patience=AT_ONCE)
    assert found.vouched is Vouched.BY_MANIFEST
    assert [request.get("Range") for request in server.requests] == ["bytes=1000-", None]


def test_an_unknown_checksum_is_recorded_and_binds_from_then_on(
    server: ArchiveServer, tmp_path: Path
) -> None:
    first = fetch(entry(server), tmp_path)
    assert first.vouched is Vouched.BY_NOBODY
    record = tmp_path / "models" / "checksums.json"
    assert json.loads(record.read_text()) == {NAME: first.sha256}
    again = fetch(entry(server), tmp_path)
    assert again.vouched is Vouched.BY_RECORD
    before = files(tmp_path)
    server.content, server.tag = model_archive(seed=2), '"2"'
    fault = fault_of(entry(server), tmp_path)
    assert fault.key == "fetch_changed"
    assert fault.params["file"] == record
    # The model that was there stays.
    assert files(tmp_path) == before


@pytest.mark.parametrize("bad", ["unsafe", "broken", "no model", "a model with a static graph"])
def test_an_archive_of_no_use_leaves_nothing_and_is_not_recorded(
    bad: str, server: ArchiveServer, tmp_path: Path
) -> None:
    server.content = {
        "unsafe": zipped({"../outside": b"x"}),
        "broken": model_archive()[:-50],
        "no model": zipped({"model/README": b"x"}),
        "a model with a static graph": zipped(
            {f"m/{part}": b"x" for part in ("am/final.mdl", "conf/mfcc.conf", "graph/HCLG.fst")}
        ),
    }[bad]
    keys = {"unsafe": "unsafe_archive", "broken": "broken_archive"}
    assert fault_of(entry(server), tmp_path / "home").key == keys.get(bad, "fetch_no_model")
    assert files(tmp_path) == []
    assert list((tmp_path / "home" / "models").iterdir()) == []


def test_an_interrupted_unpacking_leaves_nothing_and_needs_no_second_download(
    server: ArchiveServer, tmp_path: Path
) -> None:
    def interrupt(stage: Stage, done: int, total: int | None) -> None:
        if stage is Stage.UNPACK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(vouched(server), tmp_path, interrupt)
    assert files(tmp_path) == [f"downloads/{NAME}.zip"]
    assert list((tmp_path / "models").iterdir()) == []
    fetch(vouched(server), tmp_path)
    assert len(server.requests) == 1
    assert (tmp_path / "models" / NAME / "am" / "final.mdl").exists()


def test_a_spoilt_archive_that_was_left_lying_is_downloaded_anew(
    server: ArchiveServer, tmp_path: Path
) -> None:
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / f"{NAME}.zip").write_bytes(b"spoilt")
    assert fetch(vouched(server), tmp_path).vouched is Vouched.BY_MANIFEST


def test_a_full_disk_while_unpacking_keeps_the_archive(
    server: ArchiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise Fault("fetch_disk_full", folder=tmp_path)

    with monkeypatch.context() as patch:
        patch.setattr(fetching, "unpack", full)
        assert fault_of(vouched(server), tmp_path).key == "fetch_disk_full"
    assert files(tmp_path) == [f"downloads/{NAME}.zip"]
    fetch(vouched(server), tmp_path)
    assert len(server.requests) == 1


def test_a_disk_with_too_little_room_is_told_before_the_download(
    server: ArchiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9 - 1000, 1000))
    assert fault_of(vouched(server), tmp_path).key == "fetch_disk_full"
    assert server.requests == []


def test_a_power_cut_between_the_two_renames_loses_no_model(server: ArchiveServer, tmp_path: Path) -> None:
    fetch(vouched(server), tmp_path)
    model = tmp_path / "models" / NAME
    model.rename(tmp_path / "downloads" / f"{NAME}.before")
    (tmp_path / "downloads" / f"{NAME}.unpacking" / "half").mkdir(parents=True)
    server.statuses.append(404)
    assert fault_of(vouched(server), tmp_path).key == "fetch_refused"
    assert (model / "am" / "final.mdl").exists()
    assert list((tmp_path / "downloads").iterdir()) == []


def test_fetching_again_replaces_the_model_as_a_whole(server: ArchiveServer, tmp_path: Path) -> None:
    fetch(vouched(server), tmp_path)
    extra = tmp_path / "models" / NAME / "extra"
    extra.write_text("of the old one")
    fetch(vouched(server), tmp_path)
    assert not extra.exists()
    assert list((tmp_path / "downloads").iterdir()) == []


def test_two_fetches_at_a_time_do_not_get_in_each_others_way(server: ArchiveServer, tmp_path: Path) -> None:
    (tmp_path / "downloads").mkdir()
    other = os.open(tmp_path / "downloads", os.O_RDONLY)
    try:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert fault_of(vouched(server), tmp_path).key == "fetch_busy"
    finally:
        os.close(other)
    fetch(vouched(server), tmp_path)


def test_a_home_that_cannot_be_made_is_told(server: ArchiveServer, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    assert fault_of(vouched(server), tmp_path / "home").key == "cannot_write"


def test_a_fetched_model_is_used_only_when_it_is_the_only_one_or_asked_for(
    server: ArchiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NARRATOR_MODEL", raising=False)
    fetched = fetch(vouched(server), tmp_path).path
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    folders = (shipped, tmp_path / "models")
    assert find_model(folders=folders) == fetched
    shutil.copytree(fetched, shipped / EMBEDDED)
    assert find_model(folders=folders) == shipped / EMBEDDED
    assert find_model(Path(NAME), folders=folders) == fetched
    assert find_model(fetched, folders=folders) == fetched


def test_a_half_unpacked_model_is_never_taken_for_one(
    server: ArchiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NARRATOR_MODEL", raising=False)
    looks: list[int] = []

    def look(stage: Stage, done: int, total: int | None) -> None:
        if stage is Stage.UNPACK:
            with pytest.raises(Fault):
                find_model(folders=(tmp_path / "models",))
            looks.append(done)

    fetch(vouched(server), tmp_path, look)
    assert len(looks) == 5
