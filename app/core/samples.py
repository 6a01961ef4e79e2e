"""What the probes saw at one instant: memory, processes, connections. Values only; `app.probes` takes them.

Sizes are MB of 1,048,576 bytes. A part that could not be read is None and has an `Unknown` that says why, so that
"none" and "not known" are never mixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["platform", "permission", "container", "missing", "timeout", "failed"]
"""Why a part is not known: this system does not offer it, we may not read it, a container hides it, what tells it is
not there, it took too long, or it answered with something else than expected."""

HostLevel: TypeAlias = Literal["normal", "warning", "critical", "unknown"]
Role: TypeAlias = Literal["app", "session", "cowork_vm", "other_vm", "agent", "orphan"]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A ``part`` that a probe could not read. ``detail`` is the system's own word for it, cleaned and cut short."""

    part: str
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HostSample:
    """Memory of the whole machine.

    ``available_mb`` is what can be had without swapping, never the bare free pages. ``origin`` names what gave the
    level: ``kern.memorystatus_vm_pressure_level``, ``psi`` (Linux's stall times), ``available`` (a share of all
    memory), or ``none``.
    """

    at: datetime
    total_mb: int | None = None
    available_mb: int | None = None
    swap_used_mb: int | None = None
    compressed_mb: int | None = None
    level: HostLevel = "unknown"
    origin: str = "none"
    unknown: tuple[Unknown, ...] = ()


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """Processes of one role and name taken together; ``pid`` is the oldest of them.

    ``rss_mb`` is the sum of their resident memory: pages that several share are in it several times.
    ``footprint_mb`` is macOS's own figure, which counts compressed pages too and shared ones once; None elsewhere.
    ``session`` is set for the role ``session`` alone, and is what the probe was told for that process.
    """

    role: Role
    name: str
    pid: int
    count: int
    rss_mb: int
    footprint_mb: int | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class ProcessesSample:
    """The processes that matter here, each in exactly one row."""

    at: datetime
    rows: tuple[ProcessRow, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    def of(self, *roles: Role) -> tuple[ProcessRow, ...]:
        """The rows of these roles, in the sample's order."""
        return tuple(row for row in self.rows if row.role in roles)

    def rss_of(self, *roles: Role) -> int:
        """Resident memory of these roles together, in MB."""
        return sum(row.rss_mb for row in self.of(*roles))

    @property
    def app_running(self) -> bool:
        """Whether a process of the desktop app itself was seen."""
        return bool(self.of("app"))

    @property
    def tree_rss_mb(self) -> int:
        """The app's tree, its sessions included and its VM not: what the app's own ``tree_rss_sum`` counts."""
        return self.rss_of("app", "session")

    @property
    def tree_footprint_mb(self) -> int | None:
        """The same by macOS's footprint; None when any part of it is not known, or there is no tree."""
        rows = self.of("app", "session")
        known = [row.footprint_mb for row in rows if row.footprint_mb is not None]
        return sum(known) if rows and len(known) == len(rows) else None

    @property
    def by_session(self) -> Mapping[str, ProcessRow]:
        """The row of each session that the probe was told a process for."""
        return MappingProxyType({row.session: row for row in self.of("session") if row.session is not None})

    @property
    def cowork_vm(self) -> tuple[ProcessRow, ...]:
        """Cowork's VM."""
        return self.of("cowork_vm")

    @property
    def other_vms(self) -> tuple[ProcessRow, ...]:
        """Virtual machines of other programs, which share the memory."""
        return self.of("other_vm")

    @property
    def agents(self) -> tuple[ProcessRow, ...]:
        """Command-line agents that the app did not start."""
        return self.of("agent")

    @property
    def orphans(self) -> tuple[ProcessRow, ...]:
        """What an app that is gone left running."""
        return self.of("orphan")


@dataclass(frozen=True, slots=True)
class Tcp:
    """TCP connections through the router, counted by state (``ESTABLISHED``, ``TIME_WAIT``, …). None that listens.

    An IPv4 connection of an IPv6 socket is IPv4. ``remotes_v4`` counts distinct remote addresses. ``held`` are IPv4
    connections that this machine has forgotten and the router still keeps.
    """

    v4: Mapping[str, int] = field(default_factory=dict)
    v6: Mapping[str, int] = field(default_factory=dict)
    remotes_v4: int = 0
    held: int = 0

    @property
    def in_use(self) -> int:
        """Ports that these connections take on a line that shares its IPv4 address: one each, IPv6 none."""
        return sum(self.v4.values()) + self.held


@dataclass(frozen=True, slots=True)
class ConnectionsSample:
    """Connections of the Claude processes and of the whole machine; None: not known.

    Claude's are those of the app with all its children and its VM, of what it left running, and of every ``claude``
    of the command line.
    """

    at: datetime
    claude: Tcp | None = None
    host: Tcp | None = None
    unknown: tuple[Unknown, ...] = ()
