"""Taking back: 撤销 and 更正, to the start of the game, and nothing said twice under the same code."""

from __future__ import annotations

import pytest
from fingerprint import fingerprint
from table import Table, at_day, at_night, dealt, lobby

from narrator.moderator.effects import Effect, Expect, Note, StartTimer, StopTimer
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.recording import Recording, record
from narrator.rules import ruleset as rulesets


def undo(table: Table) -> Table:
    return table.judge("undo")


def at_ballot() -> Table:
    table = at_day(8)
    table.everyone_speaks()
    return table


# What is said


def test_a_count_that_is_taken_back_is_named_and_asked_for_again() -> None:
    table = at_ballot()
    seat = table.seat
    undo(table.answer(3))
    assert table.lines == ["undo.votes", "ballot.hands"]
    assert table.said("undo.votes") == {"seat": seat, "votes": 3}
    assert (table.about, table.seat) == ("votes", seat)
    assert table.answer(2).said("ballot.read")["votes"] == 2


def test_each_further_one_goes_back_one_more_answer() -> None:
    table = at_ballot().answer(3).answer(1)
    undo(undo(table))
    assert table.said("undo.votes")["votes"] == 3
    assert undo(table).lines[0] == "undo.pass"
    assert table.about == "speech"


def test_a_correction_asks_in_few_words_and_says_nothing_else() -> None:
    table = at_ballot()
    seat = table.seat
    table.answer(3).judge("correct")
    assert table.lines == ["correct.done", "ballot.how_many"]
    assert table.seat == seat
    assert table.answer(2).said("ballot.read")["votes"] == 2


def test_misunderstandings_repetitions_pauses_and_reminders_are_no_answers() -> None:
    table = at_ballot().answer(3)
    table.mumbles().judge("repeat").judge("remind").judge("pause").answer("resume").stays_silent()
    assert undo(table).said("undo.votes")["votes"] == 3


def test_an_answer_that_waits_for_its_confirmation_is_the_one_taken_back() -> None:
    table = at_ballot().answer(3)
    seat = table.seat
    table.doubtful(4)
    assert table.about == "confirm"
    assert undo(table).lines == ["undo.votes", "ballot.how_many"]
    assert table.seat == seat
    assert undo(table).said("undo.votes")["votes"] == 3


def test_whoever_was_asked_to_leave_but_not_yet_confirmed_stays() -> None:
    table = at_ballot().answer(3)
    seat = table.seat
    table.judge("eject", 5)
    assert undo(table).lines == ["undo.asked", "ballot.hands"]
    assert (table.about, table.seat) == ("votes", seat)
    assert undo(table).said("undo.votes")["votes"] == 3


def test_whoever_was_sent_out_comes_back_and_the_question_of_then_is_asked() -> None:
    table = at_day(None)
    speaker = table.seat
    table.judge("eject", 5).answer(True)
    assert not table.moderator.evening.game.is_living(5)
    assert undo(table).said("undo.eject") == {"seat": 5}
    assert table.moderator.evening.game.is_living(5)
    assert (table.about, table.seat) == ("speech", speaker)


def test_a_warning_is_taken_back_too() -> None:
    table = at_day(None).judge("warn", 5)
    assert undo(table).said("undo.warn") == {"seat": 5}
    assert table.moderator.evening.warnings == {}
    assert table.judge("warn", 5).said("warn.seat")["nth"] == 1


@pytest.mark.parametrize("passes", ["next", "grace", "过"])
def test_a_speaker_whose_floor_was_passed_on_gets_it_back_with_a_whole_clock(passes: str) -> None:
    table = at_day(None)
    speaker = table.seat
    if passes == "next":
        table.judge("next")
    elif passes == "grace":
        table.runs_out("warning").runs_out("limit").runs_out("grace")
    else:
        table.answer(True)
    assert table.seat != speaker
    assert undo(table).said("undo.pass") == {"seat": speaker}
    assert (table.about, table.seat) == ("speech", speaker)
    started = {e.timer: e.seconds for e in table.latest if isinstance(e, StartTimer)}
    assert started == {"warning": 45, "limit": 60}


def test_no_clock_of_what_was_taken_back_goes_on_running() -> None:
    table = at_day(8)
    assert table.about in ("last_words", "speech")
    running: set[str] = set()
    for effect in undo(table).log:
        if isinstance(effect, StartTimer):
            running.add(effect.timer)
        elif isinstance(effect, StopTimer):
            running.discard(effect.timer)
    assert running == set()


def test_a_vote_that_was_called_for_too_early_is_called_off() -> None:
    table = at_day(None)
    speaker = table.seat
    table.judge("vote_now")
    assert undo(table).lines[0] == "undo.vote_now"
    assert (table.about, table.seat) == ("speech", speaker)


