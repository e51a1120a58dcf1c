"""The command line of the build: stages in order, each of them skipped when its result is already there."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PHRASES = PROJECT / "voices" / "zh-CN" / "phrases.toml"
MODEL = PROJECT / "models" / "zh-compact"
WORK = PROJECT / "build" / "model"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the model, or only its graph; 0 on success, 2 when something needed is missing."""
    options = _options(arguments)
    # Idle numeric threads slow small machines down; the libraries read this when they are loaded.
    os.environ.setdefault("OMP_NUM_THREADS", str(options.threads))
    # numpy's products are too small for threads: they would only keep cores from everything else.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    began = time.monotonic()

    def report(line: str) -> None:
        spent = int(time.monotonic() - began)
        print(f"[{spent // 60:3d}:{spent % 60:02d}] {line}", file=sys.stderr, flush=True)

    try:
        if options.graph_only:
            from model_build.modelfolder import write_graph_files

            words = write_graph_files(options.model, options.phrases)
            report(f"graph of {words} words written to {options.model}")
        elif options.tones_only:
            from model_build.tones import write_tones

            if options.speech is None:
                raise ValueError("the tone ear is trained on real syllables: give their folder with --speech")
            write_tones(options.model, options.speech, options.seed, options.threads, report)
        elif options.trials is not None or options.tuning is not None:
            _write_recordings(options, report)
        else:
            from model_build.stages import Build

            Build(options, report).run()
    except (ImportError, FileNotFoundError, ValueError, RuntimeError) as error:
        print(f"scripts/build_model: {error}; see scripts/model_build/requirements.txt", file=sys.stderr)
        return 2
    return 0


def _write_recordings(options: argparse.Namespace, report: Callable[[str], None]) -> None:
    from speech_engines.kokoro import Kokoro

    from model_build.trials import write_trials, write_tuning

    voices = None
    if options.kokoro is not None:
        voices = Kokoro(options.work, options.kokoro, options.threads)
    what = (options.phrases, options.speech, voices, options.seed)
    if options.trials is not None:
        write_trials(options.trials, *what, options.trial_hours, report)
    if options.tuning is not None:
        write_tuning(options.tuning, *what, report)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="build_model",
        description="Build the speech model: speech, alignment, training, model folder. A build that was "
        "broken off goes on where it stopped; delete its work folder to begin anew.",
    )
    parser.add_argument(
        "--graph-only", action="store_true", help="only the vocabulary and the graph: seconds"
    )
    parser.add_argument(
        "--tones-only", action="store_true", help="only the tone ear, from real syllables: minutes"
    )
    parser.add_argument(
        "--trials",
        type=Path,
        metavar="FOLDER",
        help="instead of a model make recordings to measure one with (narrator bench FOLDER/...), by voices "
        "kept out of the training",
    )
    parser.add_argument(
        "--tuning",
        type=Path,
        metavar="FOLDER",
        help="the same to choose thresholds with (narrator bench FOLDER/... --curve), by yet other voices",
    )
    parser.add_argument("--trial-hours", type=float, default=3.0, help="hours of running speech among them")
    parser.add_argument("--model", type=Path, default=MODEL, help="the model's folder (default: %(default)s)")
    parser.add_argument("--phrases", type=Path, default=PHRASES, help="what must be understood")
    parser.add_argument("--work", type=Path, default=WORK, help="for what the stages leave to one another")
    parser.add_argument("--speech", type=Path, help="folder of real recordings to train on as well")
    parser.add_argument(
        "--kokoro", type=Path, help="the npm package kokoro-js as packed (.tgz), for its voices"
    )
    parser.add_argument("--kokoro-shards", type=int, default=50, help="fifties of Kokoro utterances")
    parser.add_argument("--espeak-shards", type=int, default=24, help="hundreds of espeak-ng utterances")
    parser.add_argument(
        "--passes", type=int, default=8, help="training passes, each over newly changed copies"
    )
    parser.add_argument("--contrast-passes", type=int, default=10, help="passes in which readings compete")
    parser.add_argument("--threads", type=int, default=2, help="processor cores to use")
    parser.add_argument("--seed", type=int, default=1, help="decides everything that is drawn")
    return parser.parse_args(arguments)
