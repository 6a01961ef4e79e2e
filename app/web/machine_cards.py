"""The card of memory, and what it shares with that of the ports (`app.web.ports_card`). Pure; no markup.

Numbers are the host's own where a probe has just read them, else those of the log. What a probe could not read is said
with its reason: an empty row would look like nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo
from typing import Literal

from app.core.machine import Machine, claude_mb
from app.core.memory import children_per_hour
from app.core.pressure import PressureNow, pressure_known
from app.core.samples import HostSample, ProcessesSample, ProcessRow, Unknown
from app.core.state import State, Vm
from app.core.vm import vm_at
from app.web.presenters import epoch
from app.web.titles import plain, title_of
from app.web.views import MemoryView, Row, Slice, Tone
from app.web.words import _, gigabytes, level_word, listed, moment, n_, number, span_short

MANY_CHILDREN_PER_HOUR = 20
"""Faster than this, child processes pile up: sessions end those that they start, so that their number stays level."""
MOST_SESSIONS = 8
"""So many sessions are listed with their memory, largest first."""


def memory_view(state: State, machine: Machine, at: datetime, zone: tzinfo) -> MemoryView:
    """Memory pressure, memory as the host or the app read it last, and who holds it."""
    now, host, processes = pressure_known(state, at), machine.host, machine.processes
    tones: dict[str, Tone] = {"warning": "next", "critical": "out"}
    tone = tones.get(now.level, "plain")
    free, total, read_at = _reading(state, host)
    claude = _claude_mb(state, processes)
    held = vm_held(machine)
    vm = _vm_mb(state.vm, at) if held is None else held
    rows = [*_pressure_rows(state, now, at, zone, tone), *_host_rows(host), *_claude_rows(state, claude, processes)]
    known = free is not None and total is not None
    return MemoryView(
        level=pressure_word(state, now.level),
        tone=tone,
        free=_("{free} free of {total}").format(free=gigabytes(free), total=gigabytes(total))
        if free is not None and total is not None
        else _("Not read yet"),
        slices=_slices(total or 0, free or 0, claude, vm) if known else (),
        rows=(*rows, *_others(processes)),
        sessions=_sessions(state, processes),
        unknown=unknown_lines([*(host.unknown if host else ()), *(processes.unknown if processes else ())]),
        read_at=None if read_at is None else epoch(read_at),
        age="" if read_at is None else span_short(max(0, int((at - read_at).total_seconds()))),
    )


def _reading(state: State, host: HostSample | None) -> tuple[int | None, int | None, datetime | None]:
    """Free and total memory, and when that was where it is not now."""
    if host is not None and host.available_mb is not None and host.total_mb:
        return host.available_mb, host.total_mb, None
    sample = state.memory
    if sample is None or sample.free_mb is None or not sample.total_mb:
        return None, None, None
    return sample.free_mb, sample.total_mb, sample.at


def _claude_mb(state: State, processes: ProcessesSample | None) -> int | None:
    if processes is not None and processes.app_running:
        return claude_mb(processes)
    sample = None if _gone(state) else state.memory
    return None if sample is None else sample.tree_footprint_mb or sample.tree_rss_mb


def _vm_mb(vm: Vm, at: datetime) -> int:
    """What the VM was given, while it runs: what it holds is not known then."""
    running = vm_at(vm, at).phase in ("booting", "ready", "stalled", "stopping", "orphan_suspect")
    return (vm.memory_gb or 0) * 1024 if running else 0


def vm_held(machine: Machine) -> int | None:
    """The memory that the Cowork VM's process holds; None where none is seen."""
    processes = machine.processes
    return processes.rss_of("cowork_vm") if processes is not None and processes.cowork_vm else None


def pressure_word(state: State, level: str) -> str:
    """A level in words; where nobody tells it, whether it was told before the app ended or is still to come."""
    return _("not known") if level == "unknown" and _gone(state) else level_word(level)


def _gone(state: State) -> bool:
    """Whether the app ran and runs no more: then its log tells nothing of the present."""
    return state.at is not None and not state.app.running


def _pressure_rows(state: State, now: PressureNow, at: datetime, zone: tzinfo, tone: Tone) -> list[Row]:
    if now.level == "unknown" and _gone(state):
        return [Row(_("Pressure"), _("not known while Claude is not running"))]
    if now.since is None or now.level == "unknown":
        return []
    message = _("{level} since {time}") if now.origin == "log" else _("{level} since {time}, read by Seatwatch")
    return [Row(_("Pressure"), message.format(level=level_word(now.level), time=moment(now.since, at, zone)), tone)]