def test_the_verdict_too_is_taken_back_when_the_last_count_was_wrong() -> None:
    table = at_day(8, killers=(1, 2), police=(3, 4))
    table.judge("eject", 3).answer(True).judge("eject", 4).answer(True)
    assert table.about == "review"
    assert undo(table).said("undo.eject") == {"seat": 4}
    assert table.moderator.evening.verdict is None
    assert table.moderator.evening.game.is_living(4)


def test_in_a_pause_it_ends_the_pause_and_takes_back_what_came_before() -> None:
    table = at_ballot().answer(3).judge("pause")
    assert undo(table).said("undo.votes")["votes"] == 3
    assert table.about == "votes"


@pytest.mark.parametrize("command", ["undo", "correct"])
def test_in_a_pause_the_answer_that_waited_for_its_confirmation_is_the_one_taken_back(command: str) -> None:
    table = at_ballot().answer(3)
    seat = table.seat
    table.doubtful(4).judge("pause").judge(command)
    assert (table.about, table.seat) == ("votes", seat)
    assert table.lines[-1] == "ballot.how_many"
    assert "pause.begins" in table.judge("pause").lines
    assert undo(table.answer("resume")).said("undo.votes")["votes"] == 3


def test_in_a_pause_whoever_was_asked_to_leave_stays_and_nothing_else_is_taken_back() -> None:
    table = at_ballot().answer(3)
    seat = table.seat
    table.judge("eject", 5).judge("pause")
    assert undo(table).lines == ["undo.asked", "ballot.hands"]
    assert (table.about, table.seat) == ("votes", seat)
    assert undo(table).said("undo.votes")["votes"] == 3


def test_an_evening_with_such_a_pause_is_the_same_when_it_is_played_again() -> None:
    table = at_ballot().answer(3).doubtful(4).judge("pause").judge("undo").answer(2)
    again = Moderator(table.setup)
    again.restore(table.moderator.inputs)
    assert (again.state, again.evening) == (table.moderator.state, table.moderator.evening)


def test_at_the_start_there_is_nothing_to_take_back_or_to_correct() -> None:
    table = lobby()
    asked = table.asked
    assert undo(table).lines == ["undo.nothing"]
    assert table.judge("correct").lines == ["correct.nothing"]
    assert table.asked == asked


def test_a_speaker_cut_off_by_the_clock_is_no_answer_to_correct() -> None:
    table = at_day(None).runs_out("warning").runs_out("limit").runs_out("grace")
    assert table.judge("correct").lines == ["correct.nothing"]


# Secrets


def test_of_a_secret_answer_only_that_it_was_one_is_said() -> None:
    for way in (Secrets.KEYPAD, Secrets.CODES):
        table = at_night(way).tell(1)
        undo(table)
        assert table.lines[0] == "undo.secret"
        assert table.said("undo.secret") == {}


def test_an_undone_secret_answer_moves_to_a_spare_row_and_its_own_is_never_used_again() -> None:
    table = at_night(Secrets.CODES)
    first = table.asked.params["row"]
    table.tell(1)
    undo(table)
    assert table.asked.params["row"] == "spare1"
    assert table.said("secret.again") == {"spare": 1}
    table.tell(1)
    undo(table)
    assert table.asked.params["row"] == "spare2"
    table.tell(1)
    assert table.moderator.evening.night.learned == [("killer", 1)]
    assert first not in (table.asked.params["row"], "spare1", "spare2")


def test_a_code_that_was_said_but_not_confirmed_moves_to_a_spare_row_too() -> None:
    table = at_night(Secrets.CODES).tell(1).whisper(2)
    undo(table)
    assert table.lines[0] == "undo.secret"
    assert table.asked.params["row"] == "spare1"


def test_a_row_that_was_only_asked_for_and_not_answered_stays_good() -> None:
    table = at_night(Secrets.CODES).tell(1)
    second = table.asked.params["row"]
    table.stays_silent()
    undo(table).tell(1)
    assert table.asked.params["row"] == second


