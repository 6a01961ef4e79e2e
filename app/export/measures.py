"""What is measured for systems that watch many machines: names, meanings, and how each number is found.

One table for Prometheus, OpenTelemetry and the reference. No title, no id, no path and no text of a log is among the
labels: their values are words of this project, or a version that has the form of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from app import __version__
from app.core.events import MemorySampled
from app.core.governor import cap_of, evicts_for_real, ranking, seats_taken
from app.core.machine import Machine, claude_mb
from app.core.ports import Usage
from app.core.pressure import pressure_at
from app.core.samples import HostSample
from app.core.silence import silent_seconds
from app.core.state import Kind, Phase, Protection, State
from app.core.vm import VmPhase, vm_at

MB = 1_048_576
"""Sizes in the log and of the probes are MB of so many bytes."""

Sort: TypeAlias = Literal["gauge", "counter", "states", "info"]
Sample: TypeAlias = tuple[tuple[str, ...], float]
"""Values of the labels, in their order, and the number."""

STATUSES = ("ok", "loading", "degraded")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,31}")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the numbers are made of, at one instant.

    ``state`` is None until the logs are read once: half a count would look like a restart of the counters. ``machine``
    is what still tells of ``at``. ``lag`` is how many seconds ago the source longest unlooked at was read, ``put_off``
    the put-off starts by what asked for them. The rest is of Seatwatch itself; None: not known.
    """

    at: datetime
    state: State | None = None
    machine: Machine = field(default_factory=Machine)
    status: str = "ok"
    demo: bool = False
    sources: int = 0
    unreadable: int = 0
    lag: float | None = None
    last_line_at: datetime | None = None
    put_off: Mapping[Literal["warm", "user"], int] | None = None
    waiting: int = 0
    pages: int = 0
    database_bytes: int | None = None
    rss_bytes: int | None = None
    uptime_seconds: float | None = None


