"""What the governor and the memory lines mean for seats, pressure and counts."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeAlias, assert_never

from app.core.events import (
    EvictionFailed,
    EvictionForeseen,
    MemoryEvictionBegan,
    MemorySampled,
    PressureChanged,
    PressureReported,
    PressureUnreadable,
    SeatEvictionBegan,
    StartYielded,
    WakeDeferred,
)
from app.core.evolve import replace
from app.core.governor import SAFE_SECONDS, cap_of, counted_seats, evidence_of, seats_taken
from app.core.memory import with_reading
from app.core.pressure import GOVERNOR_HOLDS
from app.core.reducers.sessions import begin, known, put
from app.core.score import foretold, scored
from app.core.state import Evidence, PendingEviction, Phase, SeatCheck, State

GovernorEvent: TypeAlias = (
    EvictionForeseen
    | SeatEvictionBegan
    | MemoryEvictionBegan
    | EvictionFailed
    | StartYielded
    | WakeDeferred
    | MemorySampled
    | PressureChanged
    | PressureReported
    | PressureUnreadable
)
Naming: TypeAlias = EvictionForeseen | SeatEvictionBegan | MemoryEvictionBegan


def reduce_governor(state: State, event: GovernorEvent) -> State:
    """The state after a line of the governor or about memory."""
    match event:
        case EvictionForeseen() | SeatEvictionBegan() | MemoryEvictionBegan():
            return _named(state, event)
        case EvictionFailed():
            session = state.sessions.get(event.session or "")
            return put(state, replace(session, eviction=None)) if session else state
        case StartYielded():
            counts = replace(state.counts, put_off=state.counts.put_off + 1)
            return witness(replace(state, counts=counts))
        case PressureReported():
            return _pressure_reported(state, event)
        case PressureChanged():
            pressure = replace(state.pressure, os_level=event.level, os_since=event.at)
            return replace(state, pressure=pressure)
        case MemorySampled():
            app = replace(state.app, last_sign_at=event.at)
            return replace(state, memory=event, app=app, children=with_reading(state.children, event))
        case PressureUnreadable() | WakeDeferred():
            return state
        case _:
            assert_never(event)


def witness(state: State, *, closed: int = 0, spared: int = 0, lines: int = 1) -> State:
    """Remember what this version of the app was seen to do."""
    seen = evidence_of(state)
    seen = Evidence(seen.lines + lines, seen.closed + closed, seen.spared + spared)
    return replace(state, evidence={**state.evidence, state.app.version or "": seen})


def _named(state: State, event: Naming) -> State:
    """A line that names a session is exact: it lives, it is idle since then, and nothing protects it."""
    state = scored(state, event.session, event.at)
    if not isinstance(event, EvictionForeseen):
        state = foretold(state, event.session, event.at)
    session = known(state, event.session, event.at)
    if not session.alive:
        state = replace(state, seat_offset=max(0, state.seat_offset - 1))  # the app knew of it, we did not
        session = begin(session, Phase.IDLE, event.at)
    pending = None
    if isinstance(event, SeatEvictionBegan):
        pending = PendingEviction(event.at, "evicted_for_seat")
    elif isinstance(event, MemoryEvictionBegan):
        pending = PendingEviction(event.at, "evicted_for_memory")
    session = replace(
        session,
        kind="code",
        phase=Phase.IDLE,
        since=session.since if session.phase is Phase.IDLE else event.at,
        idle_since=event.at - timedelta(seconds=event.idle_seconds),
        idle_exact=True,
        holds={},
        waiting_for={},
        eviction=pending,
    )
    state = put(state, session)
    if not isinstance(event, MemoryEvictionBegan):
        state = replace(state, cap=event.cap, cap_seen_at=event.at)
    if isinstance(event, EvictionForeseen):
        return _foreseen(state, event)
    return witness(state, closed=1)


def _foreseen(state: State, event: EvictionForeseen) -> State:
    counts = state.counts
    if event.trigger == "user":
        return witness(replace(state, counts=replace(counts, would_evict_user=counts.would_evict_user + 1)))
    # A build that closes for real would have closed this one, and written "evicting" instead.
    spared = event.idle_seconds >= SAFE_SECONDS and seats_taken(state) == cap_of(state).value
    counts = replace(counts, would_evict_warm=counts.would_evict_warm + 1)
    return witness(replace(state, counts=counts), spared=int(spared))


def _pressure_reported(state: State, event: PressureReported) -> State:
    old, counts = state.pressure, state.counts
    goes_on = (
        old.governor_level == event.level
        and old.governor_last is not None
        and event.at - old.governor_last < GOVERNOR_HOLDS
    )
    pressure = replace(
        old,
        governor_level=event.level,
        governor_since=old.governor_since if goes_on else event.at,
        governor_last=event.at,
    )
    if event.level == "critical":
        counts = replace(counts, pressure_critical=counts.pressure_critical + 1)
    else:
        counts = replace(counts, pressure_warning=counts.pressure_warning + 1)
    state = replace(state, pressure=pressure, counts=counts)
    if event.effective is not None:
        ours = counted_seats(state)
        check = SeatCheck(event.at, event.effective, ours)
        state = replace(state, seat_check=check, seat_offset=event.effective - ours)
    return witness(state, spared=int(bool(event.victims)))
