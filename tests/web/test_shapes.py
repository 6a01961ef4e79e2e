"""Merging, clipping and paths of the timeline."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.history import FreeMemory, SeatStep
from app.web.shapes import MERGE_PX, NOMINAL_PX, Axis, Piece, area_path, bars, memory_line, merge, seat_points
from app.web.timeline_views import BarKind
from tests.web.scenes import NOW, ago

AXIS = Axis(ago(hours=2), NOW)
LEAST = AXIS.percent(MERGE_PX)
KINDS: list[BarKind] = ["working", "silent", "waiting"]


def pieces(*widths: float) -> list[Piece]:
    """Pieces that touch, working and silent in turn."""
    found: list[Piece] = []
    x = 0.0
    for i, width in enumerate(widths):
        found.append(Piece(KINDS[i % 2], x, x + width))
        x += width
    return found


@pytest.mark.parametrize(("minutes", "x"), [(120, 0.0), (60, 50.0), (0, 100.0), (300, 0.0), (-9, 100.0)])
def test_axis_cuts_to_its_edges(minutes: float, x: float) -> None:
    """What lies outside the window is drawn at its edge."""
    assert AXIS.x(ago(minutes=minutes)) == x


def test_pixels_are_those_of_a_wide_plot() -> None:
    """Thresholds in pixels hold at the nominal width."""
    assert AXIS.percent(NOMINAL_PX) == 100


def test_wide_pieces_are_kept() -> None:
    """What can be told apart stays apart."""
    assert [(p.kind, p.x1 - p.x0) for p in merge(pieces(10, 5, 10), LEAST)] == [
        ("working", 10), ("silent", 5), ("working", 10),
    ]  # fmt: skip


def test_a_sliver_joins_its_neighbour() -> None:
    """A pause too short to see does not cut a bar in two."""
    merged = merge(pieces(10, LEAST / 4, 10), LEAST)

    assert [(p.kind, p.x0) for p in merged] == [("working", 0)]
    assert merged[0].x1 == pytest.approx(20 + LEAST / 4)


def test_narrow_gaps_are_closed_and_wide_ones_kept() -> None:
    """Time without a process is seen unless it is thinner than two pixels."""
    near = [Piece("working", 0, 5), Piece("working", 5 + LEAST / 2, 9)]
    far = [Piece("working", 0, 5), Piece("working", 7, 9)]

    assert len(merge(near, LEAST)) == 1
    assert len(merge(far, LEAST)) == 2


def test_a_busy_stretch_of_slivers_stays_busy() -> None:
    """Where most of the time was work, the merged bar says work."""
    merged = merge(pieces(*([LEAST * 0.6, LEAST * 0.2] * 50)), LEAST)

    assert {p.kind for p in merged} == {"working"}


@given(
    st.lists(st.tuples(st.sampled_from(KINDS), st.floats(0.001, 4), st.floats(0, 1)), max_size=80),
    st.sampled_from([LEAST, 1.0, 5.0]),
)
def test_merged_pieces_are_in_order_and_within(raw: list[tuple[BarKind, float, float]], least: float) -> None:
    """Whatever comes: order is kept, nothing overlaps, nothing leaves the extent, neighbours of a kind are one."""
    found: list[Piece] = []
    x = 0.0
    for kind, width, gap in raw:
        x += gap
        found.append(Piece(kind, x, x + width))
        x += width
    merged = merge(found, least)

    assert len(merged) <= len(found)
    for one, other in pairwise(merged):
        assert one.x0 <= one.x1 <= other.x0 + 1e-9
        assert one.kind != other.kind or other.x0 - one.x1 >= least - 1e-9
    if found:
        assert (merged[0].x0, merged[-1].x1) == (found[0].x0, found[-1].x1)


def test_the_last_bar_of_a_live_session_is_open() -> None:
    """It reaches the now-line, which the page moves."""
    drawn = bars([Piece("working", 0, 40), Piece("silent", 40, 89)], AXIS, 90, alive=True)

    assert [(bar.open, bar.x, bar.width, bar.drawn) for bar in drawn] == [(False, 0, 40, 40), (True, 40, 0, 50)]
    assert not bars([Piece("working", 0, 40)], AXIS, 90, alive=False)[0].open


def step(minutes: float, taken: int, cap: int | None = 8) -> SeatStep:
    """A step so many minutes ago."""
    return SeatStep(ago(minutes=minutes), taken, cap)


def test_seats_begin_at_the_edge_and_end_now() -> None:
    """The step in force at the edge holds from there; the last one until now."""
    points = seat_points([step(200, 2), step(150, 3), step(60, 5, None)], AXIS, 95, 8)

    assert points == [(0.0, 3, 8), (50.0, 5, 8), (95, 5, 8)]


def test_a_short_peak_is_not_lost() -> None:
    """Going over the cap for a second is seen however long the window."""
    points = seat_points([step(100, 8), step(60, 9), step(59.99, 8)], AXIS, 100, 8)

    assert 9 in [taken for _x, taken, _cap in points]
    assert points[-1][1] == 8


@given(st.lists(st.tuples(st.integers(1, 7199), st.integers(0, 12)), max_size=400))
def test_seat_points_are_few_and_in_order(raw: list[tuple[int, int]]) -> None:
    """Whatever comes: places never go back, points stay few, and the highest peak and the last number are kept."""
    steps = [SeatStep(ago(seconds=seconds), taken, 8) for seconds, taken in sorted(raw, reverse=True)]
    points = seat_points(steps, AXIS, 100, 8)

    assert [x for x, _taken, _cap in points] == sorted(x for x, _taken, _cap in points)
    assert len(points) <= 221
    if steps:
        assert points[-1][1] == steps[-1].taken
        assert max(taken for _x, taken, _cap in points) == max(one.taken for one in steps)


def test_area_and_memory_are_paths() -> None:
    """The area steps; the line breaks where no reading came; neither is drawn from nothing."""
    samples = [FreeMemory(ago(minutes=m), 1000 + m, 24576) for m in (100, 99, 98, 60, 59)]

    assert area_path([(0, 10), (50, 5)], 76) == "M0 76H0V10H500V5V76Z"
    assert area_path([], 76) == ""
    assert memory_line(samples, AXIS, 0, 10).count("M") == 2
    assert memory_line(samples[:1], AXIS, 0, 10) == ""


def test_long_memory_lines_are_thinned() -> None:
    """A week of readings is a few hundred points."""
    samples = [FreeMemory(AXIS.start + timedelta(seconds=s), 1000, 24576) for s in range(0, 7200, 2)]

    assert memory_line(samples, AXIS, 0, 10).count("L") < 230
