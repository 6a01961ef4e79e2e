"""Pressure as each platform tells of it, and the app's readings."""

import re

from app.demo import memory
from tests.demo.worlds import fill, pass_time, quiet_world, said


def test_macos_tells_every_change_and_its_end() -> None:
    """A transition, the governor's answer, and a transition back."""
    world = quiet_world()
    fill(world, [100])
    memory.press(world, "warning", 60)
    began, level, ended = said(world), memory.level_now(world), pass_time(world, 61)

    assert began == [
        "Memory pressure transition: warning",
        "[CliGovernor] memory pressure (warning): would evict 0 idle session(s), 1 effective",
    ]
    assert level == "warning"
    assert ended == ["Memory pressure transition: normal"]
    assert memory.level_now(world) == "normal"


def test_elsewhere_the_governor_repeats_itself_and_then_falls_silent() -> None:
    """No line says that it is over: the last one holds for ninety seconds."""
    world = quiet_world(platform="win32", repeat_seconds=30)
    memory.press(world, "critical", 60)
    lines = pass_time(world, 149)
    still = memory.level_now(world)
    pass_time(world, 1)

    assert len(lines) == 3
    assert all(line.startswith("[CliGovernor] memory pressure (critical)") for line in lines)
    assert (still, memory.level_now(world)) == ("critical", "normal")


def test_a_warning_that_gets_worse_is_not_repeated_any_more() -> None:
    """The louder level takes over."""
    world = quiet_world(platform="linux", repeat_seconds=30)
    memory.press(world, "warning", 120)
    pass_time(world, 40)
    memory.escalate(world)
    lines = pass_time(world, 300)

    assert lines
    assert not any("(warning)" in line for line in lines)


def test_relief_waits_for_a_running_app() -> None:
    """What happens while the app is down is told when it is back."""
    world = quiet_world()
    memory.press(world, "critical", 30)
    said(world)
    world.running = False
    away = pass_time(world, 100)
    world.running = True

    assert away == []
    assert pass_time(world, 30) == ["Memory pressure transition: normal"]


def test_the_app_reads_its_memory_about_once_a_minute() -> None:
    """Every 57 to 64 seconds, with the machine's total in it."""
    world = quiet_world(total_mb=32768)
    memory.start_reading(world)
    lines = [line for line in pass_time(world, 3600) if "trigger=interval" in line]

    assert 55 <= len(lines) <= 63
    assert all(re.search(r"sys_free=\d+MB/32768MB sys_free_raw=\d+MB$", line) for line in lines)
