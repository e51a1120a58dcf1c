"""Going on with an interrupted evening: what is offered, what is asked, and what can't be gone on with."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from doubles import Evening, phrasebook, voice_pack
from fingerprint import fingerprint

from narrator.faults import Fault
from narrator.heard import Heard
from narrator.messages import message
from narrator.moderator.effects import Expect, Note, Say, StartTimer
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.moderator.offer import Offer, is_unfinished, where
from narrator.table.journal import Journal
from narrator.table.resume import Interrupted, interrupted
from narrator.table.schema import MIGRATIONS, SCHEMA
from narrator.understanding.matching import understand

SETUP = Setup(11, ruleset="standard", players=8, secrets=Secrets.KEYPAD)
YES = Answer(Kind.YESNO, True)
READY = Answer(Kind.CHOICE, "ready")


def seat(number: int | None) -> list[Input]:
    """Typed twice."""
    return [Answer(Kind.SEAT, number)] * 2


def to_day(kill: int | None = 8) -> list[Input]:
    """From the agreement to the first words of the day."""
    told = [seat(1), seat(2), seat(kill), seat(3), seat(4), seat(1)]
    return [YES, READY, *(event for events in told for event in events), READY]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "narrator.db"


def play(file: Path, inputs: list[Input], setup: Setup = SETUP, ended: bool = False) -> Moderator:
    """An evening that is written down until it stops."""
    with closing(Journal(file)) as journal:
        journal.open_evening(setup)
        moderator = Moderator(setup)
        note(journal, moderator.begin())
        go_on(journal, moderator, inputs)
        if ended:
            journal.close_evening()
    return moderator


def go_on(journal: Journal, moderator: Moderator, inputs: list[Input]) -> None:
    for event in inputs:
        journal.taken(event)
        note(journal, moderator.handle(event))


def note(journal: Journal, effects: tuple[object, ...]) -> None:
    for effect in effects:
        if isinstance(effect, Note):
            journal.noted(effect)


def found(file: Path) -> Interrupted:
    with closing(Journal(file)) as journal:
        interrupted_ = interrupted(journal)
    assert interrupted_ is not None
    return interrupted_


# What is offered


def test_an_evening_that_ended_is_not_offered(file: Path) -> None:
    play(file, to_day(), ended=True)
    with closing(Journal(file)) as journal:
        assert interrupted(journal) is None


@pytest.mark.parametrize("inputs", [[], [YES, READY, Command("stop"), YES]], ids=["lobby", "stopped"])
def test_where_no_game_is_going_on_nothing_is_offered(inputs: list[Input], file: Path) -> None:
    play(file, inputs)
    with closing(Journal(file)) as journal:
        assert interrupted(journal) is None


def test_only_the_latest_evening_is_offered(file: Path) -> None:
    play(file, to_day())
    play(file, [])
    with closing(Journal(file)) as journal:
        assert interrupted(journal) is None


@pytest.mark.parametrize(
    ("phase", "spoken"),
    [
        ("ballot.counting", "上一局停在第二天，投票，继续吗？"),
        ("leaving", "上一局停在第二天，投票，继续吗？"),
        ("speeches", "上一局停在第二天，发言，继续吗？"),
        ("tie.speeches", "上一局停在第二天，平票发言，继续吗？"),
        ("words", "上一局停在第二天，遗言，继续吗？"),
        ("judging", "上一局停在第二天，天亮，继续吗？"),
        ("night.choosing", "上一局停在第二夜，继续吗？"),
        ("dealing", "上一局刚发牌，继续吗？"),
    ],
)
def test_the_offer_says_where_the_game_stands(phase: str, spoken: str) -> None:
    line = where(phase, 2)
    assert "".join(voice_pack().segments(line.line, line.params)) == spoken
    assert is_unfinished(phase)


@pytest.mark.parametrize(
    ("typed", "accepted"), [("继续", True), ("对", True), ("y", True), ("法官继续", True), ("不", False)]
)
def test_the_offer_is_answered_in_plain_words(typed: str, accepted: bool) -> None:
    offer = Offer("ballot.counting", 2)
    (asked,) = [effect for effect in offer.begin() if isinstance(effect, Expect)]
    effects = offer.handle(understand(Heard(typed, typed=True), asked.expectation, phrasebook()))
    assert offer.accepted is accepted
    assert [e.line for e in effects if isinstance(e, Say)] == ["resume.yes" if accepted else "resume.no"]
    assert offer.handle(YES) == ()


def test_before_the_offer_is_answered_one_may_pause_but_there_is_nothing_to_take_back() -> None:
    offer = Offer("ballot.counting", 2)
    (asked, expect) = offer.begin()
    assert isinstance(expect, Expect)
    assert not {"undo", "correct"} & set(expect.expectation.commands)
    offer.handle(Command("pause"))
    assert offer.handle(Unclear(Why.SILENCE))[0] == Say("pause.still")
    # In a pause it ends the pause, and decides about no game.
    assert offer.handle(Command("resume"))[:2] == (Say("pause.ends"), asked)
    assert offer.accepted is None
    offer.handle(Command("resume"))
    assert offer.accepted is True


def test_silence_and_mumbling_never_decide_about_a_game() -> None:
    offer = Offer("ballot.counting", 2)
    offer.begin()
    for why in (*Why, *Why):
        assert any(isinstance(effect, Expect) for effect in offer.handle(Unclear(why)))
    offer.handle(Command("repeat"))
    assert offer.accepted is None


# Going on


def test_the_current_question_is_put_and_not_the_past(file: Path) -> None:
    stopped = play(file, to_day())
    again = found(file).moderator
    assert fingerprint(again) == fingerprint(stopped)
    effects = again.resume_question()
    assert [e.line for e in effects if isinstance(e, Say)] == ["words.please"]
    assert [e.about for e in effects if isinstance(e, Expect)] == ["last_words"]


def test_a_speaker_s_clock_comes_back_with_what_was_left_of_it(file: Path) -> None:
    inputs = [*to_day(None), Elapsed("warning")]
    play(file, inputs)
    effects = found(file).moderator.resume_question()
    assert [(e.timer, e.seconds) for e in effects if isinstance(e, StartTimer)] == [("limit", 15)]


def test_the_code_sheet_is_the_same_and_rows_that_were_taken_back_stay_spent(file: Path) -> None:
    setup = Setup(11, ruleset="standard", players=8, secrets=Secrets.CODES)
    stopped = play(file, [YES, READY, Answer(Kind.NUMBER, 4), Command("undo")], setup)
    again = found(file)
    assert fingerprint(again.moderator) == fingerprint(stopped)
    assert again.sheet is not None
    assert again.sheet.data["seed"] == stopped.evening.sheet.seed
    (asked,) = [e for e in again.moderator.resume_question() if isinstance(e, Expect)]
    assert asked.params["row"] == "spare1"


@pytest.mark.parametrize("lost", [True, False], ids=["killed before it took effect", "after"])
def test_an_undo_is_not_undone_by_a_crash(lost: bool, file: Path) -> None:
    setup = Setup(11, ruleset="standard", players=8, secrets=Secrets.CODES)
    told: list[Input] = [YES, READY]
    with closing(Journal(file)) as journal:
        journal.open_evening(setup)
        moderator = Moderator(setup)
        note(journal, moderator.begin())
        go_on(journal, moderator, told)
        sheet = moderator._desk.evening.sheet
        code = 1
        while moderator.evening.night.learned == []:
            go_on(journal, moderator, [Answer(Kind.NUMBER, code), YES])
            code += 1
        undo = Command("undo")
        journal.taken(undo)
        effects = moderator.handle(undo)
        if not lost:
            note(journal, effects)
    first = found(file)
    assert fingerprint(first.moderator) == fingerprint(moderator)
    assert sheet is not moderator._desk.evening.sheet
    with closing(Journal(file)) as journal:
        first.go_on(journal)
        go_on(journal, first.moderator, [Answer(Kind.NUMBER, 2)])
    second = found(file)
    assert second.undone is None
    assert fingerprint(second.moderator) == fingerprint(first.moderator)
    assert second.unfinished.spent == first.moderator.evening.sheet.spent != frozenset()


def test_what_was_noted_of_an_answer_that_was_taken_back_counts_no_more(file: Path) -> None:
    inputs: list[Input] = to_day()
    play(file, [*inputs, Command("surrender_killer")])
    with closing(Journal(file)) as journal:
        evening = interrupted(journal)
        assert evening is not None
        evening.go_on(journal)
        go_on(journal, evening.moderator, [Command("eject", 3), YES, Command("eject", 4), YES])
        assert evening.moderator.state == "review"
        assert journal.last_first_victim() == 8
        go_on(journal, evening.moderator, [Command("undo")])
        assert journal.last_first_victim() is None


def test_notes_that_died_with_the_process_are_written_when_it_goes_on(file: Path) -> None:
    play(file, to_day()[:-1])
    with closing(Journal(file)) as journal:
        evening = interrupted(journal)
        assert evening is not None
        evening.go_on(journal)
        journal.taken(READY)
        # Killed here: nothing of what came of it is written.
    lost = found(file)
    assert {what for _, what, _ in lost.unwritten} >= {"accepted", "day", "dawn"}
    with closing(Journal(file)) as journal:
        lost.go_on(journal)
    assert found(file).unwritten == ()


def test_an_evening_that_would_not_be_the_same_any_more_is_not_gone_on_with(file: Path) -> None:
    play(file, to_day())
    with closing(sqlite3.connect(file)) as other:
        other.execute("UPDATE note SET content = replace(content, '8', '7') WHERE what = 'dawn'")
        other.execute("UPDATE input SET content = replace(content, '8', '7')")
        other.commit()
    with closing(Journal(file)) as journal, pytest.raises(Fault) as raised:
        interrupted(journal)
    assert raised.value.key == "resume_impossible"
    assert message(raised.value.key, **raised.value.params).endswith("a new one begins.")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE input SET type = 'Vision'",
        "UPDATE input SET content = '[]'",
        'UPDATE input SET content = \'{"kind": "seat"}\'',
        "UPDATE evening SET setup = '{}'",
        "UPDATE evening SET setup = 'nothing'",
        "UPDATE evening SET setup = replace(setup, 'standard', 'vanished')",
    ],
)
def test_what_is_written_in_an_unknown_way_is_told_and_not_a_crash(change: str, file: Path) -> None:
    play(file, to_day())
    with closing(sqlite3.connect(file)) as other:
        other.execute(change)
        other.commit()
    with closing(Journal(file)) as journal, pytest.raises(Fault, match="resume_impossible"):
        interrupted(journal)


# Files of earlier versions


def write_version_1(file: Path, inputs: list[Input]) -> None:
    """An interrupted evening as version 1 wrote it."""
    moderator = Moderator(SETUP)
    played = [moderator.begin(), *(moderator.handle(event) for event in inputs)]
    with closing(sqlite3.connect(file)) as old:
        old.executescript(MIGRATIONS[0])
        old.execute("PRAGMA user_version = 1")
        setup = {key: value for key, value in asdict(SETUP).items() if key in _SETUP_1}
        old.execute("INSERT INTO evening VALUES (1, 5.0, ?, NULL)", (json.dumps(setup),))
        for number, event in enumerate(inputs, start=1):
            content = {key: value for key, value in asdict(event).items() if key != "unsaid"}
            row = (1, number, type(event).__name__, json.dumps(content))
            old.execute("INSERT INTO input VALUES (?, ?, ?, ?)", row)
        for number, effects in enumerate(played):
            for effect in effects:
                if isinstance(effect, Note):
                    row = (1, number, effect.what, json.dumps(dict(effect.data), ensure_ascii=False))
                    old.execute("INSERT INTO note VALUES (?, ?, ?, ?)", row)
        old.commit()


_SETUP_1 = {"seed", "previous", "barred", "ruleset", "players", "secrets"}
_SETUP_1 |= {"right_hand", "speech_seconds", "first_game"}


def test_a_file_of_version_1_is_brought_up_to_date_and_its_game_goes_on(file: Path) -> None:
    inputs = [*to_day(), Command("repeat")]
    write_version_1(file, inputs)
    again = found(file)
    assert list(again.moderator.inputs) == inputs
    with closing(sqlite3.connect(file)) as migrated:
        assert migrated.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert migrated.execute("SELECT count(*) FROM input").fetchone() == (len(inputs),)
    with closing(Journal(file)) as journal:
        again.go_on(journal)
        go_on(journal, again.moderator, [Command("undo")])
    assert list(found(file).moderator.inputs) == inputs[:-2]


def test_a_migration_that_is_interrupted_leaves_the_version_before(file: Path) -> None:
    write_version_1(file, to_day())
    with closing(sqlite3.connect(file)) as blocked:
        # Something stands where the migration wants to write.
        blocked.execute("CREATE INDEX note_evening ON note (evening)")
    with pytest.raises(Fault):
        Journal(file)
    with closing(sqlite3.connect(file)) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (1,)
        assert "undone" not in {row[1] for row in old.execute("PRAGMA table_info(input)")}


# At the table


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(SETUP, tmp_path, ears=False, rests={"speech", "last_words"})


def test_a_game_stopped_at_the_table_is_told_so_and_is_not_over(evening: Evening) -> None:
    evening.until(lambda: evening.about in ("speech", "last_words"))
    evening.session.leave()
    evening.until(lambda: evening.session.over, within=30)
    assert evening.log.lines[-1] == "leave.saved"
    assert not evening.session.finished
    assert not evening.keyboard.lines


def test_a_game_stopped_in_the_lobby_just_ends(tmp_path: Path) -> None:
    evening = Evening(SETUP, tmp_path, ears=False, rests={"agree"})
    evening.until_asked("agree")
    evening.session.leave()
    evening.until(lambda: evening.session.over, within=30)
    assert evening.log.lines[-1] == "end.goodbye"
