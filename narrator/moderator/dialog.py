"""Asking one question until it is answered: reading back, confirming, repairing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from narrator.moderator.effects import Effect, Expect, Note, Say, Wait
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Certainty, Unclear, Why
from narrator.moderator.openquestion import OpenQuestion
from narrator.moderator.question import Accepted, Confirm, Question
from narrator.moderator.readback import asked_back, read_back

# After this many misses in a row the moderator says what can be said.
PATIENT_MISSES = 2

# What was answered can be taken back at every question.
TAKE_BACK = ("undo", "correct")

# At every question one may ask what can be said, and for another volume or tempo.
ANYWHERE = ("help", "louder", "softer", "faster", "slower")

EVER = (*TAKE_BACK, *ANYWHERE)


class Dialog:
    """The open question, and the questions it interrupted, innermost last.

    ``accepted`` is the answer that was accepted last. ``ever`` are the commands of every question.
    """

    def __init__(self, emit: Callable[[Effect], None], ever: tuple[str, ...] = EVER) -> None:
        self._emit = emit
        self._ever = ever
        self._stack: list[OpenQuestion] = []
        self.accepted: Accepted | None = None

    @property
    def expectation(self) -> Expectation | None:
        """What may be answered now; None when nothing is asked."""
        if not self._stack:
            return None
        return self._stack[-1].expected(self._ever)

    @property
    def waiting(self) -> bool:
        """Whether a question is open."""
        return bool(self._stack)

    @property
    def about(self) -> str:
        """The open question's name; empty when nothing is asked."""
        return self._stack[-1].question.about if self._stack else ""

    @property
    def depth(self) -> int:
        """How many questions are open: one, and those that interrupted it."""
        return len(self._stack)

    @property
    def base(self) -> object:
        """Something that stays the same for as long as the outermost open question does."""
        return self._stack[0] if self._stack else None

    @property
    def open(self) -> Question | None:
        """The open question."""
        return self._stack[-1].question if self._stack else None

    @property
    def unconfirmed(self) -> Accepted | None:
        """The answer that waits for its confirmation."""
        return self._stack[-1].unconfirmed if self._stack else None

    @property
    def unconfirmed_beneath(self) -> bool:
        """Whether the question that the open one interrupted has an answer that waits for confirmation."""
        return len(self._stack) > 1 and self._stack[-2].pending is not None

    def withdraw(self) -> None:
        """Forget the answer that waits for its confirmation, and ask again."""
        top = self._stack[-1]
        top.pending = None
        if top.question.renew is not None:
            self._renew(top)
        else:
            self.again()

    def ask(self, question: Question) -> None:
        """Put a question to the table."""
        if self._stack:
            self._stack[-1].interrupted = True
        self._stack.append(OpenQuestion(question))
        self._put(question.prompt)

    def drop(self) -> None:
        """Forget every open question."""
        self._stack.clear()

    def drop_top(self) -> None:
        """Forget the open question and come back to the one it interrupted."""
        self._stack.pop()

    @property
    def interrupted(self) -> bool:
        """Whether the open question was interrupted and has not been put again since."""
        return self._stack[-1].interrupted

    @property
    def floor(self) -> int | None:
        """The seat that has the floor, perhaps interrupted; None when nobody speaks."""
        return next((open_.floor for open_ in self._stack if open_.floor is not None), None)

    def return_to_interrupted(self) -> None:
        """Listen for the interrupted question again: in silence for a speaker, else with its short prompt."""
        top = self._stack[-1]
        top.interrupted = False
        if top.question.expectation.kind is Kind.PASS:
            self.reopen()
        else:
            self.again()

    def again(self) -> None:
        """Put the open question (or its confirmation) once more."""
        top = self._stack[-1]
        if top.pending is not None:
            self._ask_back(top)
        else:
            self._put(top.question.short if top.question.short is not None else top.question.prompt)

    def repeat(self) -> None:
        """Put the open question (or its confirmation) in full."""
        top = self._stack[-1]
        if top.pending is not None:
            self._ask_back(top)
        else:
            self._put(top.question.prompt)

    def reopen(self) -> None:
        """Listen for the same answer again without another word of prompting."""
        top = self._stack[-1]
        question = top.question
        params = dict(question.params)
        about = question.about
        if top.pending is not None:
            about, params = "confirm", {**params, "of": question.about}
            value = top.pending.value
            # A secret typed blind is told to nobody, not even with the request to type it again.
            if value is not None and question.confirm is not Confirm.TWICE:
                params["value"] = value
        holds = len(self._stack) > 1
        self._emit(Expect(top.expected(self._ever), about, params, question.patience, holds, top.unheard))

    def take(self, answer: Answer) -> bool:
        """Take an answer; True when the open question is settled and its ``then`` has run."""
        top = self._stack[-1]
        expected = top.expected(self._ever)
        further = answer.kind is Kind.CHOICE and answer.value in expected.choices
        if (answer.kind != expected.kind or answer.kind is Kind.CHOICE) and not further:
            self.miss(Unclear(Why.UNKNOWN))
            return False
        if top.pending is not None:
            return self._take_confirmation(top, answer)
        question = top.question
        reason = question.refuse(answer.value) if question.refuse else None
        if reason is not None:
            if question.quiet_refusal:
                self.miss(Unclear(Why.UNKNOWN))
            else:
                self._emit(reason)
                self.reopen()
            return False
        unsure = answer.certainty is Certainty.DOUBTFUL or answer.value in top.denied
        if question.confirm is Confirm.AGAIN and unsure and not top.hesitant:
            top.hesitant = True
            self.again()
            return False
        doubtful = question.confirm is Confirm.DOUBTFUL and unsure
        if doubtful or question.confirm in (Confirm.ALWAYS, Confirm.TWICE):
            top.pending = replace(answer, certainty=Certainty.CLEAR)
            top.hesitant = False
            top.misses = 0
            self._ask_back(top)
            return False
        return self._settle(top, answer)

    def miss(self, unclear: Unclear) -> bool:
        """Nothing usable came: ask again, shortly; after a few times say what can be said.

        True when the silence counts as an answer, which has settled the question.
        """
        top = self._stack[-1]
        if unclear.why is Why.SILENCE and top.question.lapse is not None:
            return self._settle(top, top.question.lapse)
        self._missed(top, unclear)
        return False

    def _missed(self, top: OpenQuestion, unclear: Unclear) -> None:
        question = top.question
        top.unheard = top.unheard + 1 if unclear.why is Why.SILENCE else 0
        if top.pending is not None:
            if unclear.why is not Why.SILENCE:
                top.misses += 1
                help_ = question.help if question.confirm is Confirm.TWICE else Say("help.yesno")
                self._emit(help_ if top.misses > PATIENT_MISSES else question.again)
            self._ask_back(top)
            return
        top.misses += 1
        if unclear.why is Why.SILENCE:
            self.again()
            return
        if question.renew is not None:
            self._renew(top)
            return
        if top.misses > PATIENT_MISSES:
            self._emit(question.help)
        else:
            self._emit(question.again)
        self.reopen()

    def _take_confirmation(self, top: OpenQuestion, answer: Answer) -> bool:
        assert top.pending is not None
        question = top.question
        if question.confirm is Confirm.TWICE:
            if answer.value == top.pending.value:
                return self._settle(top, top.pending)
            top.pending = None
            self._emit(Say("keypad.differs"))
            self.again()
            return False
        if answer.value is True:
            # What may have been a no agrees to nothing, unless it comes twice.
            if answer.certainty is Certainty.DOUBTFUL and not top.hesitant:
                top.hesitant = True
                self._ask_back(top)
                return False
            return self._settle(top, top.pending)
        denied, top.pending = top.pending, None
        if question.renew is not None:
            self._renew(top)
        else:
            # What may have been a yes denies nothing: it is only asked again.
            if answer.certainty is Certainty.CLEAR:
                top.denied.append(denied.value)
            self._emit(question.again)
            self.reopen()
        return False

    def _renew(self, top: OpenQuestion) -> None:
        assert top.question.renew is not None
        top.question = top.question.renew()
        top.pending = None
        self._put(top.question.prompt)

    def _settle(self, top: OpenQuestion, answer: Answer) -> bool:
        question = top.question
        self._stack.pop()
        value = answer.value
        private = question.expectation.private
        self.accepted = Accepted(question, answer)
        self._emit(
            Note("accepted", {**question.params, "about": question.about, "value": value, "private": private})
        )
        for line in read_back(question, answer):
            self._emit(line)
        question.then(value)
        return True

    def _ask_back(self, top: OpenQuestion) -> None:
        assert top.pending is not None
        self._emit(asked_back(top.question, top.pending))
        self.reopen()

    def _put(self, prompt: tuple[Say | Wait, ...]) -> None:
        for effect in prompt:
            self._emit(effect)
        self.reopen()
