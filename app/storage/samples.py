"""What the probes saw, in three steps: raw for two days, one point a minute for a month, a quarter hour for a year.

Points come in batches, about once a minute, each in one short transaction that also makes the coarser points anew from
the raw ones: so a minute or a quarter of an hour that a restart cut in two is whole again with the next batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from app.core.points import KEPT, LEAST, MEASURES, MINUTE, MOST, QUARTER, RAW, Point, step_start
from app.storage import codec
from app.storage.database import Database

STEP_ROWS = 2_000
"""Rows of one step of time that one step of retention drops at most: some milliseconds."""
MICROS = 1_000_000
COARSE_FROM = timedelta(days=2)
"""A window that is longer, or older than the minutes that are kept, is told in quarters of an hour."""

_COLUMNS = ", ".join(MEASURES)
_MERGES = ", ".join(
    f"{'min' if name in LEAST else 'max'}({name})" if name in LEAST | MOST else f"sum({name}) / count({name})"
    for name in MEASURES
)
KEEP = f"INSERT OR REPLACE INTO samples (step, at, {_COLUMNS}) VALUES ({', '.join('?' * (2 + len(MEASURES)))})"  # noqa: S608  no value in it
MERGE = f"""
INSERT OR REPLACE INTO samples (step, at, {_COLUMNS})
SELECT :step, at - at % :width, {_MERGES} FROM samples
WHERE step = {RAW} AND at >= :start AND at < :end GROUP BY at - at % :width
"""  # noqa: S608  no value in it
BETWEEN = f"SELECT at, {_COLUMNS} FROM samples WHERE step = ? AND at BETWEEN ? AND ? ORDER BY at"  # noqa: S608  no value in it
DROP = """
DELETE FROM samples WHERE step = :step AND at < min(
  :until, coalesce((SELECT at FROM samples WHERE step = :step ORDER BY at LIMIT 1 OFFSET :rows), :until)
)
"""


class Samples:
    """The points of one database; ``commits`` is the lock that all its writers share.

    Every method raises what those of `app.storage.store.Store` raise.
    """

    def __init__(self, database: Database, commits: Lock) -> None:
        self._database = database
        self._commits = commits

    def keep(self, points: Sequence[Point]) -> None:
        """Keep raw points, in the order of time, and what they make of their minutes and quarters of an hour."""
        if not points:
            return
        rows = [(RAW, codec.to_micros(one.at), *(getattr(one, name) for name in MEASURES)) for one in points]
        with self._commits, self._database.writing() as connection:
            connection.exec_driver_sql(KEEP, rows)
            for step in (MINUTE, QUARTER):
                start = codec.to_micros(step_start(min(one.at for one in points), step))
                end = codec.to_micros(step_start(max(one.at for one in points), step)) + step * MICROS
                values = {"step": step, "width": step * MICROS, "start": start, "end": end}
                connection.exec_driver_sql(MERGE, values)

    def between(self, start: datetime, end: datetime, step: int = MINUTE) -> list[Point]:
        """The points from ``start`` to ``end``, oldest first."""
        return [_point(row) for row in self._rows(start, end, step)]

    def window(self, start: datetime, end: datetime) -> list[Point]:
        """The points of a window in the finest step that is kept of it and that a picture can show."""
        fine = self.between(start, end) if end - start <= COARSE_FROM else []
        return fine or self.between(start, end, QUARTER)

    def trim(self, now: datetime) -> bool:
        """Drop what is too old at ``now``, one bounded step of it; whether there may be more."""
        dropped = 0
        with self._commits, self._database.writing() as connection:
            for step, age in KEPT.items():
                values = {"step": step, "until": codec.to_micros(now - age), "rows": STEP_ROWS}
                dropped = max(dropped, connection.exec_driver_sql(DROP, values).rowcount)
        return dropped >= STEP_ROWS

    def _rows(self, start: datetime, end: datetime, step: int) -> Sequence[Any]:
        values = (step, codec.to_micros(start), codec.to_micros(end))
        with self._database.reading() as connection:
            return connection.exec_driver_sql(BETWEEN, values).all()


def _point(row: Sequence[Any]) -> Point:
    return Point(codec.from_micros(row[0]), *row[1:])
