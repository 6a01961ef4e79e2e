"""Why a session stopped: the verdict, how sure it is, and the log lines that prove it.

A session stops when its process ends or its turn fails. A line that says "would evict" closed nothing and is never a
proof. What a session does now that never stopped (it runs, it waits for its user) is an answer too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from app.core.events import (
    AccountOpened,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    Event,
    EvictionForeseen,
    IdleTimerFired,
    MemoryEvictionBegan,
    Observed,
    PermissionRequested,
    PortsCrossed,
    PortsEased,
    PreviousQuitReported,
    SeatEvictionBegan,
    ServiceOverloaded,
    SessionsStopped,
    ShellsKilled,
    TurnEnded,
    TurnErrorReported,
    UsageLimited,
)
from app.core.evolve import replace
from app.core.history import Mark
from app.core.marks import mark_of
from app.core.portstrail import PortsTrail, names_network
from app.core.reducer import reduce
from app.core.silence import SILENT_AFTER_SECONDS, silent_seconds
from app.core.state import Ending, Phase, Session, State

Verdict: TypeAlias = Literal[
    "evicted_for_seat", "evicted_for_memory", "paused_idle", "app_quit", "app_update", "app_crashed", "killed",
    "failed", "timed_out", "usage_limit", "overloaded", "signed_out", "network", "vm_stalled", "vm_disk_full",
    "app_wedged", "waiting_for_you", "still_running", "unknown",
]  # fmt: skip
Certainty: TypeAlias = Literal["certain", "likely", "possible"]

KEPT = 2000
"""So many stops, and so many marks, are remembered at least."""
AROUND = timedelta(minutes=2)
"""What else went on this long before and after a stop is told with it."""
NEAR = timedelta(minutes=10)
"""Without a session, what stopped this long before or after the time asked for is the answer."""
TOGETHER = timedelta(seconds=10)
"""Lines about one stop stand within this time: naming and pausing, error and end of the turn."""

LEADING = (SeatEvictionBegan, MemoryEvictionBegan, IdleTimerFired)
"""What is said of a session just before it is closed."""
QUITTING = (SessionsStopped, AppQuitBegan, AppQuitCompleted, PreviousQuitReported)
"""Lines of which the proof of a quit is made."""
ENDS_MANY = (
    AppStarted, SessionsStopped, ShellsKilled, AppQuitBegan, AppQuitCompleted, PreviousQuitReported, AccountOpened,
)  # fmt: skip
"""What may end several sessions at once, or tell anew why they ended."""

_CERTAIN: dict[Ending, tuple[Verdict, Certainty]] = {
    "evicted_for_seat": ("evicted_for_seat", "certain"),
    "evicted_for_memory": ("evicted_for_memory", "certain"),
    "paused_idle": ("paused_idle", "certain"),
    "app_quit": ("app_quit", "certain"),
    "app_update": ("app_update", "certain"),
    "app_crashed": ("app_crashed", "likely"),
    "killed": ("killed", "certain"),
    "failed": ("failed", "certain"),
    "timed_out": ("timed_out", "certain"),
}


@dataclass(frozen=True, slots=True)
class Stop:
    """One time that a session stopped. ``evidence`` is in the order of the log."""

    session: str
    at: datetime
    verdict: Verdict
    certainty: Certainty
    evidence: tuple[Observed, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer for one session, or for what stopped around a time (``session`` of the stop, None when nothing did).

    ``others`` is what else went on within two minutes of it, ``earlier`` the stops before this one, newest first,
    ``named`` how many "would evict" lines named the session since its process began: none of them closed it.
    """

    session: Session | None
    verdict: Verdict
    certainty: Certainty
    at: datetime | None
    evidence: tuple[Observed, ...] = ()
    others: tuple[Mark, ...] = ()
    earlier: tuple[Stop, ...] = ()
    named: int = 0


