"""The service that greets at power-on: what it may do, and that the program finds its things there."""

from __future__ import annotations

import argparse
import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from narrator.cli import play
from narrator.cli.main import USAGE_FAULT
from narrator.resources import config_folder, data_folder

ROOT = Path(__file__).parents[2]
FILES = ROOT / "scripts" / "pi_install"
UNIT = FILES / "narrator.service"
EXPOSURE = 1.0
"""The most that systemd may find: 0 is a service that may do nothing, 10 one that may do everything."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze: scripts/test installs it"
)


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def settings(section: str = "Service") -> dict[str, list[str]]:
    """The unit's settings; a key may stand there more than once."""
    found: dict[str, list[str]] = {}
    text = UNIT.read_text(encoding="utf-8")
    (part,) = re.findall(rf"^\[{section}\]\n(.*?)(?=^\[|\Z)", text, re.DOTALL | re.MULTILINE)
    for line in part.splitlines():
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def environment() -> dict[str, str]:
    """The service's environment, with systemd's folders in it."""
    words = " ".join(settings()["Environment"]).replace("%S", "/var/lib").replace("%C", "/var/cache")
    return dict(word.split("=", 1) for word in words.split())


@needs_systemd
def test_systemd_understands_every_line(tmp_path: Path) -> None:
    program = tmp_path / "narrator"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / UNIT.name
    command = settings()["ExecStart"][0].split()[0]
    unit.write_text(UNIT.read_text(encoding="utf-8").replace(command, str(program)), encoding="utf-8")
    done = run("systemd-analyze", "verify", "--man=no", str(unit))
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_it_may_do_hardly_anything_but_sound() -> None:
    limit = str(round(EXPOSURE * 10))
    done = run("systemd-analyze", "security", "--offline=true", f"--threshold={limit}", str(UNIT))
    assert done.returncode == 0, done.stdout


def test_it_reaches_sound_cards_and_no_network() -> None:
    unit = settings()
    assert unit["DeviceAllow"] == ["char-alsa rw"]
    assert unit["SupplementaryGroups"] == ["audio"]
    assert unit["PrivateNetwork"] == ["yes"]
    assert "PrivateDevices" not in unit


def test_failures_are_started_again_and_an_evening_that_is_over_is_not() -> None:
    unit = settings()
    assert unit["Restart"] == ["on-failure"]
    assert unit["RestartPreventExitStatus"] == [str(USAGE_FAULT)]
    assert play.DEAF not in (0, USAGE_FAULT)


def test_its_command_is_one_that_narrator_knows() -> None:
    parser = argparse.ArgumentParser()
    play.add_parser(parser.add_subparsers())
    words = settings()["ExecStart"][0].replace("$NARRATOR_OPTIONS", "").split()
    assert words[0] == "/opt/narrator/.venv/bin/narrator"
    assert parser.parse_args(words[1:]).speaker


def test_the_program_keeps_everything_in_the_services_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    assert str(data_folder()) == str(config_folder()) == f"/var/lib/{settings()['StateDirectory'][0]}"


def test_the_command_of_the_host_uses_the_same_folders_and_user() -> None:
    command = (FILES / "narrator.sh").read_text(encoding="utf-8")
    given = dict(re.findall(r"([A-Z_]+)=(/\S+)", command))
    wanted = {key: value for key, value in environment().items() if value.startswith("/")}
    assert {key: given[key] for key in wanted} == wanted
    assert f"runuser -u {settings()['User'][0]} " in command


@pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None or os.geteuid() != 0,
    reason="needs systemd-sysusers, and root, who alone may make users",
)
def test_its_user_may_use_sound_cards_and_not_log_in(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("audio:x:29:\n")
    for _ in range(2):
        done = run("systemd-sysusers", f"--root={tmp_path}", str(FILES / "sysusers.conf"))
        assert done.returncode == 0, done.stderr
    (user,) = (tmp_path / "etc" / "passwd").read_text().splitlines()
    assert re.fullmatch(
        r"narrator:x:\d+:\d+:Narrator, a speaker:/var/lib/narrator:/usr/sbin/nologin", user
    ), user
    assert "audio:x:29:narrator" in (tmp_path / "etc" / "group").read_text().splitlines()


@pytest.mark.skipif(shutil.which("aplay") is None, reason="needs alsa-utils: scripts/test installs it")
@pytest.mark.parametrize(
    ("loudspeaker", "microphone", "tool", "card"),
    [
        ("Headphones", "Device", "aplay", "Headphones"),
        ("Headphones", "Device", "arecord", "Device"),
        ("Headphones", "", "aplay", "Headphones"),
        ("", "Device", "arecord", "Device"),
    ],
)
def test_alsa_reads_what_is_written_for_it_and_looks_for_that_card(
    loudspeaker: str, microphone: str, tool: str, card: str, tmp_path: Path
) -> None:
    written = run(
        "bash", "-c", f'. "{FILES}/sound.sh"; asound_conf "$1" "$2"', "bash", loudspeaker, microphone
    )
    (tmp_path / "asound.conf").write_text(written.stdout)
    done = run(
        tool,
        "-d1",
        "-D",
        "default",
        str(tmp_path / "none.wav"),
        ALSA_CONFIG_PATH=f"/usr/share/alsa/alsa.conf:{tmp_path}/asound.conf",
    )
    # There is no such card here: what ALSA says shows that it has understood which one to ask.
    assert f"card index for {card}\n" in done.stderr


def test_the_options_file_is_one_that_systemd_and_shells_read() -> None:
    parser = configparser.ConfigParser()
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string("[options]\n" + (FILES / "options").read_text(encoding="utf-8"))
    assert dict(parser["options"]) == {"NARRATOR_OPTIONS": "", "NARRATOR_LANG": "en"}
    assert settings()["EnvironmentFile"] == ["-/etc/default/narrator"]
