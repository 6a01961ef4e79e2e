"""Runs the probes beside the pipeline: they look in a thread, what they saw is told on the event loop.

::

    probes ─look→ samples ─watcher→ machine ─live→ pages
                              ├─ events ─pipeline→ fold and store
                              └─ points ─once a minute→ store

Nothing that fails here reaches the logs' chain: a look that breaks is a sample that says so, and points that cannot be
stored wait for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta, tzinfo
from time import perf_counter
from typing import Protocol, TypeAlias

from app.core.machine import Machine
from app.core.points import QUARTER, Point, step_start
from app.core.ports import HomeLine, line_named
from app.core.probed import Probed
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, Unknown
from app.core.watcher import Watcher
from app.errors import SeatwatchError
from app.live import Live
from app.probes.pace import Pace
from app.storage.samples import Samples

LOG = logging.getLogger("seatwatch.probing")
EVERY = {"host": 5.0, "processes": 10.0, "connections": 10.0}
"""Seconds between the looks of each probe: a machine that runs out of memory does so within tens of seconds."""
KEEP_SECONDS = 60.0
"""How often points are stored: a transaction for each of them would cost more than the looks."""
MOST_WAITING = 720
"""Points that may wait while the store takes none: an hour of them."""
FINE = timedelta(hours=26)
"""So much of the past is taken minute by minute at the start, a day and today's midnight in any zone; what is older by
the quarter of an hour, for a week of minutes takes a third of a second and a picture of it shows a few dozen points."""
TOGETHER_SECONDS = 0.5
"""Probes that are due within this time look in one go: a thread is woken once for all of them."""

Sample: TypeAlias = HostSample | ProcessesSample | ConnectionsSample
Sessions: TypeAlias = Callable[[], Mapping[int, str]]


class HostLook(Protocol):
    """Looks at the machine's memory."""

    def look(self, at: datetime) -> HostSample:
        """What holds at ``at``."""
        ...


class ProcessesLook(Protocol):
    """Looks at the processes; ``claude_pids`` are those of the last look that are Claude's."""

    @property
    def claude_pids(self) -> Collection[int]:
        """The processes whose connections are Claude's."""
        ...

    def look(self, at: datetime, sessions: Mapping[int, str]) -> ProcessesSample:
        """The processes that matter; ``sessions`` are the app's sessions by the pid of their process."""
        ...


class ConnectionsLook(Protocol):
    """Looks at the connections."""

    def look(self, at: datetime, pids: Collection[int]) -> ConnectionsSample:
        """What is connected; ``pids`` are Claude's."""
        ...


@dataclass(slots=True)
class Probes:
    """The three probes, each with its pace. ``line`` stands in for the reader's home line where they named none."""

    host: HostLook
    processes: ProcessesLook
    connections: ConnectionsLook
    line: str = "none"
    paces: dict[str, Pace] = field(default_factory=lambda: {name: Pace(every) for name, every in EVERY.items()})


def system_probes() -> Probes:
    """The probes of this machine. They are imported here: a start without them does not pay for them."""
    from app.probes.connections import ConnectionsProbe  # noqa: PLC0415
    from app.probes.host import HostProbe  # noqa: PLC0415
    from app.probes.processes import ProcessesProbe  # noqa: PLC0415
    from app.probes.system import this_system  # noqa: PLC0415

    system = this_system()
    return Probes(HostProbe(system), ProcessesProbe(system), ConnectionsProbe(system))


