"""A Raspberry Pi for tests: a folder as its system, and scripts in place of what would change a real one."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What is changed in the system, for the stories in which the script runs on the Pi itself.
PLACES = ("/opt/", "/etc/", "/var/", "/usr/local/")


class Pi:
    """A system in ``system``, and a small checkout to install from.

    With ``running`` the script takes the folder for the system that it runs on, else it is given by --root.
    Every call of a tool that would change a real system is noted in ``calls``.
    """

    def __init__(self, folder: Path, running: bool = False) -> None:
        self.running = running
        self.system = folder / "system"
        self.checkout = folder / "checkout"
        self.bin = folder / "bin"
        self._calls = folder / "calls"
        for made in (self.system / "etc" / "alsa", self.bin, self.checkout / "scripts"):
            made.mkdir(parents=True)
        self._calls.write_text("")
        self._check_out()
        self.fake("id", "echo 0")
        # The chroot into another system: `unshare --mount --propagation private sh -c SCRIPT DIR COMMAND...`
        self.fake("unshare", 'shift 6; cd "$1" && shift && system=$PWD inside "$@"')
        self.fake(
            "inside",
            """case "$*" in
                "dpkg --print-architecture") echo arm64 ;;
                bash*) mkdir -p "$system/opt/narrator/.venv/bin" ;;
                getent*) grep -q ^narrator: "$system/etc/passwd" ;;
                *systemd-sysusers*)
                    [ -e "$system/etc/passwd" ] || echo narrator:x:999: >"$system/etc/passwd"
                    ;;
                install*) mkdir -p "$system/var/lib/narrator" "$system/var/cache/narrator" ;;
                userdel*) rm "$system/etc/passwd" ;;
            esac""",
        )
        for tool in ("dpkg", "getent", "userdel", "systemd-sysusers", "install"):
            self.fake(tool, f'system={self.system} inside {tool} "$@"')
        self.fake("systemctl", 'case "$*" in *is-active*) [ -e "$0.active" ] ;; esac')
        self.fake("amixer", """case "$*" in *scontrols) echo "Simple mixer control 'PCM',0" ;; esac""")
        self.fake("alsactl", "")

    def fake(self, tool: str, script: str) -> None:
        """Put a script in a tool's place."""
        file = self.bin / tool
        note = f"echo \"{tool} ${{*//$'\\n'/ }}\" >>{self._calls}"
        file.write_text(f"#!/bin/bash\n{note}\n{script}\n")
        file.chmod(0o755)

    def install(
        self, *arguments: str, stdin: int = subprocess.DEVNULL, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the script with the system as its target."""
        self._calls.write_text("")
        return subprocess.run(
            [
                str(self.checkout / "scripts" / "install_pi"),
                *([] if self.running else ["--root", str(self.system)]),
                *arguments,
            ],
            env={"PATH": f"{self.bin}:{os.environ['PATH']}", "LANG": "C.UTF-8", **environment},
            stdin=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    @property
    def calls(self) -> list[str]:
        """The tools called by the last run that could change a system; looking is not noted."""
        looks = ("id ", "inside ", "unshare ", "dpkg ", "getent ", "amixer -c", "systemctl --quiet is-active")
        return [call for call in self._calls.read_text().splitlines() if not call.startswith(looks)]

    @property
    def done_inside(self) -> list[str]:
        """What was run in the system by the last run."""
        calls = [call for call in self._calls.read_text().splitlines() if call.startswith("inside ")]
        return [call.removeprefix("inside ") for call in calls]

    def file(self, path: str) -> Path:
        """The file of the system that the Pi would call ``path``."""
        return self.system / path.lstrip("/")

    def snapshot(self) -> dict[str, str]:
        """Everything in the system, with its mode and what it holds."""
        return {
            str(path.relative_to(self.system)): f"{path.stat().st_mode:o} "
            + (hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
            for path in sorted(self.system.rglob("*"))
        }

    def sound_cards(self, cards: str, pcm: str) -> None:
        """What the kernel tells of its sound cards."""
        folder = self.system / "proc" / "asound"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cards").write_text(cards)
        (folder / "pcm").write_text(pcm)

    def _check_out(self) -> None:
        scripts = self.checkout / "scripts"
        for name in ("install_pi", "setup.sh", "pi_install"):
            copy = shutil.copytree if (ROOT / "scripts" / name).is_dir() else shutil.copy
            copy(ROOT / "scripts" / name, scripts / name)
        if self.running:
            self._take_the_folder_for_the_system(scripts)
        for name in ("LICENSE", "README.md", "README.zh-CN.md", "pyproject.toml"):
            (self.checkout / name).write_text(name)
        for name in ("docs", "narrator", "voices", "models"):
            (self.checkout / name / "inner").mkdir(parents=True)
            (self.checkout / name / "inner" / "file").write_text(name)
        (self.checkout / "narrator" / "__pycache__").mkdir()
        (self.checkout / "narrator" / "__pycache__" / "stale.pyc").write_text("")
        (self.checkout / ".git").mkdir()

    def _take_the_folder_for_the_system(self, scripts: Path) -> None:
        script, sound = scripts / "install_pi", scripts / "pi_install" / "sound.sh"
        text = script.read_text(encoding="utf-8")
        for place in PLACES:
            text = text.replace(f"={place}", f"={self.system}{place}")
        text = text.replace("[ -d /run/systemd/system ]", "true")
        script.write_text(text, encoding="utf-8")
        with (scripts / "setup.sh").open("a") as setup:
            # What it really does has its own tests.
            setup.write(
                'set_up() { mkdir -p "$root/.venv/bin" && ln -sf /bin/true "$root/.venv/bin/python"; }\n'
            )
        sound.write_text(sound.read_text().replace("=/proc/asound", f"={self.system}/proc/asound"))
