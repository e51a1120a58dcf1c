"""From a bare Raspberry Pi to a speaker that greets at power-on, and back again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from pi import ROOT, Pi

RECORDS = "/var/lib/narrator"


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    """A card for a Pi, mounted on another machine."""
    return Pi(tmp_path)


@pytest.fixture
def running(tmp_path: Path) -> Pi:
    """A Pi on which the script itself runs, with a loudspeaker at its jack and a USB microphone."""
    pi = Pi(tmp_path, running=True)
    pi.sound_cards(*PI4_WITH_A_USB_MICROPHONE)
    return pi


PI4_WITH_A_USB_MICROPHONE = (
    """ 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 1 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 2 [Device         ]: USB-Audio - USB PnP Sound Device
                      C-Media Electronics Inc. USB PnP Sound Device at usb-0000:01:00.0-1.3, full speed
""",
    """00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
01-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
02-00: USB Audio : USB Audio : capture 1
""",
)
PI5_WITH_A_SPEAKERPHONE = (
    """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
 2 [USB            ]: USB-Audio - Jabra SPEAK 410 USB
                      Jabra SPEAK 410 USB at usb-xhci-hcd.0-1, full speed
""",
    """00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
01-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
02-00: USB Audio : USB Audio : playback 1 : capture 1
""",
)
ZERO_WITH_A_HAT = (
    """ 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi
                      vc4-hdmi
 1 [seeed2micvoicec]: seeed-2mic-voic - seeed-2mic-voicecard
                      seeed-2mic-voicecard
 2 [Microphone     ]: USB-Audio - Yeti Stereo Microphone
                      Blue Microphones Yeti Stereo Microphone at usb-3f980000.usb-1.2, full speed
""",
    """00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
