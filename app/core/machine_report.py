"""What the probes know, as plain values ready for JSON; None where nothing is known of now."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any

from app.core.machine import Machine
from app.core.samples import HostSample, ProcessesSample, ProcessRow, Unknown


def machine_plain(machine: Machine, at: datetime, zone: tzinfo) -> dict[str, Any] | None:
    """Memory and processes of the machine, and what of all that cannot be read. ``at`` is the moment to judge from."""
    now = machine.fresh(at)
    if now == Machine():
        return None
    host, processes = now.host, now.processes
    unknown = [one for sample in (host, processes, now.connections) if sample is not None for one in sample.unknown]
    return {
        "memory": None if host is None else _memory(host, zone),
        "processes": None if processes is None else _processes(processes, zone),
        "unknown": [_unknown(one) for one in unknown],
    }


def ports_plain(machine: Machine, at: datetime, zone: tzinfo) -> dict[str, Any] | None:
    """The home line's ports."""
    ports = machine.fresh(at).ports
    if ports is None:
        return None
    used = ports.usage
    return {
        "at": _iso(used.at, zone),
        "line": used.line.key,
        "budget": used.line.budget,
        "in_use": used.in_use,
        "claude": used.claude,
        "whole": used.whole,
        "percent": None if used.percent is None else round(used.percent, 1),
        "highest_today": None if ports.highest is None else ports.highest[1],
        "minutes_left": None if ports.minutes is None else round(ports.minutes, 1),
        "mark": ports.mark or None,
        "by_state": dict(ports.tcp.v4),
        "held": ports.tcp.held,
        "remotes": used.remotes,
    }


def _memory(host: HostSample, zone: tzinfo) -> dict[str, Any]:
    return {
        "at": _iso(host.at, zone),
        "total_mb": host.total_mb,
        "available_mb": host.available_mb,
        "swap_used_mb": host.swap_used_mb,
        "compressed_mb": host.compressed_mb,
        "level": host.level,
        "origin": host.origin,
    }


def _processes(sample: ProcessesSample, zone: tzinfo) -> dict[str, Any]:
    return {
        "at": _iso(sample.at, zone),
        "tree_rss_mb": sample.tree_rss_mb,
        "tree_footprint_mb": sample.tree_footprint_mb,
        "rows": [_row(one) for one in sample.rows],
    }


def _row(row: ProcessRow) -> dict[str, Any]:
    return {
        "role": row.role,
        "name": row.name,
        "count": row.count,
        "rss_mb": row.rss_mb,
        "footprint_mb": row.footprint_mb,
        "session": row.session,
    }


def _unknown(one: Unknown) -> dict[str, Any]:
    return {"part": one.part, "reason": one.reason, "detail": one.detail}


def _iso(when: datetime, zone: tzinfo) -> str:
    return when.astimezone(zone).isoformat(timespec="seconds")
