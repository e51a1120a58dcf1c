"""The set-up of scripts/: quick when nothing is missing, one clear line when something can't be had."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# What the set-up runs besides what each story fakes.
TOOLS = (
    *("bash", "cat", "chmod", "cp", "dirname", "env", "flock", "grep", "id", "mkdir", "mv", "readlink", "rm"),
    *("sha256sum", "tail", "tee", "tr"),
)


class Machine:
    """A machine on which every tool that could change it is a script of ours that notes how it was called."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.bin = folder / "bin"
        self.calls_file = folder / "calls"
        self.environment = {
            "PATH": str(self.bin),
            "HOME": str(folder),
            "LANG": "C",
        }
        self.bin.mkdir()
        (self.project / "scripts").mkdir(parents=True)
        for name in ("scripts/setup.sh", "scripts/play", "pyproject.toml"):
            shutil.copy(ROOT / name, self.project / name)
        setup = self.project / "scripts" / "setup.sh"
        setup.write_text(setup.read_text().replace("/usr/bin/python3", f"{self.bin}/system-python3"))
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or tool)
        self.fake("dpkg-query", "printf 'ii '")
        self.fake("apt-get", "exit 0")
        self.fake("id", "echo 0")
        # `python3 -m venv DIR` makes a python whose pip brings the narrator command.
        self.fake(
            "python3",
            f"""[ "$1 $2" = "-m venv" ] || exit 0
            mkdir -p "$3/bin"; cp {self.bin}/venv-python "$3/bin/python" """,
        )
        self.fake(
            "venv-python",
            f"""case "$*" in
                *"pip install"*) echo "Collecting vosk==0.3.45"; cp {self.bin}/id "${{0%/*}}/narrator" ;;
                -V) echo "Python 3.11.2" ;;
            esac""",
        )

    def fake(self, tool: str, script: str) -> None:
        """Put a script in a tool's place."""
        file = self.bin / tool
        file.unlink(missing_ok=True)
        file.write_text(f'#!{shutil.which("bash")}\necho "{tool} $*" >>{self.calls_file}\n{script}\n')
        file.chmod(0o755)

    def set_up(self, kind: str = "play", **environment: str) -> subprocess.CompletedProcess[str]:
        """Set the project up, with no terminal."""
        self.calls_file.write_text("")
        return subprocess.run(
            ["bash", "-uo", "pipefail", "-c", f". scripts/setup.sh; set_up {kind}"],
            cwd=self.project,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    @property
    def calls(self) -> str:
        """How the fakes were called since the last set-up began."""
        return self.calls_file.read_text()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_bare_machine_gets_everything_and_sees_what_is_going_on(machine: Machine) -> None:
    machine.fake("dpkg-query", "exit 1")
    done = machine.set_up()
    assert done.returncode == 0, done.stderr
    assert "apt-get -q -o DPkg::Lock::Timeout=120 install" in machine.calls
    assert "espeak-ng libportaudio2 alsa-utils" in machine.calls
    assert "pulseaudio" not in machine.calls
    assert "pip install" in machine.calls
    assert [line.strip() for line in done.stderr.splitlines()] == [
        "… installing system packages: espeak-ng libportaudio2 alsa-utils",
        "… making the virtual environment .venv (1/2)",
        "… installing Python packages (2/2); the first time this takes minutes",
        "vosk==0.3.45",
    ]


def test_only_what_is_missing_is_installed(machine: Machine) -> None:
    machine.fake("dpkg-query", 'case "$*" in *alsa-utils) exit 1 ;; *) printf "ii " ;; esac')
    machine.set_up()
    (install,) = [line for line in machine.calls.splitlines() if " install " in line and "apt-get" in line]
    assert install.endswith("--no-install-recommends alsa-utils")


def test_the_tests_want_a_virtual_sound_card_too(machine: Machine) -> None:
    machine.fake("dpkg-query", "exit 1")
    machine.set_up("test")
    assert "pulseaudio pulseaudio-utils libasound2-plugins" in machine.calls
    assert "[dev]" in machine.calls


def test_the_second_time_nothing_is_installed_and_it_takes_no_time(machine: Machine) -> None:
    machine.set_up()
    started = time.perf_counter()
    done = machine.set_up()
    assert time.perf_counter() - started < 2
    assert done.returncode == 0
    assert done.stderr == ""
    assert "apt-get" not in machine.calls
    assert "pip install" not in machine.calls


def test_who_has_set_up_for_the_tests_can_play_at_once(machine: Machine) -> None:
    machine.set_up("test")
    machine.set_up("play")
    assert "pip install" not in machine.calls


def test_changed_requirements_are_installed_into_the_same_environment(machine: Machine) -> None:
    machine.set_up()
    with (machine.project / "pyproject.toml").open("a") as file:
        file.write("# another requirement\n")
    machine.set_up()
    assert "pip install" in machine.calls
    assert "-m venv" not in machine.calls


def test_where_python_is_too_old_the_systems_own_is_installed_and_used(machine: Machine) -> None:
    shutil.copy(machine.bin / "python3", machine.bin / "good")
    machine.fake("python3", "exit 1")
    machine.fake("dpkg-query", 'case "$*" in *python3*) exit 1 ;; *) printf "ii " ;; esac')
    machine.fake(
        "apt-get", f'case "$*" in *" install "*) cp {machine.bin}/good {machine.bin}/system-python3 ;; esac'
    )
    done = machine.set_up()
    assert done.returncode == 0, done.stderr
    (install,) = [line for line in machine.calls.splitlines() if "apt-get" in line and " install " in line]
    assert install.endswith(" python3 python3-venv")
    assert (machine.project / ".venv" / "bin" / "python").exists()


def test_without_root_and_sudo_the_line_says_what_root_must_do(machine: Machine) -> None:
    machine.fake("dpkg-query", "exit 1")
    machine.fake("id", "echo 1000")
    machine.fake("sudo", "exit 1")
    done = machine.set_up()
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "Only root may install the missing system packages, and sudo doesn't allow it here; "
        "as root run: apt-get install espeak-ng libportaudio2 alsa-utils"
    )
    assert "pip install" not in machine.calls
    assert "apt-get" not in machine.calls


