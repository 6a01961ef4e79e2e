"""What happened, as rows and as values."""

from __future__ import annotations

import json

from app.core.history import Mark, MarkKind
from app.export.table import csv_of
from app.web.language import speaking
from app.web.share_rows import COLUMNS, about, as_plain, as_trace, event_rows
from tests.web.scenes import mark, snapshot
from tests.web.sharing import scene_of

KINDS: tuple[MarkKind, ...] = ("evicted_for_seat", "put_off", "app_started", "pressure_warning")


def story() -> tuple[Mark, ...]:
    """One mark of each kind, told newest first."""
    return tuple(mark(kind, 10 + n, 5 if n == 0 else None, idle_seconds=61 if n == 0 else None, detail="8")
                 for n, kind in enumerate(KINDS))  # fmt: skip


def test_rows_are_oldest_first_and_in_words() -> None:
    """Each event has its time with an offset, its session's letter, its kind, and words, but no line of the log."""
    rows = event_rows(scene_of(snapshot(marks=story())))

    assert [row.kind for row in rows] == list(reversed(KINDS))
    assert rows[-1].session == "Session E"
    assert rows[-1].what == "Session E was closed to make room for another session, after 1 minute of silence"
    assert (rows[-1].why, rows[-1].idle_seconds) == ("at cap, silent 1 m", 61)
    assert rows[-1].time.endswith("+09:00")
    assert rows[0].session == ""
    assert "a line of" not in repr(rows)


def test_cells_are_in_the_order_of_the_columns() -> None:
    """The table's names fit its cells."""
    rows = event_rows(scene_of(snapshot(marks=story())))
    table = csv_of(COLUMNS, (row.cells() for row in rows)).decode("utf-8-sig").splitlines()

    assert table[0] == "time,session,kind,what,why,idle_seconds"
    assert table[-1].split(",")[1:3] == ["Session E", "evicted_for_seat"]


def test_values_for_programs() -> None:
    """Seats, pressure, the sentence, sessions with rank and protection, and the same events."""
    plain = as_plain(scene_of(snapshot(marks=story())))

    assert json.loads(json.dumps(plain)) == plain
    assert plain["seats"] == {"taken": 7, "cap": 8, "cap_origin": "log"}
    assert plain["pressure"] == "normal"
    assert [one["name"] for one in plain["sessions"]] == [f"Session {letter}" for letter in "ABCDEFG"]
    assert [(one["rank"], one["idle_seconds"]) for one in plain["sessions"]][4:] == [(1, 842), (2, 490), (3, 42)]
    assert plain["sessions"][0]["protected_by"] == ["mid_turn"]
    assert [one["kind"] for one in plain["events"]] == list(reversed(KINDS))
    assert plain["demo"] is False


def test_what_it_is_about_is_in_every_form() -> None:
    """Time, window, zone and version go with the values and with the trace."""
    shown = scene_of()
    facts = about(shown)

    assert facts["zone"] == "JST (UTC+09:00)"
    assert facts["made_by"].startswith("Seatwatch ")
    assert facts["from"] < facts["to"] == facts["at"]
    assert as_trace(shown)["otherData"] == facts


def test_a_trace_speaks_the_language() -> None:
    """Threads and slices are named in the language that is spoken."""
    with speaking("ja"):
        told = json.dumps(as_trace(scene_of()), ensure_ascii=False)

    assert "タスク A" in told
    assert "作業中" in told
