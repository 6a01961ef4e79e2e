"""Keeps the database within its limits, in steps that are short enough to come between two readings of the logs.

What goes are the oldest events. What stays, however old, is what the state of now rests on: the newest event of every
kind (the app's start, the cap, the pressure) and, of each session that still lives, the newest old one of every kind.
So a restart folds the same sessions, cap and pressure as before; its counts are those of the events that are kept.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.core.events import EVENT_TYPES
from app.storage import codec, statements
from app.storage.database import Database

STEP_EVENTS = 2_000
"""Events that one step drops at most: about 0.02 s, in which no new line can be stored."""
STEP_PAGES = 500
"""Pages that one step gives back to the system at most: 2 MB of a file, less than 0.02 s."""
SPARE_PAGES = 2_000
"""Empty pages that are left to the next events, rather than given back and taken again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How old an event may get, and how many bytes the database may have, the empty pages in it aside."""

    age: timedelta = timedelta(days=30)
    size: int = 500_000_000


def trim(database: Database, limits: Limits, now: datetime, needed: Collection[str]) -> bool:
    """Drop what is beyond ``limits`` at ``now``, one step of it; whether there is more. ``needed`` are live sessions.

    Raises `DatabaseUnusable` and `DatabaseDamaged`; the step has then changed nothing.
    """
    with database.writing() as connection:
        is_over = _pages(connection) * _number(connection, "page_size") > limits.size
        has_more = _drop(connection, codec.to_micros(now if is_over else now - limits.age) - 1, needed)
        has_more = has_more or _give_back(connection)
    if not has_more:
        database.checkpoint()
    return has_more


def _drop(connection: Connection, until: int, needed: Collection[str]) -> bool:
    """Drop the oldest events up to the instant ``until``; whether there are more of them.

    A step looks no further than it reaches, so it takes as long with millions of events behind it as with thousands.
    """
    reach = STEP_EVENTS + len(EVENT_TYPES) * (len(needed) + 1)  # it may have to pass over everything that stays
    edge = connection.exec_driver_sql(statements.NTH_OLDEST, (reach,)).scalar()
    last = until if edge is None else min(until, edge)
    sessions, kinds = json.dumps(sorted(needed)), json.dumps(sorted(EVENT_TYPES))
    kept = [
        *connection.exec_driver_sql(statements.NEWEST_OF_KINDS, (kinds,)).scalars(),
        *connection.exec_driver_sql(statements.NEWEST_OF_SESSIONS, (sessions, last)).scalars(),
    ]
    stays = json.dumps([one for one in kept if one is not None])
    dropped = connection.exec_driver_sql(statements.DROP_OLDEST, (last, stays, STEP_EVENTS)).rowcount
    return dropped == STEP_EVENTS or (last < until and dropped > 0)


def _give_back(connection: Connection) -> bool:
    """Give empty pages at the end of the file back to the system; whether there are more to give."""
    spare = _number(connection, "freelist_count") - SPARE_PAGES
    # A database of an earlier version was made without the bookkeeping for this: it keeps its pages for new events.
    if spare <= 0 or _number(connection, "auto_vacuum") == 0:
        return False
    driver: Any = connection.connection.driver_connection
    driver.execute(f"PRAGMA incremental_vacuum({min(spare, STEP_PAGES)})").fetchall()  # it goes page by page
    return spare > STEP_PAGES


def _pages(connection: Connection) -> int:
    return _number(connection, "page_count") - _number(connection, "freelist_count")


def _number(connection: Connection, pragma: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one())
