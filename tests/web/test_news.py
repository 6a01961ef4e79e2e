"""A step of what happened: what is new comes on top, what is too old goes, and everything else stays where it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.web.news import news
from app.web.views import AnnounceView, HappenedRow, HappenedView, Part


def row(number: int) -> HappenedRow:
    """The row of the thing that happened as the ``number``th."""
    return HappenedRow(
        f"h{number}",
        f"12:00:{number:02}",
        "",
        "app",
        (Part(f"thing {number}"),),
        "why",
        f"main.log:{number}",
        "",
        "/why",
    )


def view(*numbers: int) -> HappenedView:
    """These, newest first."""
    return HappenedView(f"{len(numbers)} things", tuple(row(number) for number in numbers), "")


@pytest.mark.parametrize(
    ("before", "now", "fresh", "gone"),
    [
        ((3, 2, 1), (4, 3, 2, 1), [4], []),
        ((3, 2, 1), (4, 3, 2), [4], ["h1"]),
        ((3, 2, 1), (5, 4, 3), [5, 4], ["h2", "h1"]),
        ((3, 2, 1), (4, 2, 1), [4], ["h3"]),
        ((4, 3, 2, 1), (5, 4, 2), [5], ["h3", "h1"]),
        ((3, 2, 1), (3, 2), [], ["h1"]),
        ((3, 2, 1), (3, 2, 1), [], []),
    ],
    ids=[
        "one more",
        "one for one",
        "two for two",
        "told once more",
        "told anew from the middle",
        "too old",
        "a number",
    ],
)
def test_rows_on_top_are_a_step(
    before: tuple[int, ...], now: tuple[int, ...], fresh: list[int], gone: list[str]
) -> None:
    """The new rows with the new summary, and the names of those that have no room any more."""
    step = news(view(*before), view(*now))

    assert step is not None
    assert step.rows == tuple(row(number) for number in fresh)
    assert list(step.gone) == gone
    assert step.summary == view(*now).summary


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ((), (1,)),
        ((3, 2, 1), (6, 5, 4)),
        ((3, 2, 1), (2, 3, 1)),
        ((3, 1), (3, 2, 1)),
    ],
    ids=["the first", "all new", "another order", "one between"],
)
def test_anything_else_is_sent_whole(before: tuple[int, ...], now: tuple[int, ...]) -> None:
    """A page that had none has a sentence there, and rows come on top alone."""
    assert news(view(*before), view(*now)) is None


@pytest.mark.parametrize("place", [0, 1])
def test_a_row_that_says_something_else_now_is_no_step(place: int) -> None:
    """From midnight on times say their day, and a title may be learned late: such a row is changed where it stands."""
    before = view(3, 2, 1)
    rows = [row(3), row(2), row(1)]
    rows[place] = replace(rows[place], why="something else")

    assert news(before, HappenedView(before.summary, tuple(rows), "")) is None


def test_other_views_know_no_steps() -> None:
    """Nor does a page that was sent nothing yet."""
    assert news(None, view(1)) is None
    assert news(AnnounceView("a"), AnnounceView("b")) is None
