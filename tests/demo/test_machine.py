"""The demo's machine: in step with its logs, the same at the same instant, and worth a picture."""

from __future__ import annotations

from datetime import timedelta

from app.core.ports import line_named, usage
from app.core.watcher import MEMORY_SHARE
from app.demo.cases import demo_config
from app.demo.machine import HISTORY, LINE, ConnectionsLook, HostLook, ProcessesLook, history, wave
from app.demo.world import World
from tests.demo.worlds import START, told

NOW = START + timedelta(minutes=100)


def busy() -> World:
    """The demo's own machine after a hundred minutes."""
    return told(demo_config(START), 8, 100)[0].world


def test_host_tells_what_the_logs_tell() -> None:
    """Free memory is that of the newest reading, so that the two never disagree; pressure is the machine's."""
    world = busy()
    sample = HostLook(world).look(world.now)

    assert world.free_mb is not None
    assert sample.available_mb is not None
    assert abs(sample.available_mb - world.free_mb) <= world.config.total_mb // MEMORY_SHARE
    assert (sample.total_mb, sample.level, sample.unknown) == (world.config.total_mb, world.level, ())


def test_host_has_memory_before_the_first_reading() -> None:
    """The app reads its memory after a minute; the machine has some before."""
    world = busy()
    world.free_mb = None

    assert HostLook(world).look(NOW).available_mb is not None


def test_every_living_session_has_its_process() -> None:
    """One row for each, and another program's virtual machine beside them; without the app only that is left."""
    world = busy()
    sample = ProcessesLook(world).look(world.now, {})

    assert set(sample.by_session) == {key for key, one in world.sessions.items() if one.alive}
    assert [row.name for row in sample.other_vms] == ["Docker Desktop"]
    assert sample.app_running
    world.running, world.vm = False, None
    assert [row.role for row in ProcessesLook(world).look(world.now, {}).rows] == ["other_vm"]


def test_connections_grow_with_the_sessions_and_stay_below_the_warning() -> None:
    """The demo shows a line that is well used; it does not cry for help."""
    world = busy()
    line = line_named(LINE)
    found = [usage(ConnectionsLook(world).look(NOW + timedelta(minutes=m), ()), line) for m in range(120)]

    percents = [one.percent for one in found if one is not None and one.percent is not None]
    assert len(percents) == 120
    assert min(percents) > 40
    assert max(percents) < 85
    world.running = False
    quiet = usage(ConnectionsLook(world).look(NOW, ()), line)
    assert quiet is not None
    assert quiet.in_use < 60


def test_history_reaches_back_a_day_minute_by_minute() -> None:
    """The cards have something to draw from the first second on."""
    points = history(24_576, NOW)

    assert (points[0].at, points[-1].at, len(points)) == (NOW - HISTORY, NOW - timedelta(minutes=1), 1440)
    assert all(one.available_low_mb is not None and 0 < one.available_low_mb < 24_576 for one in points)
    assert max(one.ports_high or 0 for one in points) < 0.85 * 240
    assert len({one.ports for one in points}) > 20


def test_wave_comes_back() -> None:
    """The same instant gives the same number, and so does one period later."""
    assert wave(NOW, 7, 100) == wave(NOW + timedelta(minutes=7), 7, 100)
    assert -100 <= wave(NOW, 7, 100) <= 100
