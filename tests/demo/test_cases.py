"""Machines made at random."""

from dataclasses import replace

from app.demo.cases import NIGHTS, demo_config, random_config
from tests.demo.worlds import START, told


def test_the_same_seed_makes_the_same_machine() -> None:
    """And another seed another one."""
    assert random_config(5) == random_config(5) != random_config(6)


def test_fifty_machines_are_unlike_each_other() -> None:
    """All platforms, zones, both kinds of builds, small and large caps, restarts and none."""
    machines = [random_config(seed) for seed in range(50)]

    assert {m.platform for m in machines} == {"darwin", "win32", "linux"}
    assert len({m.zone for m in machines}) == 5
    assert {m.closes_for_real for m in machines} == {True, False}
    assert {6, 42} <= {m.cap for m in machines}
    assert {m.wording.idle_scope for m in machines} == {"[WarmLifecycle:session]", "[IdleManager:session]"}
    assert {m.mixed_line_ends for m in machines if m.platform == "win32"} == {True}
    for habit in ("quit", "update", "crash", "memory"):
        assert {getattr(m.habits, habit) is None for m in machines} == {True, False}


def test_some_nights_change_the_clock_and_the_app_stays_up() -> None:
    """The change lies within the first hours, and nothing but the stamps tells of it."""
    nights = [(seed, m) for seed in range(60) if (m := random_config(seed)).zone in NIGHTS]
    changed = 0
    for seed, machine in nights:
        _, lines = told(replace(machine, noise_per_minute=0.5, haste=0.2), seed, 150)
        offsets = {line.at.astimezone(machine.clock).utcoffset() for line in lines}
        if len(offsets) == 2:
            changed += 1
            assert machine.habits.quit is machine.habits.update is machine.habits.crash is None
    assert changed >= 5


def test_the_demo_is_a_mac_with_eight_seats() -> None:
    """A build that closes for real, or there would be nothing to see."""
    config = demo_config(START)

    assert (config.cap, config.platform, config.closes_for_real, config.vm) == (8, "darwin", True, True)
