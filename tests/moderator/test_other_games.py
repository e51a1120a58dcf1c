"""生推版, 3.0 版, 花蝴蝶版 and 狼人杀 at a table: what is asked and said, and in which order."""

from __future__ import annotations

import pytest
from other_games import CARDS, at_day, at_night, dealt, night, votes_aloud
from table import Table

from narrator.moderator.effects import Note, Say, Wait
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind

CODES, KEYPAD, JUDGE = Secrets.CODES, Secrets.KEYPAD, Secrets.JUDGE
EVERY_WAY = pytest.mark.parametrize("way", list(Secrets))


def everyone_speaks(table: Table) -> list[int]:
    return table.everyone_speaks()


# 生推版


@EVERY_WAY
def test_showdown_has_a_night_without_a_victim_and_the_day_begins_at_once(way: Secrets) -> None:
    """001 §一.3(3)-(8): the killers only recognise each other; nothing is announced."""
    table = at_night("showdown", way)
    said = [effect.line for effect in table.log if isinstance(effect, Say)] + night(table)
    asking = ("night.who", "secret", "keypad", "confirm")
    heard = [line for line in said[said.index("night.falls") :] if not line.startswith(asking)]
    # What came of the last answer is in the log and in the night.
    assert list(dict.fromkeys(heard)) == [
        *("night.falls", "night.wake", "night.recognise", "night.sleep", "day.breaks"),
        *("speech.opens_game", "speech.please"),
    ]
    assert table.about == "speech"


def test_the_second_game_begins_with_seat_two_and_says_so() -> None:
    """001 §一.3(8): 下一局游戏则从2号位开始."""
    table = at_day("showdown")
    assert table.said("speech.opens_game") == {"game": 1, "seat": 1}
    table = at_night("showdown", first_game=9)
    night(table)
    assert table.said("speech.opens_game") == {"game": 9, "seat": 2}
    assert table.seat == 2


def test_two_laps_in_round_one_and_one_from_then_on_without_another_night() -> None:
    """001 §一.3(9)-(12): two laps, the vote, and straight on to the next round of speeches."""
    table = at_day("showdown")
    assert everyone_speaks(table) == [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7]
    assert table.hands({3: 7}) == [1, 2, 3]
    table.answer(True)
    assert table.about == "last_words"
    table.answer(True)
    assert [line for line in table.lines if not line.startswith("remind")] == ["round.opens", "speech.please"]
    assert table.said("round.opens") == {"round": 2}
    assert everyone_speaks(table) == [4, 5, 6, 7, 1, 2]


def test_the_second_lap_is_announced() -> None:
    """001 §一.3(9)."""
    table = at_day("showdown")
    for _ in range(7):
        table.answer(True)
    assert table.lines == ["speech.lap", "speech.please"]
    assert table.said("speech.lap") == {"lap": 2}


def voted_out(table: Table, seat: int) -> Table:
    """Everybody votes for that seat."""
    everyone_speaks(table)
    living = len(table.moderator.evening.game.living)
    table.hands({seat: living})
    return table.answer(True)


def test_the_second_one_out_shows_the_card_and_a_killer_has_the_first_shown_too() -> None:
    """001 §一.3(13)-(14), with both killers out: the civilians have won."""
    table = at_day("showdown")
    voted_out(table, 1)
    assert "shown.card_killer" not in table.lines
    voted_out(table, 2)
    assert [say for say in table.says if say.line.startswith("shown")] == [
        Say("shown.card_killer", {"seat": 2}),
        Say("shown.card_killer", {"seat": 1}),
    ]
    assert "end.killers_out" in table.lines
    assert "end.civilians_win" in table.lines


def test_a_civilian_out_second_shows_only_the_own_card() -> None:
    """001 §一.3(15): the game goes on, the first card stays hidden; 出局者不论身份如何均可留遗言."""
    table = at_day("showdown")
    voted_out(table, 1)
    voted_out(table, 3)
    assert [say for say in table.says if say.line.startswith("shown")] == [
        Say("shown.card_civilian", {"seat": 3})
    ]
    assert (table.about, table.seat) == ("last_words", 3)


