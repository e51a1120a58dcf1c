"""Archives that pass for a model's."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Mapping

NAME = "vosk-model-tiny"
PARTS = ("am/final.mdl", "conf/mfcc.conf", "graph/HCLr.fst", "graph/Gr.fst", "graph/disambig_tid.int")


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of ``files``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def model_archive(seed: int = 1) -> bytes:
    """Everything a model's folder must have, filled with noise: some 250 KB."""
    noise = random.Random(seed)
    return zipped({f"{NAME}/{part}": noise.randbytes(50_000) for part in PARTS})
