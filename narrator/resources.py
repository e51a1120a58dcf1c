"""Where the voices, the models and a person's own files lie: in a checkout as in an installed wheel."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent


def in_checkout() -> bool:
    """Whether the program runs from its source tree (the files beside the package are then the data)."""
    return (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "voices").is_dir()


def voices_folder() -> Path:
    """The folder with one voice pack per locale (``zh-CN/lines.toml``, ``phrases.toml``, …)."""
    return _CHECKOUT / "voices" if in_checkout() else _PACKAGE / "data" / "voices"


def models_folders() -> tuple[Path, ...]:
    """The existing folders that may hold recogniser models, the best first; each model is a subfolder."""
    return tuple(folder for folder in (_shipped_models(), data_folder() / "models") if folder.is_dir())


def manifest_file() -> Path:
    """The list of public models that can be fetched."""
    return _shipped_models() / "manifest.toml"


def data_folder() -> Path:
    """The folder for the journal and downloaded models; ``NARRATOR_HOME`` overrides the platform's."""
    chosen = os.environ.get("NARRATOR_HOME")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("narrator", appauthor=False))


def config_folder() -> Path:
    """The folder that holds ``settings.toml``; ``NARRATOR_CONFIG`` overrides the platform's."""
    chosen = os.environ.get("NARRATOR_CONFIG")
    return Path(chosen) if chosen else Path(platformdirs.user_config_dir("narrator", appauthor=False))


def _shipped_models() -> Path:
    return _CHECKOUT / "models" if in_checkout() else _PACKAGE / "data" / "models"
