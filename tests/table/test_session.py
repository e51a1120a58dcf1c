"""The loop: who may speak when, whose clock runs when, and what reaches the moderator."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles import Bell, Evening, Everything, Keyboard, Log, Microphone, phrasebook, voice_pack

from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import ClipCache
from narrator.mouth.earcons import earcon
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.performance import LATE_SECONDS, TAIL_SECONDS, Performance
from narrator.table.session import Session
from narrator.table.witness import Witness

STANDARD = Setup(7, ruleset="standard", players=8, secrets=Secrets.JUDGE)
YES = Answer(Kind.YESNO, True)
TICK = pytest.approx(0, abs=2 * BLOCK_SECONDS)


def at_a_speech(folder: Path, speech_seconds: int = 60, bell: Bell | None = None) -> Evening:
    """A table where somebody has just been given the floor and nobody has said anything yet."""
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.JUDGE, speech_seconds=speech_seconds)
    evening = Evening(setup, folder, bell=bell, rests={"speech", "eject"})
    evening.until_asked("speech")
    return evening


# Taking turns


def test_the_lines_are_said_in_the_moderators_order(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests={"agree"})
    evening.until_asked("agree")
    meant = [effect.line for effect in Moderator(STANDARD).begin() if isinstance(effect, Say)]
    assert len(meant) > 1
    assert evening.log.order == [*meant, "?agree"]
    assert evening.log.silent == []


def test_nobody_is_listened_to_while_the_narrator_speaks(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.wait(0.5)
    assert evening.loudspeaker.playing
    evening.microphone.say("对")
    evening.until_asked("agree")
    evening.wait(3)
    assert evening.log.taken_ == []

    evening.microphone.say("对")
    assert evening.until_taken() == YES
    evening.until_asked("dealt")
    evening.wait(1)
    assert len(evening.fed) > 100
    assert evening.fed_while_playing == 0


def test_an_earcon_and_a_silence_come_before_the_microphone_opens(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.until_asked("agree")
    _, last = evening.loudspeaker.played[-1]
    assert last.tolist() == earcon("listen", evening.loudspeaker.rate).tolist()
    evening.until(lambda: bool(evening.fed))
    assert evening.fed[0] - evening.loudspeaker.silent_since >= TAIL_SECONDS - 1e-6


def test_the_microphone_shuts_as_soon_as_something_was_understood(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything())
    evening.until_asked("agree")
    evening.microphone.say("对")
    evening.until_taken()
    fed = len(evening.fed)
    evening.microphone.say("不对")
    evening.wait(1)
    assert (len(evening.fed), evening.log.taken_) == (fed, [YES])


def test_at_a_question_for_the_keypad_the_microphone_stays_shut(tmp_path: Path) -> None:
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.KEYPAD)
    evening = Evening(setup, tmp_path, rests={"who"})
    evening.until_asked("who")
    fed = len(evening.fed)
    evening.microphone.say("三号")
    evening.wait(5)
    assert len(evening.fed) == fed
    evening.keyboard.type("3")
    assert evening.until_taken() == Answer(Kind.SEAT, 3)


# Clips that don't come


def test_a_clip_that_never_comes_leaves_its_line_on_the_screen_and_the_game_goes_on(tmp_path: Path) -> None:
    bell = Bell()
    bell.never = Everything()
    evening = Evening(STANDARD, tmp_path, bell=bell)
    evening.wait(LATE_SECONDS - 0.5)
    assert evening.log.lines == []
    evening.wait(1)
    assert evening.log.lines == ["welcome"]
    assert evening.log.silent == ["欢迎来玩杀人游戏。"]
    evening.until_asked("dealt")
    # An earcon has no clip to wait for.
    assert evening.loudspeaker.played


def test_without_any_voice_a_whole_game_is_played_to_its_end(tmp_path: Path) -> None:
    bell = Bell()
    bell.never = Everything()
    evening = Evening(STANDARD, tmp_path, bell=bell)
    evening.play()
    assert evening.log.lines[-1] == "end.goodbye"
    assert evening.log.note("verdict").data["winner"]


def test_a_line_with_a_broken_piece_is_said_as_far_as_it_goes_and_shown_whole(tmp_path: Path) -> None:
    bell = Bell()
    bell.fails = {"警匪标准版，"}
    evening = Evening(STANDARD, tmp_path, bell=bell, rests=Everything())
    evening.until_asked("agree")
    (shown,) = evening.log.silent
    assert shown.startswith("警匪标准版，八个人，")
    _, said = evening.loudspeaker.played[-2]
    assert len(said) > 2 * Bell.SECONDS * evening.loudspeaker.rate


# The keyboard beside the voice


def test_an_answer_typed_into_a_line_cuts_it_short_and_counts(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.until(lambda: "lobby.agree" in evening.log.lines)
    evening.wait(0.5)
    assert evening.loudspeaker.playing
    evening.keyboard.type("对")
    evening.wait(1)
    assert evening.log.taken_ == [YES]


def test_lines_cut_before_they_began_are_still_shown_in_order(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.wait(0.5)
    assert evening.log.lines == ["welcome"]
    evening.keyboard.type("y")
    evening.until_taken(within=1)
    assert evening.log.order[:3] == ["welcome", "lobby.agree", "?agree"]


def test_answers_typed_ahead_go_to_one_question_each(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.keyboard.type("对", "好了", "好了")
    evening.until(lambda: len(evening.log.taken_) == 3, within=3)
    assert evening.log.taken_ == [YES, *[Answer(Kind.CHOICE, "ready")] * 2]


def test_an_empty_line_only_skips_what_is_being_said(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.wait(0.5)
    evening.keyboard.type("  ")
    evening.until_asked("agree", within=1)
    evening.wait(1)
    assert evening.log.taken_ == []


def test_a_typed_word_that_means_nothing_is_asked_for_again(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, ears=False, rests=Everything())
    evening.until_asked("agree")
    evening.keyboard.type("恐龙")
    assert evening.until_taken() == Unclear(Why.UNKNOWN)
    evening.until_asked("agree")
    assert "again" in evening.log.lines


def test_when_the_keyboard_is_gone_and_nobody_listens_the_evening_stops(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, ears=False, rests={"agree"})
    evening.keyboard.closed = True
    evening.session.run()
    assert evening.about == "agree"
    assert evening.log.lines[-1] == "end.goodbye"
    assert not evening.session.finished


def test_with_ears_the_game_goes_on_without_a_keyboard(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything())
    evening.keyboard.closed = True

    class Judge(Microphone):
        """Says yes to everything, until the cards are dealt."""

        def read(self):  # type: ignore[no-untyped-def]
            if evening.about == "agree":
                self.say("对")
            elif evening.about:
                self.say("法官结束游戏" if evening.about == "dealt" else "确定")
            return super().read()

    assert evening.ears is not None
    evening.session.microphone = evening.ears.microphone = Judge()
    evening.session.run()
    assert evening.session.over


def test_what_is_typed_is_hidden_from_the_moment_a_secret_is_asked_for(tmp_path: Path) -> None:
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.KEYPAD)
    evening = Evening(setup, tmp_path, ears=False, rests={"who", "confirm"})
    evening.until_asked("dealt")
    assert not evening.keyboard.hidden
    evening.until_taken()
    # While it is still being asked for, and between the two entries: the judge may be quick.
    while evening.about != "who":
        assert evening.keyboard.hidden
        evening.wait(BLOCK_SECONDS)
    evening.keyboard.type("3")
    evening.until_taken()
    while evening.about != "confirm":
        assert evening.keyboard.hidden
        evening.wait(BLOCK_SECONDS)
    assert evening.keyboard.hidden


def test_by_day_and_after_the_goodbye_what_is_typed_can_be_seen(tmp_path: Path) -> None:
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.KEYPAD)
    evening = Evening(setup, tmp_path, ears=False)
    evening.until_asked("speech")
    assert not evening.keyboard.hidden
    evening.play()
    assert not evening.keyboard.hidden


# Patience and timers


def test_silence_is_noticed_after_the_packs_patience(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything())
    evening.until_asked("agree")
    assert evening.until_taken() == Unclear(Why.SILENCE)
    ((_, opened, taken),) = evening.log.spans
    assert taken - opened - voice_pack().wait("patience") == TICK


def test_a_room_that_seems_to_be_empty_is_asked_ever_less_often_and_an_answer_ends_that(
    tmp_path: Path,
) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything())
    for _ in range(9):
        evening.until_asked("agree")
        evening.until_taken(within=125)
    waits = [round(taken - opened) for _, opened, taken in evening.log.spans]
    assert waits == [8, 8, 8, 8, 16, 32, 64, 120, 120]
    evening.until_asked("agree")
    evening.microphone.say("什么")
    assert isinstance(evening.until_taken(), Unclear)
    evening.until_asked("agree")
    assert evening.until_taken() == Unclear(Why.SILENCE)


def test_the_pace_scales_patience_too(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything(), pace=0.5)
    evening.until_asked("agree")
    evening.until_taken()
    ((_, opened, taken),) = evening.log.spans
    assert taken - opened - voice_pack().wait("patience") / 2 == TICK


def test_at_a_keyboard_alone_nobody_is_hurried(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, ears=False, rests=Everything())
    evening.until_asked("agree")
    evening.wait(300)
    assert (evening.about, evening.log.taken_) == ("agree", [])


def test_at_night_the_keypad_is_asked_for_again_so_that_no_wait_is_without_an_exit(tmp_path: Path) -> None:
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.KEYPAD)
    evening = Evening(setup, tmp_path, ears=False, rests={"who"})
    evening.until_asked("who")
    assert evening.until_taken(within=25) == Unclear(Why.SILENCE)
    evening.until_asked("who")


def test_talk_is_not_reported_as_misunderstood(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    before = len(evening.log.taken_), len(evening.log.heard_)
    for sentence in ("我觉得三号有点紧张", "三号出局", "我过去玩的时候", "投票"):
        evening.microphone.say(sentence)
        evening.wait(5)
    assert (len(evening.log.taken_), len(evening.log.heard_)) == before
    evening.microphone.say("过")
    assert evening.until_taken() == Answer(Kind.PASS, True)


def test_whoever_talks_is_not_asked_whether_that_was_all_but_whoever_falls_silent_is(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    for _ in range(4):
        evening.microphone.say("我是好人")
        evening.wait(voice_pack().wait("patience_speech") - 1)
    assert evening.about == "speech"
    assert evening.until_taken(within=1.2) == Unclear(Why.SILENCE)
    evening.until_asked("speech")
    assert evening.log.lines[-1] == "speech.done"


def test_the_judges_commands_reach_through_a_speech(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    evening.microphone.say("法官下一位")
    assert evening.until_taken() == Command("next")


def test_a_speech_is_timed_only_while_its_speaker_has_the_floor(tmp_path: Path) -> None:
    # Asked twice whether that was all, for a second and a half each: that time is not the speaker's.
    evening = at_a_speech(tmp_path, speech_seconds=30, bell=Bell())
    evening.until(lambda: Elapsed("limit") in evening.log.taken_)
    spans = [(opened, taken) for expect, opened, taken in evening.log.spans if expect.about == "speech"]
    assert len(spans) > 2
    assert sum(taken - opened for opened, taken in spans) - 30 == pytest.approx(0, abs=0.1)
    assert spans[-1][1] - spans[0][0] > 32


def test_a_speakers_clock_stands_while_the_judge_is_asked_back(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path, speech_seconds=20)
    evening.wait(5)
    evening.microphone.say("法官三号出局")
    evening.until_asked("eject")
    # The judge thinks for a minute and a half, far longer than the speech may last.
    for _ in range(10):
        evening.wait(9)
    evening.until_asked("eject")
    evening.microphone.say("不对")
    evening.until_asked("speech")
    evening.wait(4)
    evening.microphone.say("我还没说完")
    assert Elapsed("limit") not in evening.log.taken_
    evening.until(lambda: Elapsed("limit") in evening.log.taken_, within=12)
    own = [span for span in evening.log.spans if span[0].about == "speech"]
    assert sum(taken - opened for _, opened, taken in own) - 20 == pytest.approx(0, abs=0.1)


def test_the_next_speaker_gets_a_fresh_clock(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path, speech_seconds=20)
    evening.wait(8)
    evening.microphone.say("过")
    evening.until_asked("speech")
    evening.wait(8)
    evening.microphone.say("再想想")
    evening.wait(8)
    assert not any(isinstance(event, Elapsed) for event in evening.log.taken_)
    evening.until(lambda: Elapsed("limit") in evening.log.taken_, within=10)


# Those who watch


class _Watch(Witness):
    """Notes when inputs come and when what they cause begins."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def taken(self, event: Input) -> None:
        self.events.append("input")

    def noted(self, note: Note) -> None:
        self.events.append(note.what)

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self.events.append(say.line)


def test_an_input_is_handed_over_before_anything_comes_of_it(tmp_path: Path) -> None:
    watch = _Watch()
    evening = Evening(STANDARD, tmp_path, witnesses=(watch,), rests={"dealt"})
    evening.until_asked("dealt")
    agreed = watch.events.index("input")
    assert watch.events.index("lobby.agree") < agreed < watch.events.index("accepted")
    assert watch.events.index("accepted") < watch.events.index("game") < watch.events.index("deal.cards")


def test_an_evening_goes_on_where_another_session_left_it(tmp_path: Path) -> None:
    first = Moderator(STANDARD)
    first.begin()
    first.handle(YES)
    log, keyboard, speaker = Log(), Keyboard(), SilentLoudspeaker()
    session = Session(
        first,
        Microphone(),
        Performance(Mouth(voice_pack(), None, ClipCache(tmp_path), speaker.rate), speaker, (log,)),
        voice_pack(),
        phrasebook(),
        keyboard=keyboard,
        witnesses=(log,),
    )
    session.begin(first.resume_question())
    while log.question is None:
        session.tick(session.microphone.read())
    assert log.order == ["deal.ready_judge", "?dealt"]
    assert isinstance(log.question, Expect)
