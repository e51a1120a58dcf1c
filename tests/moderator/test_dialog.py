"""Being understood: clear answers count, doubtful ones are asked back, misses are repaired."""

from __future__ import annotations

import pytest
from table import Table, at_day, dealt, lobby

from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Elapsed, Unclear, Why


def at_ballot() -> Table:
    """Seven voters; seat 1 is the first to be voted on."""
    table = at_day(8)
    table.everyone_speaks()
    assert (table.about, table.seat) == ("votes", 1)
    return table


def test_a_clear_answer_is_acted_on_and_read_back() -> None:
    table = at_ballot().answer(3)
    assert table.says[0].line == "ballot.read"
    assert table.said("ballot.read")["seat"] == 1
    assert table.said("ballot.read")["votes"] == 3
    assert table.seat == 2


def test_a_doubtful_answer_is_asked_back_and_counts_once_affirmed() -> None:
    table = at_ballot().doubtful(3)
    assert table.lines == ["confirm.votes"]
    assert table.said("confirm.votes") == {"votes": 3}
    assert (table.about, table.kind) == ("confirm", Kind.YESNO)
    assert table.asked.params["of"] == "votes"
    assert table.asked.params["value"] == 3
    table.answer(True)
    assert table.said("ballot.read")["votes"] == 3
    assert table.seat == 2


def test_a_doubtful_yes_agrees_to_nothing_until_it_comes_again() -> None:
    table = at_ballot().doubtful(3).doubtful(True)
    assert table.lines == ["confirm.votes"], "不是的 loses its first syllable in noise"
    assert (table.about, table.seat) == ("confirm", 1)
    table.doubtful(True)
    assert table.said("ballot.read")["votes"] == 3


def test_after_a_doubtful_yes_a_no_is_still_a_no_and_the_next_answer_starts_afresh() -> None:
    table = at_ballot().doubtful(3).doubtful(True).answer(False)
    assert table.lines == ["again"]
    assert table.doubtful(2).doubtful(True).lines == ["confirm.votes"]


def test_a_doubtful_answer_that_is_denied_is_asked_for_again() -> None:
    table = at_ballot().doubtful(3).answer(False)
    assert table.lines == ["again"]
    assert (table.about, table.seat) == ("votes", 1)
    assert table.answer(2).said("ballot.read")["votes"] == 2


@pytest.mark.parametrize(("value", "line"), [(True, "confirm.yes"), (False, "confirm.no")], ids=["yes", "no"])
def test_a_doubtful_yes_or_no_is_asked_back_too(value: bool, line: str) -> None:
    table = lobby(players=16, secrets=Secrets.JUDGE).doubtful(value)
    assert table.lines == [line]
    table.answer(True)
    assert table.state == ("dealing" if value else "lobby.players")


def test_doubtful_players_and_choices_are_asked_back_by_name() -> None:
    table = lobby().doubtful(12)
    assert table.said("confirm.players") == {"players": 12}
    table.answer(True).doubtful("ruleset.classic")
    assert table.said("confirm.choice") == {"choice": "ruleset.classic"}
    assert table.answer(True).about == "secrets"


def test_what_was_denied_is_asked_back_however_surely_it_is_heard_again() -> None:
    table = at_ballot().doubtful(3).answer(False)
    assert table.lines == ["again"]
    assert table.answer(3).lines == ["confirm.votes"]
    assert table.answer(True).said("ballot.read")["votes"] == 3


def test_what_was_denied_twice_is_not_listened_for_any_more() -> None:
    table = at_ballot().doubtful(3).answer(False)
    assert not table.asked.expectation.but
    table.answer(3, False)
    assert table.asked.expectation.but == (3,)
    assert table.answer(2).said("ballot.read")["votes"] == 2


def test_what_was_denied_twice_is_listened_for_again_once_nothing_else_was_understood() -> None:
    table = at_ballot().doubtful(3).answer(False, 3, False).mumbles()
    assert table.asked.expectation.but == (), "the noes may have been yeses"
    table.answer(3, True)
    assert table.said("ballot.read")["votes"] == 3


def test_a_doubtful_no_asks_again_but_denies_nothing() -> None:
    table = at_ballot().doubtful(3).doubtful(False)
    assert table.lines == ["again"]
    assert table.answer(3).said("ballot.read")["votes"] == 3


def test_a_confirmation_that_is_missed_is_put_again_alone() -> None:
    table = at_ballot().doubtful(3).mumbles()
    assert table.lines == ["again", "confirm.votes"]
    assert table.about == "confirm"
    table.mumbles()
    assert table.lines == ["again", "confirm.votes"]
    assert table.answer(True).said("ballot.read")["votes"] == 3


def test_a_confirmation_missed_three_times_says_what_can_be_said() -> None:
    table = at_ballot().doubtful(3).mumbles().mumbles().mumbles()
    assert table.lines == ["help.yesno", "confirm.votes"]


def test_silence_after_a_confirmation_is_neither_yes_nor_no() -> None:
    table = at_ballot().doubtful(3)
    for _ in range(6):
        table.stays_silent()
        assert table.lines == ["confirm.votes"]
        assert table.about == "confirm"
    assert table.noted("ballot") == []