def test_a_judge_who_keeps_the_secrets_reads_the_shown_cards() -> None:
    """House decision: the table hears from him what the card is."""
    table = at_day("showdown", JUDGE)
    voted_out(table, 1)
    voted_out(table, 2)
    assert table.said("shown.ask") == {"seat": 2}
    table.answer(True, True)
    assert table.said("shown.ask") == {"seat": 1}
    table.answer(True, True)
    assert "end.over" in table.lines


# 3.0 版


def test_in_doctor_the_secret_police_are_called_first_and_alone() -> None:
    """001 §三 补充; who wakes alone is told to be seen, not to look for partners."""
    table = at_night("doctor")
    assert table.said("night.wake") == {"role": "secret_police"}
    assert "night.be_seen" in table.lines
    assert table.said("night.who_only") == {"role": "secret_police"}


def test_a_night_without_deaths_leads_straight_to_the_next() -> None:
    """001 §三: 某一轮没有人死亡…游戏直接进入下一轮."""
    table = at_night("doctor")
    said = night(table, kill=7, heal=7)
    assert said[said.index("day.peaceful") :][:4] == [
        "day.peaceful",
        "day.no_day",
        "night.falls",
        "night.wake",
    ]
    assert table.moderator.evening.game.round == 2


def test_three_dead_are_told_together_and_speeches_begin_right_of_the_killers_victim() -> None:
    """001 §三, 某一轮有3个人同时死亡; §二.3(12)."""
    table = at_night("doctor", players=15)
    table.roles = {"killer": (1, 2, 3, 4), "police": (5, 6, 7, 8), "secret_police": (9,), "doctor": (10,)}
    night(table, kill=11, heal=12)
    voted = voted_out(table, 13)
    while voted.about == "last_words":
        voted.answer(True)
    night(table, shoot=1, kill=5, heal=12)
    assert table.said("day.killed_several") == {"seats": (1, 5, 12)}
    while table.about == "last_words":
        table.answer(True)
    assert (table.about, table.seat) == ("speech", 6)


def test_a_spent_shot_is_refused_exactly_like_a_misheard_answer() -> None:
    """001 §三: only once a game; the table must not hear that it is spent."""
    tables = [at_day("doctor", CODES, shoot=8, kill=7) for _ in range(2)]
    for table in tables:
        table.day({1: 6})
        while table.about == "last_words":
            table.answer(True)
        assert table.asked.params["act"] == "shoot"
    refused, misheard = tables
    assert refused.whisper(3).lines == misheard.mumbles().lines


def test_the_secret_police_are_called_alike_before_and_after_their_shot_and_when_dead() -> None:
    """House decision, Night: a role whose action is over is called like any other."""

    def third_night(shoot: int | None, kill: int) -> list[Say | Wait]:
        table = at_day("doctor", KEYPAD, shoot=shoot, kill=kill)
        while table.about == "last_words":
            table.answer(True)
        before = len(table.log)
        table.day({1: 6})
        while table.about == "last_words":
            table.answer(True)
        night(table, kill=4)
        calls = [effect for effect in table.log[before:] if isinstance(effect, Say | Wait)]
        start = calls.index(Say("night.falls", {}))
        return calls[start : calls.index(Say("day.breaks", {}))]

    assert third_night(None, 8) == third_night(8, 7) == third_night(None, 5)
    assert Say("night.wake", {"role": "secret_police"}) in third_night(None, 5)


def test_a_judge_tells_of_several_dead_one_after_another() -> None:
    """House decision: 还有谁死了? until he says 没有, or three are told."""
    table = at_night("doctor", JUDGE)
    while table.about == "noted":
        table.answer("ready")
    while table.about in ("noted", "hint"):
        table.answer("ready")
    assert table.lines[-1] == "day.result"
    table.answer(7, True)
    assert table.lines == ["day.result_more"]
    assert table.answer(7).lines == ["refuse.told"]
    table.answer(3, True, None, True)
    assert table.said("day.killed_several") == {"seats": (3, 7)}


# 花蝴蝶版


def test_the_cards_of_the_butterfly_game_are_named_before_dealing() -> None:
    """002 §1: 规定大王为花蝴蝶，J为狙击手，Q为医生，小王为森林老人，A为杀手，K为警察，其它为平民."""
    table = dealt("butterfly")
    named = {say.params["card"]: say.params["role"] for say in table.says if say.line == "deal.card"}
    assert named == {
        "joker_big": "butterfly",
        "joker_small": "elder",
        "jack": "sniper",
        "queen": "doctor",
        "king": "police",
        "ace": "killer",
        "plain": "civilian",
    }