def _host_rows(host: HostSample | None) -> list[Row]:
    if host is None:
        return []
    sizes = ((_("Swap"), host.swap_used_mb), (_("Compressed"), host.compressed_mb))
    return [Row(name, gigabytes(mb)) for name, mb in sizes if mb is not None]


def _claude_rows(state: State, claude: int | None, processes: ProcessesSample | None) -> list[Row]:
    rows: list[Row] = []
    if claude is not None:
        value = gigabytes(claude)
        tree = processes.of("app", "session") if processes is not None else ()
        if tree:
            value = listed((value, n_("{n} process", "{n} processes", sum(row.count for row in tree))))
        elif state.memory is not None and state.memory.child_count is not None:
            value = listed((value, n_("{n} child", "{n} children", state.memory.child_count)))
        rows.append(Row(_("Claude's processes"), value))
    growth = children_per_hour(state)
    if growth is not None and growth > MANY_CHILDREN_PER_HOUR:
        message = _("{number} more an hour").format(number=number(round(growth)))
        rows.append(Row(_("Child processes"), message, "next"))
    return rows


def _others(processes: ProcessesSample | None) -> list[Row]:
    """Who else holds memory: virtual machines of other programs, agents outside the app, what a dead app left."""
    if processes is None:
        return []
    rows = [
        Row(plain(row.name, 40), _("{size}, competes with Cowork").format(size=gigabytes(row.rss_mb)), "next")
        for row in processes.other_vms
    ]
    if processes.agents:
        rows.append(Row(_("Agents outside the app"), _together(processes.agents)))
    if processes.orphans:
        rows.append(Row(_("Left by an app that is gone"), _together(processes.orphans), "next"))
    return rows


def _together(rows: Iterable[ProcessRow]) -> str:
    found = list(rows)
    count, size = sum(row.count for row in found), sum(row.rss_mb for row in found)
    return listed((n_("{n} process", "{n} processes", count), gigabytes(size)))


def _sessions(state: State, processes: ProcessesSample | None) -> tuple[Row, ...]:
    """Memory by session, where the app's own registry tells whose a process is."""
    found = processes.by_session if processes is not None else {}
    known = [(state.sessions[key], row) for key, row in found.items() if key in state.sessions]
    known.sort(key=lambda pair: -pair[1].rss_mb)
    return tuple(Row(title_of(one), gigabytes(row.footprint_mb or row.rss_mb)) for one, row in known[:MOST_SESSIONS])


def _slices(total: int, free: int, claude: int | None, vm: int) -> tuple[Slice, ...]:
    """Shares of the machine's memory in percent. What the VM was given is cut to what is used: it may hold less."""
    used = max(0, total - free)
    vm = min(vm, used)
    mine = min(claude or 0, used - vm)
    return bar(
        total,
        (
            ("vm", vm, _("Cowork VM {size}").format(size=gigabytes(vm))),
            ("claude", mine, _("Claude {size}").format(size=gigabytes(mine))),
            ("rest", used - vm - mine, _("everything else")),
        ),
    )


def bar(total: int, kinds: Iterable[tuple[Literal["vm", "claude", "rest"], int, str]]) -> tuple[Slice, ...]:
    """Sizes as slices of a bar that is ``total`` long, one after the other; empty ones are left out."""
    found: list[Slice] = []
    start = 0.0
    for kind, size, label in kinds:
        if size > 0:
            width = round(100 * size / total, 1)
            found.append(Slice(kind, round(start, 1), width, label))
            start += width
    return tuple(found)


def unknown_lines(unknown: Iterable[Unknown]) -> tuple[str, ...]:
    """What could not be read, and why, a line each."""
    parts = {
        "memory": _("Memory"), "available": _("Free memory"), "swap": _("Swap"), "compressed": _("Compressed memory"),
        "pressure": _("The host's memory pressure"), "processes": _("Processes"), "vm_owner": _("Whose VM this is"),
        "vm_memory": _("Memory of a VM"), "container_memory": _("Memory of this container alone"),
        "host_processes": _("Processes outside this container"), "connections": _("Connections"),
        "host_connections": _("Connections of the whole machine"), "probes": _("The machine"), "host": _("Memory"),
    }  # fmt: skip
    reasons = {
        "platform": _("this system does not tell"), "permission": _("no permission"), "missing": _("not there"),
        "container": _("a container hides it"), "timeout": _("took too long"), "failed": _("the reading failed"),
    }  # fmt: skip
    message = _("{part}: not known, {reason}.")
    found = (
        message.format(part=parts.get(one.part, plain(one.part, 30)), reason=reasons[one.reason]) for one in unknown
    )
    return tuple(dict.fromkeys(found))
