"""The core is pure: values in, values out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import app.core

CORE = Path(app.core.__file__).parent
ALLOWED = {
    *("__future__", "array", "bisect", "collections", "dataclasses", "datetime", "enum", "functools"),
    *("hashlib", "heapq", "itertools", "json", "math", "operator", "re", "string", "types", "typing"),
    *("unicodedata", "zoneinfo"),
}
"""Modules of values. ``zoneinfo`` reads its own tables; every other file, the clock and chance are left out."""

CLOCKS = frozenset({"now", "utcnow", "today"})


def modules() -> list[Path]:
    """Every module of the core."""
    return sorted(CORE.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    """The full name of every module that is imported, wherever the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield ("." * node.level) + (node.module or "")


def calls(tree: ast.AST) -> Iterator[str]:
    """The last name of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.func.id


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(CORE).as_posix())
def test_module_imports_values_only(path: Path) -> None:
    """A module of the core imports the core, the errors, and modules of the standard library that only hold values."""
    tree = ast.parse(path.read_text("utf-8"))
    foreign = {
        name
        for name in imported(tree)
        if name.split(".")[0] not in ALLOWED and not name.startswith("app.core") and name != "app.errors"
    }

    assert foreign == set()


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(CORE).as_posix())
def test_module_asks_no_clock_and_opens_no_file(path: Path) -> None:
    """A module of the core gets the time as an argument, and reads and prints nothing."""
    tree = ast.parse(path.read_text("utf-8"))

    assert set(calls(tree)) & (CLOCKS | {"open", "print", "input", "exec", "eval", "__import__"}) == set()
