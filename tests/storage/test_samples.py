"""The points of the probes: kept raw, made coarser as plain Python would make them, and dropped when they are old."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.core.points import KEPT, MEASURES, MINUTE, QUARTER, RAW, Point, downsampled
from app.storage import samples as module
from app.storage.store import Store
from tests.storage.test_store import open_at

START = datetime(2026, 10, 2, 12, 0, 3, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_at(tmp_path / "seatwatch.sqlite") as store:
        yield store


def points(count: int, seed: int = 1, start: datetime = START) -> list[Point]:
    """Made-up points some five seconds apart, now and then with a measure that is not known."""
    rng = random.Random(seed)
    found, at = [], start
    for _ in range(count):
        values = {name: None if rng.random() < 0.1 else rng.randrange(20_000) for name in MEASURES}
        found.append(Point(at, **values))
        at += timedelta(seconds=rng.choice((4.9, 5.0, 5.2, 31.0)))
    return found


@pytest.mark.parametrize("batch", [1, 12, 400])
def test_coarser_points_are_those_of_plain_python(store: Store, batch: int) -> None:
    """However the points are cut into batches, their minutes and quarters are what the reference makes of all."""
    raw = points(400)
    for n in range(0, len(raw), batch):
        store.samples.keep(raw[n : n + batch])

    end = raw[-1].at
    assert store.samples.between(START, end, RAW) == raw
    for step in (MINUTE, QUARTER):
        assert store.samples.between(START - timedelta(hours=1), end, step) == downsampled(raw, step)


def test_batch_that_is_kept_again_changes_nothing(store: Store) -> None:
    """What was kept before a crash was noticed may come again."""
    raw = points(40)
    store.samples.keep(raw)
    store.samples.keep(raw[20:])
    store.samples.keep([])

    assert store.samples.between(START, raw[-1].at, RAW) == raw
    assert store.samples.between(START - timedelta(hours=1), raw[-1].at) == downsampled(raw, MINUTE)


def test_long_or_old_window_is_told_in_quarters(store: Store) -> None:
    """A picture of a week has no room for minutes, and of last month there are none any more."""
    raw = points(400)
    store.samples.keep(raw)
    begin, end = START - timedelta(hours=1), raw[-1].at

    assert store.samples.window(begin, end) == downsampled(raw, MINUTE)
    assert store.samples.window(end - timedelta(days=7), end) == downsampled(raw, QUARTER)
    store.samples.trim(end + KEPT[MINUTE] + timedelta(hours=1))
    assert store.samples.window(begin, end) == downsampled(raw, QUARTER)


def test_each_step_is_dropped_at_its_own_age(store: Store) -> None:
    """Raw points go after two days, minutes after a month, quarters after a year."""
    raw = points(50)
    store.samples.keep(raw)
    end = raw[-1].at + timedelta(hours=1)

    def left(age: timedelta) -> list[int]:
        assert not store.samples.trim(end + age)
        return [step for step in KEPT if store.samples.between(START - timedelta(hours=1), end, step)]

    assert left(timedelta(hours=40)) == [RAW, MINUTE, QUARTER]
    assert left(timedelta(hours=48)) == [MINUTE, QUARTER]
    assert left(timedelta(days=30)) == [QUARTER]
    assert left(timedelta(days=365)) == []


def test_much_is_dropped_in_bounded_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step drops no more than its rows, so that a commit of the log never waits for long."""
    monkeypatch.setattr(module, "STEP_ROWS", 15)
    store.samples.keep(points(40))
    late = START + timedelta(days=3)

    steps = [store.samples.trim(late) for _ in range(4)]

    assert steps == [True, True, False, False]
    assert store.samples.between(START, late, RAW) == []
