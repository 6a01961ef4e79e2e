"""The tests mirror the code: each module has a test module of its name in the same place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
APP = TESTS.parent / "app"

EXCEPTIONS = {
    "__main__.py": "one call; the command is tested by test_cli.py",
}
"""Modules without a test module of their own, each with the reason."""


def has_code(path: Path) -> bool:
    """Whether a module does anything: a function with a body, or a statement other than imports and constants."""
    tree = ast.parse(path.read_text("utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(tree))


def modules() -> list[str]:
    """Every module with code in it, as a path within the package."""
    return [path.relative_to(APP).as_posix() for path in sorted(APP.rglob("*.py")) if has_code(path)]


@pytest.mark.parametrize("module", [name for name in modules() if name not in EXCEPTIONS])
def test_module_has_its_tests(module: str) -> None:
    """``app/x/y.py`` is tested by ``tests/x/test_y.py``, a package by ``tests/x/test_init.py``."""
    path = Path(module)
    name = "test_init.py" if path.name == "__init__.py" else f"test_{path.name}"

    assert (TESTS / path.parent / name).is_file()


def test_exceptions_are_needed() -> None:
    """The list of exceptions names modules that exist, with a reason, and none that has its tests by now."""
    for module, reason in EXCEPTIONS.items():
        assert (APP / module).is_file()
        assert reason
        assert not (TESTS / module).with_name(f"test_{Path(module).name}").exists()
