"""Which events leave a mark on the timeline, and with which words and numbers behind it."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.core.events import (
    AccountOpened,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    EvictionForeseen,
    HostPressureRead,
    NetworkFailed,
    Observed,
    PeerMessageLost,
    PortsCrossed,
    PressureChanged,
    PressureReported,
    RemoteBridgeChanged,
    ServiceOverloaded,
    SessionSaveFailed,
    SessionsStopped,
    ShellsKilled,
    SignInLost,
    StartYielded,
    UsageLimited,
    VmDiskFilled,
    VmReady,
    VmStartFailed,
    WarmUpIntended,
)
from app.core.governor import cap_of, idle_seconds
from app.core.history import Mark, MarkKind
from app.core.pressure import pressure_at
from app.core.state import Ending, State

TELLING = frozenset({
    AccountOpened, AppQuitBegan, AppQuitCompleted, AppStarted, EvictionForeseen, HostPressureRead, NetworkFailed,
    PeerMessageLost, PortsCrossed, PressureChanged, PressureReported, RemoteBridgeChanged, ServiceOverloaded,
    SessionSaveFailed, SessionsStopped, ShellsKilled, SignInLost, StartYielded, UsageLimited, VmDiskFilled, VmReady,
    VmStartFailed,
})  # fmt: skip
"""Events that may leave a mark by themselves. Most events do not, and asking for each of these kinds in turn was a
seventh of the fold."""

SAME_CAUSE = timedelta(seconds=60)
"""Failures that repeat within this time are one mark: one broken network writes dozens of lines."""

_ENDINGS: dict[Ending, MarkKind] = {
    "evicted_for_seat": "evicted_for_seat",
    "evicted_for_memory": "evicted_for_memory",
    "paused_idle": "paused_idle",
    "killed": "killed",
    "failed": "failed",
    "timed_out": "timed_out",
}


def mark_of(before: State, observed: Observed, after: State, warming: WarmUpIntended | None) -> Mark | None:
    """The mark of one step, or None.

    ``warming`` is the newest intent to start ahead of need: a put-off start was meant for it.
    """
    return _session_mark(before, observed, after) or _event_mark(before, observed, after, warming)


def _mark(
    observed: Observed,
    kind: MarkKind,
    session: str | None = None,
    idle: int | None = None,
    detail: str | None = None,
) -> Mark:
    return Mark(observed.event.at, kind, session, observed.source, observed.line, observed.text, idle, detail)


def _session_mark(before: State, observed: Observed, after: State) -> Mark | None:
    """A session that had a process, or was never seen before, and has an ending now."""
    name = getattr(observed.event, "session", None)
    if name is None or (new := after.sessions.get(name)) is None or new.ended_by is None:
        return None
    old = before.sessions.get(name)
    kind = _ENDINGS.get(new.ended_by)
    if kind is None or (old is not None and not old.alive and old.since == new.since):
        return None
    return _mark(observed, kind, name, idle_seconds(old, observed.event.at) if old else None)


def _event_mark(before: State, observed: Observed, after: State, warming: WarmUpIntended | None) -> Mark | None:
    event = observed.event
    if type(event) not in TELLING:
        return None
    match event:
        case EvictionForeseen():
            return _mark(observed, "would_evict", event.session, event.idle_seconds, event.trigger)
        case StartYielded():
            recent = warming is not None and event.at - warming.at <= timedelta(seconds=5)
            return _mark(observed, "put_off", warming.session if warming and recent else None,
                         detail=str(cap_of(after).value))  # fmt: skip
        case UsageLimited():
            return _mark(observed, "usage_limit", event.session, detail=event.resets)
        case ServiceOverloaded():
            return _mark(observed, "overloaded", event.session)
        case SignInLost() if _new_cause(before.sign_in_lost_at, observed):
            return _mark(observed, "signed_out")
        case NetworkFailed() if _new_cause(before.network_failed_at, observed):
            return _mark(observed, "network", detail=event.code)
        case AppStarted():
            clean = before.app.going_down is not None or not before.app.running
            return _mark(observed, "app_started" if clean else "app_crashed", detail=after.app.version)
        case AppQuitBegan() | AppQuitCompleted() | SessionsStopped() | ShellsKilled() if (
            after.app.going_down != before.app.going_down
        ):
            return _mark(observed, "app_update" if after.app.going_down == "update" else "app_quit")
        case AccountOpened() if before.accounts.get(event.manager, event.account) != event.account:
            # Both managers of sessions open the new account; one mark tells it.
            switched = event.account in before.accounts.values()
            return None if switched else _mark(observed, "account_switched")
        case PeerMessageLost():
            return _mark(observed, "undelivered", event.session)
        case SessionSaveFailed() if _new_cause(before.save_failed_at, observed):
            return _mark(observed, "save_failed", event.session, detail=event.error)
        case RemoteBridgeChanged(status="reconnecting") if before.bridge != "reconnecting":
            return _mark(observed, "remote_lost")
        case VmReady() if event.took_ms is not None:
            return _mark(observed, "vm_ready", detail=str(event.took_ms))
        case VmStartFailed() if _new_cause(before.vm.failed_at, observed):
            return _mark(observed, "vm_failed", detail=event.detail)
        case VmDiskFilled() if _new_cause(before.vm.disk_full_at, observed):
            return _mark(observed, "vm_disk_full")
        case PortsCrossed():
            return _mark(observed, "ports", detail=f"{event.in_use}/{event.budget}")
        case PressureChanged() | PressureReported() | HostPressureRead():
            return _pressure_mark(before, observed, after)
        case _:
            return None


def _new_cause(last: datetime | None, observed: Observed) -> bool:
    return last is None or observed.event.at - last > SAME_CAUSE


def _pressure_mark(before: State, observed: Observed, after: State) -> Mark | None:
    at = observed.event.at
    level = pressure_at(after.pressure, at).level
    if level == pressure_at(before.pressure, at).level:
        return None
    if level == "warning":
        return _mark(observed, "pressure_warning")
    return _mark(observed, "pressure_critical") if level == "critical" else None
