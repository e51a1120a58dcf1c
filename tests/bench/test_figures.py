"""What is counted, and where a voice ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sounds import RATE, silence, tone

from narrator.ears.sound import BLOCK
from narrator.ears.voicing import level
from narrator.heard import Heard
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command, Unclear, Why
from narrator.rehearsal.bench import Outcome, Verdict, voice_end
from narrator.rehearsal.figures import fine, hearing_figures, memory, speed_figures
from narrator.rehearsal.trials import Trial
from narrator.table.hearing import Hearing

THREE = Answer(Kind.SEAT, 3)


def outcome(
    verdict: Verdict,
    name: str = "三号.wav",
    kind: str = "seat",
    meaning: Answer | None = THREE,
    hearing: Hearing | None = None,
    latency: float | None = None,
) -> Outcome:
    trial = Trial(Path(name), name, kind, name.split(".")[0], meaning)
    heard = hearing or Hearing(Unclear(Why.UNKNOWN), None)
    return Outcome(trial, verdict, heard, latency, audio=2.0, busy=0.05)


def levels(*parts: np.ndarray) -> list[float]:
    samples = (np.concatenate(parts) * 32767).astype(np.int16)
    return [level(samples[start : start + BLOCK]) for start in range(0, len(samples) - BLOCK + 1, BLOCK)]


def test_shares_are_counted_for_each_kind_of_question() -> None:
    figures = hearing_figures(
        [
            outcome(Verdict.RIGHT, "a", latency=0.4),
            outcome(Verdict.RIGHT, "b", latency=0.5),
            outcome(Verdict.ASKED_RIGHT, "c", latency=0.6),
            outcome(Verdict.NOTHING, "d"),
            outcome(Verdict.WRONG, "e", kind="votes", latency=0.9),
        ]
    )
    seat, votes = figures["kinds"]["seat"], figures["kinds"]["votes"]
    assert (seat["trials"], seat["right"], seat["asked_right"], seat["nothing"]) == (4, 2, 1, 1)
    assert seat["shares"] == {
        "right": 0.5,
        "asked_right": 0.25,
        "asked_wrong": 0,
        "wrong": 0,
        "nothing": 0.25,
    }
    assert seat["latency_ms"] == {"p50": 500, "p95": 590}
    assert (votes["wrong"], votes["shares"]["wrong"]) == (1, 1.0)
    assert figures["latency_ms"]["p50"] == 550
    assert (figures["recordings"], figures["trials"], figures["audio_s"]) == (5, 5, 10.0)
    assert figures["oov"] == {}


def test_what_must_give_nothing_is_counted_apart_and_doesnt_wait() -> None:
    figures = hearing_figures(
        [
            outcome(Verdict.NOTHING, "oov_1", meaning=None),
            outcome(Verdict.ASKED_WRONG, "oov_2", meaning=None, latency=9.0),
            outcome(Verdict.WRONG, "oov_3", meaning=None, latency=9.0),
            outcome(Verdict.NOTHING, "oov_4", meaning=None),
        ]
    )
    assert figures["oov"]["seat"] == {
        "trials": 4,
        "nothing": 2,
        "asked": 1,
        "accepted": 1,
        "shares": {"nothing": 0.5, "asked": 0.25, "accepted": 0.25},
    }
    assert figures["kinds"] == {}
    assert figures["latency_ms"] == {"p50": None, "p95": None}


def test_false_stops_are_counted_by_the_hour() -> None:
    stops = (Heard("过", endpoint=1.0), Heard("完毕", endpoint=2.5))
    talk = Hearing(Answer(Kind.PASS, True), stops[0], stops)
    figures = hearing_figures([outcome(Verdict.WRONG, "oov_talk", kind="pass", meaning=None, hearing=talk)])
    assert figures["oov"]["pass"]["stops"] == 2
    assert figures["oov"]["pass"]["stops_per_hour"] == 3600.0
    assert figures["mistakes"][0]["understood"] == ["过 1.00 s", "完毕 2.50 s"]


def test_mistakes_are_listed_the_worst_first() -> None:
    heard = Heard("七号", confidence=0.81)
    figures = hearing_figures(
        [
            outcome(Verdict.RIGHT, "a"),
            outcome(Verdict.ASKED_RIGHT, "b"),
            outcome(Verdict.NOTHING, "c"),
            outcome(Verdict.WRONG, "一号", hearing=Hearing(Answer(Kind.SEAT, 7), heard)),
            outcome(Verdict.WRONG, "d", hearing=Hearing(Command("eject", seat=3), heard)),
            outcome(Verdict.WRONG, "e", hearing=Hearing(Answer(Kind.SEAT, None), heard)),
        ]
    )
    mistakes = figures["mistakes"]
    assert [mistake["verdict"] for mistake in mistakes] == [
        "wrong",
        "wrong",
        "wrong",
        "nothing",
        "asked_right",
    ]
    assert mistakes[0] == {
        "file": "一号",
        "kind": "seat",
        "expected": "一号",
        "verdict": "wrong",
        "understood": 7,
        "text": "七号",
        "confidence": 0.81,
    }
    assert [mistake["understood"] for mistake in mistakes[1:4]] == ["eject 3", "none", None]


def test_nothing_is_fine_only_where_nothing_was_to_be_understood() -> None:
    assert fine(outcome(Verdict.NOTHING, meaning=None))
    assert not fine(outcome(Verdict.NOTHING))
    assert fine(outcome(Verdict.RIGHT))


def test_speed_is_processor_time_for_a_second_of_sound() -> None:
    figures = speed_figures([outcome(Verdict.RIGHT), outcome(Verdict.RIGHT)], model_load_s=0.25)
    assert figures["real_time_factor"] == 0.025
    assert figures["model_load_s"] == 0.25
    assert 10 < figures["rss_mb"] <= figures["peak_mb"]


def test_memory_is_read_from_the_system_where_it_tells(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text("Name:\tnarrator\nVmHWM:\t  200000 kB\nVmRSS:\t  100000 kB\n")
    assert memory(status) == (102.4, 204.8)
    assert memory(tmp_path / "none") == (None, None)


@pytest.mark.parametrize("noise", [0.0, 0.002, 0.01])
def test_a_voice_ends_where_it_no_longer_stands_out(noise: float) -> None:
    rng = np.random.default_rng(1)
    sound = np.concatenate([silence(0.5), tone(0.6), silence(0.4)])
    found = voice_end(levels(sound + rng.standard_normal(len(sound)) * noise))
    assert found == pytest.approx(1.1, abs=0.02)


def test_a_recording_cut_at_the_word_ends_with_it() -> None:
    assert voice_end(levels(tone(0.6))) == pytest.approx(0.6, abs=0.001)


def test_a_soft_ending_still_belongs_to_the_voice() -> None:
    assert voice_end(levels(silence(0.2), tone(0.4), tone(0.2, 0.02), silence(0.5))) == pytest.approx(0.8)


def test_where_there_is_no_voice_there_is_no_end_of_it() -> None:
    assert voice_end([]) is None
    assert voice_end(levels(silence(1.0))) is None
    assert RATE % BLOCK == 0
