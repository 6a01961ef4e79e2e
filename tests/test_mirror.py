"""The tests mirror the code: each module has a test module of its name in the same place."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parent
APP = TESTS.parent / "app"

EXCEPTIONS = {
    "__main__.py": "one call; the command is tested by test_cli.py",
}
"""Modules without a test module of their own, each with the reason."""


def has_code(path: Path) -> bool:
    """Whether a module does anything: imports, constants and plain dataclasses are tested where they are used."""
    tree = ast.parse(path.read_text("utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(tree))


def modules() -> list[Path]:
    """Every module with code in it, as a path within the package."""
    return [path.relative_to(APP) for path in sorted(APP.rglob("*.py")) if has_code(path)]


def homes(module: Path) -> list[Path]:
    """Where the tests of a module may be: in its mirror, or, for a part of a small package, in that package's."""
    name = "test_init.py" if module.name == "__init__.py" else f"test_{module.name}"
    mirror = TESTS / module.parent / name
    package = TESTS / module.parent.parent / f"test_{module.parent.name}.py"
    return [mirror, package] if len(module.parts) > 2 else [mirror]


def test_every_module_has_its_tests() -> None:
    """Every module is tested where `homes` says, so that who reads one finds its tests."""
    lonely = [
        module.as_posix()
        for module in modules()
        if module.as_posix() not in EXCEPTIONS and not any(home.is_file() for home in homes(module))
    ]

    assert lonely == []


def test_exceptions_are_needed() -> None:
    """The list of exceptions names modules that exist, with a reason, and none that has its tests by now."""
    for module, reason in EXCEPTIONS.items():
        assert (APP / module).is_file()
        assert reason
        assert not (TESTS / module).with_name(f"test_{Path(module).name}").exists()
