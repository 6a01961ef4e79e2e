"""Turns and their ends."""

import re

import pytest

from app.demo import lifecycle, turns
from tests.demo.worlds import fill, idle_session, pass_time, quiet_world, said


def test_a_turn_ends_with_its_own_length_and_leaves_an_idle_session() -> None:
    """The seconds in the line are those since the message."""
    for seed in range(20):
        world = quiet_world(seed)
        session = idle_session(world, 50)
        turns.begin(world, session)
        lines = pass_time(world, 2500)
        ends = [line for line in lines if "healthy cycle for" in line]
        shape = rf"\[CCD CycleHealth\] (un)?healthy cycle for {session.id} \(\d+s, hadFirstResponse=(true|false).*\)"

        assert len(ends) == 1
        assert re.fullmatch(shape, ends[0])
        assert session.turns_done + (session.why == "timed_out") == 1


def test_a_session_in_sight_is_not_timed_when_its_turn_ends() -> None:
    """The timer is armed for hidden sessions only."""
    world = quiet_world()
    shown, hidden = fill(world, [5, 5])
    lifecycle.focus(world, shown)
    said(world)
    turns.fall_silent(world, shown)
    turns.fall_silent(world, hidden)

    assert said(world) == [f"[WarmLifecycle:session] Starting idle timeout for {hidden.id}: 900s"]


def test_a_question_makes_the_session_wait_until_it_is_answered() -> None:
    """Waiting begins with the request and ends with the response to the same request."""
    asked = 0
    for seed in range(40):
        world = quiet_world(seed)
        session = idle_session(world, 0)
        turns.begin(world, session)
        waiting = False
        for _ in range(600):
            for line in pass_time(world, 3):
                if found := re.match(r"Emitted tool permission request (\S+) for \w+ in session (\S+)", line):
                    request, waiting, asked = found[1], True, asked + 1
                    assert found[2] == session.id
                if line.startswith("Received permission response"):
                    assert line.split()[4].rstrip(":") == request
                    waiting = False
            assert waiting == (session.phase == "waiting")
    assert asked > 0


@pytest.mark.parametrize("kind", ["usage_limit", "overloaded"])
def test_a_turn_that_meets_a_limit_ends_unhealthy(kind: str) -> None:
    """The warning carries the text, the cycle its reason, the session its verdict, and it lives on."""
    world = quiet_world()
    session = idle_session(world, 0)
    world.next_error = kind
    turns.begin(world, session)
    lines = pass_time(world, 600)
    at = next(i for i, line in enumerate(lines) if "api_error (success):" in line)

    assert "reason=api_error" in lines[at + 1]
    assert (session.why, session.alive) == (kind, True)
    assert world.counts["rate_limited"] + world.counts["overloaded"] == 1


@pytest.mark.parametrize(("how", "why"), [("terminated by signal SIGKILL", "killed"), ("exited with code 1", "failed")])
def test_a_process_that_breaks_down_is_an_error(how: str, why: str) -> None:
    """In a turn the cycle ends first; an idle session has none to end."""
    world = quiet_world()
    busy, idle = fill(world, [5, 5])
    turns.begin(world, busy)
    said(world)
    turns.break_down(world, busy, how, why)
    in_turn = said(world)
    turns.break_down(world, idle, how, why)

    assert in_turn[-1] == f"Session {busy.id} query error: Claude Code process {how}"
    assert len(in_turn) == 3
    assert said(world) == [f"Session {idle.id} query error: Claude Code process {how}"]
    assert (busy.why, idle.why, world.effective()) == (why, why, 0)


def test_nothing_of_a_turn_outlives_its_process() -> None:
    """A dead session's planned answers and ends do not happen."""
    world = quiet_world()
    session = idle_session(world, 0)
    turns.begin(world, session)
    said(world)
    turns.break_down(world, session, "exited with code 1", "failed")
    said(world)

    assert pass_time(world, 3000) == []


def test_some_turns_hang_until_they_time_out() -> None:
    """After a quarter of an hour without an answer the process is given up."""
    timed_out = 0
    for seed in range(600):
        world = quiet_world(seed)
        session = idle_session(world, 0)
        turns.begin(world, session)
        lines = [line for line in pass_time(world, 1100) if "timed out after" in line]
        timed_out += len(lines)

        assert bool(lines) == (session.why == "timed_out")
    assert timed_out > 0


def test_a_workflow_never_stands_beside_a_background_task() -> None:
    """The log could not tell afterwards which of the two still holds the session."""
    for seed in range(150):
        world = quiet_world(seed)
        session = idle_session(world, 0)
        session.tasks = 1
        turns.begin(world, session)

        assert not any(" workflow " in line for line in pass_time(world, 500))
