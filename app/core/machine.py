"""What is known of the machine now: the probes' newest samples, and how near the home line is to its last port."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.core.points import Point
from app.core.ports import Reading, Usage
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, ProcessRow, Tcp

SOON_MINUTES = 10
"""A line that would be full within this time at the present slope is worth the first sentence."""
LEAD_PERCENT = 85
"""From this share of the line on its ports are worth the first sentence, whatever the slope."""
HALF_PERCENT = 50
"""Below half of the line a slope is a burst of one page or one update, not a want to come."""
MEMORY_STEP_MB = 200
"""Memory that moved by less is not worth a new picture: a tenth of a GB is the last digit that is shown."""
STALE = timedelta(minutes=2)
"""A sample that is older tells of a probe that no longer answers: even a slowed one looks every minute."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The home line's ports. ``highest`` is today's count.

    ``minutes`` are left until the last one goes at ``per_minute``, None when nothing grows or no budget is known.
    ``mark`` is the highest of 70, 85 and 95 % that holds, 0 below them.
    """

    usage: Usage
    tcp: Tcp
    highest: Reading | None = None
    per_minute: float | None = None
    minutes: float | None = None
    mark: int = 0

    @property
    def lead(self) -> bool:
        """Whether they are the first thing to say."""
        percent = self.usage.percent
        if percent is None:
            return False
        soon = self.minutes is not None and self.minutes <= SOON_MINUTES
        return percent > LEAD_PERCENT or (soon and percent >= HALF_PERCENT)


@dataclass(frozen=True, slots=True)
class Machine:
    """The newest sample of each probe; None before the first look, or where no probes run."""

    host: HostSample | None = None
    processes: ProcessesSample | None = None
    connections: ConnectionsSample | None = None
    ports: Ports | None = None

    def fresh(self, at: datetime) -> Machine:
        """What of it still tells of ``at``: samples that are too old, or from the future, are left out."""
        host = self.host if self.host is not None and _known(at, self.host.at) else None
        processes = self.processes if self.processes is not None and _known(at, self.processes.at) else None
        known = self.connections is not None and _known(at, self.connections.at)
        return Machine(host, processes, *((self.connections, self.ports) if known else (None, None)))

    def point(self, at: datetime) -> Point:
        """What is kept of it at ``at``."""
        now = self.fresh(at)
        host, found, ports = now.host or HostSample(at), now.processes, now.ports
        tree = found.of("app", "session") if found is not None else ()
        return Point(
            at,
            total_mb=host.total_mb,
            available_mb=host.available_mb,
            available_low_mb=host.available_mb,
            swap_mb=host.swap_used_mb,
            compressed_mb=host.compressed_mb,
            claude_mb=claude_mb(found) if found is not None else None,
            cowork_mb=found.rss_of("cowork_vm") if found is not None else None,
            others_mb=found.rss_of("other_vm") if found is not None else None,
            processes=sum(row.count for row in tree) if found is not None else None,
            ports=ports.usage.in_use if ports is not None else None,
            ports_high=ports.usage.in_use if ports is not None else None,
            ports_claude=ports.usage.claude if ports is not None else None,
        )


def _known(at: datetime, when: datetime) -> bool:
    return abs(at - when) <= STALE


def claude_mb(sample: ProcessesSample) -> int:
    """The memory of the app's tree: by macOS's footprint where all of it is known, else resident."""
    footprint = sample.tree_footprint_mb
    return sample.tree_rss_mb if footprint is None else footprint


def moved(old: Machine, new: Machine) -> bool:
    """Whether a page would show something else: memory by a tenth of a GB is the least that is seen."""
    return _host_moved(old.host, new.host) or _rows_moved(old.processes, new.processes) or _ports(old) != _ports(new)


def _host_moved(old: HostSample | None, new: HostSample | None) -> bool:
    if old is None or new is None:
        return old is not new
    if (old.level, old.unknown) != (new.level, new.unknown):
        return True
    pairs = (
        (old.available_mb, new.available_mb),
        (old.swap_used_mb, new.swap_used_mb),
        (old.compressed_mb, new.compressed_mb),
        (old.total_mb, new.total_mb),
    )
    return any(_differs(before, after) for before, after in pairs)


def _rows_moved(old: ProcessesSample | None, new: ProcessesSample | None) -> bool:
    if old is None or new is None:
        return old is not new
    before, after = ({_name(row): row for row in one.rows} for one in (old, new))
    if before.keys() != after.keys() or old.unknown != new.unknown:
        return True
    return any(row.count != after[key].count or _differs(row.rss_mb, after[key].rss_mb) for key, row in before.items())


def _name(row: ProcessRow) -> tuple[str, str, str | None]:
    return row.role, row.name, row.session


def _differs(old: int | None, new: int | None) -> bool:
    if old is None or new is None:
        return old is not new
    return abs(new - old) >= MEMORY_STEP_MB


def _ports(machine: Machine) -> object:
    """What a page says of the ports."""
    ports, unknown = machine.ports, machine.connections.unknown if machine.connections is not None else None
    if ports is None:
        return None, unknown
    left = None if ports.minutes is None else round(ports.minutes)
    return ports.usage.line, ports.usage.in_use, ports.usage.claude, ports.highest, left, dict(ports.tcp.v4), unknown
