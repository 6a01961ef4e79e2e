"""The keeper: what cannot be stored waits in its order; a damaged database is made anew once; limits are looked at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app import keeper as module
from app.core.batch import Batch
from app.core.checkpoint import Checkpoint
from app.core.events import HeartbeatSeen, Observed
from app.core.tally import Tally
from app.errors import DatabaseDamaged, DatabaseUnusable
from app.keeper import PUT_OFF_SECONDS, Keeper
from app.storage.retention import Limits

NOW = datetime(2026, 10, 2, 4, 0, tzinfo=UTC)
FULL = DatabaseUnusable("a.sqlite", "database or disk is full")
DAMAGED = DatabaseDamaged("a.sqlite", "malformed")


@dataclass
class FakeSamples:
    """Has so many steps of points to drop."""

    steps: int = 0
    trims: list[datetime] = field(default_factory=list)

    def trim(self, now: datetime) -> bool:
        self.trims.append(now)
        self.steps -= 1
        return self.steps > 0


@dataclass
class FakeStore:
    """Takes commits until it has something to raise."""

    set_aside: Path | None = None
    error: Exception | None = None
    steps: int = 0
    kept: list[tuple[Batch, ...]] = field(default_factory=list)
    trims: list[tuple[datetime, list[str]]] = field(default_factory=list)
    samples: FakeSamples = field(default_factory=FakeSamples)

    def commit(self, *batches: Batch) -> int:
        self._may_fail()
        self.kept.append(batches)
        return 0

    def renew(self) -> None:
        self._may_fail()
        self.set_aside = Path("aside.sqlite")

    def trim(self, _limits: Limits, now: datetime, needed: Collection[str]) -> bool:
        self._may_fail()
        self.trims.append((now, list(needed)))
        self.steps -= 1
        return self.steps > 0

    def _may_fail(self) -> None:
        if self.error is not None:
            raise self.error


@dataclass
class Desk:
    """A keeper with a fake store and time that stands still."""

    store: FakeStore = field(default_factory=FakeStore)
    now: datetime = NOW
    seconds: float = 0.0
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keeper = Keeper(
            self.store,  # type: ignore[arg-type]  # the few methods that it uses
            lambda: self.now,
            say=self.said.append,
            seconds=lambda: self.seconds,
        )


def batch(offset: int, events: int = 0) -> Batch:
    """A batch with so many events."""
    observed = [Observed(HeartbeatSeen(NOW), "a1", offset + n, 1, "") for n in range(events)]
    return Batch(Checkpoint("a1", "main.log", "main.log", 1, 2, offset=offset), observed)


def test_what_waits_is_kept_first() -> None:
    """After a failure everything is kept in the order in which it was read, and the trouble is over."""
    desk = Desk()
    desk.store.error = FULL
    desk.keeper.keep([batch(1)])
    desk.keeper.keep([batch(2), batch(3)])
    told, waited = desk.keeper.told, desk.keeper.waits
    desk.store.error = None

    desk.keeper.keep([])

    assert told == f"{FULL.what} {FULL.why}"
    assert waited
    assert desk.store.kept == [(batch(1),), (batch(2), batch(3))]
    assert not desk.keeper.waits
    assert desk.keeper.told is None


def counted(offset: int, source: str = "a1") -> Batch:
    """A batch of one line that is no event."""
    return Batch(Checkpoint(source, "main.log", "main.log", 1, 2, offset=offset), (), Tally({("info", "git"): 1}))


def test_lines_that_are_no_events_are_kept_with_the_next_that_is() -> None:
    """They wait as one batch for each source, and one transaction keeps all of them before the event."""
    desk = Desk()
    for offset in (1, 2, 3):
        desk.keeper.put_off([counted(offset)])
    desk.keeper.put_off([counted(9, "b2")])
    waited = (desk.keeper.waits, desk.keeper.waiting, list(desk.store.kept))
    desk.keeper.keep([batch(4, events=1)])

    three = replace(counted(3), tally=Tally({("info", "git"): 3}))
    assert waited == (False, 2, [])
    assert desk.store.kept == [(three, counted(9, "b2"), batch(4, events=1))]
    assert desk.keeper.waiting == 0


def test_they_are_not_put_off_for_ever() -> None:
    """After five seconds they want to be kept without an event, and the next ones wait anew."""
    desk = Desk()
    desk.keeper.put_off([counted(1)])
    desk.seconds = PUT_OFF_SECONDS
    desk.keeper.put_off([counted(2)])
    waited = desk.keeper.waits
    desk.keeper.keep([])
    desk.keeper.put_off([counted(3)])

    assert waited
    assert desk.store.kept == [(replace(counted(2), tally=Tally({("info", "git"): 2})),)]
    assert not desk.keeper.waits


def test_nothing_overtakes_what_could_not_be_kept() -> None:
    """While the disk is full lines wait behind what failed, in their order, and all is tried again with each look."""
    desk = Desk()
    desk.keeper.put_off([counted(1)])
    desk.store.error = FULL
    desk.keeper.keep([batch(2, events=1)])
    desk.keeper.put_off([counted(3)])
    waited = desk.keeper.waits
    desk.store.error = None
    desk.keeper.keep([batch(4, events=1)])

    assert waited
    assert desk.store.kept == [(counted(1), batch(2, events=1)), (counted(3),), (batch(4, events=1),)]
    assert desk.keeper.waiting == 0


def test_only_so_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events and batches count alike: looks that find no event would fill the memory as well."""
    monkeypatch.setattr(module, "MAX_WAITING", 5)
    desk = Desk()
    desk.store.error = FULL
    desk.keeper.keep([batch(1, events=2)])
    room = not desk.keeper.is_full
    desk.keeper.keep([batch(2), batch(3)])
    full = desk.keeper.is_full
    desk.store.error = None
    desk.keeper.keep([])

    assert room
    assert full
    assert not desk.keeper.is_full


