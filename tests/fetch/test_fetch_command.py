"""``narrator fetch`` with a real model: what it says about checksum, vocabulary and use."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from archive_server import ArchiveServer

from narrator.cli.main import main
from narrator.resources import data_folder, voices_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def real(server: ArchiveServer, model_path: Path) -> ArchiveServer:
    """The server has the archive of a real model."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(model_path.rglob("*")):
            archive.write(file, Path("real") / file.relative_to(model_path))
    server.content = buffer.getvalue()
    return server


def manifest(tmp_path: Path, server: ArchiveServer, sha256: str | None) -> Path:
    lines = ["[[model]]", 'name = "real"', f'url = "{server.url}"', 'licence = "MIT"', 'about = "a test"']
    if sha256:
        lines += [f'sha256 = "{sha256}"', f"size = {len(server.content)}"]
    file = tmp_path / "manifest.toml"
    file.write_text("\n".join(lines))
    return file


def fetched(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["fetch", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_a_fetched_model_is_checked_against_the_phrases(
    real: ArchiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NARRATOR_MODEL", raising=False)
    sha256 = hashlib.sha256(real.content).hexdigest()
    said = fetched(capsys, "--manifest", manifest(tmp_path, real, sha256))
    assert f"real is in {data_folder() / 'models' / 'real'}." in said
    assert f"Its SHA-256 is the manifest's: {sha256}." in said
    assert "It has words for all" in said
    assert ("It is the model in use." in said) != ("give --model real" in said)


def test_phrases_it_cannot_hear_or_only_by_other_words_are_listed(
    real: ArchiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    voices = tmp_path / "voices"
    voices.mkdir()
    phrases = (voices_folder() / "zh-CN" / "phrases.toml").read_text(encoding="utf-8")
    # 郭 has no word of its own in a command model, but sounds like 过; a Latin word sounds like nothing.
    phrases = phrases.replace('done = ["过"', 'done = ["郭", "over", "过"')
    (voices / "phrases.toml").write_text(phrases, encoding="utf-8")
    said = fetched(capsys, "--manifest", manifest(tmp_path, real, None), "--voices", voices)
    assert "郭=" in said
    assert "1 phrases can't be heard with it: over" in said


def test_a_checksum_nobody_vouches_for_is_said_to_be_so(
    real: ArchiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = manifest(tmp_path, real, None)
    said = fetched(capsys, "--manifest", file)
    assert "Nobody has vouched for its SHA-256" in said
    assert str(data_folder() / "models" / "checksums.json") in said
    assert "the one recorded at the first fetch" in fetched(capsys, "--again", "--manifest", file)


def test_a_model_that_is_there_is_not_fetched_again(
    real: ArchiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = manifest(tmp_path, real, None)
    fetched(capsys, "--manifest", file)
    assert "is there already" in fetched(capsys, "real", "--manifest", file)
    assert len(real.requests) == 1
    assert fetched(capsys, "--list", "--manifest", file).startswith(
        "✓ real: a test; size unknown, licence MIT"
    )


def test_the_list_tells_size_licence_and_checksum(capsys: pytest.CaptureFixture[str]) -> None:
    assert fetched(capsys, "--list").splitlines()[0] == (
        "– vosk-model-small-cn-0.22: small Mandarin model, large vocabulary; "
        "43.9 MB, licence Apache-2.0, checksum known"
    )


def test_a_failure_is_one_sentence_in_the_persons_language(
    server: ArchiveServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NARRATOR_LANG", "zh")
    server.statuses.append(404)
    assert main(["fetch", "--manifest", str(manifest(tmp_path, server, None))]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"服务器拒绝了 {server.url}（404")
    assert said.err.count("\n") == 1


def test_the_script_is_sound_and_can_be_run() -> None:
    script = ROOT / "scripts" / "fetch_model"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True, timeout=30)
