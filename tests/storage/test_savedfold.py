"""A saved fold is what it was, is nobody else's, and makes nothing but values of the core."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from app.core.formats.base import whole
from app.core.report import state_report
from app.core.state import Phase, Session, State
from app.folding import Fold
from app.storage.savedfold import MAGIC, Position, SavedFold
from tests.following import told

HERE = Position(7, "a source", 120, 1_700_000_000_000_000)


@pytest.fixture
def saved(tmp_path: Path) -> SavedFold:
    """Where the fold of a database would be saved."""
    return SavedFold(tmp_path / "seatwatch.sqlite", "this build")


def written(saved: SavedFold, content: bytes) -> None:
    """Put ``content`` where the fold is expected, with a head that fits it."""
    head = {"code": "this build", "after": HERE, "digest": hashlib.sha256(content).hexdigest()}
    saved.path.write_bytes(MAGIC + json.dumps(head).encode() + b"\n" + content)


class Evil:
    """Runs a function when it is read back."""

    def __init__(self, function: Any, *values: Any) -> None:
        self.does = (function, values)

    def __reduce__(self) -> Any:
        return self.does


def test_it_is_what_it_was(saved: SavedFold) -> None:
    """Values come back equal, read-only maps and the members of enumerations included."""
    at = datetime(2026, 10, 2, 9, tzinfo=timezone(timedelta(hours=9)))
    session = Session(id="local_a", order=0, since=at, kind="code", phase=Phase.IDLE, idle_since=at)
    state = State(at=at, sessions=MappingProxyType({"local_a": session}))

    saved.save((state, {"n": [1, None, 2.5]}), HERE)
    found, other = saved.load()

    assert saved.position() == HERE
    assert found == state
    assert isinstance(found.sessions, MappingProxyType)
    assert found.sessions["local_a"].phase is Phase.IDLE
    assert other == {"n": [1, None, 2.5]}
    assert state_report(found, at, UTC, ()) == state_report(state, at, UTC, ())


def test_a_whole_fold_comes_back(saved: SavedFold) -> None:
    """An empty fold of the four that grow together is saved and read like a full one."""
    fold = Fold()

    saved.save((fold.state, fold.history, fold.census, fold.trail), HERE)
    state, history, census, trail = saved.load()

    assert (state, census, trail) == (fold.state, fold.census, fold.trail)
    assert vars(history) == vars(fold.history)


def test_only_the_owner_may_read_it(saved: SavedFold) -> None:
    """It holds what the log said; one that an interrupted save left behind is no hindrance."""
    saved.path.with_name(saved.path.name + ".new").write_text("half of one")

    saved.save(State(), HERE)

    assert saved.path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(saved.path.parent) == [saved.path.name]  # noqa: PTH208  the names alone


def test_another_build_does_not_use_it(saved: SavedFold) -> None:
    """Other code would go on from it wrongly, and nobody would see it."""
    saved.save(State(), HERE)

    assert SavedFold(saved.path.with_name("seatwatch.sqlite"), "another build").position() is None
    assert SavedFold(saved.path.with_name("seatwatch.sqlite")).position() is None


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00" * 100, MAGIC, MAGIC + b"\n", MAGIC + b"[]\n", MAGIC + b"{}\n", MAGIC + b"{" * 9000],
    ids=["empty", "zeros", "no head", "empty head", "a list", "no fields", "endless"],
)
def test_a_file_that_is_none_is_passed_over(saved: SavedFold, content: bytes) -> None:
    """Whatever lies there, a start goes on without it."""
    saved.path.write_bytes(content)

    assert saved.position() is None
    assert saved.load() is None


def test_a_damaged_one_is_passed_over(saved: SavedFold) -> None:
    """One wrong byte is enough."""
    saved.save(State(cap=8), HERE)
    content = bytearray(saved.path.read_bytes())
    content[-3] ^= 1
    saved.path.write_bytes(content)

    assert saved.load() is None


@pytest.mark.parametrize(
    ("function", "values"),
    [(os.mkdir, ("made",)), (getattr, (Phase, "IDLE")), (eval, ("1",)), (told, (1, 1)), (pickle.loads, (b"N.",))],
    ids=["os", "getattr", "eval", "tests", "pickle"],
)
def test_it_runs_nothing(
    saved: SavedFold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: Any, values: tuple[Any, ...]
) -> None:
    """A file that names a function is refused before anything is called: a database may come from elsewhere."""
    monkeypatch.chdir(tmp_path)
    written(saved, pickle.dumps(Evil(function, *values)))

    assert saved.position() == HERE
    assert saved.load() is None
    assert not (tmp_path / "made").exists()


def test_functions_of_the_core_are_refused_too(saved: SavedFold) -> None:
    """Only its classes are values."""
    written(saved, pickle.dumps(Evil(whole, "12")))

    assert saved.load() is None


def test_forgetting_removes_it(saved: SavedFold) -> None:
    """Once or twice."""
    saved.save(State(), HERE)

    saved.forget()
    saved.forget()

    assert not saved.path.exists()
    assert saved.position() is None
