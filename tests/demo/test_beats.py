"""What happens now and then."""

from dataclasses import fields

import pytest

from app.demo import beats
from app.demo.config import Habits
from app.demo.world import World
from tests.demo.worlds import STILL, fill, idle_session, pass_time, quiet_world


def test_every_habit_has_its_beat() -> None:
    """A habit without a beat would never be played, a beat without a habit never be asked for."""
    assert {field.name for field in fields(Habits)} == set(beats.BEATS)


def test_a_world_without_habits_plans_nothing() -> None:
    """None means never."""
    world = quiet_world(habits=STILL)
    beats.plan(world)

    assert pass_time(world, 36000) == []


def test_stretches_of_pressure_take_turns() -> None:
    """Warning first, then critical, and none while one lasts."""
    world = quiet_world(closes_for_real=False)
    fill(world, [100] * 8)
    first = [line for _ in range(2) for line in _play(world, "memory")]
    pass_time(world, 600)
    second = _play(world, "memory")

    assert sum(line.startswith("Memory pressure transition") for line in first) == 1
    assert "Memory pressure transition: warning" in first
    assert "Memory pressure transition: critical" in second


@pytest.mark.parametrize("real", [True, False])
def test_a_crowd_puts_off_a_row_of_starts(real: bool) -> None:
    """Over the cap every warm-up is put off, in any build."""
    world = quiet_world(closes_for_real=real)
    fill(world, [100] * 8)
    for _ in range(3):
        idle_session(world, 0).phase = "paused"
    beats.BEATS["crowd"](world)
    pass_time(world, 200)

    assert world.counts["put_off"] >= 3
    assert not world.held


@pytest.mark.parametrize(("real", "closed"), [(True, 1), (False, 0)])
def test_a_squeeze_is_a_warm_start_exactly_at_the_cap(real: bool, closed: int) -> None:
    """A build that closes for real closes one; the other only says whom it would."""
    world = quiet_world(closes_for_real=real)
    fill(world, [100] * 8)
    idle_session(world, 0).phase = "paused"
    beats.BEATS["squeeze"](world)

    assert (world.counts["evicted_cap"], world.counts["put_off"]) == (closed, 1 - closed)


def test_remote_control_stays_rare() -> None:
    """With it everywhere nobody would be left to close."""
    world = quiet_world()
    fill(world, [100] * 8)
    for _ in range(10):
        beats.BEATS["remote"](world)

    assert sum(session.remote for session in world.sessions.values()) == 2


def test_trouble_ends_a_process() -> None:
    """Killed or failed, and told as an error."""
    world = quiet_world()
    fill(world, [100] * 3)
    lines = _play(world, "trouble")

    assert any("query error: Claude Code process" in line for line in lines)
    assert world.effective() == 2


def _play(world: World, name: str) -> list[str]:
    beats.BEATS[name](world)
    return pass_time(world, 1)