@dataclass(slots=True)
class Trail:
    """The stops so far, oldest first, and what tells the next ones from one another. It grows while the log is folded.

    Of stops, marks and lines of quitting the newest are kept.
    """

    stops: list[Stop] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    leads: dict[str, Observed] = field(default_factory=dict)
    quit_lines: list[Observed] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)
    asked: dict[str, Observed] = field(default_factory=dict)
    ports: PortsTrail = field(default_factory=PortsTrail)

    def take(self, before: State, one: Observed, after: State) -> None:
        """Follow one step of the fold: the event, and the states before and after it."""
        _follow(self, before, one, after)
        for kept in (self.stops, self.marks, self.quit_lines):
            if len(kept) >= 2 * KEPT:
                del kept[:-KEPT]
        for said in (self.leads, self.asked):  # of sessions that nothing ends
            if len(said) > KEPT:
                del said[next(iter(said))]

    def copy(self) -> Trail:
        """The trail as it is now, which does not grow."""
        return Trail(
            list(self.stops), list(self.marks), dict(self.leads), list(self.quit_lines), dict(self.named),
            dict(self.asked), self.ports,
        )  # fmt: skip

    def diagnosis(self, state: State, session_id: str, at: datetime) -> Diagnosis:
        """Why this session last stopped, where the trail and ``state`` end at ``at``."""
        stops = [stop for stop in self.stops if stop.session == session_id]
        session = state.sessions.get(session_id)
        named = self.named.get(session_id, 0)
        if not stops:
            return replace(_never_stopped(state, session, at, self.asked.get(session_id)), named=named)
        last = stops[-1]
        return Diagnosis(
            session, last.verdict, last.certainty, last.at, last.evidence,
            _around(self.marks, last), tuple(reversed(stops[:-1])), named,
        )  # fmt: skip

    def near(self, at: datetime) -> list[Stop]:
        """Everything that stopped within ten minutes of ``at``, nearest first."""
        return sorted((s for s in self.stops if abs(s.at - at) <= NEAR), key=lambda stop: abs(stop.at - at))


def walk(observed: Iterable[Observed], at: datetime) -> tuple[State, Trail]:
    """The state at ``at``, and the trail that leads there."""
    state, trail = State(), Trail()
    for one in observed:
        if one.event.at > at:
            continue
        after = reduce(state, one.event)
        trail.take(state, one, after)
        state = after
    return state, trail


def _follow(trail: Trail, before: State, one: Observed, after: State) -> None:
    event = one.event
    if isinstance(event, (PortsCrossed, PortsEased)):
        trail.ports = trail.ports.after(one)
    mark = mark_of(before, one, after, None)
    if mark is not None:
        trail.marks.append(mark)
    name = getattr(event, "session", None)
    if name is not None and _is_new_process(before.sessions.get(name), after.sessions.get(name)):
        for said in (trail.named, trail.asked, trail.leads):
            said.pop(name, None)
    if isinstance(event, PermissionRequested):
        trail.asked[event.session] = one
    if isinstance(event, EvictionForeseen):
        trail.named[event.session] = trail.named.get(event.session, 0) + 1
    if isinstance(event, LEADING):
        trail.leads[event.session] = one
    if isinstance(event, AppStarted):
        trail.named.clear()
    if isinstance(event, QUITTING):
        trail.quit_lines.append(one)
    if isinstance(event, ENDS_MANY):
        for key, session in after.sessions.items():
            _ended(trail, before.sessions.get(key), one, session)
    elif name is not None:
        if name in after.sessions:
            _ended(trail, before.sessions.get(name), one, after.sessions[name])
        _turn_failed(trail, one, after)


def _is_new_process(old: Session | None, new: Session | None) -> bool:
    return new is not None and new.live_since is not None and (old is None or old.live_since != new.live_since)


