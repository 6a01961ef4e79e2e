"""What to tell a person about, once for each cause: pure rules over the state, what was known before, and the time.

A *cause* is something that holds for a while: this session is first to go, memory pressure is critical. It is told
once, after it has lasted for a moment, and not again until it has been gone for a while: what swings is one cause.
What held already when the watch began is known, and so not told: neither a restart nor a change of settings repeats it.

Quiet hours hold everything back, the critical too: a closed session keeps its conversation, so nothing here is worth
waking anyone. When they end, what still holds is told, and so are the sessions that were closed meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from types import MappingProxyType
from typing import TypeAlias

from app.core.governor import cap_of, evicts_for_real, next_out, ranking, seats_taken
from app.core.preferences import CRITICAL, EVICTED, FIRST_TO_GO, PORTS, VM_STALLED, Preferences, quiet_times
from app.core.pressure import pressure_at
from app.core.silence import SILENT_AFTER_SECONDS, silent_seconds
from app.core.state import Phase, State
from app.core.vm import vm_at

LASTS: Mapping[str, timedelta] = {
    FIRST_TO_GO: timedelta(seconds=10),  # the head of the queue changes with every turn that ends
    EVICTED: timedelta(seconds=1),  # a sweep closes several within a second: they are one notice
}
"""How long a cause must have held before it is told; the others at once."""
GONE: Mapping[str, timedelta] = {
    FIRST_TO_GO: timedelta(minutes=10),
    CRITICAL: timedelta(minutes=5),  # the governor's word fades between its lines
    PORTS: timedelta(minutes=5),
}
"""How long a cause must have been gone before it is a new one; the others at once."""
FRESH = timedelta(minutes=15)
"""What the log tells of longer ago is history: a log that appears late brings no news."""
PORTS_FROM = 85
"""Per cent of the home line's ports."""
AT_ONCE = timedelta(0)


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell. ``sessions`` are the ids it is about; ``since`` is when it began.

    ``detail`` is ``seat`` or ``memory`` for what threatens or closed a session, and the step that the VM is stuck in;
    ``in_use`` of ``budget`` are ports.
    """

    kind: str
    since: datetime
    sessions: tuple[str, ...] = ()
    detail: str = ""
    in_use: int = 0
    budget: int = 0


@dataclass(frozen=True, slots=True)
class Letter:
    """A notice in words, for one place: some may read titles, others may not."""

    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Cause:
    """What is known of a cause: since when it is seen, since when gone (None: it holds), whether it is told."""

    notice: Notice
    seen: datetime
    gone: datetime | None
    told: bool


Key: TypeAlias = tuple[str, str]
"""A kind, and the session that it is about, "" for none."""
Causes: TypeAlias = Mapping[Key, Cause]


@dataclass(frozen=True, slots=True)
class Judged:
    """What to tell now, and the causes known from now on. ``pending``: something may be told within seconds."""

    notices: tuple[Notice, ...]
    causes: Causes
    pending: bool


def judge(
    before: Causes | None,
    state: State,
    at: datetime,
    preferences: Preferences,
    zone: tzinfo,
    *,
    begun: datetime | None = None,
) -> Judged:
    """What to tell at ``at``. ``before`` are the causes known so far, None for the first look of a watch.

    ``begun`` is when the watch began: reading a long log takes a while, and what began meanwhile is news all the same.
    """
    present = {(one.kind, "".join(one.sessions)): one for one in _present(state, at, preferences)}
    causes = {key: aged for key, cause in (before or {}).items() if (aged := _aged(cause, key in present, at))}
    for key, notice in present.items():
        known = causes.get(key)
        if known is None:
            known_before = before is None and not _began_since(begun, notice)
            passed = known_before or notice.kind not in preferences.notify or at - notice.since > FRESH
            causes[key] = Cause(notice, at, None, told=passed)
        else:
            causes[key] = replace(known, notice=notice, gone=None)
    waiting = {} if is_quiet(preferences, at, zone) else {key: one for key, one in causes.items() if not one.told}
    ripe = {key: cause for key, cause in waiting.items() if _is_ripe(key[0], cause, at)}
    causes |= {key: replace(cause, told=True) for key, cause in ripe.items()}
    told = _joined(cause.notice for key, cause in ripe.items() if key[0] in preferences.notify)
    pending = any(cause.gone is None and key not in ripe for key, cause in waiting.items())
    return Judged(told, MappingProxyType(causes), pending)


def is_quiet(preferences: Preferences, at: datetime, zone: tzinfo) -> bool:
    """Whether ``at`` lies in the quiet hours by the clock on the wall of ``zone``, over midnight and clock changes."""
    times = quiet_times(preferences.quiet_hours)
    if times is None:
        return False
    start, end = times
    now = at.astimezone(zone).time()
    return start <= now < end if start < end else now >= start or now < end


def _present(state: State, at: datetime, preferences: Preferences) -> Iterable[Notice]:
    """Every cause that holds."""
    yield from _first_to_go(state, at)
    for one in state.sessions.values():
        if one.phase is Phase.EVICTED:
            yield Notice(EVICTED, one.since, (one.id,), "memory" if one.ended_by == "evicted_for_memory" else "seat")
    pressure, vm, ports = pressure_at(state.pressure, at), vm_at(state.vm, at), state.ports
    if pressure.level == "critical" and _speaks(state, at):
        yield Notice(CRITICAL, pressure.since or at)
    if vm.phase == "stalled":
        yield Notice(VM_STALLED, vm.since or at, detail=vm.step or "")
    if ports is not None and ports.mark >= PORTS_FROM and preferences.home_line != "none":
        yield Notice(PORTS, ports.at, in_use=ports.in_use, budget=ports.budget)


def _began_since(begun: datetime | None, notice: Notice) -> bool:
    """Whether a cause that the first look shows is newer than the watch; nobody knows since when one is first to go."""
    if begun is None or notice.kind == FIRST_TO_GO:
        return False
    return notice.since >= begun.replace(microsecond=0)  # the log tells whole seconds


def _first_to_go(state: State, at: datetime) -> Iterable[Notice]:
    """The head of the queue, where something is about to take it: all seats taken, or memory short.

    Over the cap a start by the user takes nobody and a warm one is put off, so that only memory threatens.
    """
    if not _speaks(state, at) or evicts_for_real(state) is False:
        return
    queue, out = ranking(state, at), next_out(state, at)
    tight = pressure_at(state.pressure, at).level in ("warning", "critical")
    if tight and out.pressure:
        yield Notice(FIRST_TO_GO, at, out.pressure[:1], "memory")
    elif queue and seats_taken(state) == cap_of(state).value and queue[0].eligible_in_seconds == 0:
        yield Notice(FIRST_TO_GO, at, (queue[0].session.id,), "seat")


def _speaks(state: State, at: datetime) -> bool:
    """Whether the app runs and its log is not silent: else nothing of it is known for now."""
    silent = silent_seconds(state, at)
    return state.app.running and (silent is None or silent < SILENT_AFTER_SECONDS)


def _aged(cause: Cause, present: bool, at: datetime) -> Cause | None:
    """The cause as it is at ``at``; None once it has been gone for long enough.

    A session that was closed in quiet hours stays to be told, even when it was opened again meanwhile.
    """
    if present:
        return replace(cause, seen=min(cause.seen, at))  # a clock that was set back must not hold it back
    kind = cause.notice.kind
    gone = min(cause.gone or at, at)
    keeps = kind == EVICTED and not cause.told
    return replace(cause, gone=gone) if keeps or at - gone < GONE.get(kind, AT_ONCE) else None


def _is_ripe(kind: str, cause: Cause, at: datetime) -> bool:
    holds = cause.gone is None or kind == EVICTED
    return holds and at - cause.seen >= LASTS.get(kind, AT_ONCE)


def _joined(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """The notices, those of closed sessions as one: a sweep, or a night, is one thing to tell."""
    found = sorted(notices, key=lambda one: one.since)
    closed = [one for one in found if one.kind == EVICTED]
    others = tuple(one for one in found if one.kind != EVICTED)
    if not closed:
        return others
    detail = closed[0].detail if len({one.detail for one in closed}) == 1 else ""
    sessions = tuple(session for one in closed for session in one.sessions)
    return (replace(closed[0], sessions=sessions, detail=detail), *others)
