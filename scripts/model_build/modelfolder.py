"""The finished model's folder: settings, graph and network where Vosk looks for them."""

from __future__ import annotations

from pathlib import Path

from model_build.export import Affine, Array, write_model
from model_build.features import CONFIG
from model_build.graph import Costs, vocabulary, write_graph
from model_build.texts import phrases

DECODING = """\
--min-active=200
--max-active=3000
--beam=12.0
--lattice-beam=6.0
--acoustic-scale=0.2
--frame-subsampling-factor=3
--frames-per-chunk=60
--endpoint.silence-phones=1
--endpoint.rule2.min-trailing-silence=0.5
--endpoint.rule3.min-trailing-silence=0.75
--endpoint.rule4.min-trailing-silence=1.0
"""


def write_graph_files(model: Path, phrase_file: Path, costs: Costs | None = None) -> int:
    """Write settings, vocabulary and graph of ``model``; the number of words without the unknown one."""
    # A prefix that is part of a long word would swallow noise after a short one: it stays a word of its own.
    words = vocabulary(phrases(phrase_file, joined=False))
    write_graph(model / "graph", words, costs)
    settings = model / "conf"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "mfcc.conf").write_text(CONFIG)
    (settings / "model.conf").write_text(DECODING)
    return len(words)


def write_folder(model: Path, phrase_file: Path, layers: list[Affine], priors: Array) -> None:
    """Write all of ``model``."""
    write_graph_files(model, phrase_file)
    write_model(model / "am" / "final.mdl", layers, priors)
