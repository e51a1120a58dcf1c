"""The night: each role wakes, acts in secret and sleeps, whether or not anyone still holds it."""

from __future__ import annotations

from narrator.moderator.codesheet import hint_row
from narrator.moderator.desk import AT_NIGHT, Desk
from narrator.moderator.effects import Say
from narrator.moderator.evening import DayNotes, NightNotes, Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Confirm, Question
from narrator.moderator.secrets import SecretQuestions
from narrator.rules.game import Game
from narrator.rules.night import hint, may_choose


class Night:
    """Walks the ruleset's night order; what is said depends on the night and the step, never on secrets."""

    def __init__(self, desk: Desk, secrets: SecretQuestions) -> None:
        self.desk = desk
        self.secrets = secrets

    # Conditions

    def roles_to_learn(self) -> bool:
        """First night, and the program keeps the roles: some holders of the waking role are still unknown."""
        if self._kept_by_judge() or self.desk.evening.game.round > 1:
            return False
        return self._unlearned() > 0

    def step_has_act(self) -> bool:
        """This role does something, and doesn't only show itself to the judge."""
        return self.desk.evening.step.act is not None

    def role_acts_again(self) -> bool:
        """The same role has another act before it sleeps."""
        evening = self.desk.evening
        steps, now = evening.ruleset.tonight(evening.game.round), evening.night.step
        return now + 1 < len(steps) and steps[now + 1].role == steps[now].role

    def step_has_hint(self) -> bool:
        """After this role's choice the judge answers with a gesture."""
        return self.desk.evening.step.hint is not None

    def step_left(self) -> bool:
        """Another role has yet to wake tonight."""
        evening = self.desk.evening
        return evening.night.step < len(evening.ruleset.tonight(evening.game.round))

    # States

    def fall(self) -> None:
        """Night falls."""
        desk, evening = self.desk, self.desk.evening
        evening.night, evening.day = NightNotes(learned=evening.night.learned), DayNotes()
        desk.note("night", round=evening.game.round)
        desk.sound("nightfall")
        desk.say("night.falls")
        desk.wait("eyes_close")

    def wake(self) -> None:
        """Call the next role, dead or alive, with the same words."""
        evening, role = self.desk.evening, self.desk.evening.step.role
        self.desk.say("night.wake", role=role)
        if evening.game.round == 1:
            partners = self._dealt(role) > 1
            self.desk.say("night.recognise" if partners else "night.be_seen", role=role)
            self.desk.wait("recognise")

    def ask_holder(self) -> None:
        """First night: who holds the waking role, one seat at a time."""
        evening = self.desk.evening
        role = evening.step.role
        index = sum(1 for learned, _ in evening.night.learned if learned == role) + 1
        taken = {seat for _, seat in evening.night.learned}

        def forbidden(seat: int | None) -> bool:
            return seat not in evening.game.seats or seat in taken

        def take(seat: int | None) -> None:
            assert seat is not None
            evening.night.learned.append((role, seat))
            self._fix_roles()

        self.secrets.ask_seat(
            "who",
            f"n1.{role}.who{index}",
            Say("night.who", {"role": role, "nth": index})
            if self._dealt(role) > 1
            else Say("night.who_only", {"role": role}),
            take,
            forbidden,
            role=role,
            index=index,
        )

    def ask_choice(self) -> None:
        """Whom the waking role chooses."""
        evening = self.desk.evening
        step, night = evening.step, evening.game.round
        act = step.act
        assert act is not None
        prompt = Say(f"night.{act}", {"role": step.role})
        if self._kept_by_judge():
            self.desk.dialog.ask(
                Question(
                    "noted",
                    Expectation(Kind.CHOICE, ("ready",), commands=AT_NIGHT),
                    (prompt, Say("night.noted")),
                    lambda _: None,
                    params={"role": step.role, "act": act, "night": night},
                    short=(Say("night.noted"),),
                    help=Say("help.ready"),
                    confirm=Confirm.NEVER,
                    patience="patience_night",
                )
            )
            return

        def take(seat: int | None) -> None:
            evening.night.choices[act] = seat

        self.secrets.ask_seat(
            "act",
            f"n{night}.{step.role}.{act}",
            prompt,
            take,
            lambda seat: may_choose(self._known(), step, seat, evening.night.choices) is not None,
            role=step.role,
            act=act,
            night=night,
        )

    def give_hint(self) -> None:
        """Tell the judge by code, or not at all, which gesture answers the check; wait until it is given."""
        evening = self.desk.evening
        step, night = evening.step, evening.game.round
        assert step.hint is not None
        row = hint_row(night, step.role, step.hint)
        answer = None if self._kept_by_judge() else hint(self._known(), step, evening.night.choices)
        code = self.secrets.give_hint(row, answer)
        prompt = Say("night.hint") if code is None else Say("night.hint_code", {"code": code})
        self.desk.dialog.ask(
            Question(
                "hint",
                Expectation(Kind.CHOICE, ("ready",), commands=AT_NIGHT),
                (prompt,),
                lambda _: None,
                params={"role": step.role, "night": night, **({} if code is None else {"code": code})},
                # Nothing depends on it but the pace.
                confirm=Confirm.NEVER,
                patience="patience_night",
                help=Say("help.ready"),
            )
        )

    def sleep(self) -> None:
        """Send the role back to sleep."""
        self.desk.say("night.sleep", role=self.desk.evening.step.role)
        self.desk.wait("eyes_close")
        self.desk.evening.night.step += 1

    def next_act(self) -> None:
        """The role stays awake for its next act."""
        self.desk.evening.night.step += 1

    # Helpers

    def _dealt(self, role: str) -> int:
        evening = self.desk.evening
        return evening.ruleset.deal(evening.table.players)[role]

    def _known(self) -> Game:
        """The game with the roles of those who have woken so far; the judge may keep all to himself."""
        evening = self.desk.evening
        if evening.game.roles is not None or self._kept_by_judge():
            return evening.game
        return evening.game.completed({seat: role for role, seat in evening.night.learned})

    def _kept_by_judge(self) -> bool:
        return self.secrets.way is Secrets.JUDGE

    def _unlearned(self) -> int:
        evening = self.desk.evening
        role = evening.step.role
        return self._dealt(role) - sum(1 for learned, _ in evening.night.learned if learned == role)

    def _fix_roles(self) -> None:
        """Once every role that wakes is told, the rest are what is left of the deal."""
        evening = self.desk.evening
        deal = dict(evening.ruleset.deal(evening.table.players))
        waking = {step.role for step in evening.ruleset.night}
        if len(evening.night.learned) < sum(deal[role] for role in waking):
            return
        roles = {seat: role for role, seat in evening.night.learned}
        rest = [role for role, count in deal.items() if role not in waking for _ in range(count)]
        unknown = [seat for seat in range(1, evening.table.players + 1) if seat not in roles]
        roles.update(zip(unknown, rest, strict=True))
        evening.game = evening.game.with_roles(roles)