01-00: bcm2835-i2s-wm8960-hifi wm8960-hifi-0 : bcm2835-i2s-wm8960-hifi : playback 1 : capture 1
02-00: USB Audio : USB Audio : playback 1 : capture 1
""",
)


# Looking before leaping


@pytest.mark.parametrize("arguments", [[], ["--uninstall", "--purge"]])
def test_a_dry_run_shows_every_step_and_changes_nothing(pi: Pi, arguments: list[str]) -> None:
    if arguments:
        assert pi.install().returncode == 0
    before = pi.snapshot()
    done = pi.install("--dry-run", *arguments)
    assert done.returncode == 0, done.stderr
    assert pi.snapshot() == before
    assert pi.calls == []
    assert not any("setup.sh" in call or "userdel" in call or "sysusers" in call for call in pi.done_inside)
    shown = [line.removeprefix("+ ").replace(str(pi.system), "") for line in done.stdout.splitlines()]
    if arguments:
        assert shown == [
            "systemctl --quiet --root= disable narrator.service",
            "rm -rf /etc/systemd/system/narrator.service",
            "rm -rf /usr/local/bin/narrator",
            "rm -rf /etc/default/narrator",
            "rm -rf /etc/modules-load.d/narrator.conf",
            "rm -rf /var/cache/narrator",
            "rm -rf /opt/narrator",
            "rm -rf /var/lib/narrator",
            "rm -rf /etc/sysusers.d/narrator.conf",
            "chroot  userdel narrator",
        ]
    else:
        assert [line.split()[:2] for line in shown] == [
            ["copy_program", str(pi.checkout)],
            ["chroot", "bash"],
            ["chroot", "/opt/narrator/.venv/bin/python"],
            ["write", "/etc/sysusers.d/narrator.conf"],
            ["chroot", "systemd-sysusers"],
            ["chroot", "install"],
            ["write", "/etc/modules-load.d/narrator.conf"],
            ["write", "/etc/systemd/system/narrator.service"],
            ["write", "/usr/local/bin/narrator"],
            ["write", "/etc/default/narrator"],
            ["systemctl", "--quiet"],
        ]
    assert done.stderr.splitlines()[-1] == "Nothing was changed: this was a dry run."


def test_anybody_may_look_but_only_root_may_change_something(pi: Pi) -> None:
    pi.fake("id", "echo 1000")
    before = pi.snapshot()
    assert pi.install("--dry-run").returncode == 0
    done = pi.install()
    assert done.returncode == 1
    assert done.stderr.startswith("Only root may change the system: sudo ")
    assert pi.snapshot() == before


@pytest.mark.parametrize(
    ("arguments", "mentions"),
    [
        (["--volume", "loud"], "loud"),
        (["--volume", "101"], "101"),
        (["--volume"], "--volume"),
        (["--root", "/nowhere"], "/nowhere"),
        (["--loudspeaker", 'a"}'], 'a"}'),
        (["--card", "0"], "--card"),
    ],
)
def test_a_wrong_word_is_refused_in_one_sentence_before_anything_is_done(
    pi: Pi, arguments: list[str], mentions: str
) -> None:
    before = pi.snapshot()
    done = pi.install(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert mentions in done.stderr
    assert pi.snapshot() == before
    assert pi.calls == []


@pytest.mark.parametrize("architecture", ["armhf", "riscv64"])
def test_a_system_for_which_there_are_no_packages_is_refused(pi: Pi, architecture: str) -> None:
    pi.fake("inside", f"echo {architecture}")
    done = pi.install()
    assert done.returncode == 1
    assert done.stderr == f"This system is {architecture}; take the 64-bit Raspberry Pi OS.\n"
    assert pi.calls == []


# Installing


def test_a_bare_system_becomes_a_speaker(pi: Pi) -> None:
    done = pi.install()
    assert done.returncode == 0, done.stderr
    program = pi.file("/opt/narrator")
    assert (program / "voices" / "inner" / "file").read_text() == "voices"
    assert sorted(path.name for path in (program / "scripts").iterdir()) == [
        "install_pi",
        "pi_install",
        "setup.sh",
    ]
    assert not list(program.rglob("__pycache__"))
    assert not (program / ".git").exists()
    assert not (program / ".incoming").exists()
    ours = ROOT / "scripts" / "pi_install"
    assert (
        pi.file("/etc/systemd/system/narrator.service").read_bytes()
        == (ours / "narrator.service").read_bytes()
    )
    assert pi.file("/usr/local/bin/narrator").stat().st_mode & 0o777 == 0o755
    assert [call.split()[0] for call in pi.done_inside] == [
        "dpkg",
        "bash",
        "/opt/narrator/.venv/bin/python",
        "systemd-sysusers",
        "install",
    ]
    assert "set_up play" in pi.done_inside[1]
    assert pi.calls == [f"systemctl --quiet --root={pi.system} enable narrator.service"]


def test_what_is_installed_can_be_read_by_the_speakers_user_whatever_the_checkouts_rights(pi: Pi) -> None:
    for path in pi.checkout.rglob("*"):
        path.chmod(0o700 if path.is_dir() or os.access(path, os.X_OK) else 0o600)
    pi.install()
    for path in pi.file("/opt/narrator").rglob("*"):
        assert path.stat().st_mode & 0o044 == 0o044, path
        assert not path.stat().st_mode & 0o022, path


def test_a_second_time_changes_nothing(pi: Pi) -> None:
    pi.install("--loudspeaker", "Headphones")
    written = {path: path.stat().st_mtime_ns for path in pi.system.rglob("*")}
    before = pi.snapshot()
    assert pi.install("--loudspeaker", "Headphones").returncode == 0
    assert pi.snapshot() == before
    assert {path: path.stat().st_mtime_ns for path in pi.system.rglob("*")} == written


def test_a_newer_program_takes_the_place_of_the_older_one_and_keeps_its_environment(pi: Pi) -> None:
    pi.install()
    pi.file("/etc/default/narrator").write_text("NARRATOR_OPTIONS=--ruleset doctor\n")
    (pi.checkout / "narrator" / "inner" / "file").unlink()
    (pi.checkout / "narrator" / "newer").write_text("newer")
    pi.install()
    program = pi.file("/opt/narrator")
    assert (program / "narrator" / "newer").exists()
    assert not (program / "narrator" / "inner" / "file").exists()
    assert (program / ".venv" / "bin").exists()
    assert pi.file("/etc/default/narrator").read_text() == "NARRATOR_OPTIONS=--ruleset doctor\n"


def test_what_fails_on_the_way_stops_the_installation(pi: Pi) -> None:
    pi.fake("inside", 'case "$*" in dpkg*) echo arm64 ;; *) exit 1 ;; esac')
    done = pi.install()
    assert done.returncode == 1
    assert "Done" not in done.stderr
    assert not pi.file("/etc/systemd/system/narrator.service").exists()


def test_a_chinese_host_is_told_in_chinese_and_so_is_the_log(pi: Pi) -> None:
    assert "装好了" in pi.install(LANG="zh_CN.UTF-8").stderr
    assert "NARRATOR_LANG=zh\n" in pi.file("/etc/default/narrator").read_text()


# On the Pi itself


def test_on_the_pi_the_service_starts_at_once_and_a_second_time_leaves_the_game_alone(running: Pi) -> None:
    done = running.install()
    assert done.returncode == 0, done.stderr
    services = [call for call in running.calls if call.startswith("systemctl")]
    assert services == [
        "systemctl --quiet daemon-reload",
        "systemctl --quiet enable narrator.service",
        "systemctl --quiet restart narrator.service",
    ]
    (running.bin / "systemctl.active").touch()
    running.install()
    assert not [call for call in running.calls if "stop" in call or "restart" in call]


def test_before_the_program_changes_the_speaker_is_stopped(running: Pi) -> None:
    running.install()
    (running.bin / "systemctl.active").touch()
    (running.checkout / "narrator" / "newer").write_text("newer")
    done = running.install()
    assert "a game in progress is kept" in done.stderr
    services = [call.split()[2] for call in running.calls if call.startswith("systemctl")]
    assert services == ["stop", "daemon-reload", "enable", "restart"]


@pytest.mark.parametrize(
    ("cards", "loudspeaker", "microphone"),
    [
        (PI4_WITH_A_USB_MICROPHONE, "Headphones", "Device"),
        (PI5_WITH_A_SPEAKERPHONE, "USB", "USB"),
        (ZERO_WITH_A_HAT, "seeed2micvoicec", "Microphone"),
    ],
    ids=["pi4", "pi5", "hat"],
)
def test_the_cards_that_suit_are_the_default_by_name(
    running: Pi, cards: tuple[str, str], loudspeaker: str, microphone: str
) -> None:
    running.sound_cards(*cards)
    done = running.install()
    assert f"{loudspeaker} plays, {microphone} listens" in done.stderr
    written = running.file("/etc/asound.conf").read_text()
    assert f'playback.pcm "plughw:CARD={loudspeaker}"' in written
    assert f'capture.pcm "plughw:CARD={microphone}"' in written


def test_the_host_may_choose_the_cards_and_how_loud_they_are(running: Pi) -> None:
    running.install("--loudspeaker", "vc4hdmi0", "--microphone", "Other", "--volume", "65")
    assert 'playback.pcm "plughw:CARD=vc4hdmi0"' in running.file("/etc/asound.conf").read_text()
    levels = [call for call in running.calls if call.startswith(("amixer", "alsactl"))]
    assert levels == ["amixer -q -M -c vc4hdmi0 sset PCM 65% unmute", "alsactl store"]


def test_a_pi_without_sound_cards_gets_no_default_and_is_told_to_come_back(running: Pi) -> None:
    running.sound_cards("--- no soundcards ---\n", "")
    done = running.install()
    assert done.returncode == 0, done.stderr
    assert "run this again once they are plugged in" in done.stderr
    assert not running.file("/etc/asound.conf").exists()


def test_somebody_elses_sound_configuration_is_left_alone(pi: Pi) -> None:
    pi.file("/etc/asound.conf").write_text("pcm.!default pulse\n")
    assert "is left alone" in pi.install("--loudspeaker", "Headphones").stderr
    pi.install("--uninstall", "--purge")
    assert pi.file("/etc/asound.conf").read_text() == "pcm.!default pulse\n"


# Uninstalling


def test_purged_it_leaves_the_system_as_it_was(pi: Pi) -> None:
    files = {path for path in pi.system.rglob("*") if path.is_file()}
    pi.install("--loudspeaker", "Headphones")
    (pi.file(RECORDS) / "narrator.db").write_text("games")
    assert pi.install("--uninstall", "--purge").returncode == 0
    assert {path for path in pi.system.rglob("*") if path.is_file()} == files
    assert not list(pi.system.rglob("narrator*"))
    assert pi.calls == [f"systemctl --quiet --root={pi.system} disable narrator.service"]
    assert pi.done_inside[-1] == "userdel narrator"


def test_the_games_stay_unless_somebody_says_otherwise(pi: Pi) -> None:
    pi.install()
    (pi.file(RECORDS) / "narrator.db").write_text("games")
    done = pi.install("--uninstall")
    assert "records stay in /var/lib/narrator" in done.stderr
    assert (pi.file(RECORDS) / "narrator.db").read_text() == "games"
    assert not pi.file("/opt/narrator").exists()
    assert "userdel narrator" not in pi.done_inside


@pytest.mark.parametrize(("answer", "kept"), [("y", False), ("是", False), ("n", True), ("", True)])
def test_at_a_terminal_it_asks(pi: Pi, answer: str, kept: bool) -> None:
    pi.install()
    (pi.file(RECORDS) / "narrator.db").write_text("games")
    master, slave = os.openpty()
    os.write(master, f"{answer}\n".encode())
    done = pi.install("--uninstall", stdin=slave)
    os.close(slave)
    os.close(master)
    assert "[y/N]" in done.stderr
    assert pi.file(RECORDS).exists() == kept


def test_where_nobody_has_played_there_is_nothing_to_ask_about(pi: Pi) -> None:
    pi.install()
    done = pi.install("--uninstall")
    assert "records stay" not in done.stderr
    assert not list(pi.system.rglob("narrator*"))


def test_records_on_a_partition_of_their_own_are_emptied_out(pi: Pi) -> None:
    pi.install()
    (pi.file(RECORDS) / "narrator.db").write_text("games")
    pi.fake("mountpoint", 'case "$2" in *lib/narrator) ;; *) exit 1 ;; esac')
    assert pi.install("--uninstall", "--purge").returncode == 0
    assert list(pi.system.rglob("narrator*")) == [pi.file(RECORDS)]
    assert not list(pi.file(RECORDS).iterdir())


def test_where_nothing_is_installed_there_is_nothing_to_undo(pi: Pi) -> None:
    before = pi.snapshot()
    assert pi.install("--uninstall").returncode == 0
    assert pi.snapshot() == before
    assert pi.calls == []


def test_it_can_be_uninstalled_by_what_it_has_installed_when_the_checkout_is_gone(running: Pi) -> None:
    running.install()
    shutil.rmtree(running.checkout)
    running.checkout = running.file("/opt/narrator")
    done = running.install("--uninstall", "--purge")
    assert done.returncode == 0, done.stderr
    assert not running.file("/opt/narrator").exists()
