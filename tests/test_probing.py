"""The probes beside the pipeline: what they see is told, kept and folded, and what fails there disturbs nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.core.events import HostPressureRead, PortsCrossed
from app.core.machine import Machine
from app.core.points import RAW, Point
from app.core.ports import line_named
from app.core.preferences import Preferences
from app.core.probed import Probed
from app.core.recorder import Recorder
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, Unknown
from app.core.state import State
from app.errors import DatabaseUnusable
from app.live import Live, Snapshot
from app.logs import own_log
from app.probes.pace import Pace
from app.probing import Probes, Probing, system_probes
from app.storage.store import Store
from tests.core.helpers import NOON, A, after
from tests.core.machines import connections, host, processes, row
from tests.storage.test_store import open_at

V6PLUS = line_named("v6plus")


@dataclass
class Fake:
    """A probe that answers what it is given, or breaks; it notes what it was asked for."""

    make: Any
    asked: list[object] = field(default_factory=list)
    claude_pids: Collection[int] = (7, 9)

    def look(self, at: datetime, *others: Any) -> Any:
        """What it sees."""
        self.asked.append(others)
        return self.make(at)


@dataclass
class Desk:
    """Probes with fakes, a store of their own, and a clock that moves by five seconds with each look at it."""

    store: Store
    host: Fake = field(default_factory=lambda: Fake(lambda at: host(1900, at=at)))
    processes: Fake = field(default_factory=lambda: Fake(lambda at: processes(row("app", "Claude", 900), at=at)))
    connections: Fake = field(default_factory=lambda: Fake(lambda at: connections(204, 146, at)))
    pids: Mapping[int, str] = field(default_factory=lambda: {7: A})
    at: datetime = NOON

    def __post_init__(self) -> None:
        self.live = Live(Snapshot(0, State(), Recorder(), ready=True), Preferences(home_line="v6plus"))
        self.probed = Probed()
        self.probes = Probes(self.host, self.processes, self.connections)
        self.probing = Probing(
            lambda: self.probes, self.live, samples=self.store.samples, probed=self.probed, clock=self.clock, zone=UTC,
            sessions=lambda: self.pids,
        )  # fmt: skip

    def clock(self) -> datetime:
        """The time, which goes on."""
        self.at += timedelta(seconds=1)
        return self.at

    def look(self, *names: str) -> None:
        """One go of these probes, or of all."""
        for sample in self.probing.look(self.probes, names or tuple(self.probes.paces)):
            self.probing.take(sample, V6PLUS)
        self.probing.tell()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_at(tmp_path / "seatwatch.sqlite") as store:
        yield store


def test_what_is_seen_is_told_and_becomes_events(store: Store) -> None:
    """The snapshot has the machine, the pipeline gets the events, the trend a point."""
    desk = Desk(store)
    desk.look()

    machine = desk.live.current.machine
    assert machine.host is not None
    assert machine.ports is not None
    assert (machine.host.available_mb, machine.ports.usage.in_use, machine.ports.mark) == (1900, 204, 85)
    (batch,) = desk.probed.take()
    assert [type(one.event) for one in batch.events] == [HostPressureRead, PortsCrossed]
    assert [one.ports for one in desk.live.current.trend.window(NOON, after(600))] == [204]


def test_probes_are_asked_for_what_they_need(store: Store) -> None:
    """The processes are told whose session a pid is, the connections which pids are Claude's."""
    desk = Desk(store)
    desk.look()

    assert desk.host.asked == [()]
    assert desk.processes.asked == [({7: A},)]
    assert desk.connections.asked == [((7, 9),)]


def test_nobody_is_woken_for_what_nobody_sees(store: Store) -> None:
    """The version rises when a page would show something else; the newest sample is there either way."""
    desk = Desk(store)
    desk.look()
    told = desk.live.current.version
    desk.look()
    desk.host.make = lambda at: host(1950, at=at)
    desk.look("host")

    assert desk.live.current.version == told
    assert desk.live.current.machine.host is not None
    assert desk.live.current.machine.host.available_mb == 1950
    desk.host.make = lambda at: host(1200, at=at)
    desk.look("host")
    assert desk.live.current.version == told + 1


@pytest.mark.parametrize("name", ["host", "processes", "connections"])
def test_probe_that_breaks_is_a_part_that_is_not_known(name: str, store: Store) -> None:
    """The others go on, and the page says what is not known."""
    desk = Desk(store)

    def broken(_at: datetime) -> None:
        raise OSError("no such device")

    getattr(desk, name).make = broken
    desk.look()

    machine = desk.live.current.machine
    assert getattr(machine, name).unknown == (Unknown(name, "failed", "OSError"),)
    others = {"host", "processes", "connections"} - {name}
    assert all(getattr(machine, other).unknown == () for other in others)


