"""Downloads that break off, are refused, change or never end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from archive_server import ArchiveServer

from narrator.ears.fetch.download import Download, Patience
from narrator.faults import Fault


class Waits(list[float]):
    """How long it was waited, without waiting."""

    def patience(self, tries: int = 5) -> Patience:
        return Patience(tries=tries, first_wait=1.0, timeout=5.0, sleep=self.append)


def download(
    server: ArchiveServer, file: Path, waits: Waits | None = None, size: int | None = None
) -> Download:
    return Download(server.url, file, size, (waits if waits is not None else Waits()).patience())


def fault_of(run: Download) -> Fault:
    with pytest.raises(Fault) as caught:
        run.run()
    return caught.value


def leftovers(file: Path) -> list[str]:
    return sorted(entry.name for entry in file.parent.iterdir() if entry != file)


def test_a_whole_download_is_told_about_as_it_goes(server: ArchiveServer, tmp_path: Path) -> None:
    file, told = tmp_path / "model.zip", list[tuple[int, int | None]]()
    run = download(server, file, size=len(server.content))
    run.run(lambda done, total: told.append((done, total)))
    assert file.read_bytes() == server.content
    assert leftovers(file) == []
    assert not run.resumed
    assert told[0] == (0, len(server.content))
    assert told[-1] == (len(server.content), len(server.content))


def test_a_broken_connection_is_resumed_where_it_broke_off(server: ArchiveServer, tmp_path: Path) -> None:
    server.breaks.extend([100_000, 50_000])
    file, waits = tmp_path / "model.zip", Waits()
    run = download(server, file, waits)
    run.run()
    assert file.read_bytes() == server.content
    assert [request.get("Range") for request in server.requests] == [None, "bytes=100000-", "bytes=150000-"]
    assert run.resumed
    # Each attempt brought something, so the waiting never grew.
    assert waits == [1.0, 1.0]


def test_the_next_day_it_goes_on_from_there(server: ArchiveServer, tmp_path: Path) -> None:
    server.breaks.append(100_000)
    file = tmp_path / "model.zip"
    first = Download(server.url, file, None, Patience(tries=1, sleep=Waits().append))
    assert fault_of(first).key == "fetch_no_connection"
    assert (tmp_path / "model.zip.part").stat().st_size == 100_000
    download(server, file).run()
    assert file.read_bytes() == server.content
    assert server.requests[-1]["Range"] == "bytes=100000-"


def test_an_archive_that_changed_meanwhile_is_taken_from_its_start(
    server: ArchiveServer, tmp_path: Path
) -> None:
    server.breaks.append(100_000)
    file = tmp_path / "model.zip"
    fault_of(Download(server.url, file, None, Patience(tries=1, sleep=Waits().append)))
    server.content, server.tag = server.content[::-1], '"2"'
    run = download(server, file)
    run.run()
    assert server.requests[-1]["If-Range"] == '"1"'
    assert file.read_bytes() == server.content
    assert not run.resumed


def test_a_server_that_knows_no_ranges_sends_all_again(server: ArchiveServer, tmp_path: Path) -> None:
    server.ranges = False
    server.breaks.append(100_000)
    file = tmp_path / "model.zip"
    download(server, file).run()
    assert file.read_bytes() == server.content


def test_without_a_sign_of_its_version_an_archive_is_never_pieced_together(
    server: ArchiveServer, tmp_path: Path
) -> None:
    server.tag = None
    server.breaks.append(100_000)
    file = tmp_path / "model.zip"
    download(server, file).run()
    assert file.read_bytes() == server.content
    assert [request.get("Range") for request in server.requests] == [None, None]


@pytest.mark.parametrize("tag", ['W/"1"', None])
def test_a_weak_version_is_no_sign(server: ArchiveServer, tmp_path: Path, tag: str | None) -> None:
    server.tag = tag
    server.breaks.append(1000)
    file = tmp_path / "model.zip"
    fault_of(Download(server.url, file, None, Patience(tries=1, sleep=Waits().append)))
    assert json.loads((tmp_path / "model.zip.part.json").read_text())["validator"] is None


def test_a_server_that_sends_another_part_than_was_asked_for_is_not_trusted(
    server: ArchiveServer, tmp_path: Path
) -> None:
    server.breaks.append(100_000)
    server.range_offset = 7
    file = tmp_path / "model.zip"
    download(server, file).run()
    assert file.read_bytes() == server.content
    assert [request.get("Range") for request in server.requests] == [None, "bytes=100000-", None]


def test_a_part_longer_than_the_archive_is_thrown_away(server: ArchiveServer, tmp_path: Path) -> None:
    file = tmp_path / "model.zip"
    (tmp_path / "model.zip.part").write_bytes(bytes(len(server.content) + 5))
    (tmp_path / "model.zip.part.json").write_text(json.dumps({"url": server.url, "validator": '"1"'}))
    download(server, file).run()
    assert file.read_bytes() == server.content
    assert server.requests[0]["Range"] == f"bytes={len(server.content) + 5}-"


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"url": "http://elsewhere", "validator": "x"}'])
def test_a_part_of_unknown_origin_is_not_built_upon(note: str, server: ArchiveServer, tmp_path: Path) -> None:
    file = tmp_path / "model.zip"
    (tmp_path / "model.zip.part").write_bytes(b"something else")
    (tmp_path / "model.zip.part.json").write_text(note)
    download(server, file).run()
    assert file.read_bytes() == server.content


def test_a_passing_trouble_of_the_server_is_waited_out(server: ArchiveServer, tmp_path: Path) -> None:
    server.statuses.extend([503, 429, 500])
    file, waits = tmp_path / "model.zip", Waits()
    download(server, file, waits).run()
    assert file.read_bytes() == server.content
    assert waits == [1.0, 2.0, 4.0]


def test_trouble_that_does_not_pass_ends_the_attempts(server: ArchiveServer, tmp_path: Path) -> None:
    server.statuses.extend([503] * 9)
    waits = Waits()
    fault = fault_of(Download(server.url, tmp_path / "model.zip", None, waits.patience(tries=3)))
    assert fault.key == "fetch_no_connection"
    assert "503" in str(fault.params["why"])
    assert waits == [1.0, 2.0]


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_refusal_is_not_tried_again(status: int, server: ArchiveServer, tmp_path: Path) -> None:
    server.statuses.append(status)
    fault = fault_of(download(server, tmp_path / "model.zip"))
    assert (fault.key, fault.params["status"]) == ("fetch_refused", status)
    assert len(server.requests) == 1


def test_where_nobody_listens_there_is_no_connection(server: ArchiveServer, tmp_path: Path) -> None:
    with ArchiveServer(b"") as gone:
        url = gone.url
    waits = Waits()
    fault = fault_of(Download(url, tmp_path / "model.zip", None, waits.patience(tries=2)))
    assert fault.key == "fetch_no_connection"
    assert "refused" in str(fault.params["why"]).lower()
    assert waits == [1.0]


def test_an_archive_of_another_size_is_refused_before_it_is_downloaded(
    server: ArchiveServer, tmp_path: Path
) -> None:
    fault = fault_of(download(server, tmp_path / "model.zip", size=len(server.content) + 1))
    assert fault.key == "fetch_wrong_size"
    assert fault.params["size"] == len(server.content)
    assert not (tmp_path / "model.zip").exists()


def test_a_server_that_sends_on_and_on_is_stopped(server: ArchiveServer, tmp_path: Path) -> None:
    server.tells_length = False
    fault = fault_of(download(server, tmp_path / "model.zip", size=100_000))
    assert fault.key == "fetch_wrong_size"
    assert (tmp_path / "model.zip.part").stat().st_size <= 100_000


def test_without_a_length_the_manifests_size_tells_what_is_missing(
    server: ArchiveServer, tmp_path: Path
) -> None:
    server.tells_length = False
    server.breaks.append(1000)
    file = tmp_path / "model.zip"
    fault = fault_of(download(server, file, size=len(server.content)))
    assert (fault.key, fault.params["size"]) == ("fetch_wrong_size", 1000)


def test_a_full_disk_is_told(server: ArchiveServer, tmp_path: Path) -> None:
    (tmp_path / "model.zip.part").symlink_to("/dev/full")
    fault = fault_of(download(server, tmp_path / "model.zip"))
    assert fault.key == "fetch_disk_full"
    assert fault.params["folder"] == tmp_path


def test_a_folder_that_may_not_be_written_is_told(server: ArchiveServer, tmp_path: Path) -> None:
    (tmp_path / "model.zip.part.json").mkdir()
    assert fault_of(download(server, tmp_path / "model.zip")).key == "cannot_write"
