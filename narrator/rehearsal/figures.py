"""The figures of a bench: counts, shares, waiting times, speed and memory, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from narrator.heard import Heard
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Command, Unclear
from narrator.rehearsal.bench import Outcome, Verdict
from narrator.table.hearing import KINDS

_WORST_FIRST = (Verdict.WRONG, Verdict.ASKED_WRONG, Verdict.NOTHING, Verdict.ASKED_RIGHT, Verdict.RIGHT)


def hearing_figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What was heard; the same recordings, model and seed give the same figures.

    ``kinds``: answers by kind, with counts and shares of each verdict and the waiting times. ``oov``:
    sounds that must give nothing, by the kind of question they were put to. ``mistakes``: every trial that
    wasn't right, the worst first.
    """
    known = [outcome for outcome in outcomes if outcome.trial.meaning is not None]
    foreign = [outcome for outcome in outcomes if outcome.trial.meaning is None]
    faulty = [outcome for outcome in outcomes if not fine(outcome)]
    return {
        "recordings": len({outcome.trial.file for outcome in outcomes}),
        "trials": len(outcomes),
        "audio_s": round(sum(outcome.audio for outcome in outcomes), 2),
        "latency_ms": _waiting(known),
        "kinds": {kind: _answers(chosen) for kind, chosen in _by_kind(known)},
        "oov": {kind: _foreign(kind, chosen) for kind, chosen in _by_kind(foreign)},
        "mistakes": [
            _mistake(outcome) for outcome in sorted(faulty, key=lambda each: _WORST_FIRST.index(each.verdict))
        ],
    }


def speed_figures(outcomes: Sequence[Outcome], model_load_s: float) -> dict[str, Any]:
    """How much of the computer it took: these differ from run to run.

    ``real_time_factor``: processor seconds for a second of sound. Memory in MB of a million bytes.
    """
    audio = sum(outcome.audio for outcome in outcomes)
    busy = sum(outcome.busy for outcome in outcomes)
    resident, peak = memory()
    return {
        "real_time_factor": round(busy / audio, 4) if audio else None,
        "busy_s": round(busy, 3),
        "model_load_s": round(model_load_s, 3),
        "rss_mb": resident,
        "peak_mb": peak,
    }


def fine(outcome: Outcome) -> bool:
    """Whether it went as it should: the right answer, or nothing where nothing was to be understood."""
    wanted = Verdict.NOTHING if outcome.trial.meaning is None else Verdict.RIGHT
    return outcome.verdict is wanted


def memory(status: Path = Path("/proc/self/status")) -> tuple[float | None, float | None]:
    """This process's resident memory in MB, now and at its highest; ``None``: not told."""
    try:
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    except OSError:
        return None, None
    return _megabytes(lines.get("VmRSS")), _megabytes(lines.get("VmHWM"))


def _megabytes(value: str | None) -> float | None:
    return None if value is None else round(int(value.split()[0]) * 1024 / 1e6, 1)


def _by_kind(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
    chosen = [(kind, [each for each in outcomes if each.trial.kind == kind]) for kind in KINDS]
    return [(kind, some) for kind, some in chosen if some]


def _answers(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    return {"trials": len(outcomes), **_counts(outcomes, list(Verdict)), "latency_ms": _waiting(outcomes)}


def _foreign(kind: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    # Where nothing is right, an answer acted upon is a false accept whatever it was.
    names = {Verdict.NOTHING: "nothing", Verdict.ASKED_WRONG: "asked", Verdict.WRONG: "accepted"}
    figures = {"trials": len(outcomes), **_counts(outcomes, list(names), names)}
    if kind == Kind.PASS:
        hours = sum(outcome.audio for outcome in outcomes) / 3600
        stops = sum(len(outcome.hearing.stops) for outcome in outcomes)
        per_hour = round(stops / hours, 2) if hours else None
        figures |= {"hours": round(hours, 4), "stops": stops, "stops_per_hour": per_hour}
    return figures


def _counts(
    outcomes: Sequence[Outcome], verdicts: Sequence[Verdict], names: dict[Verdict, str] | None = None
) -> dict[str, Any]:
    counts = {
        names[verdict] if names else verdict.value: sum(each.verdict is verdict for each in outcomes)
        for verdict in verdicts
    }
    return {**counts, "shares": {name: round(count / len(outcomes), 4) for name, count in counts.items()}}


def _waiting(outcomes: Sequence[Outcome]) -> dict[str, int | None]:
    """Milliseconds of the recordings' own time from the end of the voice to the declared end."""
    times = [outcome.latency * 1000 for outcome in outcomes if outcome.latency is not None]
    return {f"p{rank}": round(float(np.percentile(times, rank))) if times else None for rank in (50, 95)}


def _mistake(outcome: Outcome) -> dict[str, Any]:
    heard = outcome.hearing.heard
    return {
        "file": outcome.trial.name,
        "kind": outcome.trial.kind,
        "expected": None if outcome.trial.meaning is None else outcome.trial.text,
        "verdict": outcome.verdict.value,
        "understood": _understood(outcome),
        "text": heard.text if heard else "",
        "confidence": round(heard.confidence, 3) if heard else None,
    }


def _understood(outcome: Outcome) -> object:
    if outcome.trial.kind == Kind.PASS:
        return [_moment(heard) for heard in (*outcome.hearing.stops, *outcome.hearing.commands)] or None
    meaning = outcome.hearing.meaning
    if isinstance(meaning, Unclear):
        return None
    if isinstance(meaning, Command):
        return meaning.name if meaning.seat is None else f"{meaning.name} {meaning.seat}"
    return "none" if meaning.value is None else meaning.value


def _moment(heard: Heard) -> str:
    return f"{heard.text} {heard.endpoint:.2f} s"
