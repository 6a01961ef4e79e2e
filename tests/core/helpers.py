"""Small builders that the core's tests share: instants, records, states, and any event at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from app.core.events import EVENT_TYPES, Event, Observed
from app.core.formats.base import LARGEST
from app.core.records import Record
from app.core.reducer import fold, reduce
from app.core.state import State

if TYPE_CHECKING:
    from app.core.recorder import Recorder

A, B, C = (f"local_0a1b2c3d-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
DITTO = "local_ditto_0a1b2c3d-0000-4000-8000-000000000009"
CODE = "/Users/someone/code/p0"
COWORK = "/home/brave-red-fox"


def at(clock: str, day: int = 2) -> datetime:
    """An instant of the tests' own October: ``at("12:00:05")``."""
    hour, minute, second = map(int, clock.split(":"))
    return datetime(2026, 10, day, hour, minute, second, tzinfo=UTC)


NOON = at("12:00:00")


def after(seconds: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def record(body: str, when: datetime = NOON) -> Record:
    """A record whose continuation lines are those after the first line of ``body``."""
    first, *more = body.split("\n")
    return Record(when, "info", first, 0, 1, tuple(more))


def state_after(*events: Event, start: State | None = None) -> State:
    """The state that these events lead to."""
    return fold(start or State(), events)


def observed(events: Iterable[Event], source: str = "main.log") -> list[Observed]:
    """The events as they would stand in a log: one line each, the line's text being the event's name."""
    return [Observed(event, source, 100 * n, n, type(event).__name__) for n, event in enumerate(events, start=1)]


def recorded(recorder: Recorder, *events: Event) -> State:
    """Fold the events and record each step."""
    state = recorder.state
    for one in observed(events):
        new = reduce(state, one.event)
        recorder.note(state, one, new)
        state = new
    return state


_SESSIONS = st.sampled_from([A, B, C, DITTO])
_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "at": st.just(NOON),
    "session": _SESSIONS,
    "cwd": st.sampled_from([CODE, COWORK]),
    "request": st.sampled_from(["r1", "r2"]),
    "workflow": st.sampled_from(["w1", "w2"]),
    "cap": st.integers(0, 9),
    "idle_seconds": st.integers(0, 2000) | st.just(LARGEST),
    "seconds": st.integers(0, 4000),
    "count": st.integers(0, 9),
    "resets_at": st.none() | st.just(NOON),
    "reason": st.none() | st.sampled_from(["api_error", "app_quit", "unhealthy"]),
}
_SPECIAL: dict[tuple[str, str], st.SearchStrategy[Any]] = {
    ("EvictionFailed", "session"): st.none() | _SESSIONS,
    ("FocusChanged", "session"): st.none() | _SESSIONS,
    ("SessionPaused", "reason"): st.sampled_from(["idle_timeout", "governor_evict", "other"]),
    ("SessionWarmed", "took_ms"): st.integers(0, 2000) | st.just(LARGEST),
    ("WarmUpSkipped", "reason"): st.just("workspace no longer trusted"),
    ("PauseDeclined", "reason"): st.sampled_from(["remote_control", "background_task", "scheduled", "mid_turn", None]),
    ("TurnEnded", "seconds"): st.none() | st.integers(0, 4000),
    ("PressureReported", "effective"): st.none() | st.integers(0, 9),
    ("VmStartBegan", "cpus"): st.none() | st.integers(1, 16),
}


def _events_of(kind: type[Event]) -> st.SearchStrategy[Event]:
    given = {}
    for field in fields(kind):
        chosen = _SPECIAL.get((kind.__name__, field.name), _BY_NAME.get(field.name))
        if chosen is not None:
            given[field.name] = chosen
    return st.builds(kind, **given)


ANY_EVENT: st.SearchStrategy[Event] = st.one_of([_events_of(kind) for kind in EVENT_TYPES.values()])
"""An event of any kind, at noon."""


def _spread(steps: list[tuple[int, Event]]) -> list[Event]:
    now, events = NOON, []
    for seconds, event in steps:
        now += timedelta(seconds=seconds)
        events.append(replace(event, at=now))
    return events


def histories(longest: int = 30) -> st.SearchStrategy[list[Event]]:
    """Any events in the order of their times: some within one second, some long after, once in a while a clock back."""
    steps = st.sampled_from([0, 0, 1, 5, 9, 30, 61, 100, 900, -3])
    return st.lists(st.tuples(steps, ANY_EVENT), max_size=longest).map(_spread)
