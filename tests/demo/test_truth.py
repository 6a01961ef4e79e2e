"""The truth beside the story."""

import re
from collections import Counter

import pytest

from app.demo import seats
from app.demo.cases import random_config
from app.demo.simulation import Simulation
from app.demo.truth import truth_of
from tests.demo.worlds import bodies, fill, idle_session, quiet_world, told

COUNTED = {
    "would_evict.warm": r"\[CliGovernor\] at cap=\d+; would evict \S+ \(idle \d+s\) for warm spawn",
    "would_evict.user": r"\[CliGovernor\] at cap=\d+; would evict \S+ \(idle \d+s\) for user spawn",
    "put_off": r"\[CliGovernor\] at cap; yielding warm spawn",
    "evicted.cap": r"\[CliGovernor\] at cap=\d+; evicting \S+ \(idle \d+s\) for warm spawn",
    "evicted.pressure": r"\[CliGovernor\] pressure evicting \S+ \(idle \d+s\)",
    "paused_idle": r"\[CCD\] Pausing session \S+ (\(idle_timeout\)|due to idle)",
    "pressure_lines.warning": r"\[CliGovernor\] memory pressure \(warning\): .*",
    "pressure_lines.critical": r"\[CliGovernor\] memory pressure \(critical\): .*",
    "rate_limited": r"\[CCD CycleHealth\] \S+ api_error \(success\): You'(ve hit|re out).*",
    "overloaded": r"\[CCD CycleHealth\] \S+ api_error \(success\): API Error: (529 Overloaded|Server is temp).*",
}


@pytest.mark.parametrize("seed", range(8))
def test_the_counts_are_those_of_the_acts(seed: int) -> None:
    """What the truth counts happened as often in the story."""
    simulation, lines = told(random_config(seed), seed, 150)
    found = Counter(name for body in bodies(lines) for name, shape in COUNTED.items() if re.fullmatch(shape, body))
    counts = simulation.truth()["counts"]

    for name in COUNTED:
        outer, _, inner = name.partition(".")
        value = counts[outer][inner] if inner else counts[outer]
        assert value == found[name], name


def test_the_ranking_holds_every_idle_unprotected_seat_holder() -> None:
    """Longest idle first, with the idle time of each."""
    world = quiet_world()
    a, b, c = fill(world, [10, 300, 70])
    c.remote = True
    truth = truth_of(world)

    assert truth["ranking"] == [b.id, a.id]
    assert truth["idle"] == {a.id: 10, b.id: 300}
    assert truth["sessions"][c.id]["protected"] == ["remote_control"]
    assert truth["seats"] == 3


def test_what_the_log_cannot_have_shown_is_not_claimed() -> None:
    """Whether a build closes for real is unknown until the governor spoke, and false until it closed one."""
    world = quiet_world()
    fill(world, [500] * 9)
    unknown = truth_of(world)["evicts_for_real"]
    seats.admit_user_start(world)
    warned = truth_of(world)["evicts_for_real"]
    world.level = "warning"
    seats.answer_pressure(world)

    assert (unknown, warned, truth_of(world)["evicts_for_real"]) == (None, False, True)


def test_a_session_tells_how_it_stopped_last() -> None:
    """None for one that never did; a resumed one keeps the reason of its last stop."""
    world = quiet_world()
    session, other = idle_session(world, 5), idle_session(world, 5)
    seats.die(world, session, "evicted", "evicted_for_memory")
    session.phase = "idle"
    sessions = truth_of(world)["sessions"]

    assert (sessions[session.id]["why"], sessions[other.id]["why"]) == ("evicted_for_memory", None)


def test_the_shape_is_that_of_a_golden_case() -> None:
    """Every key that a judge looks at is there."""
    truth = Simulation(1, random_config(1)).truth()
    wanted = {
        "at", "tz", "cap", "version", "seats", "pressure", "evicts_for_real", "named", "ranking", "idle", "sessions",
        "counts", "vm",
    }  # fmt: skip

    assert set(truth) == wanted
