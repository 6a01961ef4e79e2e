"""A history in the Trace Event Format, which Perfetto and Chrome's tracing page open.

Each session is a thread with a slice for every phase and an instant for every mark; seats and free memory are counters;
what belongs to no session stands in the thread of the app. Times are microseconds since the start of the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.core.history import History, Mark, Span
from app.core.state import Phase

SESSIONS, APP = 1, 2
"""The two processes of the trace."""
MICROSECOND = timedelta(microseconds=1)

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wording:
    """How things are called: sessions by id, phases, marks, and the fixed names by ``sessions``, ``app``, ``seats``,
    ``memory``, ``pressure`` and ``gap``.
    """

    session: Callable[[str], str]
    phase: Callable[[Phase], str]
    mark: Callable[[Mark], str]
    fixed: Mapping[str, str]


def trace_of(history: History, until: datetime, wording: Wording, about: Mapping[str, str]) -> Entry:
    """The trace of what ``history`` tells until ``until``; ``about`` is put beside it as it is."""
    rows = {session: n for n, session in enumerate(_sessions(history), start=1)}
    clock = _Clock(history.start, min(until, history.end))
    entries = [
        *_names(rows, wording),
        *(_slice(one, rows, clock, wording) for one in history.spans if clock.touches(one.start, one.end)),
        *_stretches(history, clock, wording),
        *(_instant(one, rows, clock, wording) for one in history.marks if clock.touches(one.at, one.at)),
        *_counters(history, clock, wording),
    ]
    return {"displayTimeUnit": "ms", "otherData": dict(about), "traceEvents": entries}


@dataclass(frozen=True, slots=True)
class _Clock:
    """From instants to the times of the trace; what lies outside is cut to the edges."""

    start: datetime
    end: datetime

    def touches(self, start: datetime, end: datetime | None) -> bool:
        return start <= self.end and (end is None or end >= self.start)

    def ts(self, at: datetime) -> int:
        return (min(max(at, self.start), self.end) - self.start) // MICROSECOND

    def stretch(self, start: datetime, end: datetime | None) -> tuple[int, int]:
        """Begin and length."""
        begin = self.ts(start)
        return begin, self.ts(end or self.end) - begin


def _sessions(history: History) -> list[str]:
    named = [one.session for one in history.spans]
    named += [one.session for one in history.marks if one.session is not None]
    return sorted(set(named), key=lambda one: (len(one), one))


def _names(rows: Mapping[str, int], wording: Wording) -> Iterator[Entry]:
    for pid, name in ((SESSIONS, "sessions"), (APP, "app")):
        yield {"ph": "M", "pid": pid, "name": "process_name", "args": {"name": wording.fixed[name]}}
        yield {"ph": "M", "pid": pid, "name": "process_sort_index", "args": {"sort_index": pid}}
    for session, tid in rows.items():
        yield {
            "ph": "M", "pid": SESSIONS, "tid": tid, "name": "thread_name", "args": {"name": wording.session(session)}
        }  # fmt: skip
        yield {"ph": "M", "pid": SESSIONS, "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}}
    for tid, name in enumerate(("app", "pressure", "gap")):
        yield {"ph": "M", "pid": APP, "tid": tid, "name": "thread_name", "args": {"name": wording.fixed[name]}}


def _slice(span: Span, rows: Mapping[str, int], clock: _Clock, wording: Wording) -> Entry:
    ts, dur = clock.stretch(span.start, span.end)
    return {
        "ph": "X", "pid": SESSIONS, "tid": rows[span.session], "ts": ts, "dur": dur,
        "name": wording.phase(span.phase), "cat": span.phase.value,
    }  # fmt: skip


def _stretches(history: History, clock: _Clock, wording: Wording) -> Iterator[Entry]:
    told: list[tuple[int, str, str, datetime, datetime | None]] = [
        *((1, "pressure", one.level, one.start, one.end) for one in history.bands),
        *((2, "gap", one.kind, one.start, one.end) for one in history.gaps),
    ]
    for tid, name, kind, start, end in told:
        if clock.touches(start, end):
            ts, dur = clock.stretch(start, end)
            named = f"{wording.fixed[name]}: {wording.fixed.get(kind, kind)}"
            yield {"ph": "X", "pid": APP, "tid": tid, "ts": ts, "dur": dur, "name": named, "cat": name}


def _instant(mark: Mark, rows: Mapping[str, int], clock: _Clock, wording: Wording) -> Entry:
    entry: Entry = {
        "ph": "i", "s": "t", "pid": APP, "tid": 0, "ts": clock.ts(mark.at),
        "name": wording.mark(mark), "cat": mark.kind,
    }  # fmt: skip
    if mark.session is not None:
        entry |= {"pid": SESSIONS, "tid": rows[mark.session]}
    if mark.idle_seconds is not None:
        entry["args"] = {"idle_seconds": mark.idle_seconds}
    return entry


def _counters(history: History, clock: _Clock, wording: Wording) -> Iterator[Entry]:
    for step in history.seats:
        seats = {"taken": step.taken} | ({"cap": step.cap} if step.cap is not None else {})
        yield {"ph": "C", "pid": APP, "ts": clock.ts(step.at), "name": wording.fixed["seats"], "args": seats}
    for sample in history.memory:
        free = {"MB": sample.free_mb}
        yield {"ph": "C", "pid": APP, "ts": clock.ts(sample.at), "name": wording.fixed["memory"], "args": free}
