"""A look at a database that belongs to somebody else's run, without a change to it: for ``seatwatch doctor``."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from app.errors import DatabaseHeld
from app.storage.database import CHECKED_BYTES, TAILS
from app.storage.lock import DatabaseLock
from app.storage.schema import HEAD

BUSY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """What a database file is. ``size`` in bytes with its journals; ``version`` None where there is none.

    ``state``: "missing", "sound", "older" or "newer" than this version's schema, "foreign" (another program's),
    "damaged", or "unreadable". ``held`` tells that a running Seatwatch has it. ``aside`` counts damaged ones that
    lie beside it.
    """

    state: Literal["missing", "sound", "older", "newer", "foreign", "damaged", "unreadable"]
    size: int = 0
    version: str | None = None
    events: int | None = None
    held: bool = False
    aside: int = 0


def examine_database(path: Path) -> DatabaseFacts:
    """Look at the file at ``path``. Never raises: what cannot be read is "unreadable"."""
    try:
        aside = sum(1 for one in path.parent.glob(f"{escape(path.stem)}-damaged-*{escape(path.suffix)}"))
        if not path.exists():
            return DatabaseFacts("missing", aside=aside)
        size = sum(one.stat().st_size for tail in TAILS if (one := path.with_name(path.name + tail)).exists())
        held = is_held(path)
    except OSError:
        return DatabaseFacts("unreadable")
    state, version, events = _read(path, held)
    return DatabaseFacts(state, size, version, events, held, aside)


def is_held(path: Path) -> bool:
    """Whether a running Seatwatch has the database at ``path``. Raises `OSError` when its lock cannot be opened."""
    if not path.with_name(f"{path.name}-lock").exists():
        return False
    try:
        DatabaseLock(path).release()
    except DatabaseHeld:
        return True
    return False


def _read(
    path: Path, held: bool
) -> tuple[Literal["sound", "older", "newer", "foreign", "damaged", "unreadable"], str | None, int | None]:
    # A database at rest is opened as one that cannot change: SQLite would make journals beside it even to read.
    mode = "mode=ro" if held or path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    version: str | None = None
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=BUSY_SECONDS)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables:
                return "sound", None, 0
            if not tables.issuperset({"alembic_version", "sources", "events"}):
                return "foreign", None, None
            if path.stat().st_size <= CHECKED_BYTES and database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                return "damaged", None, None
            found = database.execute("SELECT version_num FROM alembic_version").fetchone()
            version = str(found[0]) if found else None
            (events,) = database.execute("SELECT count(*) FROM events").fetchone()
    except sqlite3.DatabaseError as error:
        damage = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
        code = int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
        return ("damaged" if code in damage else "unreadable"), version, None
    if version == HEAD:
        return "sound", version, events
    return ("newer" if version is not None and version > HEAD else "older"), version, events