def test_pace_follows_from_what_a_look_took(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe that takes long looks less often; the others keep their pace."""
    desk = Desk(store)
    seconds = iter([0.0, 0.3, 0.3, 0.301, 0.301, 0.302])
    monkeypatch.setattr("app.probing.perf_counter", lambda: next(seconds))
    desk.look()

    assert {name: pace.interval for name, pace in desk.probes.paces.items()} == {
        "host": 10, "processes": 10, "connections": 10,
    }  # fmt: skip
    assert desk.probes.paces["host"].stretch == 2


def test_points_are_kept_in_one_go(store: Store) -> None:
    """They wait for the minute's transaction, and no longer."""
    desk = Desk(store)
    desk.look()
    desk.look("host")
    kept_before = store.samples.between(NOON, after(600), RAW)
    desk.probing.keep()
    desk.probing.keep()

    assert kept_before == []
    assert [one.ports for one in store.samples.between(NOON, after(600), RAW)] == [204, 204]


def test_store_that_takes_nothing_lets_the_points_wait(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk disturbs nothing here; what waits is kept once there is room."""
    desk = Desk(store)
    desk.look()
    full = DatabaseUnusable("a.sqlite", "database or disk is full")
    with monkeypatch.context() as patch:
        patch.setattr(store.samples, "keep", lambda _points: (_ for _ in ()).throw(full))
        desk.probing.keep()
    desk.probing.keep()

    assert len(store.samples.between(NOON, after(600), RAW)) == 1


def run(desk: Desk, seen: Any, seconds: float = 10) -> None:
    """Let the probes run until ``seen`` is true."""

    async def play() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(desk.probing.run(stop))
        async with asyncio.timeout(seconds):
            while not seen() and not task.done():  # noqa: ASYNC110  what is waited for changes in other threads
                await asyncio.sleep(0.01)
        stop.set()
        await task

    asyncio.run(play())


def test_run_goes_on_from_what_was_kept(store: Store) -> None:
    """After a restart the trend and the highest of today are those of before; at the end all points are kept."""
    before = Desk(store)
    before.connections.make = lambda at: connections(230, 1, at)
    before.look()
    before.probing.keep()
    desk = Desk(store, at=after(300))
    desk.probes.paces = {"host": Pace(0.01), "processes": Pace(0.02), "connections": Pace(0.02)}
    run(desk, lambda: len(desk.connections.asked) > 2)

    ports = desk.live.current.machine.ports
    assert ports is not None
    assert ports.highest is not None
    assert ports.highest[1] == 230
    assert next(one.ports_high for one in desk.live.current.trend.window(NOON, after(3600))) == 230
    assert len(store.samples.between(after(300), after(7200), RAW)) >= 3


def test_old_past_is_taken_by_the_quarter_of_an_hour(store: Store) -> None:
    """The last day is there minute by minute, what lies before it coarser: a start waits for no week of minutes."""
    old, young = NOON - timedelta(days=3), NOON - timedelta(hours=2)
    for begin in (old, young):
        store.samples.keep([Point(begin + timedelta(minutes=m), ports=m, ports_high=m) for m in range(60)])
    desk = Desk(store)
    desk.probing._begin()

    trend = desk.live.current.trend
    assert [one.ports_high for one in trend.window(old, old + timedelta(hours=1))] == [14, 29, 44, 59]
    assert len(trend.window(young, NOON)) == 60


def test_run_waits_for_the_history_and_ends_at_once(store: Store) -> None:
    """What the state says of the past is known only when the logs have been read; a stop wins over waiting."""
    desk = Desk(store)
    desk.live.current = Snapshot(0, State(), Recorder(), ready=False)

    async def play() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(desk.probing.run(stop))
        await asyncio.sleep(0.05)
        assert desk.host.asked == []
        stop.set()
        desk.live.close()
        async with asyncio.timeout(5):
            await task

    asyncio.run(play())
    assert desk.host.asked == []


def test_fault_of_our_own_ends_the_probes_and_nothing_else(store: Store, tmp_path: Path) -> None:
    """The page says that nothing is known of the machine any more, and our own log where it broke."""
    desk = Desk(store)
    desk.probing._make = lambda: (_ for _ in ()).throw(RuntimeError("a fault"))
    with own_log(tmp_path / "own.log"):
        run(desk, lambda: desk.live.current.machine != Machine())
    (line,) = (tmp_path / "own.log").read_text("utf-8").splitlines()

    assert desk.live.current.machine.host is not None
    assert desk.live.current.machine.host.unknown == (Unknown("probes", "failed", "RuntimeError"),)
    assert (json.loads(line)["event"], json.loads(line)["error"]["type"]) == ("the probes ended", "RuntimeError")


def test_named_line_wins_over_the_demos(store: Store) -> None:
    """The demo's home line stands in only where the reader has named none."""
    desk = Desk(store)
    desk.probes.line = "ocn"
    named = desk.probing._line(desk.probes).key
    desk.live.preferences = Preferences()

    assert (named, desk.probing._line(desk.probes).key) == ("v6plus", "ocn")


def test_this_machine_is_looked_at() -> None:
    """The probes of the system we run on answer, each with its kind of sample."""
    probes = system_probes()
    now = datetime.now(UTC)

    assert isinstance(probes.host.look(now), HostSample)
    assert isinstance(probes.processes.look(now, {}), ProcessesSample)
    assert isinstance(probes.connections.look(now, probes.processes.claude_pids), ConnectionsSample)
