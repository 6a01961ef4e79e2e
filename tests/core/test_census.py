"""The census: every line and event counted once, in its own place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from app.core.census import MAX_DISAGREEMENTS, MAX_SHAPES, MAX_VICTIMS, Census, CensusTaker, census
from app.core.counted import (
    Checks,
    Difference,
    Differences,
    Disagreement,
    Limits,
    PressureLines,
    Share,
    UnknownShape,
    Victim,
)
from app.core.events import (
    AppStarted,
    Event,
    EvictionForeseen,
    HostDisagreed,
    MemoryEvictionBegan,
    Observed,
    PressureChanged,
    PressureReported,
    QueryCompleted,
    SeatEvictionBegan,
    ServiceOverloaded,
    SessionPaused,
    SessionRetitled,
    SessionsStopped,
    SessionStarted,
    SignInLost,
    StartYielded,
    Unrecognized,
    UsageLimited,
)
from app.core.reducer import reduce
from app.core.state import Score, State
from app.core.tally import Tally
from tests.core.helpers import CODE, NOON, A, B, C, after, histories, observed, state_after

TALLY = Tally(
    {("info", "CliGovernor"): 10, ("warn", "CliGovernor"): 5, ("info", ""): 30, ("error", "CCD"): 30},
    continued=20, unprefixed=5, cut=2,
)  # fmt: skip


def counted(*events: Event, tally: Tally = TALLY) -> Census:
    """The census of these events, with the state that they lead to."""
    return census(tally, observed(events), state_after(*events))


def test_lines_of_the_tally() -> None:
    """Lines are counted by severity and by scope, most first, each with its share of all lines."""
    found = counted()

    assert (found.lines, found.continued, found.unprefixed, found.cut) == (100, 20, 5, 2)
    assert found.severities == (Share("info", 40, 0.4), Share("error", 30, 0.3), Share("warn", 5, 0.05))
    assert found.scopes == (Share("", 30, 0.3), Share("CCD", 30, 0.3), Share("CliGovernor", 15, 0.15))


def test_an_empty_log() -> None:
    """Nothing read is nothing counted: no division, no rows."""
    found = counted(tally=Tally())

    assert (found.lines, found.severities, found.scopes, found.governor.lines) == (0, (), (), 0)
    assert found.governor.share == 0
    assert found.checks == Checks(0, 0, ())


def test_the_governors_shapes() -> None:
    """Each shape of the governor counts apart; what else it wrote is other."""
    found = counted(
        EvictionForeseen(NOON, A, 8, 90, "warm"),
        EvictionForeseen(NOON, A, 8, 90, "user"),
        EvictionForeseen(NOON, A, 8, 90, "user"),
        EvictionForeseen(NOON, A, 8, 90, None),
        SeatEvictionBegan(NOON, B, 8, 90, "warm"),
        MemoryEvictionBegan(NOON, C, 90),
        StartYielded(NOON, "warm"),
        PressureReported(NOON, "warning", None, None),
        PressureReported(NOON, "critical", None, None),
        PressureChanged(NOON, "warning"),
    ).governor

    assert (found.lines, found.share, found.other) == (15, 0.15, 6)
    assert found.shapes == {
        "would_evict_warm": 1,
        "would_evict_user": 2,
        "would_evict_untold": 1,
        "evicting": 1,
        "pressure_evicting": 1,
        "yielding": 1,
        "pressure_warning": 1,
        "pressure_critical": 1,
    }


def test_more_events_than_lines() -> None:
    """Where lines were not counted, the events that are there count as lines, and nothing goes below zero."""
    found = counted(StartYielded(NOON, "warm"), tally=Tally()).governor

    assert (found.lines, found.share, found.other) == (1, 1.0, 0)


def test_pressure_by_level_and_source() -> None:
    """The governor's levels and the operating system's are kept apart."""
    found = counted(
        PressureReported(NOON, "warning", None, None),
        PressureChanged(NOON, "critical"),
        PressureChanged(NOON, "normal"),
        PressureChanged(NOON, "critical"),
    )

    assert found.pressure == (
        PressureLines("governor", "warning", 1),
        PressureLines("os", "critical", 2),
        PressureLines("os", "normal", 1),
    )


def test_put_offs_by_trigger() -> None:
    """Starts that were put off count by what wanted them, and name nobody."""
    found = counted(StartYielded(NOON, "warm"), StartYielded(NOON, "warm"), StartYielded(NOON, "user"))

    assert found.put_off == {"warm": 2, "user": 1}
    assert found.victims == ()


def test_victims_named_and_really_closed() -> None:
    """Who is named often comes first; only a line that closes counts as closed, with or without the naming before."""
    found = counted(
        SessionStarted(NOON, A, CODE),
        SessionRetitled(NOON, A, "Report"),
        EvictionForeseen(NOON, A, 8, 90, "warm"),
        EvictionForeseen(NOON, A, 8, 90, "warm"),
        SeatEvictionBegan(after(1), A, 8, 90, "warm"),
        SessionPaused(after(1), A, "governor_evict"),
        QueryCompleted(after(2), A),
        MemoryEvictionBegan(after(3), B, 70),
        QueryCompleted(after(3), B),
        SessionPaused(after(4), C, "governor_evict"),
        SessionPaused(after(5), A, "idle_timeout"),
    )

    assert found.victims == (Victim(A, "Report", 3, 1), Victim(B, None, 1, 1), Victim(C, None, 0, 1))
    assert found.named_sessions == 3


def test_victims_are_bounded() -> None:
    """The most named are listed; how many there are in all is told; one that the state has forgotten has no title."""
    events = [EvictionForeseen(NOON, f"local_{n}", 8, 90, "user") for n in range(MAX_VICTIMS + 3)]

    found = census(TALLY, observed(events), State())

    assert len(found.victims) == MAX_VICTIMS
    assert found.named_sessions == MAX_VICTIMS + 3
    assert found.victims[0] == Victim("local_0", None, 1, 0)


def test_limits() -> None:
    """Usage limits, overloads and lost sign-ins count apart; look-alikes are counted by whoever reads the lines."""
    found = counted(
        UsageLimited(NOON, A, None, None),
        UsageLimited(NOON, A, None, None),
        ServiceOverloaded(NOON, A),
        SignInLost(NOON),
    )

    assert found.limits == Limits(2, 1, 1, 0)


def test_unrecognised_shapes() -> None:
    """A shape keeps the place of its first line; first and last seen hold whatever order the clocks are in."""
    found = counted(
        Unrecognized(after(5), "[VM] <n>"),
        Unrecognized(after(9), "[CliGovernor] new"),
        Unrecognized(after(2), "[CliGovernor] new"),
        Unrecognized(after(20), "[CliGovernor] new"),
    )

    assert found.shapes == (
        UnknownShape("[CliGovernor] new", 3, "main.log", 2, after(2), after(20)),
        UnknownShape("[VM] <n>", 1, "main.log", 1, after(5), after(5)),
    )


def test_unrecognised_shapes_are_bounded() -> None:
    """A log of ever new shapes is counted in bounded memory, and no line is lost."""
    found = counted(
        *(Unrecognized(NOON, f"[VM] {n:04}") for n in range(MAX_SHAPES + 4)), Unrecognized(NOON, "[VM] 0000")
    )

    assert len(found.shapes) == MAX_SHAPES
    assert found.more_shapes == 4
    assert found.shapes[0].lines == 2


def test_the_logs_own_numbers_against_ours() -> None:
    """Each number that the app gives is held against our count at its line; a new start is no disagreement."""
    found = counted(
        SessionStarted(NOON, A, CODE),
        SessionStarted(NOON, B, CODE),
        PressureReported(after(1), "warning", 0, 2),
        PressureReported(after(2), "warning", 0, 3),
        PressureReported(after(3), "warning", 0, None),
        SessionsStopped(after(4), 1),
        AppStarted(after(5), "2.2", None, None),
        SessionsStopped(after(6), 0),
    )

    assert found.checks == Checks(
        agreed=2,
        disagreed=2,
        disagreements=(
            Disagreement(after(2), "pressure_line", 3, 2, "main.log", 4),
            Disagreement(after(4), "quit_line", 1, 2, "main.log", 6),
        ),
    )


def test_disagreements_are_bounded() -> None:
    """All disagreements are counted, the newest are kept."""
    found = counted(*(PressureReported(after(n), "warning", 0, 5) for n in range(MAX_DISAGREEMENTS + 2))).checks

    assert found.disagreed == MAX_DISAGREEMENTS + 2
    assert len(found.disagreements) == MAX_DISAGREEMENTS
    assert found.disagreements[-1].at == after(MAX_DISAGREEMENTS + 1)


def test_log_against_the_host() -> None:
    """What the probes found to differ is counted by what it is of, and the newest are listed."""
    many = [HostDisagreed(after(n), "processes", 7, 8) for n in range(MAX_DISAGREEMENTS + 5)]
    found = census(Tally(), observed([HostDisagreed(NOON, "memory", 1900, 9000), *many]), State()).disagreements

    assert (found.memory, found.processes, len(found.newest)) == (1, len(many), MAX_DISAGREEMENTS)
    assert found.newest[-1] == Difference(many[-1].at, "processes", 7, 8)
    assert census(Tally(), [], State()).disagreements == Differences(0, 0, ())


def test_scores_per_version() -> None:
    """The ranking's record is kept for each version of the app."""
    found = counted(AppStarted(NOON, "2.1", None, None), EvictionForeseen(NOON, A, 8, 90, "user"))

    assert found.scores == {"2.1": Score(1, 0, 0)}


