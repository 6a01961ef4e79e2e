"""The clock, the plan and the sessions of a world."""

from datetime import timedelta

from app.demo.world import VM_NODE, VM_SWIFT
from tests.demo.worlds import START, fill, idle_session, pass_time, quiet_world


def test_planned_acts_happen_in_time_and_in_the_order_of_planning() -> None:
    """What is planned for the same second happens in the order in which it was planned."""
    world, done = quiet_world(), []
    for seconds, name in ((5, "b"), (2, "a"), (5, "c"), (60, "late")):
        world.after(seconds, lambda name=name: done.append(name))  # type: ignore[misc]
    world.advance(START + timedelta(seconds=10))

    assert done == ["a", "b", "c"]
    assert world.now == START + timedelta(seconds=10)


def test_a_run_of_the_app_takes_its_plans_with_it() -> None:
    """`after` dies with the run, `later` does not."""
    world, done = quiet_world(), []
    world.after(5, lambda: done.append("after"))
    world.later(5, lambda: done.append("later"))
    world.run += 1
    world.advance(START + timedelta(seconds=10))

    assert done == ["later"]


def test_lines_carry_the_wall_clock_of_the_zone() -> None:
    """A stamp is local time in whole seconds; the native VM log has its own prefix."""
    world = quiet_world(zone="Asia/Tokyo")
    world.say("one")
    world.say("two", "warn", VM_NODE)
    world.say("three", "info", VM_SWIFT)
    texts = [line.text for line in world.advance(world.now)]

    assert texts == [
        "2026-10-02 18:00:00 [info] one\n",
        "2026-10-02 18:00:00 [warn] two\n",
        "[VM] 2026-10-02 18:00:00 [info] three\n",
    ]


def test_windows_files_mix_their_line_ends() -> None:
    """Every row of a record ends one way or the other."""
    world = quiet_world(mixed_line_ends=True)
    for _ in range(40):
        world.say("a {\n  b\n}")
    text = "".join(line.text for line in world.advance(world.now))

    assert text.count("\n") == 120
    assert 20 < text.count("\r\n") < 100


def test_the_longest_idle_goes_first_and_ties_go_to_the_first_seen() -> None:
    """The governor's order."""
    world = quiet_world()
    a, b, c, d = fill(world, [100, 300, 300, 20])

    assert world.candidates() == [b, c, a, d]


def test_nobody_is_a_candidate_who_works_waits_starts_or_is_protected() -> None:
    """Neither is a session without a process, nor one of Cowork's."""
    world = quiet_world()
    sessions = fill(world, [100] * 8)
    for session, phase in zip(sessions, ("starting", "working", "waiting", "paused"), strict=False):
        session.phase = phase  # type: ignore[assignment]
    sessions[4].remote, sessions[5].tasks, sessions[6].workflow = True, 1, "wf"
    cowork = idle_session(world, 500)
    cowork.kind = "cowork"

    assert world.candidates() == [sessions[7]]
    assert world.effective() == 7


def test_ids_are_the_same_for_the_same_seed() -> None:
    """Made-up ids come from the seed alone."""
    assert quiet_world(7).uuid() == quiet_world(7).uuid() != quiet_world(8).uuid()


def test_going_back_moves_nothing() -> None:
    """The clock never runs backwards."""
    world = quiet_world()
    pass_time(world, 30)
    world.advance(START)

    assert world.now == START + timedelta(seconds=30)