def _ended(trail: Trail, old: Session | None, one: Observed, new: Session) -> None:
    """A process that ended by this line, or a quit that turns out to have been for an update."""
    if new.ended_by is None or (old is not None and old.ended_by == new.ended_by and old.since == new.since):
        return
    verdict, certainty = _CERTAIN.get(new.ended_by, ("unknown", "possible"))
    if old is not None and not old.alive and old.since == new.since:
        trail.stops = [
            replace(stop, verdict=verdict, evidence=(*stop.evidence, one))
            if stop.session == new.id and stop.at == new.since
            else stop
            for stop in trail.stops
        ]
        return
    trail.asked.pop(new.id, None)
    lead = trail.leads.pop(new.id, None)
    together = lead is not None and one.event.at - lead.event.at <= TOGETHER
    if new.ended_by in ("evicted_for_seat", "evicted_for_memory") and not together:
        certainty = "likely"  # the closing line is there, the line that gives the cause is not
    evidence: tuple[Observed, ...] = (lead, one) if lead is not None and together else (one,)
    if new.ended_by == "timed_out" and (full := trail.ports.proof(one.event.at)) is not None:
        # The line says that no answer came; that no new connection could be made says why.
        verdict, certainty, evidence = "network", "likely", (full, *evidence)
    if new.ended_by in ("app_quit", "app_update"):
        evidence = tuple(q for q in trail.quit_lines if one.event.at - q.event.at <= TOGETHER) or evidence
    trail.stops.append(Stop(new.id, new.since, verdict, certainty, evidence))


def _turn_failed(trail: Trail, one: Observed, after: State) -> None:
    """A turn that failed while the process lives on."""
    found, full = _failure(one.event, after), trail.ports.proof(one.event.at)
    if found is None:
        return
    evidence: tuple[Observed, ...] = (one,)
    if full is not None and found[0] in ("failed", "network"):
        found = ("network", "likely" if found[0] == "network" or names_network(one.text) else "possible")
        evidence = (full, one)
    session = getattr(one.event, "session", "")
    last = next((stop for stop in reversed(trail.stops) if stop.session == session), None)
    if last is not None and one.event.at - last.at <= TOGETHER and isinstance(one.event, TurnEnded):
        return  # the end of the turn whose error was just told
    trail.stops.append(Stop(session, one.event.at, *found, evidence))


def _failure(event: Event, state: State) -> tuple[Verdict, Certainty] | None:
    match event:
        case UsageLimited():
            return "usage_limit", "certain"
        case ServiceOverloaded():
            return "overloaded", "certain"
        case TurnErrorReported():
            return _likely_cause(state, event.at) or ("failed", "likely")
        case TurnEnded(reason=str(reason)) if reason not in ("app_quit", "unhealthy"):
            return _likely_cause(state, event.at) or ("failed", "possible")
        case _:
            return None


def _likely_cause(state: State, at: datetime) -> tuple[Verdict, Certainty] | None:
    """A cause of the whole machine shortly before: sign-in, network, the VM."""
    causes: tuple[tuple[datetime | None, Verdict], ...] = (
        (state.sign_in_lost_at, "signed_out"),
        (state.network_failed_at, "network"),
        (state.vm.disk_full_at, "vm_disk_full"),
    )
    for when, verdict in causes:
        if when is not None and at - when <= AROUND:
            return verdict, "likely"
    return None


def _never_stopped(state: State, session: Session | None, at: datetime, asked: Observed | None) -> Diagnosis:
    if session is None or not session.alive:
        return Diagnosis(session, "unknown", "possible", None)
    if session.phase is Phase.WAITING:
        evidence = (asked,) if asked is not None else ()
        return Diagnosis(session, "waiting_for_you", "certain", session.since, evidence)
    if session.kind == "cowork" and state.vm.failed_at is not None and at - state.vm.failed_at <= NEAR:
        return Diagnosis(session, "vm_stalled", "likely", state.vm.failed_at)
    if (silent_seconds(state, at) or 0) > SILENT_AFTER_SECONDS:
        return Diagnosis(session, "app_wedged", "possible", state.app.last_sign_at)  # or the machine sleeps
    return Diagnosis(session, "still_running", "certain", session.since)


def _around(marks: Iterable[Mark], stop: Stop) -> tuple[Mark, ...]:
    proof = {(one.source, one.line) for one in stop.evidence}
    return tuple(mark for mark in marks if abs(mark.at - stop.at) <= AROUND and (mark.source, mark.line) not in proof)
