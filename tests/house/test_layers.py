"""Each layer knows only those below it."""

from __future__ import annotations

import ast
from pathlib import Path

import narrator

PACKAGE = Path(narrator.__file__).parent
LAYERS = (
    {"cli"},
    {"rehearsal"},
    {"table"},
    {"room"},
    {"mouth", "ears", "understanding"},
    {"moderator"},
    {"rules"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def imports(file: Path) -> set[str]:
    """The packages of the project that a module imports, wherever in the module it does."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        found |= {module.split(".")[1] for module in modules if module.startswith("narrator.")}
    return found & set(LEVEL)


def test_nothing_imports_a_layer_above_or_beside_it() -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)} imports {other}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for other in sorted(imports(file))
        if (layer := file.relative_to(PACKAGE).parts[0]) in LEVEL
        and other != layer
        and LEVEL[other] <= LEVEL[layer]
    ]
    assert wrong == []


def test_what_all_layers_share_imports_none_of_them() -> None:
    shared = [file for file in sorted(PACKAGE.glob("*.py")) if file.name != "__main__.py"]
    shared += sorted((PACKAGE / "messages").glob("*.py"))
    assert {file.name: imports(file) for file in shared if imports(file)} == {}


def test_every_package_has_its_place() -> None:
    packages = {folder.parent.name for folder in PACKAGE.glob("*/__init__.py")}
    assert packages - {"messages"} == set(LEVEL)


def test_rules_and_moderator_touch_neither_clock_nor_files_nor_sound() -> None:
    forbidden = {
        "time",
        "datetime",
        "socket",
        "subprocess",
        "threading",
        "sqlite3",
        "vosk",
        "sounddevice",
        "pyttsx3",
    }
    used = {}
    for layer in ("rules", "moderator"):
        for file in sorted((PACKAGE / layer).glob("*.py")):
            tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            names = set()
            for node in tree:
                if isinstance(node, ast.Import):
                    names |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    names.add(node.module.split(".")[0])
            if names & forbidden:
                used[file.name] = names & forbidden
    assert used == {}
