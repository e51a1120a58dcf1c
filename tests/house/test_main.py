"""The command itself: help, wrong usage, faults, interruption."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from narrator.cli import main as entry
from narrator.cli.main import COMMANDS, main
from narrator.faults import Fault
from narrator.messages import catalogue


def narrator(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "narrator", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def doing(monkeypatch: pytest.MonkeyPatch, what: BaseException | int) -> None:
    """Let ``narrator rules`` end in ``what``."""

    def run(_args: argparse.Namespace) -> int:
        if isinstance(what, int):
            return what
        raise what

    def add_parser(subparsers: entry.Subparsers) -> argparse.ArgumentParser:
        parser = subparsers.add_parser("rules")
        parser.add_argument("--snr", type=float)
        return parser

    monkeypatch.setattr(entry, "import_module", lambda _: SimpleNamespace(add_parser=add_parser, run=run))


def test_help_lists_every_command() -> None:
    done = narrator("--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in COMMANDS)


def test_help_and_the_light_commands_load_neither_the_recogniser_nor_numpy() -> None:
    script = (
        "import sys; from narrator.cli.main import main; main([]); main(['rules']);"
        "print(sorted({'vosk', 'numpy', 'pyttsx3', 'sounddevice'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert f"narrator {command}" in capsys.readouterr().out


def test_a_chinese_locale_gets_chinese_help() -> None:
    done = narrator("--help", NARRATOR_LANG="", LC_ALL="zh_CN.UTF-8")
    assert "用法：" in done.stdout
    assert catalogue("zh")["help_play"] in done.stdout
    assert "show" not in done.stdout


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "--snr", "abc"],
        ["ruels"],
        ["--hilfe"],
        ["rules", "--snr"],
        ["rules", "--nope"],
        ["rules", "a"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_answered_by_one_sentence(
    arguments: list[str], lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    doing(monkeypatch, 0)
    monkeypatch.setenv("NARRATOR_LANG", lang)
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert arguments[-1] in said.err
    assert "--help" in said.err


def test_a_fault_becomes_its_sentence_and_exit_code_two(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    doing(monkeypatch, Fault("bad_settings", file="settings.toml", why="pace = 'fast' (float)"))
    assert main(["rules"]) == 2
    assert capsys.readouterr().err == (
        "The settings in settings.toml can't be used: pace = 'fast' (float); mend the line or remove it.\n"
    )


def test_ctrl_c_leaves_with_130_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    doing(monkeypatch, KeyboardInterrupt())
    assert main(["rules"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_a_commands_own_exit_code_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    doing(monkeypatch, 1)
    assert main(["rules"]) == 1


def test_a_command_whose_library_is_missing_says_so_and_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(f"No module named 'vosk' (asked for by {name})")

    monkeypatch.setattr(entry, "import_module", absent)
    assert main(["listen"]) == 2
    assert "'vosk'" in capsys.readouterr().err
    assert main([]) == 0


def test_a_reader_that_leaves_early_is_no_error() -> None:
    script = f"{{ sleep 0.3; {sys.executable} -m narrator rules; }} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    assert done.stdout.strip() == "141"


def test_a_terminal_without_chinese_gets_question_marks_rather_than_a_crash() -> None:
    done = narrator("rules", PYTHONIOENCODING="ascii", NARRATOR_LANG="zh")
    assert done.returncode == 0
    assert "?" in done.stdout
    assert done.stderr == ""


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    import narrator as package

    assert narrator("--version").stdout.strip() == f"narrator {package.__version__}"
