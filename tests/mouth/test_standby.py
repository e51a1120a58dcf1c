"""A synthesiser on standby costs nothing until a text comes that nobody has recorded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narrator.faults import Fault
from narrator.mouth.renderer import Renderer, RenderFailed
from narrator.mouth.standby import StandbyRenderer

VOICE = ("cmn-latn-pinyin", 165, 50, 1.0)


class Told:
    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def __call__(self, fault: Fault) -> None:
        self.faults.append(fault)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def standby(told: Told) -> Iterator[StandbyRenderer]:
    renderer = StandbyRenderer(told)
    yield renderer
    renderer.close()


@pytest.mark.audio
def test_the_process_starts_with_the_first_text_and_ends_with_the_evening(
    standby: StandbyRenderer, told: Told
) -> None:
    assert standby.worker_pid is None
    assert standby.submit("三号", *VOICE).result(timeout=30).seconds > 0.3
    assert standby.worker_pid is not None
    standby.close()
    assert standby.worker_pid is None
    assert isinstance(standby.submit("四号", *VOICE).exception(), RenderFailed)
    assert told.faults == []


def test_a_missing_synthesiser_is_told_once_and_every_clip_fails(told: Told) -> None:
    def missing(voice: str) -> None:
        raise Fault("no_espeak")

    def never() -> Renderer:
        raise AssertionError("it must not be started")

    standby = StandbyRenderer(told, never, missing)
    failures = [standby.submit(text, *VOICE).exception(timeout=5) for text in ("三号", "四号", "五号")]
    assert [type(failure) for failure in failures] == [RenderFailed] * 3
    assert [fault.key for fault in told.faults] == ["no_espeak"]
    standby.close()


def test_closed_before_its_first_text_nothing_was_ever_started(told: Told) -> None:
    def never() -> Renderer:
        raise AssertionError("it must not be started")

    StandbyRenderer(told, never, lambda voice: None).close()
