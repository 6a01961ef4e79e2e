"""The tree of errors: what every error says and how the process ends with it."""

from __future__ import annotations

import inspect
from pathlib import PurePosixPath

import pytest

from app import errors
from app.errors import (
    ConfigUnusable,
    DatabaseDamaged,
    DatabaseHeld,
    DatabaseNewer,
    DatabaseUnusable,
    FaceMissing,
    LogFolderMissing,
    LogFolderUnreadable,
    NoLogsFound,
    NotALog,
    PortTaken,
    ResourceMissing,
    SeatwatchError,
    Unanswerable,
    WrongUsage,
)

EXAMPLES = [
    (WrongUsage("The port is wrong.", "It is 0.", "Choose one."), 2, "0"),
    (ConfigUnusable("unreadable", "a/config.toml", "permission denied"), 2, "permission denied"),
    (ConfigUnusable("malformed", "a/config.toml", "No value at line 3", 3), 2, "line 3"),
    (ConfigUnusable("unwritable", "a/config.toml", "no space left"), 2, "no space left"),
    (DatabaseUnusable("a/b.sqlite", "read-only file system"), 2, "read-only file system"),
    (Unanswerable("moment", "The time makes no sense.", "It is 'soon'.", "Write a date."), 2, "soon"),
    (FaceMissing("Japanese", [PurePosixPath("a/fonts")]), 2, "a/fonts"),
    (LogFolderMissing(PurePosixPath("a/logs")), 3, "a/logs"),
    (LogFolderUnreadable("a/logs", "permission denied"), 3, "permission denied"),
    (NoLogsFound([PurePosixPath("a/one"), "a/two"]), 3, "a/one, a/two"),
    (NotALog("a/logs", [("main.log", None)]), 3, "main.log: no line"),
    (NotALog("a/logs", []), 3, "no file to read"),
    (PortTaken("127.0.0.1", 8585), 4, "8585"),
    (DatabaseHeld("a/b.sqlite"), 4, "a/b.sqlite"),
    (DatabaseNewer("a/b.sqlite", "0009", "0001"), 4, "0009"),
    (ResourceMissing("templates", ["x"]), 1, "templates"),
    (DatabaseDamaged("a/b.sqlite", "database disk image is malformed"), 1, "malformed"),
]


@pytest.mark.parametrize(("error", "code", "detail"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_every_error_says_what_why_and_what_to_do(error: SeatwatchError, code: int, detail: str) -> None:
    """Each error has its exit code and three sentences, with the particulars in one of them."""
    assert error.exit_code == code
    assert detail in str(error)
    for sentence in (error.what, error.why, error.todo):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_every_class_is_drawn_in_the_tree() -> None:
    """The docstring of the module names every class that the module defines."""
    defined = {
        name for name, thing in inspect.getmembers(errors, inspect.isclass) if thing.__module__ == errors.__name__
    }

    assert defined
    assert {name for name in defined if name not in (errors.__doc__ or "")} == set()


def test_no_place_to_look_in_is_said_too() -> None:
    """An empty list of places still gives a sentence."""
    assert "no place at all" in NoLogsFound([]).why
