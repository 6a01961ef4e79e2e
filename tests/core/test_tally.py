"""Counts of lines: they add up, and have a bound."""

from __future__ import annotations

from datetime import UTC, datetime

from app.core.tally import MAX_KINDS, OTHER, Tally

EARLY, LATE = datetime(2026, 10, 2, 9, tzinfo=UTC), datetime(2026, 10, 2, 10, tzinfo=UTC)


def test_sum() -> None:
    """Two stretches add up; the later one has the last word on time, if it has one."""
    first = Tally({("info", "CCD"): 2, ("warn", ""): 1}, 3, 4, 5, EARLY, 6)
    second = Tally({("info", "CCD"): 1, ("error", ""): 1}, 1, 0, 0, LATE, 1)
    both = first + second
    assert both == Tally({("info", "CCD"): 3, ("warn", ""): 1, ("error", ""): 1}, 4, 4, 5, LATE, 7)
    assert both.lines == 13
    assert (first + Tally()) == first


def test_bound() -> None:
    """Kinds beyond the bound count as other, and none is lost."""
    many = Tally({("info", str(number)): 1 for number in range(MAX_KINDS)})
    both = many + Tally({("info", "new"): 2, ("info", "0"): 1, ("warn", "newer"): 3})
    assert both.lines == MAX_KINDS + 6
    assert both.counts[OTHER, OTHER] == 5
    assert both.counts["info", "0"] == 2
    assert len(both.counts) == MAX_KINDS + 1
