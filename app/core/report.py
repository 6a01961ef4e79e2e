"""The state as one plain object: what ``inspect --json`` prints and ``/api/state`` returns.

Its shape is an interface that scripts rely on; times carry the offset of the zone asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from app.core.advice import advise, sentence
from app.core.advised import Advice, to_plain
from app.core.governor import (
    Candidate,
    cap_of,
    counted_seats,
    evicts_for_real,
    evidence_of,
    idle_seconds,
    next_out,
    ranking,
    seats_taken,
)
from app.core.limits import limit_at
from app.core.machine import Machine
from app.core.machine_report import machine_plain, ports_plain
from app.core.memory import children_per_hour
from app.core.pressure import pressure_at
from app.core.score import median_lead
from app.core.silence import silent_seconds
from app.core.state import Session, State
from app.core.vm import vm_at


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """How far one log file has been read.

    ``read_at`` is when it was last looked at, None when it is read once and not followed. ``problem`` says in a
    sentence why it cannot be read, where it cannot. ``source`` is the id under which its events name it.
    """

    path: str
    bytes: int
    lines: int
    read_at: datetime | None = None
    problem: str | None = None
    source: str = ""


def state_report(
    state: State,
    at: datetime,
    zone: tzinfo,
    sources: Iterable[SourceStatus] = (),
    processes: int | None = None,
    *,
    machine: Machine | None = None,
) -> dict[str, Any]:
    """The state as it is judged at ``at``, as plain values ready for JSON.

    ``processes`` is how many live processes of sessions their own registry tells of, as a check of the seats.
    ``machine`` is what the probes know of the machine, while they run.
    """

    queue = {one.session.id: one for one in ranking(state, at)}
    pressure, out, seen = pressure_at(state.pressure, at), next_out(state, at), evidence_of(state)
    return {
        "at": _iso(at, zone),
        "app": _app(state, at, zone),
        "cap": _cap(state, zone),
        "seats": _seats(state, processes, zone),
        "pressure": {"level": pressure.level, "since": _iso(pressure.since, zone), "origin": pressure.origin},
        "evicts_for_real": evicts_for_real(state),
        "governor_lines": {"read": seen.lines, "closed": seen.closed},
        "sessions": [session_report(one, queue.get(one.id), at, zone) for one in sessions_in_order(state)],
        "cloud_sessions": sorted(state.cloud_sessions),
        "next_out": {
            "user_start": list(out.user_start),
            "warm_start": list(out.warm_start),
            "pressure": list(out.pressure),
        },
        "counts": _counts(state),
        "score": _score(state, zone),
        "advice": [_advice(one, state, zone) for one in advise(state, at, machine)],
        "limit": _limit(state, at, zone),
        "memory": _memory(state, zone),
        "vm": _vm(state, at, zone),
        "machine": None if machine is None else machine_plain(machine, at, zone),
        "ports": None if machine is None else ports_plain(machine, at, zone),
        "sources": [_source(one, at) for one in sources],
    }


def _iso(when: datetime | None, zone: tzinfo) -> str | None:
    return when.astimezone(zone).isoformat(timespec="seconds") if when is not None else None


def _app(state: State, at: datetime, zone: tzinfo) -> dict[str, Any]:
    return {
        "running": state.app.running,
        "version": state.app.version,
        "platform": state.app.platform,
        "started_at": _iso(state.app.started_at, zone),
        "silent_seconds": silent_seconds(state, at),
    }


def _cap(state: State, zone: tzinfo) -> dict[str, Any]:
    cap = cap_of(state)
    return {"value": cap.value, "origin": cap.origin, "seen_at": _iso(cap.seen_at, zone)}


def _seats(state: State, processes: int | None, zone: tzinfo) -> dict[str, Any]:
    check = state.seat_check
    told = None if check is None else {"value": check.value, "at": _iso(check.at, zone), "ours": check.ours}
    return {
        "taken": seats_taken(state),
        "counted": counted_seats(state),
        "by_registry": processes,
        "by_governor": told,
    }


def _score(state: State, zone: tzinfo) -> dict[str, Any]:
    return {
        "named": state.score.named,
        "first": state.score.first,
        "first_three": state.score.first_three,
        "by_version": {version: {"named": one.named, "first": one.first} for version, one in state.scores.items()},
        "misses": [
            {"at": _iso(one.at, zone), "named": one.named, "ours": one.ours, "explained_by": one.explained_by}
            for one in state.misses
        ],
        "closed_foretold": {"closed": len(state.leads), "median_seconds": median_lead(state)},
    }


def _vm(state: State, at: datetime, zone: tzinfo) -> dict[str, Any]:
    vm = vm_at(state.vm, at)
    return {
        "phase": vm.phase,
        "cpus": state.vm.cpus,
        "memory_gb": state.vm.memory_gb,
        "guest": state.vm.guest,
        "step": vm.step,
        "since": _iso(vm.since, zone),
        "network": state.vm.network,
        "api": state.vm.api,
    }


def _source(source: SourceStatus, at: datetime) -> dict[str, Any]:
    lag = None if source.read_at is None else max(0.0, (at - source.read_at).total_seconds())
    return {"path": source.path, "bytes": source.bytes, "lines": source.lines, "lag_seconds": lag}


def sessions_in_order(state: State) -> list[Session]:
    """Every session that the log named, in the order in which it first did."""
    return sorted(state.sessions.values(), key=lambda session: session.order)


def session_report(session: Session, place: Candidate | None, at: datetime, zone: tzinfo) -> dict[str, Any]:
    """One session as it is judged at ``at``; ``place`` is its place among those that could be closed, None for none."""
    return {
        "id": session.id,
        "title": session.title,
        "kind": session.kind,
        "phase": session.phase.value,
        "holds_seat": session.holds_seat,
        "since": _iso(session.since, zone),
        "cwd": session.cwd,
        "idle_seconds": idle_seconds(session, at),
        "protected_by": list(session.protected_by),
        "rank": place.rank if place else None,
        "eligible_in_seconds": place.eligible_in_seconds if place else None,
        "ended_by": session.ended_by,
    }


def _advice(advice: Advice, state: State, zone: tzinfo) -> dict[str, Any]:
    """The advice's own fields, and its sentence in English with the titles that are known."""
    titles = {one.id: one.title for one in state.sessions.values() if one.title}
    return {**to_plain(advice, zone), "text": sentence(advice, titles)}


