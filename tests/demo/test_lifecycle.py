"""Starts, warm-ups, focus and stops, and what each says."""

import re

from app.demo import lifecycle
from tests.demo.worlds import START, fill, idle_session, pass_time, quiet_world, said


def test_a_new_session_starts_gets_the_focus_and_works_within_seconds() -> None:
    """The order of the lines of a start by the user."""
    world = quiet_world(3)
    session = lifecycle.start(world)
    lines = said(world) + pass_time(world, 5)

    assert [line for line in lines if "null" not in line][:3] == [
        "LocalSessions.start:",
        f"Starting local session {session.id} in /Users/someone/code/p0",
        f"[CCD] LocalSessions.setFocusedSession: sessionId={session.id}",
    ]
    mapping = re.compile(rf"Mapping internal session {session.id} to CLI session [0-9a-f-]{{36}}")
    assert sum(mapping.fullmatch(line) is not None for line in lines) == 1
    assert session.phase == "working"
    assert world.focused is session


def test_a_session_between_start_and_mapping_is_starting() -> None:
    """It holds a seat from its first line on."""
    world = quiet_world()
    session = lifecycle.start(world)

    assert session.phase == "starting"
    assert session.holds_seat


def test_the_governor_speaks_before_a_new_session_and_after_the_focus_of_an_old_one() -> None:
    """A resumed session is looked at first, then it takes its seat."""
    world = quiet_world()
    fill(world, [100] * 8)
    lifecycle.start(world)
    new = said(world)
    old = idle_session(world, 0)
    old.phase = "paused"
    lifecycle.resume(world, old)
    resumed = said(world)

    assert next(i for i, line in enumerate(new) if "would evict" in line) < new.index("LocalSessions.start:")
    looked, named, came = (
        next(i for i, line in enumerate(resumed) if line.startswith(start))
        for start in (f"[CCD] LocalSessions.setFocusedSession: sessionId={old.id}", "[CliGovernor]", "Resuming")
    )
    assert looked < named < came


def test_a_warm_up_makes_an_idle_session() -> None:
    """A switch of focus starts a process ahead of need."""
    world = quiet_world()
    session = idle_session(world, 0)
    session.phase = "paused"

    assert lifecycle.warm(world, session)
    lines = said(world)
    assert lines[:3] == [
        f"[CCD] LocalSessions.setFocusedSession: sessionId={session.id}",
        f"[WarmLifecycle:session] Warming up session {session.id}",
        f"[CCD] Warming session {session.id}",
    ]
    assert re.fullmatch(rf"\[CCD\] Session {session.id} warmed successfully in \d+ms", lines[3])
    assert (session.phase, session.idle_since) == ("idle", START)


def test_a_warm_up_that_is_put_off_makes_no_process() -> None:
    """The session stays where it was."""
    world = quiet_world()
    fill(world, [100] * 9)
    session = idle_session(world, 0)
    session.phase = "evicted"

    assert not lifecycle.warm(world, session)
    assert session.phase == "evicted"
    assert world.effective() == 9


def test_coming_into_sight_and_going_out_of_it_are_activity() -> None:
    """Both start the idle time anew; the timer runs out of sight only."""
    world = quiet_world()
    first, second = fill(world, [500, 400])
    lifecycle.focus(world, first)
    seen = world.idle_seconds(first)
    pass_time(world, 30)
    lifecycle.focus(world, second)

    assert (seen, world.idle_seconds(first), world.idle_seconds(second)) == (0, 0, 0)
    assert said(world) == [
        f"[CCD] LocalSessions.setFocusedSession: sessionId={second.id}",
        f"[WarmLifecycle:session] Starting idle timeout for {first.id}: 900s",
    ]


def test_the_focus_that_is_there_already_says_nothing() -> None:
    """Only a change is told."""
    world = quiet_world()
    session = idle_session(world, 5)
    lifecycle.focus(world, session)
    said(world)
    lifecycle.focus(world, session)

    assert said(world) == []


def test_a_stopped_session_can_come_back_and_an_archived_one_cannot() -> None:
    """Both end without a verdict: their user ended them."""
    world = quiet_world()
    first, second = fill(world, [5, 5])
    second.tasks = 2
    lifecycle.stop(world, first)
    lifecycle.stop(world, second, for_good=True)

    assert said(world) == [
        f"Stopping session {first.id}",
        f"[CCD] Session {second.id} torn down with 2 live background task(s) — settling as stopped (exited)",
        f"LocalSessions.archive: sessionId={second.id}",
        f"Archived session {second.id}",
    ]
    assert (first.asleep, second.asleep) == (True, False)
    assert first.why is second.why is None


def test_remote_control_protects_while_the_process_lives() -> None:
    """It is told in the log when it is switched on."""
    world = quiet_world()
    session = idle_session(world, 100)
    lifecycle.enable_remote(world, session)

    assert f"Enabling remote control for session {session.id}" in said(world)
    assert session.holds == ["remote_control"]


def test_cowork_and_dispatch_live_in_a_home_of_their_own() -> None:
    """Kind shows in the path and the id, on every platform."""
    for platform, root in (("darwin", "/Users/"), ("linux", "/home/someone/"), ("win32", "C:\\Users\\")):
        world = quiet_world(platform=platform)
        code, cowork, dispatch = (lifecycle.create(world, kind) for kind in ("code", "cowork", "dispatch"))

        assert code.cwd.startswith(root)
        assert re.fullmatch(r"/home/[a-z]+-[a-z]+-\d\d", cowork.cwd)
        assert dispatch.id.startswith("local_ditto_")
