"""The lobby: which game, how many players, how secrets are kept; then the cards are dealt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from narrator.moderator.desk import Desk
from narrator.moderator.effects import Say, Value
from narrator.moderator.evening import Agreement, DayNotes, Draft, NightNotes, Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.ownrules import changed
from narrator.moderator.question import Confirm, Question
from narrator.moderator.secrets import SecretQuestions
from narrator.moderator.sounds import WORDING_COMMANDS
from narrator.rules.custom import written
from narrator.rules.game import Game
from narrator.rules.library import Library
from narrator.rules.ruleset import Ruleset

LOBBY_COMMANDS = (
    *("repeat", "stop", "pause", "own_rules", "guide", "voice", *WORDING_COMMANDS, "backdrop", "sound_check"),
)
_WHILE_DEALING = ("repeat", "stop", "pause")


class Lobby:
    """Asks for the table's wishes one at a time and reads them back before anything is dealt."""

    def __init__(self, desk: Desk, secrets: SecretQuestions) -> None:
        self.desk = desk
        self.secrets = secrets

    @property
    def library(self) -> Library:
        """Every ruleset this table can choose from."""
        return self.desk.evening.setup.library

    # Conditions

    def has_previous(self) -> bool:
        """A table of last time is known, can be had again, and nothing was fixed at the start."""
        setup = self.desk.evening.setup
        if setup.previous is None or not setup.can_keep(setup.previous.secrets):
            return False
        return not (setup.ruleset or setup.players or setup.secrets)

    def taken_over(self) -> bool:
        """The previous table was taken over with one word."""
        return self.desk.evening.draft.taken_over

    def agreed(self) -> bool:
        """The table said yes to what was read back."""
        return self.desk.evening.draft.agreed

    # States

    def offer_previous(self) -> None:
        """Offer the table of last time."""
        previous = self.desk.evening.setup.previous
        assert previous is not None
        self.desk.say("welcome")

        def take(yes: bool) -> None:
            if yes:
                self.desk.evening.draft = Draft(
                    previous.ruleset,
                    previous.players,
                    previous.secrets,
                    previous.knobs,
                    taken_over=True,
                    wants_own_rules=self.desk.evening.draft.wants_own_rules,
                )

        offer = Say(
            "lobby.previous",
            {"ruleset": previous.ruleset, "players": previous.players, "secrets": previous.secrets.value},
        )
        self._ask("previous", _expected(Kind.YESNO), offer, take, Say("help.yesno"))

    def ask_players(self) -> None:
        """Ask how many play."""
        evening = self.desk.evening
        if evening.draft == Draft() and not self.has_previous():
            # Not again when the table starts over or wants to change something.
            self.desk.say("welcome")
        setup, wish = evening.setup, evening.draft.wants_own_rules
        secrets = setup.secrets if setup.secrets and setup.can_keep(setup.secrets) else None
        evening.draft = Draft(setup.ruleset, secrets=secrets, knobs=setup.knobs, wants_own_rules=wish)
        if setup.players is not None:
            evening.draft.players = setup.players
            return
        fixed = self._offered()
        low, high = min(r.fewest for r in fixed), max(r.most for r in fixed)

        def refuse(players: int) -> Say | None:
            if any(players in ruleset.deals for ruleset in fixed):
                return None
            return Say("lobby.players_unfit", {"players": players, "low": low, "high": high})

        def take(players: int) -> None:
            evening.draft.players = players

        self.desk.dialog.ask(
            Question(
                "players",
                _expected(Kind.PLAYERS),
                (Say("lobby.players"),),
                take,
                refuse=refuse,
                help=Say("help.players"),
            )
        )

    def ask_ruleset(self) -> None:
        """Offer the rulesets that fit; a single one is only named."""
        draft = self.desk.evening.draft
        assert draft.players is not None
        fitting = self.library.fitting(draft.players)
        if draft.ruleset is not None:
            return
        if len(fitting) == 1:
            draft.ruleset = fitting[0].id
            self.desk.say("lobby.only_ruleset", players=draft.players, ruleset=draft.ruleset)
            return

        def take(choice: str) -> None:
            draft.ruleset = choice.removeprefix("ruleset.")

        choices = tuple(f"ruleset.{r.id}" for r in fitting)
        prompt = Say("lobby.ruleset", {"players": draft.players, "rulesets": tuple(r.id for r in fitting)})
        self._ask("ruleset", _expected(Kind.CHOICE, choices), prompt, take, prompt)

    def ask_secrets(self) -> None:
        """Ask how the judge answers secret questions; where nothing can be typed he can't by keypad."""
        setup, draft = self.desk.evening.setup, self.desk.evening.draft
        if draft.secrets is not None:
            return
        ways = {f"secrets.{way.value}": way for way in Secrets}

        def take(choice: str) -> None:
            draft.secrets = ways[choice]

        def refuse(choice: str) -> Say | None:
            return None if setup.can_keep(ways[choice]) else Say("refuse.not_now")

        self._ask(
            "secrets",
            _expected(Kind.CHOICE, tuple(ways)),
            Say("lobby.secrets"),
            take,
            Say("help.secrets"),
            refuse=refuse,
        )

    def ask_agreement(self) -> None:
        """Read the table back and ask whether it is right."""
        evening = self.desk.evening
        draft = evening.draft
        assert draft.ruleset
        assert draft.players
        assert draft.secrets
        draft.agreed = False
        chosen = self.library.chosen(draft.ruleset, draft.knobs, draft.players)
        table: dict[str, Value] = {
            "ruleset": draft.ruleset,
            "players": draft.players,
            "deal": tuple(chosen.deal(draft.players).items()),
            "secrets": draft.secrets.value,
        }
        changes = changed(chosen)
        prompt = [Say("lobby.agree", table)]
        if changes:
            prompt = [Say("lobby.table", table), Say("lobby.changes"), *changes, Say("lobby.right")]

        def take(yes: bool) -> None:
            draft.agreed = yes
            if yes:
                assert draft.ruleset
                assert draft.players
                assert draft.secrets
                evening.agreement = Agreement(draft.ruleset, draft.players, draft.secrets, draft.knobs)
            else:
                # What was fixed at the start is open again: the table has said it is wrong.
                evening.setup = evening.setup.without_presets()

        self._ask("agree", _expected(Kind.YESNO), prompt, take, Say("help.agree"))

    def deal(self) -> None:
        """Start a game: name the cards, have them dealt, wait for the judge's 好了."""
        desk, evening = self.desk, self.desk.evening
        table = evening.table
        chosen = self.library.chosen(table.ruleset, table.knobs, table.players)
        evening.number += 1
        if evening.number > evening.setup.first_game:
            evening.barred = evening.first_victim
        evening.first_victim = None
        at_this_table = evening.barred in range(1, table.players + 1)
        evening.game = Game(
            ruleset=chosen,
            players=table.players,
            roles=None,
            right_hand=evening.setup.right_hand,
            number=evening.number,
            barred=None if chosen.repeat_first_victim or not at_this_table else evening.barred,
        )
        evening.night, evening.day, evening.verdict = NightNotes(), DayNotes(), None
        evening.warnings.clear()
        desk.note(
            "game",
            number=evening.number,
            ruleset=table.ruleset,
            players=table.players,
            secrets=table.secrets.value,
            **({"knobs": written(table.knobs)} if table.knobs else {}),
        )
        self.secrets.open_game()
        deal = tuple(chosen.deal(table.players).items())
        desk.say("deal.cards", players=table.players, deal=deal)
        for role, count in deal:
            if count and role in chosen.day.card_of:
                desk.say("deal.card", card=chosen.day.card_of[role], role=role)
        desk.say("deal.draw")
        desk.say("deal.seats_right" if evening.setup.right_hand == 1 else "deal.seats_left")
        if evening.game.barred is not None:
            desk.say("deal.barred", seat=evening.game.barred)
        self._ask(
            "dealt",
            Expectation(Kind.CHOICE, ("ready",), commands=_WHILE_DEALING),
            Say(f"deal.ready_{table.secrets.value}"),
            lambda _: None,
            Say("help.ready"),
            patience="patience_deal",
            short=Say("deal.ready_again"),
        )

    def _offered(self) -> tuple[Ruleset, ...]:
        """The ruleset that was fixed beforehand, with its own rules, or all of them."""
        draft = self.desk.evening.draft
        if draft.ruleset is None:
            return self.library.all()
        return (self.library.chosen(draft.ruleset, draft.knobs),)

    def _ask(
        self,
        about: str,
        expectation: Expectation,
        prompt: Say | Sequence[Say],
        then: Callable[[Any], None],
        help_line: Say,
        patience: str = "patience",
        short: Say | None = None,
        refuse: Callable[[Any], Say | None] | None = None,
    ) -> None:
        self.desk.dialog.ask(
            Question(
                about,
                expectation,
                (prompt,) if isinstance(prompt, Say) else tuple(prompt),
                then,
                short=(short,) if short else None,
                refuse=refuse,
                help=help_line,
                confirm=Confirm.DOUBTFUL,
                patience=patience,
            )
        )


def _expected(kind: Kind, choices: tuple[str, ...] = ()) -> Expectation:
    return Expectation(kind, choices, commands=LOBBY_COMMANDS, at_ease=True)
