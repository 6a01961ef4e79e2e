"""Cowork's sessions."""

from app.demo import cowork
from tests.demo.worlds import pass_time, quiet_world


def test_cowork_never_takes_a_seat() -> None:
    """However many there are, the governor counts none."""
    world = quiet_world()
    for _ in range(10):
        cowork.start(world)

    assert world.effective() == 0
    assert {session.kind for session in world.sessions.values()} == {"cowork", "dispatch"}


def test_a_cowork_turn_runs_through_its_own_lifecycle() -> None:
    """Initializing, running, idle; then it may run again."""
    world = quiet_world(4)
    cowork.start(world)
    session = next(iter(world.sessions.values()))
    lines = pass_time(world, 501)
    steps = [line.split(": ", 1)[1] for line in lines if line.startswith("[Lifecycle]")]

    assert f"Starting local session {session.id} in {session.cwd}" in lines
    assert steps[:3] == ["idle → initializing", "initializing → running", "running → idle"]
    assert session.turns_done >= 1


def test_a_session_that_ended_takes_no_further_turn() -> None:
    """Its planned turns fall away."""
    world = quiet_world()
    cowork.start(world)
    session = next(iter(world.sessions.values()))
    pass_time(world, 1)
    session.phase = "ended"

    assert pass_time(world, 4000) == []
