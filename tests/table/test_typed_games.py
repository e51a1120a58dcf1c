"""Whole games at a keyboard alone: no ears, no voice, every line read from the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles import Evening, script_of

from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Unclear


@pytest.mark.parametrize("digits", [False, True], ids=["words", "digits"])
@pytest.mark.parametrize("secrets", list(Secrets))
@pytest.mark.parametrize(
    ("ruleset", "players", "seed", "winner"),
    [("standard", 8, 3, "good"), ("classic", 11, 2, "killers"), ("classic", 11, 3, "draw")],
)
def test_a_whole_game_is_typed_to_the_verdict_its_players_choices_mean(
    ruleset: str, players: int, seed: int, winner: str, secrets: Secrets, digits: bool, tmp_path: Path
) -> None:
    setup = Setup(3, ruleset=ruleset, players=players, secrets=secrets)
    script = script_of(setup, seed)
    evening = Evening(setup, tmp_path, ears=False, script=script, digits=digits)
    evening.play()
    script.settle()

    assert script.verdict is not None
    assert evening.log.note("verdict").data["winner"] == script.verdict.winner == winner
    assert evening.log.lines[-1] == "end.goodbye"
    # Whatever the phrase file offers is understood as it was meant, the first time.
    assert not [event for event in evening.log.taken_ if isinstance(event, Unclear)]
    typed = [text for _, text in evening.typist.typed]
    assert any(text.isdigit() for text in typed) == digits
    assert "过" in "".join(typed)


def test_the_lobby_is_answered_in_any_script_and_width(tmp_path: Path) -> None:
    known = Setup(3, ruleset="standard", players=12, secrets=Secrets.JUDGE)
    evening = Evening(Setup(3), tmp_path, ears=False, script=script_of(known), rests={"players", "ruleset"})
    evening.until_asked("players")
    evening.keyboard.type("５")
    evening.until_taken()
    evening.until_asked("players")
    assert "lobby.players_unfit" in evening.log.lines
    evening.keyboard.type("１２個人")
    evening.until_asked("ruleset")
    evening.keyboard.type(" 標準版！")
    evening.until_asked("dealt")
    game = evening.log.note("game").data
    assert (game["ruleset"], game["players"]) == ("standard", 12)
