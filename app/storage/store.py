"""What outlives the process: events, and how far each source has been read, always of one moment.

A commit keeps the events, the checkpoint and the line counts of what was read in one transaction, so a crash at any
point loses nothing and doubles nothing: what was not kept is read again from the checkpoint that was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.batch import Batch, fold_order
from app.core.checkpoint import Checkpoint
from app.core.events import Observed
from app.core.tally import MAX_KINDS, OTHER, Tally
from app.storage import codec, rows, statements
from app.storage.database import TAILS, Database, open_database
from app.storage.retention import Limits, trim
from app.storage.samples import Samples
from app.storage.savedfold import Position

PAGE = 5_000
"""Events read in one go: a longer read transaction would keep SQLite from trimming its write-ahead file."""


class Stored(NamedTuple):
    """An event in the store; ``id`` is what `Store.events` takes as ``before``."""

    id: int
    observed: Observed


class Life(NamedTuple):
    """The instants of the first and the last event that is kept of a session, and how many there are."""

    first_at: datetime
    last_at: datetime
    events: int


class Store:
    """The store of one database. May be used from several threads; commits wait for each other.

    ``set_aside`` is None when there was no damaged predecessor; after one the logs are to be read anew, which the empty
    `checkpoints` bring about by themselves. ``unreadable`` counts events that `replay` and `events` passed over because
    another version of Seatwatch wrote them.

    Every method raises `DatabaseUnusable` when the system fails it (disk full) and `DatabaseDamaged` when the file is
    found damaged; a commit that raises has kept nothing. ``samples`` is what the probes saw.
    """

    def __init__(self, database: Database) -> None:
        self.path = database.path
        self.unreadable = 0
        self._database = database
        self._commits = Lock()
        self._facts: dict[str, str] = {}
        self._kinds = self._known_kinds()
        self.samples = Samples(database, self._commits)

    @property
    def size(self) -> int:
        """Bytes that the database takes on disk, its journals with it."""
        return sum(_size_of(self.path.with_name(self.path.name + tail)) for tail in TAILS)

    @property
    def set_aside(self) -> Path | None:
        """Where a damaged predecessor of the database lies now."""
        return self._database.set_aside

    @classmethod
    def open(cls, path: Path, migrations: Path) -> Store:
        """Open or make the database; ``migrations`` is the folder of the schema's scripts. See `open_database`."""
        return cls(open_database(path, migrations))

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def commit(self, *batches: Batch) -> int:
        """Keep the batches as a whole, their events in `fold_order`. The number of events that were new.

        An event is known by its source and offset: one that is there already is passed over.
        """
        events = [rows.of_event(observed) for observed in fold_order(batches)]
        with self._commits, self._database.writing() as connection:
            for batch in batches:
                connection.exec_driver_sql(statements.KEEP_SOURCE, rows.of_source(batch.checkpoint, batch.tally))
            new = connection.exec_driver_sql(statements.KEEP_EVENT, events).rowcount if events else 0
            kinds = self._keep_counts(connection, batches)
        self._kinds = kinds
        return new

    def checkpoints(self) -> dict[str, Checkpoint]:
        """Where to go on in each source, by its id."""
        with self._database.reading() as connection:
            found = connection.exec_driver_sql(statements.CHECKPOINTS).all()
        return {row[0]: rows.checkpoint(row) for row in found}

    def tallies(self) -> dict[str, Tally]:
        """The lines of each source, by its id."""
        with self._database.reading() as connection:
            counts = connection.exec_driver_sql(statements.COUNTS).all()
            sources = connection.exec_driver_sql(statements.TALLIES).all()
        kinds: dict[str, dict[tuple[str, str], int]] = {}
        for source, severity, scope, count in counts:
            kinds.setdefault(source, {})[severity, scope] = count
        return {
            source: Tally(kinds.get(source, {}), continued, unprefixed, cut, rows.instant(last_at), look_alikes)
            for source, continued, unprefixed, cut, last_at, look_alikes in sources
        }

    def line_counts(self) -> dict[tuple[str, str], int]:
        """Lines by severity and scope, over all sources."""
        with self._database.reading() as connection:
            found = connection.exec_driver_sql(statements.ALL_COUNTS).all()
        return {(severity, scope): count for severity, scope, count in found}

    def replay(self, since: datetime | None = None, *, after: int = 0) -> Iterator[Observed]:
        """All events, or those from ``since`` on and behind the id ``after``, in the order of their first fold.

        That order is the order of commits, not of time: sources are read one after the other, clocks step back, and a
        fold in another order would give another state than the one that was shown.
        """
        start, earliest = self._replay_start(since)
        after = max(after, start)
        while True:
            with self._database.reading() as connection:
                found = connection.exec_driver_sql(statements.REPLAY, (after, earliest, PAGE)).all()
            yield from (stored.observed for stored in self._decoded(found))
            if len(found) < PAGE:
                return
            after = found[-1][0]

    def events(
        self,
        start: datetime | None = None,
        end: datetime | None = None,
        *,
        session: str | None = None,
        kinds: Iterable[str] | None = None,
        limit: int = 100,
        before: int | None = None,
    ) -> list[Stored]:
        """The newest ``limit`` events from ``start`` (inclusive) to ``end`` (exclusive), newest first.

        ``kinds`` are names of event classes. ``before`` is the id of the last event of the page before this one.
        """
        sql, values = statements.select_events(
            start=None if start is None else codec.to_micros(start),
            end=None if end is None else codec.to_micros(end),
            session=session,
            kinds=None if kinds is None else sorted(set(kinds)),
            limit=limit,
            before=before,
        )
        with self._database.reading() as connection:
            found = connection.exec_driver_sql(sql, values).all()
        return list(self._decoded(found))

    def life(self, session: str) -> Life | None:
        """What is kept of a session, None when nothing is. Reads an index alone, however much was said of it."""
        with self._database.reading() as connection:
            first, last, events = connection.exec_driver_sql(statements.LIFE, (session,)).one()
        return None if not events else Life(codec.from_micros(first), codec.from_micros(last), events)

    def newest(self) -> Position | None:
        """The event that was kept last; None when there is none."""
        with self._database.reading() as connection:
            found = connection.exec_driver_sql(statements.LAST_KEPT).one_or_none()
        return None if found is None else Position(*found)

    def holds(self, position: Position) -> bool:
        """Whether the event is here that ``position`` names."""
        with self._database.reading() as connection:
            found = connection.exec_driver_sql(statements.AT_ID, (position.id,)).one_or_none()
        return found is not None and Position(*found) == position

    def fact(self, key: str) -> str | None:
        """What `keep_fact` was last given under ``key``."""
        with self._database.reading() as connection:
            value: str | None = connection.exec_driver_sql("SELECT value FROM meta WHERE key = ?", (key,)).scalar()
        return value

    def keep_fact(self, key: str, value: str) -> None:
        """Keep something that is true of the whole database, such as the time zone that its logs were read in."""
        with self._commits, self._database.writing() as connection:
            connection.exec_driver_sql(statements.KEEP_FACT, (key, value))
        self._facts[key] = value

    def renew(self) -> None:
        """Set the database aside and go on in an empty one that knows the same facts: the logs are to be read anew.

        For a database that is damaged or was deleted under us. Raises `DatabaseUnusable` when no new one can be made.
        """
        with self._commits:
            self._database.renew()
            self._kinds = {}
        for key, value in self._facts.items():
            self.keep_fact(key, value)

    def trim(self, limits: Limits, now: datetime, needed: Collection[str]) -> bool:
        """One step of keeping the database within ``limits``, see `app.storage.retention`; whether there is more."""
        with self._commits:
            return trim(self._database, limits, now, needed)

    def forget(self) -> None:
        """Drop all events, counts and checkpoints, so that the logs are read anew."""
        with self._commits, self._database.writing() as connection:
            for sql in statements.FORGET:
                connection.exec_driver_sql(sql)
            self._kinds = {}

    def close(self) -> None:
        """Let go of the database. Calling it again does nothing."""
        self._database.close()

    def _replay_start(self, since: datetime | None) -> tuple[int, int]:
        """The id to read after, and the earliest instant to give out."""
        if since is None:
            return 0, statements.BEGINNING
        earliest = codec.to_micros(since)
        with self._database.reading() as connection:
            first = connection.exec_driver_sql("SELECT min(id) FROM events WHERE at >= ?", (earliest,)).scalar()
        return (first or 1) - 1, earliest

    def _decoded(self, found: Sequence[Any]) -> Iterator[Stored]:
        decode = codec.decode
        for identity, kind, at, session, payload, source, offset, line, text in found:
            event = decode(kind, at, session, payload)
            if event is None:
                self.unreadable += 1
            else:
                yield Stored(identity, Observed(event, source, offset, line, text))

    def _known_kinds(self) -> Mapping[str, frozenset[tuple[str, str]]]:
        return {source: frozenset(tally.counts) for source, tally in self.tallies().items()}

    def _keep_counts(
        self, connection: Connection, batches: Sequence[Batch]
    ) -> Mapping[str, frozenset[tuple[str, str]]]:
        """Add up the line counts; a source that has `MAX_KINDS` already gets no new ones, as within one tally."""
        known = dict(self._kinds)
        for batch in batches:
            source = batch.checkpoint.source
            kinds = set(known.get(source, ()))
            counts = []
            for (severity, scope), count in batch.tally.counts.items():
                kind = (severity, scope) if len(kinds) < MAX_KINDS or (severity, scope) in kinds else (OTHER, OTHER)
                kinds.add(kind)
                counts.append((source, *kind, count))
            if counts:
                connection.exec_driver_sql(statements.KEEP_COUNT, counts)
            known[source] = frozenset(kinds)
        return known


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
