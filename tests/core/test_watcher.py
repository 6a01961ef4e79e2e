"""The watcher: which samples become events, with a clock that is given."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.core.events import HostDisagreed, HostPressureRead, MachineEvent, MemorySampled, PortsCrossed, PortsEased
from app.core.ports import line_named
from app.core.samples import ConnectionsSample, HostLevel, Unknown
from app.core.state import App, Phase, Session, State
from app.core.watcher import MEMORY_LEAST_MB, Watcher
from tests.core.helpers import NOON, after
from tests.core.machines import V6PLUS, connections, host, processes

STATE = State()


def levels(*read: tuple[float, HostLevel]) -> list[MachineEvent]:
    """The events of a watcher that reads these levels so many seconds after noon."""
    watcher = Watcher(UTC)
    return [one for when, level in read for one in watcher.take_host(host(1900, at=after(when), level=level), STATE)]


def counted(*taken: tuple[float, int], state: State = STATE) -> tuple[Watcher, list[MachineEvent]]:
    """A watcher that counts so many ports of v6 Plus at so many minutes, and its events."""
    watcher = Watcher(UTC)
    events = [
        one
        for minute, number in taken
        for one in watcher.take_connections(connections(number, 10, after(60 * minute)), V6PLUS, state)
    ]
    return watcher, events


def test_level_is_told_when_it_changes_and_again_while_it_lasts() -> None:
    """Once in five minutes is enough to know that the probe still reads."""
    assert levels((0, "normal"), (5, "normal"), (299, "normal"), (300, "normal"), (305, "critical")) == [
        HostPressureRead(NOON, "normal"), HostPressureRead(after(300), "normal"),
        HostPressureRead(after(305), "critical"),
    ]  # fmt: skip


def test_level_that_swings_is_the_higher_one() -> None:
    """A fall is told after half a minute without a relapse; a rise at once."""
    swing: list[tuple[float, HostLevel]] = [(0, "warning"), (5, "normal"), (10, "warning"), (15, "normal")]

    assert levels(*swing, (40, "normal")) == [HostPressureRead(NOON, "warning")]
    assert levels(*swing, (45, "normal"))[-1] == HostPressureRead(after(45), "normal")


def test_clock_that_is_set_back_holds_up_no_level() -> None:
    """A fall that began an hour later by the old clock is told half a minute after the new one began to see it."""
    read: list[tuple[float, HostLevel]] = [(3600, "warning"), (3605, "normal"), (5, "normal"), (35, "normal")]

    assert levels(*read)[-1] == HostPressureRead(after(35), "normal")


def test_clock_that_is_set_back_leaves_no_readings_behind() -> None:
    """Readings from before it are dropped, or every one that follows would be kept for as long as it was set back."""
    watcher, _events = counted((60, 100), (61, 101), *((second / 6, 50) for second in range(120)))

    assert len(watcher._readings) == 61


def test_level_that_is_not_known_is_no_event() -> None:
    """Nothing is said of what nobody knows."""
    assert levels((0, "unknown"), (5, "normal")) == [HostPressureRead(after(5), "normal")]


def test_seed_story_is_told_in_time() -> None:
    """Agents start, connections climb to the end of the line: three marks, the last one before the line is full."""
    climb = [(minute / 6, 120 + round(minute * 2)) for minute in range(61)]
    watcher, events = counted(*climb)
    crossings = [one for one in events if isinstance(one, PortsCrossed)]

    assert [one.mark for one in crossings] == [70, 85, 95]
    assert [one.in_use for one in crossings] == [168, 204, 228]
    assert [one.minutes for one in crossings] == [6, 3, 1]
    assert all(one.at.microsecond == 0 for one in events)
    assert watcher.machine.ports is not None
    assert (watcher.machine.ports.minutes, watcher.machine.ports.mark) == (0.0, 95)
    assert watcher.machine.ports.highest == (after(600), 240)


def test_mark_is_told_again_while_ports_are_scarce() -> None:
    """From 85 % on every ten minutes; the lowest mark is told once."""
    _watcher, events = counted(*((minute, 210) for minute in range(0, 25, 5)))
    assert [one.at for one in events] == [NOON, after(600), after(1200)]
    _watcher, quiet = counted(*((minute, 170) for minute in range(0, 25, 5)))
    assert [(one.at, type(one)) for one in quiet] == [(NOON, PortsCrossed)]


def test_count_that_falls_is_told_once() -> None:
    """Below 85 % turns go through again; from the lowest mark down nothing is near."""
    _watcher, events = counted((0, 230), (1, 205), (2, 199), (3, 180), (4, 100), (5, 100))

    assert [(type(one), getattr(one, "mark", None)) for one in events] == [
        (PortsCrossed, 95), (PortsEased, None), (PortsEased, None),
    ]  # fmt: skip
    assert events[1] == PortsEased(after(180), 180, 240)


def test_mark_outlives_a_restart() -> None:
    """What was told before the start is not told again at once, and its end is."""
    told = State(ports=PortsCrossed(after(-60), 85, 206, 240, None, None))

    assert counted((0, 206), state=told)[1] == []
    assert counted((0, 100), state=told)[1] == [PortsEased(NOON, 100, 240)]
    other = replace(told, ports=PortsCrossed(after(-60), 85, 900, 1008, None, None))
    assert [type(one) for one in counted((0, 206), state=other)[1]] == [PortsCrossed]


def test_line_without_a_budget_has_no_marks() -> None:
    """It is counted, and compared with nothing."""
    watcher = Watcher(UTC)

    assert watcher.take_connections(connections(900), line_named("transix"), STATE) == []
    assert watcher.machine.ports is not None
    assert watcher.machine.ports.usage.percent is None
    assert watcher.take_connections(connections(900, at=after(10)), line_named("1000"), STATE) != []


def test_connections_that_cannot_be_counted_leave_no_ports() -> None:
    """The sample says why."""
    watcher, _events = counted((0, 100))
    blind = ConnectionsSample(after(10), unknown=(Unknown("connections", "permission"),))

    assert watcher.take_connections(blind, V6PLUS, STATE) == []
    assert (watcher.machine.ports, watcher.machine.connections) == (None, blind)


def test_highest_of_today_counts_from_midnight_of_the_reader() -> None:
    """What was counted before the start counts; what was counted yesterday does not."""
    watcher = Watcher(ZoneInfo("Asia/Tokyo"))
    watcher.remember([(after(-3600), 180), (after(-7200), 90)])
    watcher.take_connections(connections(100), V6PLUS, STATE)
    today = watcher.machine.ports
    watcher.take_connections(connections(110, at=NOON + timedelta(hours=3)), V6PLUS, STATE)
    tomorrow = watcher.machine.ports

    assert today is not None
    assert tomorrow is not None
    assert (today.highest, tomorrow.highest) == ((after(-3600), 180), (NOON + timedelta(hours=3), 110))
    watcher.remember([])
    watcher.take_connections(connections(5, at=NOON + timedelta(hours=4)), V6PLUS, STATE)
    assert watcher.machine.ports is not None
    assert watcher.machine.ports.highest == (NOON + timedelta(hours=4), 5)


def logged(minute: float, free: int | None) -> State:
    """A state whose newest reading of memory is so many minutes after noon."""
    none = (None,) * 6
    return State(memory=MemorySampled(after(60 * minute), "interval", *none, free, 24_576, 100))


def compared(*read: tuple[float, int | None, float, int | None]) -> list[MachineEvent]:
    """What differs, of a log's minute and free memory and a host's minute and free memory."""
    watcher = Watcher(UTC)
    events: list[MachineEvent] = []
    for log_minute, log_free, host_minute, host_free in read:
        sample = replace(host(0, at=after(60 * host_minute), level="unknown"), available_mb=host_free)
        events += watcher.take_host(sample, logged(log_minute, log_free))
    return events


def test_free_memory_that_differs_twice_in_a_row_is_told_once() -> None:
    """Once is a moment between two readings; it is told again only after the two agreed."""
    far = 9000
    assert compared((0, 1900, 0, far)) == []
    assert compared((0, 1900, 0, far), (0, 1900, 0.1, far)) == []
    twice = compared((0, 1900, 0, far), (1, 1900, 1, far), (2, 1900, 2, far))
    assert twice == [HostDisagreed(after(60), "memory", 1900, far)]
    again = compared(*((n, 1900, n, 2000 if n == 2 else far) for n in range(5)))
    assert [one.at for one in again] == [after(60), after(240)]


@pytest.mark.parametrize(("apart", "events"), [(24_576 // 8, 0), (24_576 // 8 + 1, 1)])
def test_tolerance_is_an_eighth_of_all(apart: int, events: int) -> None:
    """What counts as free for the asking differs between readers by some percent."""
    assert len(compared((0, 1900, 0, 1900 + apart), (1, 1900, 1, 1900 + apart))) == events
    assert MEMORY_LEAST_MB == 1024


def test_readings_of_other_moments_are_not_compared() -> None:
    """Memory moves within seconds; a log that fell silent proves nothing, nor does a part that is not known."""
    assert compared((0, 1900, 1, 9000), (1, 1900, 2, 9000)) == []
    assert compared((0, None, 0, 9000), (1, 1900, 1, None)) == []


def test_registry_that_differs_for_a_minute_is_told_once() -> None:
    """A process comes to the registry a little before or after its lines; a minute it never takes."""
    session = Session("a", 1, NOON, phase=Phase.IDLE)
    state = State(app=App(running=True), sessions={"a": session})
    watcher = Watcher(UTC)

    def take(seconds: float, alive: int | None, state: State = state) -> list[MachineEvent]:
        return watcher.take_processes(processes(at=after(seconds)), state, alive)

    assert [take(0, 2), take(59, 2)] == [[], []]
    assert take(60, 2) == [HostDisagreed(after(60), "processes", 1, 2)]
    assert [take(120, 2), take(130, 1), take(140, 2), take(150, None)] == [[], [], [], []]
    assert [take(160, 2), take(220, 2, State())] == [[], []]
    assert watcher.machine.processes == processes(at=after(220))
