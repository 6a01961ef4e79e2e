"""The fold of what the store holds, saved beside the database, so that a restart folds only what came since.

The file is a cache and nothing else: it is bound to one database, one event in it and one build of the core. Where any
of the three differs, or the file is damaged, it is passed over and everything is folded anew.
"""

from __future__ import annotations

import gc
import hashlib
import io
import json
import os
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import app.core

MAGIC = b"seatwatch fold 1\n"
HEAD_LIMIT = 4096
"""No head is longer; a file of another kind is not read to its end in search of one."""

VALUES = {
    ("datetime", "datetime"): datetime,
    ("datetime", "timedelta"): timedelta,
    ("datetime", "timezone"): timezone,
    ("collections", "Counter"): Counter,
}


class Position(NamedTuple):
    """An event of the store: its id, and what tells that it is still the same one."""

    id: int
    source: str
    offset: int
    at: int


class SavedFold:
    """The saved fold of the database at ``database``. ``path`` is where it lies."""

    def __init__(self, database: Path, code: str | None = None) -> None:
        self.path = database.with_name(database.name + "-fold")
        self._code = code or _build()

    def save(self, folded: object, after: Position) -> None:
        """Keep ``folded``, values of `app.core` that tell everything up to the event ``after``. Raises `OSError`."""
        body = io.BytesIO()
        pickler = pickle.Pickler(body, protocol=5)
        pickler.dispatch_table = _REDUCERS
        pickler.dump(folded)
        content = body.getbuffer()
        head = {"code": self._code, "after": after, "digest": hashlib.sha256(content).hexdigest()}
        beside = self.path.with_name(self.path.name + ".new")
        with suppress(FileNotFoundError):
            beside.unlink()
        # Only the owner may read it: it holds what the log said. A rename leaves no half of a file behind.
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(MAGIC + json.dumps(head).encode() + b"\n")
            file.write(content)
        beside.replace(self.path)

    def position(self) -> Position | None:
        """The event up to which the saved fold tells; None when there is none that this build can use."""
        with suppress(OSError, ValueError), self.path.open("rb") as file:
            head = _head(file)
            if head is not None and head["code"] == self._code:
                return Position(*head["after"])
        return None

    def load(self) -> Any:
        """What was saved; None when it cannot be read. It comes from values of `app.core` only."""
        try:
            with self.path.open("rb") as file:
                head, content = _head(file), file.read()
            if head is None or hashlib.sha256(content).hexdigest() != head["digest"]:
                return None
            with _uncollected():
                return _Reader(io.BytesIO(content)).load()
        # A cache that cannot be read is no reason not to start, whatever is wrong with it.
        except Exception:
            return None

    def forget(self) -> None:
        """Remove the file, if it is there."""
        with suppress(OSError):
            self.path.unlink()


def _head(file: Any) -> Mapping[str, Any] | None:
    if file.read(len(MAGIC)) != MAGIC:
        return None
    found = json.loads(file.readline(HEAD_LIMIT))
    return found if isinstance(found, dict) and {"code", "after", "digest"} <= found.keys() else None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: it looks at each of a hundred thousand new objects, for four times the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Reader(pickle.Unpickler):
    """Reads values of the core and of the standard library's calendar, and refuses the name of anything else.

    The file lies where only its owner writes, yet a database may be handed on with it, and must not run code.
    """

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in VALUES:
            return VALUES[module, name]
        if (module, name) == (__name__, _frozen.__name__):
            return _frozen
        if module.startswith("app.core."):
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"a saved fold holds no {module}.{name}")


def _frozen(items: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(items)


def _reduced(mapping: Mapping[Any, Any]) -> tuple[Any, ...]:
    return _frozen, (dict(mapping),)


class _Reducers(dict[type, Any]):
    """How values are written that pickle cannot write, or would by a name that is not to be read back."""

    def __missing__(self, kind: type) -> Any:
        if issubclass(kind, Enum):  # by its value: by its name it needs ``getattr``, which reaches everything
            self[kind] = lambda member: (kind, (member.value,))
            return self[kind]
        raise KeyError(kind)


_REDUCERS = _Reducers({MappingProxyType: _reduced})


@cache
def _build() -> str:
    """Tells one build of the core from another: a fold that other code made would go on wrongly and unseen."""
    digest = hashlib.sha256()
    for folder in app.core.__path__:
        for path in sorted(Path(folder).rglob("*.py")):
            seen = path.stat()
            digest.update(f"{path.name} {seen.st_size} {seen.st_mtime_ns}\n".encode())
    return digest.hexdigest()