def test_the_judge_says_goes_out_and_goes_back() -> None:
    """002 §2: 花蝴蝶出动, 花蝴蝶回去."""
    table = at_night("butterfly")
    assert table.said("night.goes_out") == {"role": "butterfly"}
    said = night(table)
    assert "night.wake" not in said
    assert "night.sleep" not in said
    assert said.count("night.goes_back") == 6


def test_the_butterfly_can_not_hug_itself_and_nobody_hears_why() -> None:
    """002 §2.A: 不能抱自己; met exactly like a misheard answer."""
    refused, misheard = (at_night("butterfly", CODES).tell(1) for _ in range(2))
    assert refused.asked.params["act"] == "hug"
    assert refused.whisper(1).lines == misheard.mumbles().lines


@pytest.mark.parametrize(("hug", "check", "gesture"), [(9, 6, "yes"), (9, 10, "no"), (6, 6, "nothing")])
def test_the_judge_learns_by_code_which_of_three_signs_to_give(hug: int, check: int, gesture: str) -> None:
    """002 §2.E: nod, shake, or no sign for the hugged."""
    for seed in range(3):
        table = at_night("butterfly", CODES, seed=seed)
        while table.about != "hint":
            if table.about == "who":
                table.tell(table.roles[str(table.asked.params["role"])][table.number("index") - 1])
            else:
                table.tell({"hug": hug, "check": check}.get(str(table.asked.params["act"])))
        assert table.sheet is not None
        assert table.number("code") == table.sheet.gesture_code("n1.police.hint3", gesture)


@EVERY_WAY
def test_who_died_and_who_is_muted_is_told_in_the_judge_s_order(way: Secrets) -> None:
    """002 §3.B: 法官宣布…死掉。被禁言的人不允许说话; words from the judge's side on."""
    table = at_day("butterfly", way, shoot=11, kill=9, mute=10, dead=(9, 11), muted=(10,))
    assert table.said("day.killed_several") == {"seats": (9, 11)}
    assert table.said("day.muted") == {"seats": (10,)}
    assert (table.about, table.seat) == ("last_words", 9)
    assert table.answer(True).seat == 11
    table.answer(True)
    assert "speech.defence" in table.lines
    assert (table.about, table.seat) == ("speech", 12)


def test_that_nobody_is_muted_is_told_as_well() -> None:
    """House decision: the line always comes."""
    assert "day.nobody_muted" in night(at_night("butterfly"), kill=9)


def test_each_speaker_votes_at_once_and_the_muted_only_votes() -> None:
    """002 §3.C: 辩护完的人立即投票; house decision: muted means no defence, but a vote."""
    table = at_day("butterfly", KEYPAD, kill=9, mute=11)
    table.answer(True)
    assert table.seat == 10
    table.answer(True)
    assert (table.about, table.number("voter")) == ("name", 10)
    table.answer(6)
    assert [say.line for say in table.says] == ["ballot.named", "speech.muted", "ballot.name"]
    assert (table.about, table.number("voter")) == ("name", 11)
    spoke = votes_aloud(table, {}, otherwise=6)
    assert spoke == [12, 13, 1, 2, 3, 4, 5, 6, 7, 8]
    assert table.said("ballot.result") == {"seat": 6, "votes": 12}


def test_the_dead_muted_leaves_no_words() -> None:
    """House decision."""
    table = at_day("butterfly", KEYPAD, kill=9, mute=9)
    assert (table.about, table.seat) == ("speech", 10)


def test_everybody_must_name_somebody_living_perhaps_himself() -> None:
    """002 §3.C: 每个人都必须投一个人，可以投自己."""
    table = at_day("butterfly", KEYPAD, kill=9).answer(True, True)
    assert not table.asked.expectation.none
    assert table.answer(9).lines == ["refuse.out"]
    assert table.answer(14).lines == ["refuse.no_such_seat"]
    assert table.answer(10).said("ballot.named") == {"voter": 10, "seat": 10, "round": 1, "stage": 1}