Look: TypeAlias = Callable[[Facts], Iterable[Sample]]
OfState: TypeAlias = Callable[[State, datetime], "float | int | None"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its meaning. ``name`` lacks the prefix ``seatwatch_`` and, for a counter, the suffix ``_total``.

    ``states`` is a set of which one holds: its one label has the measure's own full name. ``look`` gives its samples;
    none where nothing is known, since a 0 would be a claim.
    """

    name: str
    sort: Sort
    help: str
    look: Look
    labels: tuple[str, ...] = ()
    unit: Literal["", "bytes", "seconds"] = ""

    @property
    def full_name(self) -> str:
        """The name of its samples at Prometheus."""
        suffix = {"counter": "_total", "info": "_info"}.get(self.sort, "")
        return f"seatwatch_{self.name}{suffix}"

    @property
    def all_labels(self) -> tuple[str, ...]:
        """The labels of its samples."""
        return (self.full_name,) if self.sort == "states" else self.labels


def _one(value: float | None) -> list[Sample]:
    return [] if value is None else [((), float(value))]


def _number(look: OfState) -> Look:
    """A number of the state, when there is one."""
    return lambda facts: [] if facts.state is None else _one(look(facts.state, facts.at))


def _counts(**causes: str) -> Look:
    """Counts of the fold by cause; the arguments map a cause to the field of `app.core.state.Counts`."""
    return lambda facts: (
        [] if facts.state is None else [((cause,), getattr(facts.state.counts, name)) for cause, name in causes.items()]
    )


def _states(all_of: Iterable[str], look: Callable[[State, datetime], str]) -> Look:
    """One sample for each state: 1 for the one that holds, 0 for the others."""
    names = tuple(all_of)

    def found(facts: Facts) -> list[Sample]:
        if facts.state is None:
            return []
        holds = look(facts.state, facts.at)
        return [((name,), float(name == holds)) for name in names]

    return found


def _sessions(facts: Facts) -> list[Sample]:
    if facts.state is None:
        return []
    counted = Counter((one.phase, one.kind) for one in facts.state.sessions.values())
    return [((phase.value, kind), counted[phase, kind]) for phase in Phase for kind in get_args(Kind)]


def _protected(facts: Facts) -> list[Sample]:
    if facts.state is None:
        return []
    counted = Counter(by for one in facts.state.sessions.values() if one.holds_seat for by in one.protected_by)
    return [((by,), counted[by]) for by in get_args(Protection)]


def _memory(of_log: Callable[[MemorySampled], int | None], of_host: Callable[[HostSample], int | None]) -> Look:
    """Memory as the app's log and as the host itself tell it."""

    def found(facts: Facts) -> list[Sample]:
        told = facts.state.memory if facts.state is not None else None
        seen = facts.machine.host
        return _by_source(None if told is None else of_log(told), None if seen is None else of_host(seen))

    return found


def _app_memory(facts: Facts) -> list[Sample]:
    told = facts.state.memory if facts.state is not None else None
    seen = facts.machine.processes
    return _by_source(
        None if told is None else told.tree_rss_mb, claude_mb(seen) if seen is not None and seen.app_running else None
    )


def _by_source(log: int | None, host: int | None) -> list[Sample]:
    return [((source,), mb * MB) for source, mb in (("log", log), ("host", host)) if mb is not None]


def _app_info(facts: Facts) -> list[Sample]:
    if facts.state is None or facts.state.app.version is None:
        return []
    app = facts.state.app
    return [((_word(app.version), _word(app.platform)), 1)]


def _word(text: str | None) -> str:
    """What has the form of a version; other text of a log is nobody's business."""
    return text if text is not None and _VERSION.fullmatch(text) else "unknown"


def _mode(state: State) -> str:
    return {True: "closes", False: "warns", None: "unknown"}[evicts_for_real(state)]


def _status(facts: Facts) -> list[Sample]:
    return [((name,), float(name == facts.status)) for name in STATUSES]


def _put_off(facts: Facts) -> list[Sample]:
    if facts.state is None or facts.put_off is None:
        return []
    return [((cause,), facts.put_off.get(cause, 0)) for cause in ("warm", "user")]


def _line(facts: Facts) -> list[Sample]:
    return _one(None if facts.last_line_at is None else facts.last_line_at.timestamp())


def _swap(facts: Facts) -> list[Sample]:
    host = facts.machine.host
    return _one(None if host is None or host.swap_used_mb is None else host.swap_used_mb * MB)


def _ports(look: Callable[[Usage], int | None]) -> Look:
    return lambda facts: _one(None if facts.machine.ports is None else look(facts.machine.ports.usage))


LOADED = " Nothing until the logs are read once after a start."
MEASURES: tuple[Measure, ...] = (
    Measure("build", "info", "The running version of Seatwatch.", lambda _: [((__version__,), 1)], ("version",)),
    Measure("status", "states", "loading while logs are read at the start, degraded when /readyz says so.", _status),
    Measure("demo", "gauge", "1 when everything it tells is made up (--demo).", lambda f: _one(f.demo)),
    Measure("uptime_seconds", "gauge", "Since Seatwatch started.", lambda f: _one(f.uptime_seconds), unit="seconds"),
    Measure("app", "info", "The desktop app's version and platform.", _app_info, ("version", "platform")),
    Measure("app_running", "gauge", "1 while the desktop app runs, by its log." + LOADED,
            _number(lambda s, _at: s.app.running)),
    Measure("app_silent_seconds", "gauge", "Since the running app gave its last sign of life in the log.",
            _number(silent_seconds), unit="seconds"),
    Measure("eviction_mode", "states", "Whether this version of the app closes sessions or only warns, by its log.",
            _states(("closes", "warns", "unknown"), lambda s, _at: _mode(s))),
    Measure("seats_taken", "gauge", "Seats that are taken, as the governor counts.",
            _number(lambda s, _at: seats_taken(s))),
    Measure("seats_cap", "gauge", "The governor's number of seats; seatwatch_seats_cap_origin says how it is known.",
            _number(lambda s, _at: cap_of(s).value)),
    Measure("seats_cap_origin", "states", "How the cap is known: from a line, estimated from memory, or assumed.",
            _states(("log", "estimate", "assumed"), lambda s, _at: cap_of(s).origin)),
    Measure("seats_reported", "gauge", "Seats by the newest count in the app's own log.",
            _number(lambda s, _at: None if s.seat_check is None else s.seat_check.value)),
    Measure("sessions", "gauge", "Sessions that are known, by phase and kind.", _sessions, ("phase", "kind")),
    Measure("sessions_protected", "gauge", "Seat holders that something protects; one may have several protections.",
            _protected, ("by",)),
    Measure("sessions_closable", "gauge", "Silent, unprotected seat holders: those that could be closed.",
            _number(lambda s, at: len(ranking(s, at)))),
    Measure("evictions", "counter", "Sessions that the governor really closed: for a seat, or for memory.",
            _counts(seat="evicted_cap", memory="evicted_pressure"), ("cause",)),
    Measure("put_offs", "counter", "Starts that yielded for want of a seat, by what asked for them.",
            _put_off, ("cause",)),
    Measure("would_evict_lines", "counter", "Lines that said 'would evict' and closed nothing, by what asked.",
            _counts(warm="would_evict_warm", user="would_evict_user"), ("cause",)),
    Measure("idle_pauses", "counter", "Sessions that were paused because they were idle for long.",
            _number(lambda s, _at: s.counts.paused_idle)),
    Measure("pressure_lines", "counter", "Lines of the governor about memory pressure, by level.",
            _counts(warning="pressure_warning", critical="pressure_critical"), ("level",)),
    Measure("usage_limits", "counter", "Turns that met the account's usage limit.",
            _number(lambda s, _at: s.counts.rate_limited)),
    Measure("overloads", "counter", "Turns that the service was too busy for.",
            _number(lambda s, _at: s.counts.overloaded)),
    Measure("unrecognized_lines", "counter", "Lines of the governor, VM and lifecycle of no known shape.",
            _number(lambda s, _at: s.counts.unrecognized)),
    Measure("named_lines", "counter", "Lines in which the governor named a session.",
            _number(lambda s, _at: s.score.named)),
    Measure("named_first_lines", "counter", "Of those, lines that named the one that Seatwatch had first.",
            _number(lambda s, _at: s.score.first)),
    Measure("pressure_level", "states", "Memory pressure that holds now.",
            _states(("normal", "warning", "critical", "unknown"), lambda s, at: pressure_at(s.pressure, at).level)),
    Measure("memory_free_bytes", "gauge", "Free memory of the machine, by the app's log and by the host itself.",
            _memory(lambda m: m.free_mb, lambda h: h.available_mb), ("source",), "bytes"),
    Measure("memory_size_bytes", "gauge", "All memory of the machine, by the same two.",
            _memory(lambda m: m.total_mb, lambda h: h.total_mb), ("source",), "bytes"),
    Measure("swap_used_bytes", "gauge", "Swap in use on the machine.", _swap, unit="bytes"),
    Measure("app_memory_bytes", "gauge", "Memory of the app's processes, by its log and by the host itself.",
            _app_memory, ("source",), "bytes"),
    Measure("app_child_processes", "gauge", "Child processes of the app, by its newest memory line.",
            _number(lambda s, _at: None if s.memory is None else s.memory.child_count)),
    Measure("vm_phase", "states", "Where Cowork's virtual machine is in its life.",
            _states(get_args(VmPhase), lambda s, at: vm_at(s.vm, at).phase)),
    Measure("ports_in_use", "gauge", "IPv4 ports of the home line that this machine takes.",
            _ports(lambda u: u.in_use)),
    Measure("ports_in_use_by_claude", "gauge", "Of those, ports of Claude's processes.", _ports(lambda u: u.claude)),
    Measure("ports_budget", "gauge", "Ports that the home line has, where a number is known.",
            _ports(lambda u: u.line.budget)),
    Measure("sources", "gauge", "Log files that are followed.", lambda f: _one(f.sources)),
    Measure("sources_unreadable", "gauge", "Of those, files that cannot be read.", lambda f: _one(f.unreadable)),
    Measure("tail_lag_seconds", "gauge", "Since the logs were looked at, of the file looked at longest ago.",
            lambda f: _one(f.lag), unit="seconds"),
    Measure("last_line_timestamp_seconds", "gauge", "When the newest log line was written, as Unix time.",
            _line, unit="seconds"),
    Measure("store_waiting", "gauge", "Events and batches that are read and not yet stored.",
            lambda f: _one(f.waiting)),
    Measure("database_size_bytes", "gauge", "The database with its journals.",
            lambda f: _one(f.database_bytes), unit="bytes"),
    Measure("resident_memory_bytes", "gauge", "Resident memory of Seatwatch itself.",
            lambda f: _one(f.rss_bytes), unit="bytes"),
    Measure("pages_open", "gauge", "Pages that follow the stream.", lambda f: _one(f.pages)),
)  # fmt: skip
"""All of them, in the order in which they are told."""
