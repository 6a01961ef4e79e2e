"""The governor's rules: the cap, the seats, who may be closed, in which order, and by what.

The rules and their numbers come from published analyses of the app and from lines that users quoted. Some of what
protects a session is never logged, so every answer here is likely, not certain.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from app.core.sessions import alive_in
from app.core.state import Evidence, Phase, Session, State

GIB_PER_SEAT_MB = 3 * 1024
"""The app gives one seat per 3 GiB of memory, fixed per boot."""
LEAST_CAP = 6
"""The app never allows fewer seats than this."""
ASSUMED_CAP = 8
"""The cap of the most common machine (24 GB), when the log tells neither cap nor memory."""
SAFE_SECONDS = 60
"""A warm start closes nothing that has been idle for less."""
PENDING = timedelta(seconds=10)
"""How long after "evicting" the closing line may come: it was always seen within a second."""


@dataclass(frozen=True, slots=True)
class Cap:
    """The number of seats and how it is known: from a line, estimated from the memory, or assumed."""

    value: int
    origin: Literal["log", "estimate", "assumed"]
    seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An idle, unprotected seat holder in its place in the queue; rank 1 goes first."""

    session: Session
    rank: int
    idle_seconds: int
    eligible_in_seconds: int


@dataclass(frozen=True, slots=True)
class NextOut:
    """Whom each trigger would take, by session id, first to go first; empty when it would take nobody.

    ``user_start`` names the head of the queue: the app starts anyway, over the cap. ``warm_start`` takes the head or
    is put off. ``pressure`` sweeps.
    """

    user_start: tuple[str, ...]
    warm_start: tuple[str, ...]
    pressure: tuple[str, ...]


def cap_of(state: State) -> Cap:
    """The cap: from the newest line that gave it, else estimated from the machine's memory, else assumed."""
    if state.cap is not None:
        return Cap(state.cap, "log", state.cap_seen_at)
    if state.memory is not None and state.memory.total_mb:
        return Cap(max(LEAST_CAP, state.memory.total_mb // GIB_PER_SEAT_MB), "estimate", state.memory.at)
    return Cap(ASSUMED_CAP, "assumed", None)


def counted_seats(state: State) -> int:
    """Seats by our own count of sessions believed to have a process."""
    # As `Session.holds_seat` says, written out: this is asked at each event, and a call for each session is most of it.
    return sum([one.kind == "code" for one in alive_in(state.sessions)])


def seats_taken(state: State) -> int:
    """Seats taken: our count, put right by what the app's own number last showed it to be wrong by."""
    return max(0, counted_seats(state) + state.seat_offset)


def idle_seconds(session: Session, at: datetime) -> int | None:
    """Seconds since the session's last activity; None unless it is idle. Never negative when a clock was set back."""
    if session.phase is not Phase.IDLE or session.idle_since is None:
        return None
    return max(0, int((at - session.idle_since).total_seconds()))


def eviction_pending(session: Session, at: datetime) -> bool:
    """Whether the governor has just said that it closes this session."""
    return session.eviction is not None and at - session.eviction.at <= PENDING


def ranking(state: State, at: datetime) -> list[Candidate]:
    """Everyone the governor could close, longest idle first; equal idle times: first seen in the log first.

    Sessions that have been idle for under a minute are in it: memory pressure may take them, a warm start may not.
    """
    idle = [
        (seconds, session)
        for session in alive_in(state.sessions)
        if session.holds_seat
        and not session.protected_by
        and not eviction_pending(session, at)
        and (seconds := idle_seconds(session, at)) is not None
    ]
    idle.sort(key=lambda pair: (-pair[0], pair[1].order))
    return [
        Candidate(session, rank, seconds, max(0, SAFE_SECONDS - seconds))
        for rank, (seconds, session) in enumerate(idle, start=1)
    ]


def first_out(state: State) -> str | None:
    """The session at the head of `ranking`, which does not depend on the time: all silences grow alike."""
    head: Session | None = None
    for one in alive_in(state.sessions):
        if one.phase is not Phase.IDLE or one.idle_since is None or one.eviction is not None:
            continue
        if one.kind != "code" or one.holds:  # an idle one holds a seat, and nothing but holds protects it
            continue
        if head is None or head.idle_since is None or (one.idle_since, one.order) < (head.idle_since, head.order):
            head = one
    return head.id if head is not None else None


def sweep_target(cap: int) -> int:
    """How many seats a sweep under memory pressure leaves taken."""
    return max(1, cap - 2)


def next_out(state: State, at: datetime) -> NextOut:
    """Whom a start by the user, a warm start and memory pressure would take at this instant."""
    queue = ranking(state, at)
    cap, taken = cap_of(state).value, seats_taken(state)
    head = (queue[0].session.id,) if queue else ()
    warm_takes = bool(queue) and taken == cap and queue[0].eligible_in_seconds == 0
    return NextOut(
        user_start=head if taken >= cap else (),
        warm_start=head if warm_takes else (),
        pressure=tuple(one.session.id for one in queue[: max(0, taken - sweep_target(cap))]),
    )


def evidence_of(state: State) -> Evidence:
    """What the running version of the app was seen to do."""
    return state.evidence.get(state.app.version or "", Evidence())


def evicts_for_real(state: State) -> bool | None:
    """Whether this build closes sessions for real, learned from its log; None before any governor line.

    A version that has said nothing telling yet is taken to do what the newest one did that has: people update often,
    and a start by the user never closes anything in any build.
    """
    for seen in (evidence_of(state), *reversed(list(state.evidence.values()))):
        if seen.closed or seen.spared:
            return seen.closed > 0
    return False if any(seen.lines for seen in state.evidence.values()) else None