def test_a_gesture_s_number_is_not_said_twice_for_different_answers() -> None:
    table = at_night(Secrets.CODES).tell(1).tell(2).tell(8)
    # The killers are to sleep, the police awake and known; they check a killer.
    while table.about != "hint":
        table.step(8, 1)
    assert "code" in table.asked.params
    undo(table).tell(5)
    assert table.about == "hint"
    assert "code" not in table.asked.params


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset_id", [r.id for r in rulesets.all_rulesets()])
def test_nothing_is_ever_said_twice_under_one_row(ruleset_id: str) -> None:
    ruleset = rulesets.load(ruleset_id)
    for seed in range(3):
        recording = record(ruleset, ruleset.most, Secrets.CODES, seed, noise=0.4)
        used: dict[object, set[object]] = {}
        row = pending = None
        for event, effects in zip((None, *recording.inputs), recording.effects, strict=True):
            if isinstance(event, Answer) and event.kind is Kind.NUMBER and row is not None:
                used.setdefault(row, set()).add(event.value)
            for effect in effects:
                if isinstance(effect, Note) and effect.what == "sheet":
                    used.clear()
                if isinstance(effect, Expect):
                    row = effect.params.get("row") if effect.expectation.private else None
                    pending = effect
        assert pending is not None
        assert all(len(codes) == 1 for codes in used.values()), used


# Proofs


def game(ruleset_id: str, way: Secrets, seed: int) -> Recording:
    ruleset = rulesets.load(ruleset_id)
    recording = record(ruleset, min(13, ruleset.most), way, seed, noise=0.3)
    assert len(recording.inputs) >= 200
    return recording


def revived(moderator: Moderator, setup: Setup) -> tuple[Moderator, list[tuple[Effect, ...]]]:
    """Another moderator at the same point, and what the inputs caused that were not taken back."""
    other = Moderator(setup)
    return other, other.restore(moderator.inputs, moderator.evening.sheet.spent)


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset_id", ["standard", "butterfly"])
def test_from_every_input_one_answer_back_and_forward_again_is_as_if_nothing_had_been(
    ruleset_id: str,
) -> None:
    recording = game(ruleset_id, Secrets.KEYPAD, 3)
    moderator = Moderator(recording.setup)
    moderator.begin()
    for event in recording.inputs[:-1]:
        moderator.handle(event)
        before = moderator.inputs
        probe, caused = revived(moderator, recording.setup)
        probe.handle(Command("undo"))
        after = probe.inputs
        if after[: len(before)] == before:
            continue  # nothing that counts yet, or just an answer that waited for its confirmation
        assert before[: len(after)] == after
        again = [probe.handle(event) for event in before[len(after) :]]
        assert again == caused[len(after) + 1 :]
        assert fingerprint(probe) == fingerprint(moderator)


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset_id", ["standard", "butterfly"])
def test_back_to_the_start_and_forward_again_is_the_same_game(ruleset_id: str) -> None:
    recording = game(ruleset_id, Secrets.KEYPAD, 3)
    moderator = Moderator(recording.setup)
    moderator.restore(recording.inputs[:-1])
    start, end = Moderator(recording.setup), fingerprint(moderator)
    opening = start.begin()
    said, caused = moderator.inputs, revived(moderator, recording.setup)[1]
    steps = 0
    while len(moderator._history.steps):
        moderator.handle(Command("undo"))
        steps += 1
    assert steps > 100
    assert moderator.inputs == ()
    assert fingerprint(moderator) == fingerprint(start)
    assert moderator.resume_question() == opening[-len(moderator.resume_question()) :]
    assert [moderator.handle(event) for event in said] == caused[1:]
    assert fingerprint(moderator) == end


def test_with_codes_the_way_back_and_forward_again_leads_to_the_same_game_by_other_numbers() -> None:
    table, other = dealt(Secrets.CODES), dealt(Secrets.CODES)
    for one in (table, other):
        one.answer("ready").night(8, 1)
    for _ in range(200):
        if undo(table).lines == ["undo.nothing"]:
            break
    assert table.about == "agree"
    table.answer(True).answer("ready").night(8, 1)
    assert fingerprint(table.moderator, sheet=False) == fingerprint(other.moderator, sheet=False)
    codes = [
        {e.value for e in one.moderator.inputs if isinstance(e, Answer) and e.kind is Kind.NUMBER}
        for one in (table, other)
    ]
    assert codes[0] != codes[1]
    assert len(table.moderator.evening.sheet.spent) > 6


def test_an_undo_says_no_more_after_one_secret_answer_than_after_another() -> None:
    told = []
    for seat in (3, 7, None):
        table = at_night(Secrets.KEYPAD).tell(1).tell(2)
        table.tell(seat)
        undo(table)
        told.append([effect for effect in table.latest if not isinstance(effect, Note)])
    assert told[0] == told[1] == told[2]


def test_a_setup_for_one_game_is_enough_to_play_its_inputs_again() -> None:
    setup = Setup(5, ruleset="standard", players=9, secrets=Secrets.KEYPAD)
    moderator = Moderator(setup)
    moderator.begin()
    moderator.handle(Answer(Kind.YESNO, True, Certainty.CLEAR))
    again = Moderator(setup)
    again.restore(moderator.inputs)
    assert fingerprint(again) == fingerprint(moderator)
