"""What the page of the census shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.census import census
from app.core.counted import Checks, Disagreement, Share
from app.core.events import (
    Event,
    EvictionForeseen,
    HostDisagreed,
    MemoryEvictionBegan,
    Observed,
    ServiceOverloaded,
    SessionStarted,
    StartYielded,
    Unrecognized,
    UsageLimited,
)
from app.core.reducer import fold
from app.core.state import Score, State
from app.core.tally import Tally
from app.web.census_presenter import MOST_CHECKS, MOST_SCOPES, MOST_SHAPES, Counted, census_view, percent
from app.web.census_views import CensusView
from tests.web.scenes import HOSTILE, NOW, ZONE, ago, sid

TALLY = Tally({("info", "CCD"): 700, ("info", "CliGovernor"): 200, ("warn", ""): 50}, 40, 8, 2, NOW, 30)
EVENTS: tuple[Event, ...] = (
    SessionStarted(ago(minutes=90), sid(1), "/x/alpha"),
    EvictionForeseen(ago(minutes=60), sid(1), 8, 90, "warm"),
    EvictionForeseen(ago(minutes=59), sid(2), 8, 80, "user"),
    MemoryEvictionBegan(ago(minutes=50), sid(1), 300),
    StartYielded(ago(minutes=40), "warm"),
    UsageLimited(ago(minutes=30), sid(1), "7pm", None),
    ServiceOverloaded(ago(minutes=29), sid(1)),
    Unrecognized(ago(minutes=20), "[VM] something <n>"),
    Unrecognized(ago(minutes=10), "[VM] something <n>"),
)


def counted(*events: Event, tally: Tally = TALLY, **fields: Any) -> Counted:
    """What was counted of these events, a line each."""
    observed = [Observed(event, "f1", n * 100, n, f"line {n}") for n, event in enumerate(events, start=1)]
    state = fold(State(), events)
    found = census(tally, observed, state)
    samples = [one for one in reversed(observed) if isinstance(one.event, Unrecognized)]
    return replace(Counted(found, {"f1": "main.log"}, samples, state, NOW, ZONE), **fields)


def view_of(*events: Event, **fields: Any) -> CensusView:
    """The page of them."""
    return census_view(counted(*events, **fields))


def test_what_the_log_is_made_of() -> None:
    """Lines by scope and severity, most first, with their share and a bar; what is no record is told apart."""
    view = view_of(*EVENTS)

    assert view.lead == "998 lines read. The governor wrote 20.0 % of them."
    assert [(row.name, row.lines, row.share, row.width) for row in view.scopes] == [
        ("CCD", "700", "70.1 %", 100.0), ("CliGovernor", "200", "20.0 %", 28.57), ("(no tag)", "50", "5.0 %", 7.14),
    ]  # fmt: skip
    assert [row.name for row in view.severities] == ["info", "warn"]
    assert [(row.value, row.tone) for row in view.oddities] == [("40", "plain"), ("8", "plain"), ("2", "next")]


def test_the_governors_share() -> None:
    """What it wrote, shape by shape, those that closed nothing named so, and the lines of no shape of ours."""
    view = view_of(*EVENTS)

    assert view.governor == "200 lines, 20.0 % of all"
    assert [(row.name, row.lines) for row in view.governor_rows] == [
        ("named, for a warm start; nothing closed", "1"),
        ("named, for a start by the user; nothing closed", "1"),
        ("closed to free memory", "1"),
        ("starts put off", "1"),
        ("other lines", "196"),
    ]
    assert [(row.title, row.named, row.closed) for row in view.victims] == [
        ("alpha", "2", "0"), ("Session 0002", "1", "0"),
    ]  # fmt: skip
    assert view.victims[0].href == f"/sessions/{sid(1)}"


def test_limits_and_what_only_looks_like_one() -> None:
    """Limits by their exact shapes, and beside them the lines that were left out."""
    rows = [(row.name, row.value, row.tone) for row in view_of(*EVENTS).limits]

    assert rows == [
        ("The account's usage limit", "1", "next"),
        ("The service overloaded", "1", "next"),
        ("Sign-in lost", "0", "plain"),
        ("Look like a limit and are none", "30", "plain"),
    ]


def test_unknown_shapes_have_a_sample() -> None:
    """How often, where first, when, and the newest line of the shape; one of which no line is kept has none."""
    (row,) = view_of(*EVENTS).shapes
    (bare,) = view_of(*EVENTS, samples=()).shapes

    assert (row.shape, row.lines, row.where, row.seen) == (
        "[VM] something <n>",
        "2",
        "main.log:8",
        "19:04:00 to 19:14:00",
    )
    assert row.sample is not None
    assert (row.sample.where, row.sample.text) == ("main.log:9", "line 9")
    assert bare.sample is None
    assert view_of(*EVENTS).small.startswith("2 lines are of shapes that are not known;")
    assert view_of(EVENTS[0]).small == "Every line of a scope that must be understood was understood."


def test_the_apps_count_against_ours() -> None:
    """How often they agreed, and when they did not: the newest first, with the line behind it."""
    differing = (
        Disagreement(ago(minutes=9), "pressure_line", 7, 8, "f1", 70),
        Disagreement(ago(minutes=3), "quit_line", 3, 2, "f2", 90),
    )
    told = counted(*EVENTS)
    view = census_view(replace(told, census=replace(told.census, checks=Checks(40, 2, differing))))

    assert view.checks.endswith("agreed 40 of 42 times.")
    assert [(row.time, row.what, row.theirs, row.ours, row.where) for row in view.differing] == [
        ("19:21:00", "at a quit", "3", "2", "f2:90"), ("19:15:00", "at a memory line", "7", "8", "main.log:70"),
    ]  # fmt: skip
    assert view_of(EVENTS[0]).checks.startswith("The app's log has not given its own number")


def test_the_host_against_the_log() -> None:
    """What this machine tells otherwise: memory as a size, processes as a number."""
    earlier = [HostDisagreed(ago(minutes=90 - n), "processes", 3, 5) for n in range(20)]
    differing = (HostDisagreed(ago(minutes=8), "processes", 3, 4), HostDisagreed(ago(minutes=5), "memory", 1024, 9216))
    view = view_of(*EVENTS, *earlier, *differing)

    assert (len(view.host), view.more_host) == (MOST_CHECKS, "and 10 earlier times")
    assert [(row.what, row.theirs, row.ours) for row in view.host[:2]] == [
        ("free memory", "1 GB", "9 GB"), ("live sessions", "3", "4"),
    ]  # fmt: skip


def test_the_ranking_by_version() -> None:
    """How often it was right on each version of the app, those of no known version too."""
    told = counted(*EVENTS)
    scores = {"2.9939.4": Score(44, 41, 44), "": Score(0, 0, 0)}
    rows = census_view(replace(told, census=replace(told.census, scores=scores))).scores

    assert [(row.version, row.named, row.first, row.three) for row in rows] == [
        ("2.9939.4", "44", "41 (93.2 %)", "44 (100.0 %)"), ("of unknown version", "0", "0", "0"),
    ]  # fmt: skip


def test_long_tables_are_summed_up() -> None:
    """Rows beyond what can be read are a number."""
    tally = Tally({("info", f"scope {n}"): n for n in range(1, 41)})
    unknown = [Unrecognized(ago(minutes=n), f"shape {n}") for n in range(30)]
    view = view_of(*unknown, tally=tally)

    assert (len(view.scopes), view.more_scopes) == (MOST_SCOPES, "and 26 more scopes with 351 lines")
    assert (len(view.shapes), view.more_shapes) == (MOST_SHAPES, "and 18 lines of other shapes")


def test_nothing_read_and_hostile_names() -> None:
    """An empty log is said to be empty; names and shapes of a hostile one are stripped."""
    empty = view_of(tally=Tally())
    hostile = view_of(Unrecognized(NOW, HOSTILE), tally=Tally({(HOSTILE, HOSTILE): 3}))

    assert empty.empty == "No line has been read yet."
    assert hostile.empty == ""
    assert not {"\x1b", "\u202e"} & set(hostile.scopes[0].name + hostile.severities[0].name + hostile.shapes[0].shape)


@pytest.mark.parametrize(("share", "words"), [(0, "0.0 %"), (0.0004, "under 0.1 %"), (0.0234, "2.3 %"), (1, "100.0 %")])
def test_shares(share: float, words: str) -> None:
    """What is too small to be seen is not called nothing."""
    assert percent(share) == words
    assert Share("x", 1, share).share == share
