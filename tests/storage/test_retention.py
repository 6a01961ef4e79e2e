"""Retention: the oldest events go step by step, what the state of now rests on stays, the file keeps its size."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.core.batch import Batch
from app.core.events import AppStarted, Event, HeartbeatSeen, Observed, TurnBegan, TurnEnded
from app.core.reducer import fold
from app.core.state import State
from app.storage import retention
from app.storage.retention import Limits
from app.storage.store import Store
from tests.storage.test_store import MAIN, minute, open_at

DAY = 24 * 60
WIDE = Limits()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The place of the store."""
    return tmp_path / "seatwatch.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_at(path) as store:
        yield store


def keep(store: Store, events: list[Event], text: str = "") -> list[Observed]:
    """Commit the events in this order."""
    observed = [Observed(event, "a1", offset, offset + 1, text) for offset, event in enumerate(events)]
    store.commit(Batch(MAIN, observed))
    return observed


def trimmed(store: Store, limits: Limits, days: float, *needed: str) -> int:
    """Trim to the end as of so many days after the first event; the number of steps."""
    steps = 1
    while store.trim(limits, minute(days * DAY), needed):
        steps += 1
    return steps


def test_old_events_go_and_young_ones_stay(store: Store) -> None:
    """The age is that of the event, whatever its place in the fold."""
    kept = keep(store, [HeartbeatSeen(minute(day * DAY)) for day in (0, 5, 12, 3, 40)])

    trimmed(store, WIDE, 40)

    assert list(store.replay()) == [kept[2], kept[4]]


def test_it_goes_in_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No step is longer than its share, so that new lines are stored in between."""
    monkeypatch.setattr(retention, "STEP_EVENTS", 10)
    keep(store, [HeartbeatSeen(minute(n)) for n in range(35)])

    more = store.trim(WIDE, minute(40 * DAY), ())

    assert more
    assert len(list(store.replay())) == 25
    assert trimmed(store, WIDE, 40) == 3
    assert len(list(store.replay())) == 1


def test_what_now_rests_on_stays(store: Store) -> None:
    """However old: the app's start, the newest of each kind, and what is known of a session that still lives."""
    events: list[Event] = [AppStarted(minute(0), "2.1", "darwin", "arm64")]
    for number in range(3):
        events += [TurnBegan(minute(number), f"local_{number}"), TurnEnded(minute(number), f"local_{number}", 9, None)]
    events += [HeartbeatSeen(minute(40 * DAY)), TurnBegan(minute(40 * DAY), "local_9")]
    whole = keep(store, events)
    before = fold(State(), (one.event for one in whole))

    trimmed(store, WIDE, 40, "local_1")

    after = fold(State(), (one.event for one in store.replay()))
    assert [one.event for one in store.replay()] == [events[0], events[3], events[4], events[6], events[7], events[8]]
    assert after.app == before.app
    assert replace(after.sessions["local_1"], order=0) == replace(before.sessions["local_1"], order=0)
    assert "local_0" not in after.sessions


def test_the_size_is_kept(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the size the oldest go, young or not; the file gives back what it does not need, journals included."""
    monkeypatch.setattr(retention, "STEP_EVENTS", 500)
    monkeypatch.setattr(retention, "STEP_PAGES", 100)
    monkeypatch.setattr(retention, "SPARE_PAGES", 50)
    keep(store, [HeartbeatSeen(minute(n)) for n in range(6000)], "x" * 1500)
    store._database.checkpoint()
    before, limit = path.stat().st_size, 3_000_000

    steps = trimmed(store, Limits(size=limit), 5)

    left = [one.offset for one in store.replay()]
    assert before > 9_000_000
    assert steps > 20
    assert left == list(range(left[0], 6000))
    assert limit // 2 < len(left) * 2_100 < limit  # two of them fill a page of 4 KiB
    assert path.stat().st_size < limit + (50 + 100) * 4096
    assert path.with_name(path.name + "-wal").stat().st_size < 16 * 1024 * 1024


def test_within_the_limits_nothing_goes(store: Store) -> None:
    """One look and no more."""
    kept = keep(store, [HeartbeatSeen(minute(n)) for n in range(100)])

    assert trimmed(store, WIDE, 1) == 1
    assert list(store.replay()) == kept


def test_a_limit_that_cannot_be_met_ends(store: Store) -> None:
    """What must stay may be more than the limit: the steps end all the same."""
    keep(store, [HeartbeatSeen(minute(n)) for n in range(100)])

    trimmed(store, Limits(timedelta(0), 1), 1)

    assert len(list(store.replay())) == 1


def test_a_database_of_an_earlier_version_keeps_its_pages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was made without the bookkeeping for giving pages back; new events use them."""
    monkeypatch.setattr(retention, "SPARE_PAGES", 50)
    open_at(path).close()
    old = sqlite3.connect(path)
    old.execute("PRAGMA journal_mode = DELETE")
    old.execute("PRAGMA auto_vacuum = NONE")
    old.execute("VACUUM")
    old.close()
    with open_at(path) as store:
        keep(store, [HeartbeatSeen(minute(n)) for n in range(3000)], "x" * 1500)
        store._database.checkpoint()
        before = path.stat().st_size
        trimmed(store, WIDE, 60)
        left = len(list(store.replay()))

    assert left == 1
    assert path.stat().st_size == before
