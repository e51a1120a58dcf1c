"""The clocks of a table: the wall clock, and a microphone that may be pulled out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.ears.microphone import MicrophoneLost
from narrator.faults import Fault
from narrator.table.blocks import BLOCK, BLOCK_SECONDS
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.wallclock import WallClock


def test_the_wall_clock_gives_a_silent_block_every_twenty_milliseconds() -> None:
    clock = WallClock()
    started = time.monotonic()
    blocks = [clock.read() for _ in range(25)]
    seconds = time.monotonic() - started
    assert all(block.shape == (BLOCK,) and block.dtype == np.int16 and not block.any() for block in blocks)
    # A busy machine may be late, never early.
    assert 25 * BLOCK_SECONDS - 0.03 < seconds < 3.0


class _Time:
    """A monotonic clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock_time(monkeypatch: pytest.MonkeyPatch) -> _Time:
    moving = _Time()
    monkeypatch.setattr(time, "monotonic", moving.monotonic)
    monkeypatch.setattr(time, "sleep", moving.sleep)
    return moving


def test_time_spent_on_a_tick_is_not_added_to_the_next(clock_time: _Time) -> None:
    clock = WallClock()
    for _ in range(100):
        clock.read()
        clock_time.now += 0.015
    assert clock_time.now - 100.0 == pytest.approx(100 * BLOCK_SECONDS + 0.015, abs=1e-6)


def test_a_short_stall_is_made_up_for_a_long_one_is_not(clock_time: _Time) -> None:
    clock = WallClock()
    clock.read()
    clock_time.now += 0.5
    for _ in range(25):
        clock.read()
    assert clock_time.now == pytest.approx(100.0 + BLOCK_SECONDS + 0.5, abs=1e-6)
    # The lid was closed for an hour: at most a second is hurried through.
    clock_time.now += 3600
    woken = clock_time.now
    for _ in range(100):
        clock.read()
    assert clock_time.now - woken == pytest.approx(100 * BLOCK_SECONDS - 1.0, abs=2 * BLOCK_SECONDS)


class _Plug:
    """A microphone that can be pulled out."""

    def __init__(self, value: int) -> None:
        self._block = np.full(BLOCK, value, dtype=np.int16)
        self.pulled = False
        self.closed = False

    def read(self) -> NDArray[np.int16]:
        if self.pulled:
            raise MicrophoneLost
        time.sleep(0.001)
        return self._block

    def close(self) -> None:
        self.closed = True


def nothing_there() -> _Plug:
    raise Fault("no_microphone", device="default", why="gone")


def reads_until(microphone: SteadyMicrophone, so: Callable[[NDArray[np.int16]], bool]) -> NDArray[np.int16]:
    latest = time.monotonic() + 5
    while time.monotonic() < latest:
        block = microphone.read()
        if so(block):
            return block
    raise AssertionError("not within 5 s")


def test_a_lost_microphone_is_told_once_and_the_clock_ticks_on() -> None:
    plug, told = _Plug(7), list[str]()
    microphone = SteadyMicrophone(plug, nothing_there, told.append, retry=0.02)
    assert microphone.read().all()
    plug.pulled = True
    started = time.monotonic()
    assert not any(microphone.read().any() for _ in range(10))
    assert time.monotonic() - started >= 9 * BLOCK_SECONDS - 0.01
    assert told == ["microphone_lost"]
    assert plug.closed
    microphone.close()


def test_it_is_looked_for_until_it_is_back_and_then_heard_again() -> None:
    first, second, told = _Plug(7), _Plug(9), list[str]()
    tries: list[int] = []

    def open_() -> _Plug:
        tries.append(1)
        return second if len(tries) == 3 else nothing_there()

    microphone = SteadyMicrophone(first, open_, told.append, retry=0.02)
    first.pulled = True
    assert reads_until(microphone, lambda block: bool(block.any()))[0] == 9
    assert (told, len(tries)) == (["microphone_lost", "microphone_back"], 3)
    time.sleep(0.1)
    assert len(tries) == 3
    microphone.close()
    assert second.closed


