"""Columns give back the values that they were made of."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.core.columns import Columns
from app.core.history import Band, Mark, SeatStep, Span
from app.core.state import Phase
from tests.core.helpers import NOON, A, B, after

SPANS = [
    Span(A, Phase.WORKING, NOON, after(5)),
    Span(B, Phase.IDLE, after(5), after(7)),
    Span(A, Phase.IDLE, after(5), None),
]


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([], id="none"),
        pytest.param(SPANS, id="spans"),
        pytest.param([SeatStep(NOON, 3, None), SeatStep(after(1), 4, 8)], id="numbers that are not always known"),
        pytest.param([Band("warning", NOON, None), Band("normal", after(1), after(2), "host")], id="words"),
        pytest.param([Mark(NOON, "put_off", None, "s", 3, "a line", None, "8")], id="one"),
    ],
)
def test_the_values_come_back(values: list[object]) -> None:
    """Equal, in their order, through pickle."""
    columns = pickle.loads(pickle.dumps(Columns.of(values)))  # noqa: S301  our own bytes

    assert columns.values({}) == values


@pytest.mark.parametrize("at", [
    datetime(2026, 3, 29, 1, 59, 59, 999_999, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    datetime.min.replace(tzinfo=UTC),
    datetime(2026, 10, 2, 9, 0, 0, 5, tzinfo=timezone(timedelta(hours=9))),
])  # fmt: skip
def test_an_instant_is_exact(at: datetime) -> None:
    """To the microsecond, before 1970 and at both ends of the calendar; in UTC, wherever it was told."""
    (step,) = Columns.of([SeatStep(at, 1, 2)]).values({})

    assert step.at == at
    assert step.at.utcoffset() == timedelta(0)


def test_equal_values_become_one() -> None:
    """An id that was read from each line anew is kept once, and so is the instant of an end and a beginning."""
    apart = [Span("".join(["local", "_x"]), Phase.IDLE, after(1), after(2)) for _ in range(2)]

    one, other = Columns.of(apart).values({})
    before, following = Columns.of(SPANS[:2]).values({})

    assert one.session is other.session
    assert one.start is other.start
    assert before.end is following.start


def test_instants_are_shared_with_what_was_read_before() -> None:
    """Who reads several columns gives each the same ``instants``."""
    instants: dict[int, datetime] = {}

    (step,) = Columns.of([SeatStep(NOON, 1, 2)]).values(instants)
    (span, *_) = Columns.of(SPANS).values(instants)

    assert span.start is step.at
    assert len(instants) == 3