def test_damage_is_the_callers() -> None:
    """A damaged database needs everything to be read anew, which the keeper cannot do."""
    desk = Desk()
    desk.store.error = DAMAGED

    with pytest.raises(DatabaseDamaged):
        desk.keeper.keep([batch(1)])
    with pytest.raises(DatabaseDamaged):
        Desk(FakeStore(error=DAMAGED)).keeper.trim(NOW, ())


def test_a_renewal_is_told_for_a_while() -> None:
    """The terminal hears of it once, the pages say it for an hour; what waited comes again from the logs."""
    desk = Desk()
    desk.store.error = FULL
    desk.keeper.keep([batch(1)])
    desk.store.error = None

    assert desk.keeper.renew(DAMAGED)
    told = desk.keeper.told
    desk.now += module.NOTICE

    assert told is not None
    assert desk.said == [told]
    assert "malformed" in told
    assert "aside.sqlite" in told
    assert not desk.keeper.waits
    assert desk.keeper.told is None


def test_a_second_damage_soon_after_is_not_mended() -> None:
    """A disk that fails would make us go round in circles."""
    desk = Desk()
    desk.keeper.renew(DAMAGED)
    desk.seconds = module.RENEWAL_SECONDS - 1

    with pytest.raises(DatabaseDamaged):
        desk.keeper.renew(DAMAGED)
    desk.seconds += 1

    assert desk.keeper.renew(DAMAGED)


def test_a_renewal_that_fails_is_tried_again() -> None:
    """It is told, and does not count as one."""
    desk = Desk()
    desk.store.error = FULL

    assert not desk.keeper.renew(DAMAGED)
    told = desk.keeper.told
    desk.store.error = None

    assert told is not None
    assert "malformed" in told
    assert "full" in told
    assert desk.keeper.renew(DAMAGED)


def test_a_file_set_aside_at_the_start_is_told() -> None:
    """The pages say it too, not the terminal alone."""
    desk = Desk(FakeStore(Path("aside.sqlite")))

    assert desk.keeper.told is not None
    assert "aside.sqlite" in desk.keeper.told
    assert desk.said == []


def test_limits_are_looked_at_every_hour() -> None:
    """Step by step while there is more to drop, then not before an hour has passed."""
    desk = Desk(FakeStore(steps=3))
    for _ in range(5):
        desk.keeper.trim(NOW, ["local_1"])
    first = len(desk.store.trims)
    desk.seconds += module.TRIM_SECONDS
    desk.keeper.trim(NOW, ["local_1"])

    assert first == 3
    assert len(desk.store.trims) == 4
    assert desk.store.trims[0] == (NOW, ["local_1"])


def test_ages_count_from_what_the_logs_told_last() -> None:
    """Neither a host's clock that runs ahead nor a log's can make the history old."""
    desk = Desk()
    desk.keeper.trim(None, ())
    nothing_read = len(desk.store.trims)
    desk.keeper.trim(NOW - timedelta(days=40), ())
    desk.seconds += module.TRIM_SECONDS
    desk.keeper.trim(NOW + timedelta(days=4000), ())

    assert nothing_read == 0
    assert [now for now, _ in desk.store.trims] == [NOW - timedelta(days=40), NOW]


def test_nothing_is_dropped_while_something_waits() -> None:
    """And a step that fails is told and tried again with the next hour."""
    desk = Desk()
    desk.store.error = FULL
    desk.keeper.trim(NOW, ())
    told = desk.keeper.told
    desk.keeper.keep([batch(1)])
    desk.store.error = None
    desk.seconds += module.TRIM_SECONDS
    desk.keeper.trim(NOW, ())
    waiting = len(desk.store.trims)
    desk.keeper.keep([])
    desk.keeper.trim(NOW, ())

    assert told is not None
    assert waiting == 0
    assert len(desk.store.trims) == 1


def test_points_of_the_probes_are_dropped_beside_the_events() -> None:
    """Their age is by the host's own clock, which gave them their instants; it goes on while either has more."""
    desk = Desk(FakeStore(samples=FakeSamples(steps=3)))

    for _ in range(5):
        desk.keeper.trim(NOW - timedelta(days=2), ())

    assert desk.store.samples.trims == [NOW] * 3


def test_a_trouble_is_logged_once_and_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    """The first failure tells how much waits; those after it add nothing, and a new one is told anew."""
    caplog.set_level("INFO")
    desk = Desk()
    desk.store.error = FULL
    desk.keeper.keep([batch(1, 2)])
    waiting = desk.keeper.waiting
    desk.keeper.keep([batch(4)])
    desk.store.error = None
    desk.keeper.keep([])
    desk.keeper.renew(DAMAGED)

    assert (waiting, desk.keeper.waiting) == (3, 0)
    assert [record.msg for record in caplog.records] == [
        "storing failed",
        "the database was set aside and made anew",
    ]
    assert vars(caplog.records[0])["facts"] == {"waiting": 3}
