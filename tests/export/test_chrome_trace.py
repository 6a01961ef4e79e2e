"""A history as a trace."""

from __future__ import annotations

from typing import Any

from app.core.history import Band, FreeMemory, Gap, History, Mark, SeatStep, Span
from app.core.state import Phase
from app.export.chrome_trace import APP, SESSIONS, Wording, trace_of
from tests.core.helpers import after

FIXED = {
    "sessions": "Sessions", "app": "App", "seats": "Seats", "memory": "Free", "pressure": "Pressure", "gap": "Gap",
    "silent": "log silent", "warning": "warning",
}  # fmt: skip
WORDING = Wording(lambda one: f"Session {one}", lambda phase: phase.value, lambda mark: f"it was {mark.kind}", FIXED)
HISTORY = History(
    after(0), after(100),
    (
        Span("B", Phase.WORKING, after(-50), after(10)),
        Span("AA", Phase.IDLE, after(20), None),
        Span("B", Phase.IDLE, after(200), None),
    ),
    (SeatStep(after(-5), 2, None), SeatStep(after(30), 3, 8)),
    (Band("warning", after(40), after(60)), Band("warning", after(300), None)),
    (Gap("silent", after(70), None),),
    (FreeMemory(after(35), 900, 16384),),
    (
        Mark(after(15), "evicted_for_seat", "B", "main.log", 3, "a line", 61),
        Mark(after(25), "app_started", None, "main.log", 4, "a line"),
        Mark(after(500), "killed", "C", "main.log", 5, "a line"),
    ),
)  # fmt: skip


def entries(kind: str) -> list[dict[str, Any]]:
    """The entries of one kind."""
    trace = trace_of(HISTORY, after(90), WORDING, {"zone": "UTC"})
    return [one for one in trace["traceEvents"] if one["ph"] == kind]


def test_every_session_is_a_thread() -> None:
    """Processes and threads have their names, sessions in the order of their letters."""
    named = [(one["pid"], one.get("tid"), one["args"]["name"]) for one in entries("M") if "name" in one["args"]]

    assert [one for one in named if one[0] == SESSIONS] == [
        (SESSIONS, None, "Sessions"), (SESSIONS, 1, "Session B"), (SESSIONS, 2, "Session C"),
        (SESSIONS, 3, "Session AA"),
    ]  # fmt: skip
    assert (APP, 1, "Pressure") in named


def test_spans_are_slices_cut_to_the_window() -> None:
    """A span from before the window begins with it, an open one ends at the moment, one from after it has no slice."""
    slices = [(one["tid"], one["ts"], one["dur"], one["name"]) for one in entries("X") if one["pid"] == SESSIONS]

    assert slices == [(1, 0, 10_000_000, "working"), (3, 20_000_000, 70_000_000, "idle")]


def test_pressure_and_gaps_are_slices_of_the_app() -> None:
    """Stretches that belong to no session stand beside each other in the app's process."""
    slices = [(one["tid"], one["ts"], one["dur"], one["name"]) for one in entries("X") if one["pid"] == APP]

    assert slices == [
        (1, 40_000_000, 20_000_000, "Pressure: warning"),
        (2, 70_000_000, 20_000_000, "Gap: log silent"),
    ]


def test_marks_are_instants() -> None:
    """A mark stands in its session's thread, or in the app's, with its silence and no text of the log."""
    told = entries("i")

    assert [(one["pid"], one["tid"], one["ts"], one["name"]) for one in told] == [
        (SESSIONS, 1, 15_000_000, "it was evicted_for_seat"),
        (APP, 0, 25_000_000, "it was app_started"),
    ]
    assert told[0]["args"] == {"idle_seconds": 61}
    assert "a line" not in repr(told)


def test_seats_and_memory_are_counters() -> None:
    """Counters carry seats against the cap, where it is known, and free memory."""
    told = [(one["name"], one["ts"], one["args"]) for one in entries("C")]

    assert told == [
        ("Seats", 0, {"taken": 2}),
        ("Seats", 30_000_000, {"taken": 3, "cap": 8}),
        ("Free", 35_000_000, {"MB": 900}),
    ]


def test_what_it_is_about_stands_beside() -> None:
    """Time, zone and version are in the trace as they were given."""
    assert trace_of(HISTORY, after(90), WORDING, {"zone": "UTC"})["otherData"] == {"zone": "UTC"}
