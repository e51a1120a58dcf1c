"""Several microphones on one table: each is tried, and the one that hears the program best is taken."""

from __future__ import annotations

from simulated_room import Acoustics, Room, SimulatedMicrophone, openings

from narrator.ears.microphone import Microphone
from narrator.faults import Fault
from narrator.room.survey import State, survey

NEAR, FAR = Acoustics(0.1, -10.0), Acoustics(0.12, -25.0)


def test_the_loudest_microphone_that_hears_the_tone_is_chosen() -> None:
    room = Room()
    microphones = {"laptop": room.microphone(FAR, 1), "desk": room.microphone(NEAR, 2)}
    found = survey(list(microphones), openings(**microphones), room, "box")
    assert [(trial.name, trial.state) for trial in found.trials] == [
        ("laptop", State.HEARS),
        ("desk", State.HEARS),
    ]
    assert found.room is not None
    assert (found.room.microphone, found.room.loudspeaker) == ("desk", "box")
    assert all(microphone.closed for microphone in microphones.values())


def test_noise_is_not_taken_for_loudness() -> None:
    room = Room()
    noisy = room.microphone(Acoustics(0.1, -30.0, noise=-45.0))
    found = survey(["noisy", "desk"], openings(noisy=noisy, desk=room.microphone(FAR)), room, "box")
    assert found.room is not None
    assert found.room.microphone == "desk"


def test_what_cant_be_opened_is_silent_or_deaf_is_said_to_be_so() -> None:
    room = Room()
    dead, pulled = room.microphone(NEAR), room.microphone(NEAR)
    dead.dead, pulled.lost_at = True, 0
    deaf = room.microphone(Acoustics(0.1, -90.0, noise=-50.0))
    names = ["broken", "dead", "pulled", "deaf"]
    found = survey(names, openings(broken=None, dead=dead, pulled=pulled, deaf=deaf), room, "box")
    assert [trial.state for trial in found.trials] == [State.FAILED, State.SILENT, State.FAILED, State.DEAF]
    assert found.room is None
    assert found.working == ("deaf",)
    assert dead.closed
    assert pulled.closed


def test_a_microphone_that_gives_zeros_until_it_hears_something_works() -> None:
    room = Room()
    gated = room.microphone(Acoustics(0.1, -10.0, noise=-200.0))
    found = survey(["gated"], openings(gated=gated), room, "box")
    assert found.trials[0].state is State.HEARS
    assert found.room is not None


def test_a_muted_loudspeaker_leaves_every_microphone_deaf() -> None:
    room = Room()
    room.muted = True
    found = survey(["desk"], openings(desk=room.microphone(NEAR)), room, "box")
    assert found.room is None
    assert found.trials[0].state is State.DEAF
    assert found.trials[0].floor is not None


def test_the_second_best_stands_in_for_one_pulled_out_in_the_middle() -> None:
    room = Room()
    desk, laptop = room.microphone(NEAR, 1), room.microphone(FAR, 2)

    def open_(name: str) -> Microphone:
        if name == "desk":
            if desk.closed:
                raise Fault("no_microphone", device=name, why="gone")
            return desk
        return laptop

    found = survey(["desk", "laptop"], open_, room, "box")
    assert found.room is not None
    assert found.room.microphone == "laptop"


def test_a_table_that_is_left_is_not_kept_waiting() -> None:
    room = Room()
    opened: list[str] = []

    def open_(name: str) -> SimulatedMicrophone:
        opened.append(name)
        return room.microphone(NEAR)

    found = survey(["desk", "laptop", "webcam"], open_, room, "box", lambda: bool(opened))
    assert opened == ["desk"]
    assert found.room is None
