"""How near a home line is to the end of its ports."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.ports import (
    FALLS_BY,
    HOME_LINES,
    MARKS,
    Crossing,
    Reading,
    crossed,
    highest,
    line_named,
    minutes_left,
    slope,
    usage,
)
from app.core.samples import ConnectionsSample, Tcp
from tests.core.helpers import NOON, after

TOKYO = ZoneInfo("Asia/Tokyo")
V6PLUS = line_named("v6plus")


@pytest.mark.parametrize(
    ("text", "key", "budget"),
    [
        ("v6plus", "v6plus", 240),
        ("v6 Plus", "v6plus", 240),
        ("v6プラス", "v6plus", 240),
        ("BIGLOBE", "ipv6option", 240),
        ("OCN", "ocn", 1008),
        ("OCNバーチャルコネクト", "ocn", 1008),
        ("transix", "transix", None),
        ("DS-Lite", "dslite", None),
        ("ds_lite", "dslite", None),
        ("クロスパス", "xpass", None),
        ("PPPoE", "pppoe", None),
        (" none ", "none", None),
        ("240", "240", 240),
        ("1,008", "1008", 1008),
        ("２４０", "240", 240),
        ("65535", "65535", 65_535),
    ],
)
def test_line_is_known_by_its_usual_spellings(text: str, key: str, budget: int | None) -> None:
    """A line is named by its key, by what its provider calls it, or by its number of ports."""
    line = line_named(text)

    assert (line.key, line.budget) == (key, budget)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MAP-E", r"v6plus \(240\) or ocn \(1008\)"),
        ("0", "between 1 and 65535"),
        ("65536", "between 1 and 65535"),
        ("-5", "known are v6plus"),
        ("1,00", "known are v6plus"),
        ("", "known are v6plus"),
        ("<script>", "a number of ports such as 240"),
    ],
)
def test_unknown_line_is_refused_with_what_would_do(text: str, says: str) -> None:
    """The reason names what can be written instead, and never repeats a text that may be hostile."""
    with pytest.raises(ValueError, match=says) as refused:
        line_named(text)

    assert "<" not in str(refused.value)


def test_every_line_has_a_reason_for_its_figure() -> None:
    """Each line is found by its own key and says where its budget comes from, or why there is none."""
    assert [line_named(line.key) for line in HOME_LINES] == list(HOME_LINES)
    assert all(line.why for line in HOME_LINES)
    assert {line.key: line.budget for line in HOME_LINES if line.budget} == {
        "v6plus": 15 * 16,
        "ipv6option": 15 * 16,
        "ocn": 63 * 16,
    }


def test_usage_is_the_whole_machines() -> None:
    """All of a machine's IPv4 connections take ports; the Claude processes' share of them is told beside."""
    claude, host = Tcp({"ESTABLISHED": 30}, {"ESTABLISHED": 500}, 4), Tcp({"ESTABLISHED": 100}, {}, 20, held=20)
    used = usage(ConnectionsSample(NOON, claude, host), V6PLUS)

    assert used is not None
    assert (used.in_use, used.claude, used.remotes, used.whole) == (120, 30, 20, True)
    assert used.percent == 50.0


def test_usage_of_claude_alone_is_a_least() -> None:
    """Where the machine's connections cannot be read, Claude's own are what is taken at least, and marked so."""
    used = usage(ConnectionsSample(NOON, Tcp({"TIME_WAIT": 24}), None), V6PLUS)

    assert used is not None
    assert (used.in_use, used.claude, used.whole, used.percent) == (24, 24, False, 10.0)


def test_usage_without_connections_is_none() -> None:
    """A sample that could not read anything says nothing about ports."""
    assert usage(ConnectionsSample(NOON), V6PLUS) is None


def test_line_without_a_budget_has_no_percentage() -> None:
    """Ports are counted on such a line too, and compared with nothing."""
    used = usage(ConnectionsSample(NOON, None, Tcp({"ESTABLISHED": 7})), line_named("transix"))

    assert used is not None
    assert (used.in_use, used.claude, used.percent) == (7, None, None)


def test_highest_of_the_day_goes_by_the_homes_clock() -> None:
    """A day begins at its own midnight, and of several highest readings the first is told."""
    # Noon in UTC is nine in the evening in Tokyo, where it was eleven the evening before 22 hours ago.
    readings: list[Reading] = [
        (after(-22 * 3600), 235), (after(-20 * 3600), 90), (after(-3600), 180), (NOON, 180), (after(60), 239)
    ]  # fmt: skip

    assert highest(readings, NOON, TOKYO) == (after(-3600), 180)
    assert highest(readings, after(-13 * 3600), TOKYO) == (after(-20 * 3600), 90)
    assert highest(readings, after(-13 * 3600), ZoneInfo("UTC")) == (after(-22 * 3600), 235)
    assert highest([], NOON, TOKYO) is None


@given(start=st.integers(0, 200), per_minute=st.integers(-20, 20), jitter=st.lists(st.integers(0, 9), min_size=60))
def test_slope_of_a_line_is_its_own(start: int, per_minute: int, jitter: list[int]) -> None:
    """Least squares give back the slope of readings on a line, at whatever seconds they were taken."""
    readings = [(after(-10 * n - jitter[n]), start + per_minute * (-10 * n - jitter[n]) / 60) for n in range(60)]

    assert slope(readings, NOON) == pytest.approx(per_minute, abs=1e-6)  # type: ignore[arg-type]


def test_slope_looks_back_ten_minutes_and_no_further() -> None:
    """A burst an hour ago says nothing of the next minutes, nor does a reading of the future."""
    old = [(after(-3600 + 10 * n), 20 * n) for n in range(60)]
    flat = [(after(-10 * n), 100) for n in range(60)]

    assert slope([*old, *flat, (after(600), 240)], NOON) == pytest.approx(0.0)


@pytest.mark.parametrize("readings", [[], [(NOON, 5)], [(after(-110), 5), (NOON, 200)]])
def test_slope_of_too_little_is_none(readings: list[Reading]) -> None:
    """Less than two minutes say nothing about the next ten."""
    assert slope(readings, NOON) is None


@pytest.mark.parametrize(
    ("in_use", "budget", "per_minute", "minutes"),
    [
        (200, 240, 4.0, 10.0), (240, 240, 4.0, 0.0), (300, 240, -1.0, 0.0), (200, 240, 0.0, None),
        (200, 240, -4.0, None), (200, 240, None, None), (200, None, 4.0, None),
    ],
)  # fmt: skip
def test_minutes_left(in_use: int, budget: int | None, per_minute: float | None, minutes: float | None) -> None:
    """The rest of the budget at the present slope; nothing is foretold without a budget or without growth."""
    assert minutes_left(in_use, budget, per_minute) == minutes


def test_marks_are_told_once_on_the_way_up() -> None:
    """70, 85 and 95 % are each told once while the count rises."""
    mark, told = 0, []
    for in_use in range(241):
        step = crossed(mark, in_use, 240)
        mark = step.mark
        told += [(in_use, step.reached)] if step.reached else []

    assert told == [(168, 70), (204, 85), (228, 95)]


def test_a_count_that_swings_around_a_mark_speaks_once() -> None:
    """A mark is left five points below it, so 167 and 169 of 240 in turn are one crossing."""
    mark, told = 0, 0
    for in_use in [167, 169] * 20:
        step = crossed(mark, in_use, 240)
        mark, told = step.mark, told + (step.reached is not None)

    assert (mark, told) == (70, 1)
    assert crossed(70, 156, 240) == Crossing(0, None)
    assert crossed(70, 157, 240) == Crossing(70, None)


def test_a_steep_fall_leaves_all_marks() -> None:
    """From 95 % the count may fall through several marks at once, down to the one that still holds."""
    assert crossed(95, 217, 240) == Crossing(95, None)
    assert crossed(95, 210, 240) == Crossing(85, None)
    assert crossed(95, 160, 240) == Crossing(70, None)
    assert crossed(95, 10, 240) == Crossing(0, None)


@pytest.mark.parametrize("before", [0, *MARKS])
def test_no_budget_has_no_marks(before: int) -> None:
    """On a line without a budget nothing is ever near its end."""
    assert crossed(before, 60_000, None) == Crossing(0, None)


@given(before=st.sampled_from([0, *MARKS]), in_use=st.integers(0, 400), budget=st.integers(1, 400))
def test_a_mark_that_holds_is_never_far_above_the_count(before: int, in_use: int, budget: int) -> None:
    """Whatever held before, the mark that holds is one of the known, not above the count by more than the slack."""
    step = crossed(before, in_use, budget)

    assert step.mark in {0, *MARKS}
    assert step.mark == 0 or 100 * in_use / budget > step.mark - FALLS_BY
    assert (step.reached is not None) == (step.mark > before)


def test_window_of_the_slope_can_be_chosen() -> None:
    """Who wants the last three minutes alone gets theirs."""
    readings: list[Reading] = [(after(-10 * n), 100 + max(0, 18 - n)) for n in range(60)]

    assert slope(readings, NOON, timedelta(minutes=3)) == pytest.approx(6.0)
