"""Takes the probes' samples one after the other: what is known of the machine, and what of it becomes an event."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta, tzinfo
from typing import cast

from app.core.events import HostDisagreed, HostPressureRead, Level, MachineEvent, PortsCrossed, PortsEased
from app.core.events.machine import PortMark
from app.core.evolve import replace
from app.core.governor import seats_taken
from app.core.machine import Machine, Ports
from app.core.ports import TREND, HomeLine, Reading, crossed, highest, minutes_left, slope, usage
from app.core.portstrail import SCARCE
from app.core.pressure import HOST_REPEATS
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample
from app.core.state import State

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
PORTS_REPEAT = timedelta(minutes=10)
"""How often a mark from 85 % on is told again while it lasts."""
FALLS_AFTER = timedelta(seconds=30)
"""A level is told lower only after so long: a level that swings is the higher one of the two."""
SAME_TIME = timedelta(seconds=10)
"""The log's reading and ours are of one moment up to this: we look every five seconds, the log knows whole ones."""
MEMORY_SHARE, MEMORY_LEAST_MB = 8, 1024
"""Two readings of free memory agree within an eighth of all, at least 1 GB: what counts as free for the asking
(purgeable and speculative pages, caches) differs between readers by some percent of all, and a session that starts in
the seconds between them takes half a GB."""
TIMES = 2
"""So many readings in a row must differ; the log's come once a minute."""
PROCESSES_AFTER = timedelta(seconds=60)
"""A process is in the registry before or after its lines are in the log; so long it never takes."""


class Watcher:
    """Grown sample by sample, as the fold is event by event; ``machine`` is what is known now.

    ``zone`` is whose midnight ends "today". The events are in whole seconds, as the log's are.
    """

    def __init__(self, zone: tzinfo) -> None:
        self.machine = Machine()
        self._zone = zone
        self._told: tuple[Level, datetime] | None = None
        self._lower_since: datetime | None = None
        self._readings: deque[Reading] = deque()
        self._highest: Reading | None = None
        self._line: HomeLine | None = None
        self._mark, self._mark_told_at = 0, NEVER
        self._compared: datetime | None = None
        self._memory_differed = 0
        self._processes_differ_since: datetime | None = None
        self._processes_told = False

    def remember(self, readings: list[Reading]) -> None:
        """What was counted before the start: the highest of today may be among it."""
        self._highest = max(readings, key=lambda one: one[1], default=None)

    def take_host(self, sample: HostSample, state: State) -> list[MachineEvent]:
        """Take a reading of memory."""
        self.machine = replace(self.machine, host=sample)
        return [*self._pressure(sample), *self._compare_memory(sample, state)]

    def take_processes(self, sample: ProcessesSample, state: State, alive: int | None) -> list[MachineEvent]:
        """Take a look at the processes; ``alive`` is how many of sessions live by their own registry."""
        self.machine = replace(self.machine, processes=sample)
        return self._compare_processes(sample.at, state, alive)

    def take_connections(self, sample: ConnectionsSample, line: HomeLine, state: State) -> list[MachineEvent]:
        """Take a count of the connections, against the home line of this moment."""
        used, tcp = usage(sample, line), sample.host or sample.claude
        if used is None or tcp is None:
            self.machine = replace(self.machine, connections=sample, ports=None)
            return []
        if self._line != line:
            self._begin_line(line, state)
        at, taken = sample.at, used.in_use
        self._readings.append((at, taken))
        # Those of later are from before the clock was set back: nothing would ever be older than they are.
        while not at - TREND <= self._readings[0][0] <= at:
            self._readings.popleft()
        self._highest = highest([*([self._highest] if self._highest else []), (at, taken)], at, self._zone)
        grows = slope(self._readings, at)
        left = minutes_left(taken, line.budget, grows)
        crossing = crossed(self._mark, taken, line.budget)
        ports = Ports(used, tcp, self._highest, grows, left, crossing.mark)
        self.machine = replace(self.machine, connections=sample, ports=ports)
        return self._tell_mark(ports, crossing.reached is not None)

    def _begin_line(self, line: HomeLine, state: State) -> None:
        """Another line has other marks. One that holds since before the start is known from the state."""
        self._line = line
        known = state.ports if state.ports is not None and state.ports.budget == line.budget else None
        self._mark, self._mark_told_at = (known.mark, known.at) if known is not None else (0, NEVER)

    def _tell_mark(self, ports: Ports, reached: bool) -> list[MachineEvent]:
        before, self._mark = self._mark, ports.mark
        used, at = ports.usage, _whole(ports.usage.at)
        if used.line.budget is None:
            return []
        again = ports.mark >= SCARCE and at - self._mark_told_at >= PORTS_REPEAT
        if reached or (again and ports.mark == before):
            self._mark_told_at = at
            minutes = None if ports.minutes is None else round(ports.minutes)
            mark = cast(PortMark, ports.mark)
            return [PortsCrossed(at, mark, used.in_use, used.line.budget, used.claude, minutes)]
        if ports.mark < before and ports.mark < SCARCE:
            return [PortsEased(at, used.in_use, used.line.budget)]
        return []

    def _pressure(self, sample: HostSample) -> list[MachineEvent]:
        if sample.level == "unknown":
            return []
        at, level = _whole(sample.at), sample.level
        if self._told is not None and _RANK[level] < _RANK[self._told[0]]:
            self._lower_since = min(self._lower_since or at, at)  # so that a clock that was set back holds nothing up
            if at - self._lower_since < FALLS_AFTER:
                level = self._told[0]
        else:
            self._lower_since = None
        if self._told is not None and level == self._told[0] and at - self._told[1] < HOST_REPEATS:
            return []
        self._told = (level, at)
        return [HostPressureRead(at, level)]

    def _compare_memory(self, sample: HostSample, state: State) -> list[MachineEvent]:
        logged = state.memory
        if logged is None or logged.free_mb is None or sample.available_mb is None or logged.at == self._compared:
            return []
        if abs(sample.at - logged.at) > SAME_TIME:
            return []
        self._compared = logged.at
        tolerance = max(MEMORY_LEAST_MB, (sample.total_mb or logged.total_mb or 0) // MEMORY_SHARE)
        if abs(logged.free_mb - sample.available_mb) <= tolerance:
            self._memory_differed = 0
            return []
        self._memory_differed += 1
        if self._memory_differed != TIMES:
            return []
        return [HostDisagreed(_whole(sample.at), "memory", logged.free_mb, sample.available_mb)]

    def _compare_processes(self, at: datetime, state: State, alive: int | None) -> list[MachineEvent]:
        ours = seats_taken(state)
        if alive is None or alive == ours or not state.app.running:
            self._processes_differ_since, self._processes_told = None, False
            return []
        self._processes_differ_since = min(self._processes_differ_since or at, at)
        if self._processes_told or at - self._processes_differ_since < PROCESSES_AFTER:
            return []
        self._processes_told = True
        return [HostDisagreed(_whole(at), "processes", ours, alive)]


_RANK = {"normal": 0, "warning": 1, "critical": 2}


def _whole(at: datetime) -> datetime:
    return at.replace(microsecond=0)