class Probing:
    """One run of the probes. ``make`` makes them in the thread that they look in, ``sessions`` gives pids' sessions.

    ``probed`` takes the events, for the pipeline to fold and keep.
    """

    def __init__(
        self,
        make: Callable[[], Probes],
        live: Live,
        *,
        samples: Samples,
        probed: Probed,
        clock: Callable[[], datetime],
        zone: tzinfo,
        sessions: Sessions = dict,
    ) -> None:
        self.probed = probed
        self._make = make
        self._live = live
        self._samples = samples
        self._clock = clock
        self._zone = zone
        self._sessions = sessions
        self._watcher = Watcher(zone)
        self._waiting: deque[Point] = deque(maxlen=MOST_WAITING)

    async def run(self, stop: asyncio.Event) -> None:
        """Look until ``stop``, from when the history has been read: what the state says of the past is known then.

        What breaks here ends the probes and nothing else; the pages say that nothing is known of the machine any more.
        """
        try:
            await self._run(stop)
        except Exception as error:
            LOG.error("the probes ended", exc_info=error)
            broken = (Unknown("probes", "failed", type(error).__name__),)
            self._live.observe(Machine(HostSample(self._clock(), unknown=broken)))

    async def _run(self, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        while not self._live.current.ready and not self._live.closing and not stop.is_set():
            await self._live.after(self._live.current.version, 1.0)
        if stop.is_set() or self._live.closing:
            return
        probes = await asyncio.to_thread(self._begin)
        due = dict.fromkeys(probes.paces, loop.time())
        keep_at = loop.time() + KEEP_SECONDS
        try:
            while not stop.is_set():
                now = loop.time()
                names = [name for name, when in due.items() if when - now <= TOGETHER_SECONDS]
                for sample in await asyncio.to_thread(self.look, probes, names):
                    self.take(sample, self._line(probes))
                for name in names:
                    due[name] = max(due[name] + probes.paces[name].interval, loop.time())
                self.tell()
                if loop.time() >= keep_at:
                    keep_at = loop.time() + KEEP_SECONDS
                    await asyncio.to_thread(self.keep)
                await _rest(stop, min(due.values()) - loop.time())
        finally:
            await asyncio.to_thread(self.keep)

    def _begin(self) -> Probes:
        """What was kept before: the trend of the last days, and how many ports were taken today."""
        probes, now = self._make(), self._clock()
        trend = self._live.current.trend
        midnight = datetime.combine(now.astimezone(self._zone).date(), time(), self._zone)
        with suppress(SeatwatchError):  # the pages say what is wrong with the store; the trend then begins now
            day = step_start(now - FINE, QUARTER)
            coarse = self._samples.between(now - trend.keep, day - timedelta(microseconds=1), QUARTER)
            trend.begin([*coarse, *self._samples.between(day, now)])
        todays = trend.window(midnight, now)
        self._watcher.remember([(one.at, one.ports_high) for one in todays if one.ports_high is not None])
        return probes

    def look(self, probes: Probes, names: Collection[str]) -> list[Sample]:
        """Let these probes look, in a thread; each pace follows from what its look took."""
        looks: dict[str, Callable[[datetime], Sample]] = {
            "host": probes.host.look,
            "processes": lambda at: probes.processes.look(at, self._sessions()),
            "connections": lambda at: probes.connections.look(at, probes.processes.claude_pids),
        }
        samples = []
        for name in names:
            began = perf_counter()
            samples.append(_safely(name, looks[name], self._clock()))
            probes.paces[name] = probes.paces[name].after((perf_counter() - began) * 1000)
        return samples

    def take(self, sample: Sample, line: HomeLine) -> None:
        """Take a sample on the event loop: the state is read here, and what is worth it becomes an event."""
        snapshot = self._live.current
        if isinstance(sample, HostSample):
            events = self._watcher.take_host(sample, snapshot.state)
        elif isinstance(sample, ProcessesSample):
            events = self._watcher.take_processes(sample, snapshot.state, snapshot.processes)
        else:
            events = self._watcher.take_connections(sample, line, snapshot.state)
        self.probed.add(events)

    def tell(self) -> None:
        """Tell the pages what is known now, and note it as a point to be kept."""
        machine, at = self._watcher.machine, self._clock()
        point = machine.point(at)
        self._waiting.append(point)
        self._live.current.trend.add(point)
        self._live.observe(machine)

    def keep(self) -> None:
        """Store the points that wait; while the store takes none the newest of them go on waiting."""
        points = list(self._waiting)
        try:
            self._samples.keep(points)
        except SeatwatchError:
            return  # the pipeline meets the same trouble with its next commit, and says so
        for _ in points:
            self._waiting.popleft()

    def _line(self, probes: Probes) -> HomeLine:
        """The home line as the reader has set it by now."""
        named = self._live.preferences.home_line
        return line_named(probes.line if named == "none" else named)


def _safely(name: str, look: Callable[[datetime], Sample], at: datetime) -> Sample:
    """The sample of a look; of one that breaks, a sample in which nothing is known but that."""
    try:
        return look(at)
    except Exception as error:  # whatever a system answers, the logs are followed and the page says what is not known
        broken = (Unknown(name, "failed", type(error).__name__),)
        kinds: dict[str, type[HostSample] | type[ProcessesSample] | type[ConnectionsSample]]
        kinds = {"host": HostSample, "processes": ProcessesSample, "connections": ConnectionsSample}
        return kinds[name](at, unknown=broken)


async def _rest(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, seconds)):
            await stop.wait()


__all__ = ["ConnectionsLook", "HostLook", "Probes", "Probing", "ProcessesLook", "Sample", "system_probes"]
