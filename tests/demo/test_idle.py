"""The idle timer."""

from app.demo import idle
from app.demo.wording import OLD
from tests.demo.worlds import idle_session, pass_time, quiet_world


def test_a_quarter_of_an_hour_out_of_sight_pauses_a_session() -> None:
    """The timer rings, the session is paused, its process ends."""
    world = quiet_world(vetoes_logged=False)
    session = idle_session(world, 0)
    idle.arm(world, session)
    early = pass_time(world, 899)
    lines = pass_time(world, 10)

    assert early == [f"[WarmLifecycle:session] Starting idle timeout for {session.id}: 900s"]
    assert lines == [
        f"[WarmLifecycle:session] Idle timeout reached, disconnecting {session.id}",
        f"[CCD] Pausing session {session.id} (idle_timeout)",
        f"Session {session.id} query iterator completed",
    ]
    assert (session.phase, session.why, world.counts["paused_idle"]) == ("paused", "paused_idle", 1)


def test_old_builds_have_their_own_words() -> None:
    """The manager was named differently, and the reason was in words."""
    world = quiet_world(wording=OLD, vetoes_logged=False)
    session = idle_session(world, 0)
    idle.arm(world, session)
    lines = pass_time(world, 910)

    assert lines[1:3] == [
        f"[IdleManager:session] Idle timeout reached, disconnecting {session.id}",
        f"[CCD] Pausing session {session.id} due to idle",
    ]


def test_a_timer_of_yesterday_rings_for_nobody() -> None:
    """Arming anew voids the older timer."""
    world = quiet_world(vetoes_logged=False)
    session = idle_session(world, 0)
    idle.arm(world, session)
    pass_time(world, 600)
    idle.arm(world, session)
    pass_time(world, 600)

    assert session.phase == "idle"


def test_remote_control_vetoes_the_pause_and_the_eighth_veto_is_told() -> None:
    """The session keeps its process and its timer."""
    world = quiet_world()
    session = idle_session(world, 0)
    session.remote = True
    idle.arm(world, session)
    lines = pass_time(world, 8 * 910)

    assert session.phase == "idle"
    assert sum("Skipping pause" in line and "remote control is active" in line for line in lines) == 8
    assert sum("has declined 8 consecutive idle pauses" in line for line in lines) == 1


def test_older_builds_veto_in_silence() -> None:
    """The veto was a debug line then."""
    world = quiet_world(vetoes_logged=False)
    session = idle_session(world, 0)
    session.remote = True
    idle.arm(world, session)
    lines = pass_time(world, 910)

    assert session.alive
    assert not any("Skipping" in line for line in lines)


def test_a_background_task_that_goes_on_is_told_and_one_that_ended_is_not() -> None:
    """Over many timers both happen, and a held session is never paused in the same breath."""
    seen = set()
    for seed in range(12):
        world = quiet_world(seed)
        session = idle_session(world, 0)
        session.tasks = 2
        idle.arm(world, session)
        lines = pass_time(world, 910)
        vetoed = any(f"Skipping pause for session {session.id} - " in line for line in lines)
        seen.add(vetoed)

        assert vetoed == session.alive == bool(session.tasks)
    assert seen == {True, False}