@pytest.mark.parametrize("way", [KEYPAD, JUDGE])
def test_a_killer_voted_out_leaves_without_words(way: Secrets) -> None:
    """002 §3.D: 杀手被投死，没有遗言."""
    table = at_day("butterfly", way, kill=9, dead=(9,))
    votes_aloud(table, {}, otherwise=6)
    table.answer(True)
    if way is JUDGE:
        assert table.said("shown.ask") == {"seat": 6}
        table.answer(True, True)
    assert "shown.killer_voted" in table.lines
    assert "night.falls" in table.lines


@pytest.mark.parametrize("way", [KEYPAD, JUDGE])
def test_a_good_one_voted_out_leaves_words(way: Secrets) -> None:
    """002 §3.D: 好人被投死，请留遗言."""
    table = at_day("butterfly", way, kill=9, dead=(9,))
    votes_aloud(table, {}, otherwise=10)
    table.answer(True)
    if way is JUDGE:
        table.answer(False, True)
    assert "shown.good_voted" in table.lines
    assert (table.about, table.seat) == ("last_words", 10)


def test_a_tie_sends_nobody_out_and_night_falls() -> None:
    """002 §3.D: 本轮白天不死人."""
    table = at_day("butterfly", KEYPAD, kill=9)
    votes_aloud(table, dict.fromkeys((1, 2, 3, 4, 5, 6), 7), otherwise=8)
    assert table.said("ballot.tie")["seats"] == (7, 8)
    table.answer(True)
    assert table.lines[0] == "ballot.nobody_leaves"
    assert "night.falls" in table.lines


def test_a_vote_misheard_is_put_right_before_it_counts() -> None:
    """The judge says the count is wrong, and whose vote it is."""
    table = at_day("butterfly", KEYPAD, kill=9)
    votes_aloud(table, {1: 7}, otherwise=8)
    assert table.said("ballot.result") == {"seat": 8, "votes": 11}
    assert table.answer(False).lines == ["ballot.amend_name"]
    assert table.answer(9).lines == ["ballot.not_voter"]
    assert table.answer(1).said("ballot.name") == {"seat": 1}
    assert table.answer(8).said("ballot.result") == {"seat": 8, "votes": 12}


def test_a_voice_that_is_misheard_twice_alike_is_not_heard_so_a_third_time() -> None:
    table = at_day("butterfly", KEYPAD, kill=9)
    votes_aloud(table, {}, otherwise=8)
    assert table.answer(False, 1).asked.expectation.but == ()
    assert table.answer(8, False, 1, True).asked.expectation.but == (8,)
    # It is that voice's trouble alone, and the judge may have pointed at the wrong one: others stay free.
    assert table.answer(7, False, 2, True).asked.expectation.but == ()


def test_now_vote_takes_the_floor_but_not_the_vote() -> None:
    """002 一 (三): 在辩论出现混乱和僵持的时候要果断决定：现在投票."""
    table = at_day("butterfly", KEYPAD, kill=9).answer(True)
    table.judge("vote_now")
    assert (table.about, table.number("voter")) == ("name", 10)
    assert votes_aloud(table, {}, otherwise=8) == []
    assert table.said("ballot.result") == {"seat": 8, "votes": 12}


def test_somebody_sent_out_neither_votes_nor_is_voted_for() -> None:
    """House decision, Day."""
    table = at_day("butterfly", KEYPAD, kill=9).answer(True, True, 13)
    table.judge("eject", 13).answer(True)
    votes_aloud(table, {}, otherwise=8)
    assert table.said("ballot.result") == {"seat": 8, "votes": 10}


def test_a_voter_sent_out_while_asked_is_not_waited_for() -> None:
    """House decision, Day."""
    table = at_day("butterfly", KEYPAD, kill=9).answer(True, True)
    assert (table.about, table.number("voter")) == ("name", 10)
    table.judge("eject", 10).answer(True)
    assert (table.about, table.seat) == ("speech", 11)


# 狼人杀


def test_the_witch_wakes_once_and_is_asked_for_both_potions() -> None:
    """House decision: she sees the victim by the judge's gesture, then the save, then the poison."""
    table = at_night("werewolf")
    said = night(table, kill=9)
    witch = said.index("night.save")
    assert said[said.index("night.poison", witch) :].count("night.poison") == 1
    between = said[witch : said.index("night.poison")]
    assert "night.sleep" not in between
    assert "night.wake" not in between