def test_sudo_without_a_terminal_may_not_ask_for_a_password(machine: Machine) -> None:
    machine.fake("dpkg-query", "exit 1")
    machine.fake("id", "echo 1000")
    machine.fake("sudo", '[ "$1" = -n ] || exit 1; shift; [ "$1" = true ] || exec "$@"')
    assert machine.set_up().returncode == 0
    assert "apt-get -q" in machine.calls


def test_packages_that_cannot_be_had_are_named_with_the_reason(machine: Machine) -> None:
    machine.fake("dpkg-query", "exit 1")
    machine.fake("apt-get", "echo 'E: Unable to locate package espeak-ng'; exit 100")
    done = machine.set_up()
    assert done.returncode == 1
    assert "E: Unable to locate package espeak-ng" in done.stderr.splitlines()[-1]


def test_a_registry_that_is_away_is_one_line_and_the_next_run_tries_again(machine: Machine) -> None:
    (machine.bin / "venv-python").rename(machine.bin / "good")
    machine.fake(
        "venv-python",
        'case "$*" in *"pip install"*) echo "ERROR: No matching distribution for vosk"; exit 1 ;; esac',
    )
    done = machine.set_up()
    assert done.returncode == 1
    assert "ERROR: No matching distribution for vosk" in done.stderr.splitlines()[-1]
    assert "package registry" in done.stderr.splitlines()[-1]
    shutil.copy(machine.bin / "good", machine.project / ".venv" / "bin" / "python")
    assert machine.set_up().returncode == 0
    assert "pip install" in machine.calls


def test_an_environment_whose_python_has_gone_is_made_again(machine: Machine) -> None:
    machine.set_up()
    python = machine.project / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python")
    assert machine.set_up().returncode == 0
    assert "-m venv" in machine.calls


def test_a_chinese_machine_is_told_in_chinese(machine: Machine) -> None:
    assert "正在安装 Python 软件包" in machine.set_up(LANG="zh_CN.UTF-8").stderr


def test_play_hands_its_arguments_to_narrator_from_any_folder(machine: Machine, tmp_path: Path) -> None:
    machine.set_up()
    narrator = machine.project / ".venv" / "bin" / "narrator"
    narrator.write_text(f'#!{shutil.which("bash")}\necho "$PWD: $*"\n')
    narrator.chmod(0o755)
    link = tmp_path / "moderate"
    link.symlink_to(machine.project / "scripts" / "play")
    done = subprocess.run(
        ["bash", str(link), "--players", "9"],
        cwd=tmp_path,
        env=machine.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout == f"{tmp_path}: play --players 9\n"


@pytest.mark.parametrize("script", ["scripts/play", "scripts/test", ".ci/run"])
def test_the_scripts_can_be_run_and_are_sound_bash(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True, timeout=30)
