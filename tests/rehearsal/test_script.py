"""Scripted people: they mean the same all the time, and put right what was taken for something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.script import JUDGE, Reply, Script
from narrator.rules import ruleset as rulesets


class Play:
    """A script at a moderator's table; ``misheard`` answers go wrong on the way, for others to put right."""

    def __init__(self, secrets: Secrets = Secrets.KEYPAD, seed: int = 3, players: int = 8) -> None:
        self.script = Script(rulesets.load("standard"), players, secrets, seed)
        self.moderator = Moderator(Setup(seed, ruleset="standard", players=players, secrets=secrets))
        self.notes: list[Note] = []
        self.question: Expect | None = None
        self.take(self.moderator.begin())

    def take(self, effects: tuple[Effect, ...]) -> None:
        self.question = None
        for effect in effects:
            if isinstance(effect, Say):
                self.script.spoken(effect)
            elif isinstance(effect, Note):
                self.script.noted(effect)
                self.notes.append(effect)
            elif isinstance(effect, Expect):
                self.question = effect

    def answer(self, value: int | str | bool | None, certainty: Certainty = Certainty.CLEAR) -> None:
        assert self.question is not None
        self.take(self.moderator.handle(Answer(self.question.expectation.kind, value, certainty)))

    def questions(self) -> Iterator[tuple[Expect, Reply]]:
        """Every question with its reply; whoever iterates may answer it, else it is answered as meant."""
        while self.question is not None:
            question, reply = self.question, self.script.reply(self.question)
            yield question, reply
            if self.question is question:
                self.answer(reply.value)

    def until(self, about: str) -> tuple[Expect, Reply]:
        for question, reply in self.questions():
            if question.about == about:
                return question, reply
        raise AssertionError(f"{about} never came up")

    def noted(self, what: str) -> Note:
        return [note for note in self.notes if note.what == what][-1]


@pytest.mark.parametrize("secrets", list(Secrets))
def test_asked_twice_people_say_the_same_and_of_the_right_kind(secrets: Secrets) -> None:
    play = Play(secrets)
    abouts = set()
    for question, reply in play.questions():
        abouts.add(question.about)
        assert play.script.reply(question) == reply
        assert reply.kind is question.expectation.kind
    assert {"agree", "dealt", "speech", "votes", "tally", "review"} <= abouts


def test_the_same_seed_tells_the_same_story_and_another_another() -> None:
    def story(seed: int) -> list[Reply]:
        return [reply for _, reply in Play(seed=seed).questions()]

    assert story(3) == story(3)
    assert story(3) != story(4)


def test_whoever_has_the_floor_speaks_and_all_else_is_the_judges() -> None:
    for question, reply in Play().questions():
        expected = question.params["seat"] if question.expectation.kind is Kind.PASS else JUDGE
        assert reply.speaker == expected


def test_the_same_choices_are_told_in_all_three_ways() -> None:
    verdicts = set()
    for secrets in Secrets:
        play = Play(secrets)
        for _ in play.questions():
            pass
        play.script.settle()
        assert play.script.verdict is not None
        assert play.noted("verdict").data["winner"] == play.script.verdict.winner
        verdicts.add((play.script.verdict, tuple(play.script.game.departures)))
    assert len(verdicts) == 1


def test_a_secret_that_was_misheard_is_denied_and_told_again_in_another_row() -> None:
    play = Play(Secrets.CODES)
    question, reply = play.until("who")
    assert isinstance(reply.value, int)
    play.answer(reply.value % 9 + 1)
    # A wrong code may stand for a seat nobody may name; then it is asked again at once.
    if play.question is not None and play.question.about == "confirm":
        denial = play.script.reply(play.question)
        assert (denial.kind, denial.value) == (Kind.YESNO, False)
        play.answer(denial.value)
    again = play.question
    assert again is not None
    assert again.params["row"] != question.params["row"]
    answer = play.script.reply(again)
    sheet_seat = play.script.roles
    play.answer(answer.value)
    assert play.question is not None
    assert play.script.reply(play.question).value is True
    play.answer(True)
    told = play.noted("accepted").data
    assert (told["about"], sheet_seat[play.script.game.holders("killer")[0]]) == ("who", "killer")


def test_a_doubtful_count_is_affirmed_only_when_it_is_right() -> None:
    play = Play()
    _, reply = play.until("votes")
    assert isinstance(reply.value, int)
    play.answer(reply.value, Certainty.DOUBTFUL)
    assert play.question is not None
    assert play.script.reply(play.question).value is True

    play = Play()
    play.until("votes")
    play.answer(reply.value + 1, Certainty.DOUBTFUL)
    assert play.question is not None
    assert play.script.reply(play.question).value is False


def test_a_count_that_was_heard_wrong_is_disputed_named_and_put_right() -> None:
    play = Play()
    spoilt = None
    asked = []
    for question, reply in play.questions():
        asked.append(question.about)
        if question.about == "votes" and spoilt is None and isinstance(reply.value, int) and reply.value:
            spoilt = question.params["seat"]
            play.answer(reply.value - 1)
        elif question.about == "tally":
            if "amend" not in asked:
                assert play.script.unnoticed()
                assert reply.value is False
            else:
                assert not play.script.unnoticed()
                assert reply.value is True
                break
        elif question.about == "amend":
            assert reply.value == spoilt
    assert asked[-1] == "tally"
    assert asked.count("amend") == 1


def test_a_count_heard_right_is_agreed_to_at_once() -> None:
    play = Play()
    _, reply = play.until("tally")
    assert reply.value is True
    assert not play.script.unnoticed()


def test_killers_never_forget_who_may_not_be_killed_again() -> None:
    ruleset = rulesets.load("standard")
    for seed in range(40):
        script = Script(ruleset, 8, Secrets.JUDGE, seed, barred=4)
        moderator = Moderator(Setup(seed, ruleset="standard", players=8, secrets=Secrets.JUDGE, barred=4))
        effects = moderator.begin()
        while True:
            (expect,) = [effect for effect in effects if isinstance(effect, Expect)]
            reply = script.reply(expect)
            if expect.about == "dawn":
                assert reply.value != 4
                break
            effects = moderator.handle(Answer(reply.kind, reply.value))


def test_a_table_plays_as_many_games_as_it_wants_with_new_cards() -> None:
    script = Script(rulesets.load("standard"), 8, Secrets.JUDGE, 3, games=3)
    moderator = Moderator(Setup(3, ruleset="standard", players=8, secrets=Secrets.JUDGE))
    effects, hands, answers = moderator.begin(), [dict(script.roles)], []
    while not moderator.ended:
        (expect,) = [effect for effect in effects if isinstance(effect, Expect)]
        reply = script.reply(expect)
        if expect.about == "review":
            answers.append(reply.value)
            hands.append(dict(script.roles))
        for effect in effects:
            if isinstance(effect, Say):
                script.spoken(effect)
        effects = moderator.handle(Answer(reply.kind, reply.value))
    assert answers == ["again.same", "again.same", "again.stop"]
    assert hands[0] != hands[1] != hands[2]
