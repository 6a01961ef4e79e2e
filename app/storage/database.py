"""The database file: opened, locked, judged, brought to the newest schema.

Write-ahead logging lets pages read while events are written. ``synchronous=NORMAL`` may lose the last commits when the
machine loses power, never tear one: the checkpoint goes with them, so those lines are read again.
"""

from __future__ import annotations

import glob
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from app.errors import DatabaseDamaged, DatabaseNewer, DatabaseUnusable
from app.storage.lock import DatabaseLock
from app.storage.schema import HEAD, ForeignDatabase, create, schema_version

DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
TAILS = ("", "-wal", "-shm")
"""A database and the journals beside it, by what follows its name."""
SUFFIXES = frozenset({".sqlite", ".sqlite3", ".db"})
CHECKED_BYTES = 64 * 1024 * 1024
"""Up to this size the whole file is checked at each start (about 0.1 s); a larger one when damage is met in use."""

STAMP, STAMP_LENGTH = "%Y%m%dT%H%M%S%f", 21
KEPT_ASIDE = 2
"""How many damaged databases are kept for a look at them; a failing disk must not be filled with them."""

PRAGMAS = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA foreign_keys = ON",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    # Without a limit the write-ahead file keeps the size of the largest catch-up for good.
    "PRAGMA journal_size_limit = 16777216",
    # In KiB, half of what is usual, for each connection: what is written next to each other is read no slower.
    "PRAGMA cache_size = -1000",
)


class Damaged(Exception):
    """The file is no sound database."""