def _limit(state: State, at: datetime, zone: tzinfo) -> dict[str, Any] | None:
    limited = limit_at(state, at)
    if limited is None:
        return None
    return {
        "session": limited.session,
        "since": _iso(limited.at, zone),
        "resets": limited.resets,
        "resets_at": _iso(limited.resets_at, zone),
    }


def _memory(state: State, zone: tzinfo) -> dict[str, Any] | None:
    sample, growth = state.memory, children_per_hour(state)
    if sample is None:
        return None
    return {
        "at": _iso(sample.at, zone),
        "free_mb": sample.free_mb,
        "total_mb": sample.total_mb,
        "tree_rss_mb": sample.tree_rss_mb,
        "tree_footprint_mb": sample.tree_footprint_mb,
        "children": sample.child_count,
        "children_per_hour": None if growth is None else round(growth, 1),
    }


def _counts(state: State) -> dict[str, Any]:
    counts = state.counts
    return {
        "would_evict": {"warm": counts.would_evict_warm, "user": counts.would_evict_user},
        "put_off": counts.put_off,
        "evicted": {"cap": counts.evicted_cap, "pressure": counts.evicted_pressure},
        "paused_idle": counts.paused_idle,
        "pressure_lines": {"warning": counts.pressure_warning, "critical": counts.pressure_critical},
        "rate_limited": counts.rate_limited,
        "overloaded": counts.overloaded,
        "unrecognized": counts.unrecognized,
    }