@given(histories())
def test_the_census_agrees_with_the_state(history: list[Event]) -> None:
    """For any history, what both count is the same, and a taker beside another fold finds what `census` finds."""
    state, taker = State(), CensusTaker()
    for one in observed(history):
        after_it = reduce(state, one.event)
        taker.take(state, one, after_it)
        state = after_it

    found = taker.census(TALLY, state)

    counts, shapes = state.counts, found.governor.shapes
    assert found == census(TALLY, observed(history), state)
    assert shapes["would_evict_user"] == counts.would_evict_user
    assert shapes["would_evict_warm"] + shapes["would_evict_untold"] == counts.would_evict_warm
    assert sum(found.put_off.values()) == counts.put_off == shapes["yielding"]
    assert (shapes["pressure_warning"], shapes["pressure_critical"]) == (
        counts.pressure_warning,
        counts.pressure_critical,
    )
    assert (found.limits.usage, found.limits.overload) == (counts.rate_limited, counts.overloaded)
    assert sum(taker.closed.values()) == counts.evicted_cap + counts.evicted_pressure
    assert sum(one.lines for one in found.shapes) + found.more_shapes == counts.unrecognized
    assert sum(taker.named.values()) == state.score.named
    assert json.dumps(found.as_plain())


@pytest.mark.parametrize(("lines", "left"), [(0, 0), (1, 0), (2, 1), (12, 11)])
def test_look_alikes_are_no_limits(lines: int, left: int) -> None:
    """Of the lines that look like a limit, those that are one are taken off; never below none."""
    seen = [
        Observed(ServiceOverloaded(NOON, A), "f1", 0, 1, "[CCD CycleHealth] x api_error (success): API Error: 529"),
        Observed(UsageLimited(NOON, A, None, None), "f1", 1, 2, "[CCD CycleHealth] x: You've hit your session limit"),
        Observed(SignInLost(NOON), "f1", 2, 3, "oauth failed: 429"),
    ]

    assert census(Tally(look_alikes=lines), seen, State()).as_plain()["limits"]["look_alikes"] == left