class Database:
    """An open database that this process alone writes. ``set_aside`` is where a damaged predecessor lies now."""

    def __init__(
        self, path: Path, engine: Engine, lock: DatabaseLock, set_aside: Path | None, migrations: Path
    ) -> None:
        self.path = path
        self.set_aside = set_aside
        self._migrations = migrations
        self._lock = lock
        self._use(engine)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection within a read transaction: everything read in it is of one moment."""
        with self._translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection within a write transaction, which is kept as a whole or not at all."""
        self._check_place()
        with self._translated(), self._writing.begin() as connection:
            yield connection

    def checkpoint(self) -> None:
        """Move what the write-ahead file holds into the database, as far as readers let it, without waiting for any."""
        with self._translated(), self._engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def renew(self) -> None:
        """Set the file aside, if it is there, and go on in a new, empty one. Raises `DatabaseUnusable`.

        What was being read of the old one fails or ends.
        """
        self._engine.dispose()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            aside = _put_aside(self.path)
            self._use(_prepare(self.path, self._migrations))
        except OSError as error:
            raise DatabaseUnusable(self.path, error.strerror or str(error)) from error
        except Damaged as damage:
            raise DatabaseUnusable(self.path, "a new file is damaged as soon as it is written") from damage
        self.set_aside = aside

    def _use(self, engine: Engine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(writes=True)
        self._place = _place(self.path)

    def _check_place(self) -> None:
        """A file that was deleted takes writes as before, and all of them are gone with the process."""
        if _place(self.path) != self._place:
            self._mark_damaged()
            raise DatabaseDamaged(self.path, "it was deleted or replaced while Seatwatch used it")

    def close(self) -> None:
        """Close all connections and let go of the lock. Calling it again does nothing."""
        self._engine.dispose()
        self._lock.release()

    def _mark_damaged(self) -> None:
        with suppress(OSError):  # the folder may be gone as well, and then there is nothing to set aside
            _mark(self.path).touch()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if _is_damage(error):
                self._mark_damaged()
                raise DatabaseDamaged(self.path, _reason(error)) from error
            raise DatabaseUnusable(self.path, _reason(error)) from error


def open_database(path: Path, migrations: Path) -> Database:
    """Open, or make, the database at ``path``; ``migrations`` is the folder of Alembic's scripts.

    A damaged file is renamed and made anew. Raises `DatabaseHeld`, `DatabaseNewer` (the file stays as it is) and
    `DatabaseUnusable`.
    """
    lock: DatabaseLock | None = None
    try:
        # By its true name, so that two names of one file share one lock. Links in a circle fail when it is opened.
        path = Path(os.path.realpath(path.expanduser()))
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = DatabaseLock(path)
        return _open_locked(path, migrations, lock)
    except BaseException as error:
        if lock is not None:
            lock.release()
        if isinstance(error, OSError):
            raise DatabaseUnusable(path, error.strerror or str(error)) from error
        raise


def _open_locked(path: Path, migrations: Path, lock: DatabaseLock) -> Database:
    aside = _put_aside(path) if _mark(path).exists() else None
    try:
        engine = _prepare(path, migrations)
    except Damaged as damage:
        if not _is_ours_to_move(path):
            raise DatabaseUnusable(path, "the file is not a SQLite database") from damage
        aside = _put_aside(path)
        engine = _prepare(path, migrations)
    return Database(path, engine, lock, aside, migrations)


def _prepare(path: Path, migrations: Path) -> Engine:
    # SQLite would make the file with the rights of the process's mask; the journals beside it take the file's rights.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    engine = make_engine(path)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            _judge(connection, path, migrations)
    except BaseException as error:
        engine.dispose()
        raise _translate(error, path) from error
    return engine


def _judge(connection: Connection, path: Path, migrations: Path) -> None:
    """See that the database is sound and ours, and bring it to the newest schema."""
    if path.stat().st_size <= CHECKED_BYTES and connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
        raise Damaged
    version = schema_version(connection)
    if version is None:
        create(connection)
    elif version != HEAD:
        _upgrade(connection, version, path, migrations)


def _upgrade(connection: Connection, version: str, path: Path, migrations: Path) -> None:
    from app.storage import migrate  # noqa: PLC0415  most starts do without it, and it is slow to import

    if version not in migrate.known_versions(migrations):
        raise DatabaseNewer(path, version, HEAD)
    migrate.upgrade(connection, migrations)


def make_engine(path: Path) -> Engine:
    """An engine whose transactions begin in earnest: see `_begin`."""
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _configure(connection: Any, _record: object) -> None:
    # The driver must not open transactions of its own: it would begin them late and deferred.
    connection.isolation_level = None
    # Pages that retention empties can then be given back in small steps. It takes effect before the first page is
    # written; later it would but touch a file that may belong to a newer version.
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL").close()
    for pragma in PRAGMAS:
        connection.execute(pragma).close()


def _begin(connection: Connection) -> None:
    # A write that begins as a read cannot wait for another writer: SQLite fails it at once, whatever the timeout.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _translate(error: BaseException, path: Path) -> BaseException:
    if isinstance(error, ForeignDatabase):
        return DatabaseUnusable(path, "it is the database of another program")
    if isinstance(error, DBAPIError):
        return Damaged() if _is_damage(error) else DatabaseUnusable(path, _reason(error))
    if isinstance(error, sqlite3.DatabaseError):
        return Damaged() if _code(error) in DAMAGE else DatabaseUnusable(path, str(error))
    return error


def _is_damage(error: DBAPIError) -> bool:
    return _code(error.orig) in DAMAGE


def _code(error: BaseException | None) -> int:
    """SQLite's primary result code; the higher bits only say more of the same."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _reason(error: DBAPIError) -> str:
    return str(error.orig).rstrip(".")


def _place(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at ``path``, None when there is none to be seen."""
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _mark(path: Path) -> Path:
    return path.with_name(path.name + "-damaged")


def _is_ours_to_move(path: Path) -> bool:
    """Whether it was a database once: a slip in a setting must not rename somebody's letter."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0" or path.suffix.lower() in SUFFIXES


def _put_aside(path: Path) -> Path | None:
    """Rename the damaged file, its journals with it: a new database would take them for its own. Where it lies now."""
    stamp = datetime.now(UTC).strftime(STAMP)
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    was_there = path.exists()
    for tail in TAILS:
        old = path.with_name(path.name + tail)
        if old.exists():
            old.rename(aside.with_name(aside.name + tail))
    _mark(path).unlink(missing_ok=True)
    _drop_oldest_aside(path)
    return aside if was_there else None


def _drop_oldest_aside(path: Path) -> None:
    prefix = f"{path.stem}-damaged-"
    asides = {one: one.name.removeprefix(prefix)[:STAMP_LENGTH] for one in path.parent.glob(f"{glob.escape(prefix)}*")}
    kept = sorted(set(asides.values()))[-KEPT_ASIDE:]
    for aside, stamp in asides.items():
        if stamp not in kept:
            aside.unlink(missing_ok=True)
