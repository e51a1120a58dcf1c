"""Sound devices are chosen by name, and looking for them is quiet."""

from __future__ import annotations

import contextlib
import os

import pytest

from narrator.faults import Fault
from narrator.table.devices import choose, list_devices, quiet_alsa

NAMES = ("HDA Intel PCH: ALC255 (hw:0,0)", "USB PnP Audio: (hw:1,0)", "pulse")


def test_a_part_of_the_name_is_enough_whatever_the_case() -> None:
    assert choose(NAMES, "usb pnp") == "USB PnP Audio: (hw:1,0)"


def test_a_full_name_wins_over_one_that_contains_it() -> None:
    assert choose(("pulse monitor", "pulse"), "pulse") == "pulse"


def test_a_device_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(Fault) as caught:
        choose(NAMES, "Jabra")
    assert caught.value.key == "no_such_device"
    assert "pulse" in str(caught.value.params["known"])


def test_what_c_code_writes_to_standard_error_is_kept_away_and_only_meanwhile(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with contextlib.suppress(RuntimeError), quiet_alsa():
        os.write(2, b"ALSA lib pcm.c: unknown PCM\n")
        raise RuntimeError
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "after\n"


def test_looking_for_devices_gives_the_names_portaudio_gives(capfd: pytest.CaptureFixture[str]) -> None:
    devices = list_devices()
    assert capfd.readouterr().err == ""
    import sounddevice

    found = [device["name"] for device in sounddevice.query_devices()]
    assert set(devices.microphones) | set(devices.loudspeakers) <= set(found)
    assert len(devices.microphones) + len(devices.loudspeakers) >= len(found)
