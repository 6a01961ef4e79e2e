"""Lines that mean nothing, and those that only look as if they did."""

from app.demo import noise
from tests.demo.worlds import pass_time, quiet_world


def test_the_app_chatters_and_ticks_while_it_runs() -> None:
    """As often as the machine's configuration says, and no longer than the run."""
    world = quiet_world(noise_per_minute=6.0)
    noise.start(world)
    lines = pass_time(world, 3600)
    world.run += 1

    assert 250 < len(lines) < 500
    assert sum(line.startswith("[ScheduledTasks] tick") for line in lines) > 30
    assert pass_time(world, 600) == []


def test_decoys_hide_the_governors_words_behind_a_record() -> None:
    """No noise line begins with a scope that is read for seats, in any of its records."""
    world = quiet_world(noise_per_minute=30.0)
    noise.start(world)
    lines = pass_time(world, 3600)
    read = ("[CliGovernor]", "[CCD]", "[WarmLifecycle", "Starting app", "Memory pressure", "Session ")

    assert any("[CliGovernor] at cap=99" in line for line in lines)
    assert not any(line.startswith(read) for line in lines)
