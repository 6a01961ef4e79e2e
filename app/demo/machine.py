"""What the probes would see of the demo's machine: made up like its logs, and in step with them.

Memory is what the logs say; processes and connections follow from the sessions that live. The rest are slow waves, so
that a picture of them has something to show; the same instant always gives the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta

from app.core.points import Point
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, ProcessRow, Role, Tcp
from app.demo.world import World

LINE = "v6plus"
"""The demo's home line."""
DOCKER_MB = 8192
APP_MB, SESSION_MB, VM_MB = 2900, 420, 3600
HISTORY = timedelta(hours=24)
"""How far back the demo's points reach."""


def wave(at: datetime, minutes: float, size: float) -> int:
    """A number between -size and size that comes back after so many minutes."""
    return round(size * math.sin(2 * math.pi * at.timestamp() / (60 * minutes)))


class HostLook:
    """Memory of the demo's machine."""

    def __init__(self, world: World) -> None:
        self._world = world

    def look(self, at: datetime) -> HostSample:
        """The machine's memory at ``at``."""
        world = self._world
        free = world.free_mb if world.free_mb is not None else world.config.total_mb // 4
        return HostSample(
            at,
            total_mb=world.config.total_mb,
            available_mb=max(64, free + wave(at, 3, 40)),
            swap_used_mb=1229 + wave(at, 47, 300),
            compressed_mb=2355 + wave(at, 31, 400),
            level=world.level,
            origin="demo",
        )


class ProcessesLook:
    """The demo's processes; none of them has a number that a real one might have."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.claude_pids: frozenset[int] = frozenset()

    def look(self, at: datetime, _sessions: Mapping[int, str]) -> ProcessesSample:
        """The processes at ``at``."""
        world = self._world
        alive = [key for key, one in list(world.sessions.items()) if one.alive]
        rows: list[ProcessRow] = []
        if world.running:
            rows.append(_row("app", "Claude", APP_MB + wave(at, 19, 200), 11))
            rows += [
                _row("session", "claude", SESSION_MB + wave(at + timedelta(minutes=7 * n), 29, 150), 4, session=key)
                for n, key in enumerate(alive)
            ]
        if world.vm is not None:
            rows.append(_row("cowork_vm", "Cowork VM", VM_MB + wave(at, 23, 200), 1))
        rows.append(_row("other_vm", "Docker Desktop", DOCKER_MB, 1))
        return ProcessesSample(at, tuple(rows))


class ConnectionsLook:
    """The demo's connections: each session keeps some open, and the rest of the machine a few dozen."""

    def __init__(self, world: World) -> None:
        self._world = world

    def look(self, at: datetime, _pids: object) -> ConnectionsSample:
        """The connections at ``at``."""
        alive = sum(one.alive for one in list(self._world.sessions.values()))
        open_now = 44 + 8 * alive + wave(at, 23, 14) if self._world.running else 0
        closing, others = (14 + wave(at, 5, 6)) * self._world.running, 30 + wave(at, 7, 6)
        claude = Tcp({"ESTABLISHED": open_now, "TIME_WAIT": closing}, {"ESTABLISHED": 6}, 9, 4)
        host = Tcp(
            {"ESTABLISHED": open_now + others, "TIME_WAIT": closing + 4, "CLOSE_WAIT": 2}, {"ESTABLISHED": 31}, 27, 6
        )
        return ConnectionsSample(at, claude, host)


def _row(role: Role, name: str, mb: int, count: int, *, session: str | None = None) -> ProcessRow:
    return ProcessRow(role, name, 0, count, mb, mb, session)


def history(total_mb: int, end: datetime) -> list[Point]:
    """A point a minute of the day before ``end``."""
    found = []
    for minute in range(HISTORY // timedelta(minutes=1), 0, -1):
        at = end - timedelta(minutes=minute)
        free = total_mb // 4 + wave(at, 41, 900) + wave(at, 7, 300)
        ports = 150 + wave(at, 97, 24) + wave(at, 23, 12)
        found.append(
            Point(
                at, total_mb, free, free - 200, 1229 + wave(at, 47, 300), 2355 + wave(at, 31, 400),
                APP_MB + 7 * SESSION_MB + wave(at, 53, 700), VM_MB + wave(at, 23, 200), DOCKER_MB, 39,
                ports, ports + 6, ports - 36,
            )
        )  # fmt: skip
    return found
