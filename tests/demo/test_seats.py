"""The governor's rules, one by one."""

import pytest

from app.demo import seats
from app.demo.wording import SWEEPING
from tests.demo.worlds import fill, pass_time, quiet_world, said


def test_below_the_cap_everybody_starts_in_silence() -> None:
    """Neither kind of start makes the governor speak while seats are free."""
    world = quiet_world()
    fill(world, [100] * 7)
    seats.admit_user_start(world)

    assert seats.admit_warm_start(world)
    assert said(world) == []


@pytest.mark.parametrize("taken", [8, 9, 11])
def test_a_user_start_is_never_refused_but_names_the_head(taken: int) -> None:
    """At and over the cap the longest idle is named and nobody is closed."""
    world = quiet_world()
    head = fill(world, [500] + [100] * (taken - 1))[0]
    seats.admit_user_start(world)

    assert said(world) == [f"[CliGovernor] at cap=8; would evict {head.id} (idle 500s) for user spawn"]
    assert world.effective() == taken
    assert world.counts["would_evict_user"] == 1


def test_a_user_start_with_nobody_idle_says_nothing() -> None:
    """Where nobody can be closed there is nobody to name."""
    world = quiet_world()
    for session in fill(world, [5] * 8):
        session.phase = "working"
    seats.admit_user_start(world)

    assert said(world) == []


def test_a_warm_start_exactly_at_the_cap_closes_the_head() -> None:
    """The one case in which a start closes a session."""
    world = quiet_world()
    head = fill(world, [60] + [30] * 7)[0]

    assert seats.admit_warm_start(world)
    assert said(world) == [
        f"[CliGovernor] at cap=8; evicting {head.id} (idle 60s) for warm spawn",
        f"[CCD] Pausing session {head.id} (governor_evict)",
        f"Session {head.id} query iterator completed",
    ]
    assert (head.phase, head.why, world.effective()) == ("evicted", "evicted_for_seat", 7)


@pytest.mark.parametrize(
    ("idles", "real"), [([59] + [30] * 7, True), ([500] * 9, True), ([500] * 8, False)], ids=["young", "over", "warns"]
)
def test_any_other_warm_start_is_put_off(idles: list[int], real: bool) -> None:
    """Too young a head, more sessions than seats, or a build that only warns."""
    world = quiet_world(closes_for_real=real)
    head = fill(world, idles)[0]

    assert not seats.admit_warm_start(world)
    assert said(world) == [
        f"[CliGovernor] at cap=8; would evict {head.id} (idle {idles[0]}s) for warm spawn",
        "[CliGovernor] at cap; yielding warm spawn",
    ]
    assert world.effective() == len(idles)
    assert (world.counts["put_off"], world.counts["would_evict_warm"]) == (1, 1)


def test_a_warm_start_with_nobody_idle_only_yields() -> None:
    """No name without a candidate."""
    world = quiet_world()
    for session in fill(world, [5] * 8):
        session.remote = True

    assert not seats.admit_warm_start(world)
    assert said(world) == ["[CliGovernor] at cap; yielding warm spawn"]


def test_a_sweep_closes_from_the_head_down_to_two_below_the_cap() -> None:
    """Longest idle first, then the governor tells what is left."""
    world = quiet_world()
    world.level = "warning"
    sessions = fill(world, [10, 400, 200, 300, 5, 6, 7, 8, 9])
    seats.answer_pressure(world)
    lines = said(world)

    closed = [sessions[1].id, sessions[3].id, sessions[2].id]
    assert [line.split()[3] for line in lines if "pressure evicting" in line] == closed
    assert lines[-1] == "[CliGovernor] memory pressure (warning): would evict 0 idle session(s), 6 effective"
    assert world.counts["evicted_pressure"] == 3
    assert {s.why for s in sessions if not s.alive} == {"evicted_for_memory"}


def test_a_sweep_stops_when_nobody_is_left_to_close() -> None:
    """Protected and working sessions survive any pressure."""
    world = quiet_world()
    sessions = fill(world, [100] * 9)
    for session in sessions[:8]:
        session.remote = True
    world.level = "critical"
    seats.answer_pressure(world)

    assert [s.alive for s in sessions] == [True] * 8 + [False]


def test_a_build_that_only_warns_says_how_many_it_would_close() -> None:
    """Nothing is closed by the line."""
    world = quiet_world(closes_for_real=False)
    world.level = "warning"
    fill(world, [100] * 8)
    seats.answer_pressure(world)

    assert said(world) == ["[CliGovernor] memory pressure (warning): would evict 2 idle session(s), 8 effective"]
    assert world.effective() == 8


def test_a_signal_repeated_at_once_closes_nothing() -> None:
    """A sweep rests for a minute."""
    world = quiet_world()
    world.level = "warning"
    fill(world, [100] * 7)
    seats.answer_pressure(world)
    fill(world, [50] * 2)
    pass_time(world, 30)
    seats.answer_pressure(world)
    before = world.counts["evicted_pressure"]
    pass_time(world, 40)
    seats.answer_pressure(world)

    assert (before, world.counts["evicted_pressure"]) == (1, 3)


def test_the_sweeping_builds_tell_how_many_of_how_many() -> None:
    """Another wording of the sweep's last line."""
    world = quiet_world(wording=SWEEPING)
    world.level = "critical"
    fill(world, [100] * 7)
    seats.answer_pressure(world)

    assert said(world)[-1] == "[CliGovernor] memory pressure (critical): evicting 1 of 7 idle session(s)"


def test_protections_die_with_the_process() -> None:
    """A process that ends leaves nothing behind but the reason."""
    world = quiet_world()
    session = fill(world, [100])[0]
    session.remote, session.tasks, session.workflow = True, 2, "wf"
    seats.die(world, session, "ended", "killed")

    assert session.holds == []
    assert (session.alive, session.why) == (False, "killed")


def test_every_naming_is_kept_with_the_true_head() -> None:
    """What the governor named can be held against who was first in line."""
    world = quiet_world()
    fill(world, [500] + [100] * 8)
    seats.admit_user_start(world)

    assert [(one.named, one.idle_seconds) for one in world.namings] == [(world.namings[0].head, 500)]
