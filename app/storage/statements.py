"""The SQL of the store. Written out: the driver runs a prepared statement many times, with nothing built in between."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

BEGINNING = -(2**63)
"""Earlier than any instant."""

COLUMNS = 'id, kind, at, session, payload, source_id, "offset", line, text'

CHECKPOINT = 'family, path, device, inode, head, head_length, tail, "offset", line, clock_last, clock_repeating'

KEEP_SOURCE = f"""
INSERT INTO sources (id, {CHECKPOINT}, continued, unprefixed, cut, last_at, look_alikes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
  family = excluded.family, path = excluded.path, device = excluded.device, inode = excluded.inode,
  head = excluded.head, head_length = excluded.head_length, tail = excluded.tail, "offset" = excluded."offset",
  line = excluded.line, clock_last = excluded.clock_last, clock_repeating = excluded.clock_repeating,
  continued = continued + excluded.continued, unprefixed = unprefixed + excluded.unprefixed, cut = cut + excluded.cut,
  last_at = coalesce(excluded.last_at, last_at), look_alikes = look_alikes + excluded.look_alikes
"""  # noqa: S608  no value in it

CHECKPOINTS = f"SELECT id, {CHECKPOINT} FROM sources ORDER BY rowid"  # noqa: S608  no value in it
"""In the order in which the sources were met: of two that are gone, the later one tells how the clock stood."""

KEEP_EVENT = """
INSERT INTO events (source_id, "offset", line, at, kind, session, payload, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source_id, "offset") DO NOTHING
"""

KEEP_COUNT = """
INSERT INTO line_counts (source_id, severity, scope, count) VALUES (?, ?, ?, ?)
ON CONFLICT (source_id, severity, scope) DO UPDATE SET count = count + excluded.count
"""

FORGET = ("DELETE FROM events", "DELETE FROM line_counts", "DELETE FROM sources")
"""In this order: the others point to the sources."""

LIFE = "SELECT min(at), max(at), count(*) FROM events WHERE session = ?"
"""From an index that holds all it asks for."""

NEWEST_OF_KINDS = """
SELECT (SELECT id FROM events WHERE kind = value ORDER BY at DESC, id DESC LIMIT 1) FROM json_each(?)
"""
"""One look into the index for each kind, whatever the number of events."""

NEWEST_OF_SESSIONS = """
SELECT max(id) FROM events WHERE session IN (SELECT value FROM json_each(?)) AND at <= ? GROUP BY session, kind
"""

NTH_OLDEST = "SELECT at FROM events ORDER BY at LIMIT 1 OFFSET ?"

DROP_OLDEST = """
DELETE FROM events WHERE id IN (
  SELECT id FROM events WHERE at <= ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY at LIMIT ?
)
"""

KEEP_FACT = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

COUNTS = "SELECT source_id, severity, scope, count FROM line_counts"
ALL_COUNTS = "SELECT severity, scope, sum(count) FROM line_counts GROUP BY severity, scope ORDER BY 3 DESC, 1, 2"
TALLIES = "SELECT id, continued, unprefixed, cut, last_at, look_alikes FROM sources"

POSITION = 'SELECT id, source_id, "offset", at FROM events'
LAST_KEPT = f"{POSITION} ORDER BY id DESC LIMIT 1"
AT_ID = f"{POSITION} WHERE id = ?"

# The plus keeps SQLite from taking the index of instants, for which it would sort what is left on every page.
REPLAY = f"SELECT {COLUMNS} FROM events WHERE id > ? AND +at >= ? ORDER BY id LIMIT ?"  # noqa: S608  no value in it


def select_events(
    *,
    start: int | None,
    end: int | None,
    session: str | None,
    kinds: Sequence[str] | None,
    limit: int,
    before: int | None,
) -> tuple[str, tuple[Any, ...]]:
    """The query for a page of events, newest first, with its values; instants in microseconds."""
    if kinds is not None and len(kinds) > 1 and session is None:
        # One page for each kind, and the newest of all these: else SQLite sorts every event of the kinds.
        pages = [
            select_events(start=start, end=end, session=None, kinds=[kind], limit=limit, before=before)
            for kind in kinds
        ]
        union = " UNION ALL ".join(f"SELECT * FROM ({sql})" for sql, _ in pages)  # noqa: S608  fixed texts
        values = tuple(value for _, group in pages for value in group)
        return f"{union} ORDER BY at DESC, id DESC LIMIT ?", (*values, limit)
    conditions: list[tuple[str, tuple[Any, ...]]] = []
    if start is not None:
        conditions.append(("at >= ?", (start,)))
    if end is not None:
        conditions.append(("at < ?", (end,)))
    if session is not None:
        conditions.append(("session = ?", (session,)))
    if kinds is not None and len(kinds) == 1:
        conditions.append(("kind = ?", (kinds[0],)))
    elif kinds is not None:
        # As one JSON value: a list of any length, and one statement for all of them.
        conditions.append(("kind IN (SELECT value FROM json_each(?))", (json.dumps(list(kinds)),)))
    if before is not None:
        conditions.append(("(at, id) < (SELECT at, id FROM events WHERE id = ?)", (before,)))
    where = " AND ".join(text for text, _ in conditions) or "TRUE"
    values = tuple(value for _, group in conditions for value in group)
    sql = f"SELECT {COLUMNS} FROM events WHERE {where} ORDER BY at DESC, id DESC LIMIT ?"  # noqa: S608  fixed texts
    return sql, (*values, limit)
