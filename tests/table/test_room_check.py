"""试音 at a table: the tone, two voices, one sentence; whatever goes wrong, the evening goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from doubles import (
    RATE,
    Bell,
    Evening,
    Keyboard,
    Log,
    Microphone,
    SharpEars,
    phrasebook,
    voice_pack,
)
from numpy.typing import NDArray

from narrator.ears.preamplifier import Preamplifier
from narrator.ears.voicing import level
from narrator.faults import Fault
from narrator.moderator.effects import Expect
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.sounds import VOLUMES
from narrator.mouth.clips import ClipCache
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.mouth.volume import STEP_DECIBELS
from narrator.room.measured import Room
from narrator.room.sweep import LEVEL, SECONDS
from narrator.table.blocks import BLOCK, BLOCK_SECONDS
from narrator.table.host import Host
from narrator.table.performance import TAIL_SECONDS, Performance
from narrator.table.roomcheck import RoomCheck, Sound, suitable
from narrator.table.session import Session
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.witness import Witness

DELAY_BLOCKS = 6
ATTENUATION = 0.1
FLOOR = 3

ECHOING = Room("desk", "box", -70.0, 2.0, -50.0, 0.1, 0.5, 0.74, fading=0.02)


class Air(SilentLoudspeaker):
    """The room between loudspeaker and microphones: everything arrives after 120 ms, 20 dB softer."""

    def __init__(self) -> None:
        super().__init__(RATE)
        self.now = 0
        self.muted = False
        self.sound = np.zeros(0)
        self.played: list[int] = []
        self.loudness: list[float] = []

    def play(self, samples: NDArray[np.float32]) -> None:
        super().play(samples)
        self.played.append(len(samples))
        self.loudness.append(float(np.sqrt(np.mean(samples**2))))
        start = (self.now + DELAY_BLOCKS) * BLOCK
        grown = np.zeros(max(len(self.sound), start + len(samples)))
        grown[: len(self.sound)] = self.sound
        grown[start : start + len(samples)] += samples * (0.0 if self.muted else ATTENUATION)
        self.sound = grown

    def block(self) -> NDArray[np.int16]:
        """What is heard in the next 20 ms."""
        noise = np.random.default_rng(self.now).standard_normal(BLOCK) * FLOOR
        part = self.sound[self.now * BLOCK : (self.now + 1) * BLOCK] * 32767
        noise[: len(part)] += part
        self.now += 1
        return np.round(noise).astype(np.int16)


class InTheAir:
    """A microphone in that room; ``voices`` adds what people say, a block each."""

    def __init__(self, air: Air, voices: Microphone | None = None) -> None:
        self._air, self._voices = air, voices
        self.closed = False

    def read(self) -> NDArray[np.int16]:
        heard = self._air.block()
        said = self._voices.read() if self._voices is not None else heard
        return said if said.any() and self._voices is not None else heard

    def close(self) -> None:
        self.closed = True


class Voices(Witness):
    """The judge and whoever sits farthest: each says a word when asked, unless they are shy."""

    def __init__(self, table: CheckedTable, shy: Sequence[str] = ()) -> None:
        self.table, self.shy = table, shy

    def opened(self, expect: Expect) -> None:
        if expect.about not in self.shy:
            self.table.people.say({"room.judge": "确认", "room.far": "过"}[expect.about])


class HearsPeople(SharpEars):
    """Ears that make out what people say, and nothing of the air."""

    voicing = None

    def attune(self, voicing: object) -> None:
        self.voicing = voicing


class People(Microphone):
    """What is said comes as a loud block of 500 Hz whose height is its text's."""

    WAVE = np.where(np.arange(BLOCK) // 16 % 2, -1, 1).astype(np.int16)

    def __init__(self) -> None:
        super().__init__()
        self.spoken = 0

    def say(self, text: str) -> None:
        super().say(text)
        self.spoken += 1

    def text(self, block: NDArray[np.int16]) -> str:
        found = int(block[0]) - 20_000
        spoken = 0 < found < len(self._texts) and (block == block[0] * self.WAVE).all()
        return self._texts[found] if spoken else ""

    def read(self) -> NDArray[np.int16]:
        block = super().read()
        return (block + 20_000) * self.WAVE if block.any() else block


class CheckedTable:
    """A table at which the room is checked in virtual time."""

    def __init__(
        self, folder: Path, shy: Sequence[str] = (), names: Sequence[str] = ("desk",), volume: int = 0
    ) -> None:
        self.air, self.people, self.log = Air(), People(), Log()
        self.keyboard = Keyboard()
        self.ears = HearsPeople(self.people, lambda: None)
        self.lost: list[str] = []
        self.told: list[tuple[str, dict[str, object]]] = []
        self.kept: list[Room] = []
        self.attuned: list[Room] = []
        self.opened: list[str] = []
        self.broken: set[str] = set()
        self.steady = SteadyMicrophone(InTheAir(self.air), self._no_other, self.lost.append)
        self.preamplifier = Preamplifier(self.steady)
        mouth = Mouth(voice_pack(), Bell(), ClipCache(folder / "clips"), RATE)
        voices = Voices(self, shy)
        self.performance = Performance(mouth, self.air, (self.log,), volume=volume)

        def converse(host: Host, witness: Witness) -> Session:
            return Session(
                host,
                self.preamplifier,
                self.performance,
                voice_pack(),
                phrasebook(),
                ears=self.ears,
                keyboard=self.keyboard,
                witnesses=(witness, self.log, voices),
            )

        self.check = RoomCheck(
            Sound(
                self.steady,
                self.preamplifier,
                self.air,
                "box",
                lambda: tuple(names),
                self._open,
                lambda: self._open("default"),
                lambda: self.performance.volume,
            ),
            converse,
            self.attuned.append,
            self.kept.append,
            lambda key, **params: self.told.append((key, params)),
        )

    def _open(self, name: str) -> InTheAir:
        self.opened.append(name)
        if name in self.broken:
            raise Fault("no_microphone", device=name, why="busy")
        return InTheAir(self.air, self.people)

    @staticmethod
    def _no_other() -> InTheAir:
        raise Fault("no_microphone", device="default", why="gone")

    @property
    def keys(self) -> list[str]:
        return [key for key, _ in self.told]


def test_the_room_is_measured_two_people_speak_and_one_sentence_tells_the_result(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path)
    room = table.check.run()
    assert room is not None
    assert room.delay == pytest.approx(DELAY_BLOCKS * BLOCK_SECONDS, abs=0.002)
    assert room.echo == pytest.approx(LEVEL - 20, abs=0.5)
    assert table.log.lines == ["room.begins", "room.judge", "room.far", "room.fine"]
    assert table.keys == ["room_figures", "room_voices"]
    assert table.kept == [room]
    assert table.attuned[-1] == room
    # The people's blocks are all of one level: nothing else was taken for their voice.
    assert room.judge == pytest.approx(level(20_001 * People.WAVE), abs=0.2)
    assert table.lost == []


@pytest.mark.parametrize("volume", [VOLUMES[0], -2, VOLUMES[-1]])
def test_the_tone_is_as_loud_as_the_host_has_set_the_voice(tmp_path: Path, volume: int) -> None:
    table = CheckedTable(tmp_path, volume=volume)
    room = table.check.run()
    assert room is not None
    assert room.volume == volume
    assert room.echo == pytest.approx(LEVEL - 20 + STEP_DECIBELS * volume, abs=1.0)
    # The earcons before and after it are so much louder too (and lines, but the double's are at full scale).
    usual = CheckedTable(tmp_path)
    usual.check.run()
    pairs = zip(table.air.loudness, usual.air.loudness, strict=True)
    gains = [20 * np.log10(louder / recorded) for louder, recorded in pairs if recorded < 0.3]
    assert len(gains) > 3
    assert gains == pytest.approx([STEP_DECIBELS * volume] * len(gains), abs=0.3)


def test_the_tone_is_played_to_a_single_microphone_three_times_in_a_row(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path)
    table.check.run()
    assert table.air.played.count(round(SECONDS * RATE)) == 3


def test_a_shy_far_end_is_asked_three_times_and_the_table_told_to_come_closer(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path, shy=["room.far"])
    room = table.check.run()
    assert table.log.lines == ["room.begins", "room.judge", "room.far", *["room.louder"] * 2, "room.far_weak"]
    assert room is not None
    assert room.far is None


def test_when_nobody_speaks_the_numbers_are_kept_all_the_same(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path, shy=["room.judge", "room.far"])
    room = table.check.run()
    assert table.log.lines[-1] == "room.unheard"
    assert table.kept == [room]


def test_a_muted_loudspeaker_is_said_and_nothing_changes(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path)
    table.air.muted = True
    assert table.check.run() is None
    assert table.log.lines == ["room.begins", "room.no_tone"]
    assert table.keys == ["room_no_tone"]
    assert (table.kept, table.attuned) == ([], [])
    # The usual microphone is open again.
    assert table.opened[-1] == "default"
    assert table.preamplifier.read().any()


def test_without_any_microphone_it_is_said_and_looked_for(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path, names=["desk", "webcam"])
    table.broken = {"desk", "webcam", "default"}
    assert table.check.run() is None
    assert table.log.lines == ["room.begins", "room.no_microphone"]
    assert table.told == [("room_no_microphone", {"tried": "desk, webcam"})]
    assert table.lost == ["microphone_lost"]
    table.preamplifier.close()


def test_without_a_loudspeaker_nothing_is_tried(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path)
    sound = table.check._sound
    silent = replace(sound, loudspeaker=None, loudspeaker_name="")
    check = RoomCheck(
        silent,
        table.check._converse,
        table.attuned.append,
        table.kept.append,
        lambda key, **_: table.told.append((key, {})),
    )
    assert check.run() is None
    assert table.keys == ["room_no_loudspeaker"]
    assert (table.opened, table.log.lines) == ([], [])


def test_whoever_leaves_in_the_middle_is_not_asked_any_more(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path)

    class Leaves(Witness):
        def opened(self, expect: Expect) -> None:
            table.check.leave()

    converse: Callable[[Host, Witness], Session] = table.check._converse  # type: ignore[assignment]

    def with_leaver(host: Host, witness: Witness) -> Session:
        session = converse(host, witness)
        session._witnesses = (*session._witnesses, Leaves())
        return session

    table.check._converse = with_leaver
    assert table.check.run() is None
    assert table.kept == []
    assert "room.far" not in table.log.lines


def test_typed_answers_go_on_but_are_no_voices(tmp_path: Path) -> None:
    table = CheckedTable(tmp_path, shy=["room.judge", "room.far"])
    table.keyboard.type("确认", "过")
    room = table.check.run()
    assert room is not None
    assert (room.judge, room.far) == (None, None)
    assert table.log.lines[-1] == "room.unheard"


def test_asked_for_in_the_lobby_it_comes_before_the_question_is_put_again(tmp_path: Path) -> None:
    setup = Setup(3, ruleset="standard", players=8, secrets=Secrets.JUDGE)
    heard: list[str] = []

    def check_room() -> None:
        heard.append(evening.log.lines[-1])

    evening = Evening(setup, tmp_path, rests=["agree"], check_room=check_room)
    evening.until_asked("agree")
    said = len(evening.log.lines)
    evening.microphone.say("试音")
    evening.until_taken()
    assert len(heard) == 1
    evening.until_asked("agree")
    assert evening.log.lines[said:] == [heard[0]]


def test_the_gate_is_shut_for_as_long_as_the_room_needs(tmp_path: Path) -> None:
    def opened_after_silence(room: Room | None) -> float:
        setup = Setup(3, ruleset="standard", players=8, secrets=Secrets.JUDGE)
        evening = Evening(setup, tmp_path, bell=Bell(), rests=["agree"])
        evening.session.performance.room = room
        evening.until_asked("agree")
        return evening.session.elapsed - evening.loudspeaker.silent_since

    usual, echoing = opened_after_silence(None), opened_after_silence(ECHOING)
    assert ECHOING.tail == 0.8
    assert echoing - usual == pytest.approx(0.8 - TAIL_SECONDS, abs=BLOCK_SECONDS + 1e-6)


def test_turned_up_the_gate_is_shut_for_longer_and_turned_down_never_for_less(tmp_path: Path) -> None:
    """The echo of a louder voice lasts longer: 20 ms a dB in this room."""
    setup = Setup(3, ruleset="standard", players=8, secrets=Secrets.JUDGE)
    evening = Evening(setup, tmp_path, bell=Bell(), rests=["agree"])
    evening.session.performance.room = ECHOING
    evening.until_asked("agree")

    def opens_after(text: str) -> float:
        evening.microphone.say(text)
        evening.until_taken()
        evening.until_asked("agree")
        return evening.session.elapsed - evening.loudspeaker.silent_since

    softer = opens_after("小声点")
    usual = opens_after("大声点")
    assert softer == pytest.approx(usual, abs=BLOCK_SECONDS + 1e-6)
    assert opens_after("大声点") - usual == pytest.approx(3 * 0.02, abs=BLOCK_SECONDS + 1e-6)
    assert opens_after("大声点") - usual == pytest.approx(6 * 0.02, abs=BLOCK_SECONDS + 1e-6)


def test_microphones_worth_trying() -> None:
    names = ["USB Mic: Audio (hw:1,0)", "sysdefault", "lavrate", "pulse", "default", "pulse"]
    assert suitable(names) == ("USB Mic: Audio (hw:1,0)", "pulse", "default")
    assert suitable(names, "usb") == ("USB Mic: Audio (hw:1,0)",)
    assert suitable(names, "gone") == ()
    assert len(suitable([f"Mic {number}" for number in range(20)])) == 8
