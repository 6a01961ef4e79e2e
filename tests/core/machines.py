"""Machines for the tests: what the probes might have seen at noon, part by part."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from app.core.machine import Machine, Ports
from app.core.ports import HomeLine, line_named, usage
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, ProcessRow, Role, Tcp
from tests.core.helpers import NOON

V6PLUS = line_named("v6plus")


def row(role: Role, name: str, mb: int, count: int = 1, session: str | None = None) -> ProcessRow:
    """Processes of one role that hold so much memory."""
    return ProcessRow(role, name, 100, count, mb, None, session)


def processes(*rows: ProcessRow, at: datetime = NOON) -> ProcessesSample:
    """A look that saw these."""
    return ProcessesSample(at, rows)


def connections(taken: int, claude: int | None = 0, at: datetime = NOON) -> ConnectionsSample:
    """So many IPv4 connections of the host, and of Claude among them; some wait for their end."""
    waiting = taken // 4
    host = Tcp({"ESTABLISHED": taken - waiting, "TIME_WAIT": waiting}, {"ESTABLISHED": 3}, taken // 3)
    return ConnectionsSample(at, None if claude is None else Tcp({"ESTABLISHED": claude}, {}, 2), host)


def ports(
    taken: int, minutes: float | None = None, line: HomeLine = V6PLUS, claude: int | None = 0, at: datetime = NOON
) -> Ports:
    """Ports of a line, with so many minutes until none is left."""
    sample = connections(taken, claude, at)
    used = usage(sample, line)
    assert used is not None
    assert sample.host is not None
    percent = used.percent or 0
    mark = max((one for one in (70, 85, 95) if percent >= one), default=0)
    return Ports(used, sample.host, (at, taken), None if minutes is None else 1.0, minutes, mark)


def machine(
    *rows: ProcessRow, found: Ports | None = None, host: HostSample | None = None, at: datetime = NOON
) -> Machine:
    """A machine with these processes, ports and memory."""
    counted = None if found is None else connections(found.usage.in_use, found.usage.claude, at)
    return Machine(host, processes(*rows, at=at), counted, found)


def host(available: int, total: int = 24_576, at: datetime = NOON, **fields: Any) -> HostSample:
    """Memory of a machine that has so much available."""
    known: dict[str, Any] = {"swap_used_mb": 1229, "compressed_mb": 2048, "level": "normal", **fields}
    return HostSample(at, total, available, **known)