def test_the_hunter_is_seen_in_the_first_night_only() -> None:
    """House decision."""
    table = at_night("werewolf")
    night(table, kill=9)
    woken = [say.params["role"] for say in table.log if isinstance(say, Say) and say.line == "night.wake"]
    assert woken == ["guard", "wolf", "witch", "seer", "hunter"]


@EVERY_WAY
def test_everybody_who_leaves_is_asked_whether_to_take_somebody_along(way: Secrets) -> None:
    """House decision: the question is the same for the hunter and for everybody else."""
    for victim in (7, 9):
        table = at_day("werewolf", way, kill=victim, dead=(victim,))
        assert table.said("parting.ask") == {"seat": victim}
        assert table.about == "parting"
        table.answer(None, True)
        assert (table.about, table.seat) == ("last_words", victim)


@EVERY_WAY
def test_the_hunter_takes_somebody_along_and_nobody_is_asked_again(way: Secrets) -> None:
    """House decision."""
    table = at_day("werewolf", way, kill=7, dead=(7,)).answer(1, True)
    assert table.said("parting.taken") == {"seat": 7, "taken": 1}
    assert (table.about, table.seat) == ("last_words", 7)
    table.answer(True)
    assert table.about == "speech"
    assert table.everyone_speaks() == [8, 9, 10, 11, 12, 2, 3, 4, 5, 6]
    table.hands({9: 10})
    assert "parting.ask" not in table.answer(True).lines


@pytest.mark.parametrize("way", [CODES, KEYPAD])
def test_a_poisoned_hunter_and_anybody_else_takes_nobody_along(way: Secrets) -> None:
    """House decision: refused with the words of a misheard answer."""
    table = at_day("werewolf", way, kill=9, poison=7)
    assert table.said("parting.ask") == {"seat": 7}
    assert table.answer(1).lines == ["again"]
    table.answer(None, True)
    assert table.answer(1).lines == ["again"]


def test_wolves_win_and_lose_under_their_own_name() -> None:
    """The words of the verdict are the ruleset's."""
    table = at_day("werewolf", KEYPAD, kill=9).answer(None, True)
    for seat in (1, 2, 3, 4):
        while table.about in ("last_words", "speech"):
            table.answer(True)
        table.hands({seat: len(table.moderator.evening.game.living)})
        table.answer(True)
        if table.about == "parting":
            table.answer(None, True)
        while table.about == "last_words":
            table.answer(True)
        if seat < 4:
            night(table)
    assert "end.wolves_out" in table.lines
    assert "end.good_side_wins" in table.lines


# All of them


@pytest.mark.parametrize("ruleset", ["doctor", "butterfly", "werewolf"])
@pytest.mark.parametrize("way", [CODES, KEYPAD])
def test_dead_roles_are_called_with_the_same_words_and_the_same_waiting(ruleset: str, way: Secrets) -> None:
    """House decision, Night: whoever has died, the second night sounds the same."""

    def second_night(gone: int) -> list[object]:
        table = at_night(ruleset, way)
        night(table, kill=gone)
        before = len(table.log)
        for _ in range(400):
            if any(isinstance(e, Note) and e.what == "day" for e in table.log[before:]):
                break
            if table.about in ("who", "act", "noted", "hint"):
                night(table, kill=None)
            elif table.kind is Kind.VOTES:
                table.answer(0)
            elif table.about == "name":
                table.answer(13)
            elif table.about == "parting":
                table.answer(None, True)
            else:
                table.answer(True)
        heard = [e for e in table.log[before:] if isinstance(e, Say | Wait)]
        masked = [Say(e.line, {}) if isinstance(e, Say) and "code" in e.params else e for e in heard]
        return list(masked[masked.index(Say("night.falls")) : masked.index(Say("day.breaks"))])

    roles = CARDS[ruleset]
    gone = [seats[0] for role, seats in roles.items() if role not in ("killer", "wolf")]
    nights = [second_night(seat) for seat in gone[:3]]
    assert nights[0] == nights[1] == nights[2]
    assert len(nights[0]) > 3 * len(roles)