def test_another_kind_of_answer_does_not_settle_a_confirmation() -> None:
    table = at_ballot().doubtful(3).hears(Answer(Kind.VOTES, 3))
    assert table.lines == ["again", "confirm.votes"]


def test_silence_repeats_the_question_in_short_and_never_answers_it() -> None:
    table = at_ballot()
    for _ in range(5):
        table.stays_silent()
        assert table.lines == ["ballot.how_many"]
        assert (table.about, table.seat) == ("votes", 1)


def test_silence_repeats_the_whole_question_where_there_is_no_short_one() -> None:
    assert lobby().stays_silent().lines == ["lobby.players"]


@pytest.mark.parametrize("why", [Why.UNKNOWN, Why.UNSURE])
def test_again_is_said_twice_at_most_then_what_can_be_said(why: Why) -> None:
    table = lobby()
    said = [table.hears(Unclear(why)).lines for _ in range(4)]
    assert said == [["again"], ["again"], ["help.players"], ["help.players"]]
    assert table.answer(16).about == "secrets"


def test_silences_are_counted_until_somebody_speaks() -> None:
    table = lobby().stays_silent().stays_silent()
    assert table.asked.unheard == 2
    assert table.mumbles().asked.unheard == 0
    assert table.stays_silent().answer(12).asked.unheard == 0


def test_patience_begins_anew_with_the_next_question() -> None:
    table = lobby().mumbles().mumbles().mumbles().answer(12)
    assert table.mumbles().lines == ["again"]


@pytest.mark.parametrize(
    ("before", "help_line"),
    [
        ((), "help.players"),
        ((16,), "help.secrets"),
        ((16, "secrets.keypad"), "help.agree"),
        ((16, "secrets.keypad", True), "help.ready"),
        ((12,), "lobby.ruleset"),
    ],
)
def test_help_says_what_this_very_question_wants(
    before: tuple[int | str | bool, ...], help_line: str
) -> None:
    assert lobby().answer(*before).mumbles().mumbles().mumbles().lines == [help_line]


def test_votes_help_with_votes() -> None:
    assert at_ballot().mumbles().mumbles().mumbles().lines == ["help.votes"]


def test_an_answer_of_the_wrong_kind_is_a_miss() -> None:
    table = lobby().hears(Answer(Kind.SEAT, 8))
    assert table.lines == ["again"]
    assert table.about == "players"


def test_a_number_that_can_t_be_is_refused_with_its_reason_and_not_with_again() -> None:
    table = at_ballot().answer(8)
    assert table.lines == ["ballot.too_many"]
    assert table.said("ballot.too_many") == {"count": 7}
    assert (table.about, table.seat) == ("votes", 1)


def test_a_doubtful_number_that_can_t_be_is_refused_before_anybody_confirms_it() -> None:
    assert lobby().doubtful(30).lines == ["lobby.players_unfit"]


def test_a_seat_that_is_out_is_refused_with_its_reason_at_dawn() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8)
    table.day({7: 4}).answer(False)
    table.everyone_speaks()
    table.until_dawn()
    assert table.answer(8).said("refuse.out") == {"seat": 8}
    assert table.answer(9).said("refuse.no_such_seat") == {"seat": 9}
    assert table.about == "dawn"


def test_the_barred_seat_is_refused_with_its_reason_where_the_judge_keeps_the_secrets() -> None:
    table = dealt(Secrets.JUDGE, barred=5).answer("ready")
    table.until_dawn()
    assert table.answer(5).said("refuse.barred") == {"seat": 5}
    assert table.answer(6, True).said("day.killed") == {"seats": (6,)}


def test_the_result_of_the_night_is_always_confirmed() -> None:
    table = dealt(Secrets.JUDGE).answer("ready")
    table.until_dawn()
    assert table.answer(None).lines == ["confirm.none"]
    assert table.answer(False).lines == ["again"]
    assert table.answer(6).said("confirm.seat") == {"seat": 6}
    assert table.answer(True).said("day.killed") == {"seats": (6,)}


def test_an_accepted_answer_is_noted_once_and_a_denied_one_never() -> None:
    table = lobby().doubtful(12).answer(False).mumbles().answer(13)
    assert [note["value"] for note in table.noted("accepted")] == [13]


def test_a_timer_of_no_concern_changes_nothing() -> None:
    table = lobby()
    assert table.hears(Elapsed("limit")).latest == ()
    assert table.about == "players"


def test_who_comes_back_to_a_game_hears_the_open_question_in_full() -> None:
    table = at_ballot()
    table.hears_back(table.moderator.resume_question())
    assert table.lines == ["ballot.hands"]
    assert (table.about, table.seat) == ("votes", 1)
    table.doubtful(2).hears_back(table.moderator.resume_question())
    assert table.lines == ["confirm.votes"]


def test_who_comes_back_after_the_goodbye_hears_nothing() -> None:
    table = lobby().judge("stop").answer(True)
    assert table.over
    assert table.moderator.resume_question() == ()