def test_it_can_be_lost_again() -> None:
    plugs, told = [_Plug(1), _Plug(2), _Plug(3)], list[str]()
    coming = iter(plugs[1:])
    microphone = SteadyMicrophone(plugs[0], lambda: next(coming), told.append, retry=0.01)
    for number, plug in enumerate(plugs[:2], start=2):
        plug.pulled = True
        assert reads_until(microphone, lambda block: bool(block.any()))[0] == number
    assert told == ["microphone_lost", "microphone_back"] * 2
    microphone.close()


def test_a_device_that_takes_long_to_open_does_not_hold_up_the_table() -> None:
    slow = threading.Event()

    def open_() -> _Plug:
        slow.wait(5)
        return _Plug(2)

    plug = _Plug(1)
    microphone = SteadyMicrophone(plug, open_, lambda _: None, retry=0.0)
    plug.pulled = True
    started = time.monotonic()
    for _ in range(10):
        assert not microphone.read().any()
    assert time.monotonic() - started < 2
    slow.set()
    assert reads_until(microphone, lambda block: bool(block.any()))[0] == 2
    microphone.close()


def test_one_that_is_found_after_the_end_is_given_back() -> None:
    found, slow, opening = _Plug(2), threading.Event(), threading.Event()

    def open_() -> _Plug:
        opening.set()
        slow.wait(5)
        return found

    plug = _Plug(1)
    microphone = SteadyMicrophone(plug, open_, lambda _: None, retry=0.0)
    plug.pulled = True
    microphone.read()
    assert opening.wait(5)
    microphone.close()
    slow.set()
    latest = time.monotonic() + 3
    while not found.closed and time.monotonic() < latest:
        time.sleep(0.005)
    assert found.closed


def test_a_try_in_vain_may_be_followed_by_a_look_for_more_devices() -> None:
    plug, plugged_in = _Plug(1), threading.Event()

    def open_() -> _Plug:
        return _Plug(2) if plugged_in.is_set() else nothing_there()

    microphone = SteadyMicrophone(plug, open_, lambda _: None, retry=0.01, not_found=plugged_in.set)
    plug.pulled = True
    assert reads_until(microphone, lambda block: bool(block.any()))[0] == 2
    microphone.close()


def test_it_is_lent_out_in_silence_and_exchanged_for_another() -> None:
    first, second, told = _Plug(1), _Plug(2), list[str]()
    microphone = SteadyMicrophone(first, nothing_there, told.append, retry=0.01)
    microphone.release()
    assert first.closed
    assert not any(microphone.read().any() for _ in range(3))
    microphone.adopt(lambda: second)
    assert microphone.read()[0] == 2
    assert told == []
    microphone.close()
    assert second.closed


def test_while_it_is_lent_out_nobody_looks_for_it() -> None:
    plug, tries = _Plug(1), list[int]()

    def open_() -> _Plug:
        tries.append(1)
        return nothing_there()

    microphone = SteadyMicrophone(plug, open_, lambda _: None, retry=0.01)
    plug.pulled = True
    microphone.read()
    microphone.release()
    tried = len(tries)
    time.sleep(0.1)
    assert len(tries) == tried


def test_an_exchange_for_one_that_is_not_there_is_a_loss_and_it_is_looked_for() -> None:
    later, told = _Plug(3), list[str]()
    coming: Iterator[Callable[[], _Plug]] = iter([nothing_there, lambda: later])
    microphone = SteadyMicrophone(_Plug(1), nothing_there, told.append, retry=0.01)
    microphone.adopt(lambda: next(coming)())
    assert reads_until(microphone, lambda block: bool(block.any()))[0] == 3
    assert told == ["microphone_lost", "microphone_back"]
    microphone.close()
