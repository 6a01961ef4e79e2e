"""The store: events and checkpoints of one moment, kept once, given back in the order of the fold."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from app.core.batch import Batch, fold_order
from app.core.checkpoint import Checkpoint, Fingerprint
from app.core.events import Event, HeartbeatSeen, Observed, SessionSeenAlive, TurnBegan, TurnEnded
from app.core.tally import MAX_KINDS, OTHER, Tally
from app.core.wallclock import ClockState
from app.errors import DatabaseUnusable
from app.settings import resource_dir
from app.storage import store as module
from app.storage.store import Store

AT = datetime(2026, 10, 2, 4, 0, tzinfo=UTC)
MAIN = Checkpoint(
    "a1",
    "main.log",
    "logs/main.log",
    7,
    2**64 - 1,
    Fingerprint("ab", 2, "cd"),
    100,
    11,
    ClockState("2026-10-02 13:00:00"),
)
VM = Checkpoint("b2", "cowork_vm_node.log", "logs/cowork_vm_node.log", 7, 9)


def minute(number: float) -> datetime:
    """An instant, minutes after `AT`."""
    return AT + timedelta(minutes=number)


def observed(event: Event, offset: int, source: str = "a1") -> Observed:
    """An event in a source."""
    return Observed(event, source, offset, offset + 1, f"line at {offset}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The place of the store."""
    return tmp_path / "seatwatch.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_at(path) as store:
        yield store


def open_at(path: Path) -> Store:
    """The store at a path, with the migrations of this checkout."""
    return Store.open(path, resource_dir("migrations"))


def fill(store: Store, count: int = 6) -> list[Observed]:
    """Commit one event a minute, turns of two sessions, and give them back."""
    events = [observed(TurnBegan(minute(n), f"local_{n % 2}"), n) for n in range(count)]
    store.commit(Batch(MAIN, events))
    return events


def test_new_store_is_empty(store: Store) -> None:
    """A new store has read nothing yet and replaces no damaged one."""
    assert store.checkpoints() == {}
    assert list(store.replay()) == []
    assert store.line_counts() == {}
    assert store.set_aside is None


def test_restart_resumes(path: Path) -> None:
    """After a restart the checkpoints, the events and the counts are those of the last commit."""
    with open_at(path) as store:
        events = fill(store)
        store.commit(Batch(replace(MAIN, offset=250, path="logs/main1.log"), (), Tally({("info", "CCD"): 3})))

    with open_at(path) as store:
        assert store.checkpoints() == {"a1": replace(MAIN, offset=250, path="logs/main1.log")}
        assert list(store.replay()) == events
        assert store.line_counts() == {("info", "CCD"): 3}


def test_event_is_kept_once(store: Store) -> None:
    """Lines that are read again after a crash double nothing; only new events count."""
    events = fill(store, 3)

    new = store.commit(Batch(MAIN, [*events, observed(TurnBegan(minute(9), "local_1"), 9)]))

    assert new == 1
    assert len(list(store.replay())) == 4


def test_equal_offsets_of_two_sources_are_two_events(store: Store) -> None:
    """The identity is the offset within its source."""
    store.commit(Batch(MAIN, [observed(HeartbeatSeen(AT), 5)]), Batch(VM, [observed(HeartbeatSeen(AT), 5, "b2")]))

    assert [event.source for event in store.replay()] == ["a1", "b2"]


def test_failed_commit_keeps_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a commit breaks after its events were written, neither they nor the checkpoint nor the counts are kept."""
    fill(store, 2)

    def fail(*_args: object) -> None:
        raise RuntimeError("struck by lightning")

    monkeypatch.setattr(store, "_keep_counts", fail)
    later = observed(TurnBegan(minute(9), "local_1"), 9)
    with pytest.raises(RuntimeError):
        store.commit(Batch(replace(MAIN, offset=999), [later], Tally({("info", ""): 1})))
    monkeypatch.undo()

    assert store.checkpoints()["a1"].offset == 100
    assert len(list(store.replay())) == 2
    assert store.line_counts() == {}
    assert store.commit(Batch(MAIN, [later])) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from app.settings import resource_dir
from app.core.batch import Batch
from app.storage.store import Store
from tests.storage.test_store import MAIN, fill, minute, observed
from app.core.events import TurnBegan

store = Store.open(Path(sys.argv[1]), resource_dir("migrations"))
fill(store, 2)
store._keep_counts = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
store.commit(Batch(MAIN, [observed(TurnBegan(minute(9), "local_1"), 9)]))
"""


def test_killed_process_loses_and_doubles_nothing(path: Path) -> None:
    """A process killed in the middle of a commit leaves the commit before it, and the database opens at once."""
    root = Path(__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=root, check=False, capture_output=True)
    with open_at(path) as store:
        kept = [event.offset for event in store.replay()]

    assert killed.returncode == -9, killed.stderr
    assert kept == [0, 1]


def test_event_of_an_unknown_source_is_refused(store: Store) -> None:
    """An event without a checkpoint could never be resumed from: the whole commit is refused."""
    with pytest.raises(DatabaseUnusable, match="FOREIGN KEY"):
        store.commit(Batch(MAIN, [observed(HeartbeatSeen(AT), 1, "nobody")]))

    assert store.checkpoints() == {}


def test_time_of_another_zone_comes_back_as_the_same_instant(store: Store) -> None:
    """An event of eight hours behind UTC is the same instant afterwards, aware and in UTC."""
    there = AT.astimezone(timezone(timedelta(hours=-8)))
    store.commit(Batch(MAIN, [observed(HeartbeatSeen(there), 1)]))

    [back] = store.replay()

    assert back.event.at == AT
    assert back.event.at.utcoffset() == timedelta(0)


def test_replay_has_the_order_of_the_commits(store: Store) -> None:
    """A clock that steps back does not reorder what was folded, also when it is read in several pages."""
    events = [observed(HeartbeatSeen(minute(n)), offset) for offset, n in enumerate([5, 1, 3, 0])]
    store.commit(Batch(MAIN, events[:2]))
    store.commit(Batch(MAIN, events[2:]))

    assert list(store.replay()) == events


def test_replay_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading in pages gives every event once."""
    monkeypatch.setattr(module, "PAGE", 2)
    events = fill(store, 5)

    assert list(store.replay()) == events


def test_replay_since(store: Store) -> None:
    """Only events from an instant on are replayed; none when all are older."""
    events = fill(store)

    assert list(store.replay(minute(4))) == events[4:]
    assert list(store.replay(minute(99))) == []


def test_sources_are_merged_by_time_without_reordering_any(store: Store) -> None:
    """Batches of one commit are folded and kept by instant; within a family the files' order stands."""
    main = [observed(HeartbeatSeen(minute(n)), offset) for offset, n in enumerate([1, 4, 2])]
    vm = [observed(HeartbeatSeen(minute(n)), offset, "b2") for offset, n in enumerate([1, 3])]
    batches = (Batch(MAIN, main), Batch(VM, vm))

    store.commit(*batches)

    assert list(store.replay()) == fold_order(batches) == [main[0], vm[0], vm[1], main[1], main[2]]


def test_batches_of_one_source_keep_their_order(store: Store) -> None:
    """Two batches of a source that are kept together stay one after the other, also when its clock stepped back."""
    first, second = observed(HeartbeatSeen(minute(5)), 0), observed(HeartbeatSeen(minute(1)), 1)

    store.commit(Batch(MAIN, [first]), Batch(replace(MAIN, offset=200), [second]))

    assert list(store.replay()) == [first, second]
    assert store.checkpoints()["a1"].offset == 200


def test_files_of_one_family_keep_their_order(store: Store) -> None:
    """An archive and the file after it were written one after the other, also when the clock was set back between."""
    archive, after = observed(HeartbeatSeen(minute(5)), 0), observed(HeartbeatSeen(minute(1)), 0, "c3")
    vm = observed(HeartbeatSeen(minute(3)), 0, "b2")

    store.commit(Batch(MAIN, [archive]), Batch(replace(MAIN, source="c3"), [after]), Batch(VM, [vm]))

    assert list(store.replay()) == [vm, archive, after]


def test_event_of_a_newer_version_is_passed_over_and_counted(store: Store, path: Path) -> None:
    """A kind that this version does not know neither stops the replay nor goes unsaid."""
    events = fill(store, 2)
    other = sqlite3.connect(path)
    other.execute("UPDATE events SET kind = 'SomethingNewHappened' WHERE id = 1")
    other.commit()
    other.close()

    assert list(store.replay()) == events[1:]
    assert store.unreadable == 1


def test_events_of_a_window_newest_first(store: Store) -> None:
    """A window includes its start and not its end."""
    events = fill(store)

    found = store.events(minute(1), minute(4))

    assert [stored.observed for stored in found] == [events[3], events[2], events[1]]


def test_events_of_a_session_and_of_a_kind(store: Store) -> None:
    """Events can be asked for by session, by kind, and by both."""
    fill(store)
    ended = observed(TurnEnded(minute(9), "local_1", 4, None), 9)
    alive = observed(SessionSeenAlive(minute(9), "local_0"), 10)
    store.commit(Batch(MAIN, [ended, alive]))

    assert [stored.observed for stored in store.events(kinds=["TurnEnded", "SessionSeenAlive"])] == [alive, ended]
    assert len(store.events(session="local_1")) == 4
    assert [stored.observed for stored in store.events(session="local_1", kinds=["TurnEnded"])] == [ended]
    assert store.events(kinds=[]) == []


def test_events_of_several_kinds_in_pages(store: Store) -> None:
    """Pages of several kinds together give every one of their events once, newest first, and no other."""
    events = [
        observed(TurnBegan(minute(0), "local_1"), 0),
        observed(SessionSeenAlive(minute(0), "local_1"), 1),
        observed(TurnBegan(minute(1), "local_1"), 2),
    ]
    store.commit(Batch(MAIN, [*events, observed(HeartbeatSeen(minute(1)), 9)]))
    first = store.events(kinds=["TurnBegan", "SessionSeenAlive"], limit=2)
    second = store.events(kinds=["TurnBegan", "SessionSeenAlive"], limit=2, before=first[-1].id)

    assert [stored.observed for stored in (*first, *second)] == events[::-1]


def test_life_of_a_session(store: Store) -> None:
    """The first and the last instant that is kept of a session and how much there is; of nobody there is none."""
    fill(store, 7)

    assert store.life("local_0") == (minute(0), minute(6), 4)
    assert store.life("nobody") is None


def test_events_in_pages(store: Store) -> None:
    """Page after page gives every event once, equal instants included."""
    events = [observed(HeartbeatSeen(minute(n // 3)), n) for n in range(7)]
    store.commit(Batch(MAIN, events))
    found: list[Observed] = []
    before = None
    while page := store.events(limit=2, before=before):
        found += [stored.observed for stored in page]
        before = page[-1].id

    assert found == events[::-1]


def test_counts_add_up(store: Store) -> None:
    """Line counts are added to those before, by source and over all."""
    first = Tally(
        {("info", "CCD"): 2, ("warn", ""): 1}, continued=3, unprefixed=1, cut=1, last_at=minute(1), look_alikes=2
    )
    second = Tally({("info", "CCD"): 5}, continued=4, look_alikes=3)
    store.commit(Batch(MAIN, (), first), Batch(VM, (), Tally({("warn", ""): 7})))
    store.commit(Batch(MAIN, (), second))

    assert store.tallies() == {"a1": first + second, "b2": Tally({("warn", ""): 7})}
    assert store.line_counts() == {("warn", ""): 8, ("info", "CCD"): 7}


def test_kinds_of_lines_are_bounded(path: Path) -> None:
    """A log that makes up a new scope for each line fills no table: what is over the bound counts as other."""
    with open_at(path) as store:
        store.commit(Batch(MAIN, (), Tally({("info", f"S{n}"): 1 for n in range(MAX_KINDS)})))
    with open_at(path) as store:
        store.commit(Batch(MAIN, (), Tally({("info", "S0"): 1, ("info", "new"): 1, ("info", "newer"): 1})))
        counts = store.line_counts()

    assert len(counts) == MAX_KINDS + 1
    assert counts["info", "S0"] == 2
    assert counts[OTHER, OTHER] == 2


def test_facts(store: Store) -> None:
    """A fact about the database is what it was last said to be."""
    assert store.fact("zone") is None

    store.keep_fact("zone", "Asia/Tokyo")
    store.keep_fact("zone", "Europe/Berlin")

    assert store.fact("zone") == "Europe/Berlin"


def test_pages_read_while_events_are_written(store: Store) -> None:
    """Readers in other threads see whole commits only, and writers wait for each other."""

    def write(number: int) -> None:
        start = 10 * number
        store.commit(Batch(MAIN, [observed(HeartbeatSeen(minute(start + n)), start + n) for n in range(10)]))

    def read(_number: int) -> int:
        return len(store.events(limit=1000))

    with ThreadPoolExecutor(4) as pool:
        writes = [pool.submit(write, number) for number in range(20)]
        seen = list(pool.map(read, range(20)))
        for done in writes:
            done.result()

    assert {count % 10 for count in seen} == {0}
    assert read(0) == 200


def test_hostile_text_is_kept_as_it_is(store: Store) -> None:
    """NUL, quotes and markup in a line are data."""
    event = replace_text(observed(HeartbeatSeen(AT), 1), "a\0b'; DROP TABLE events; --<script>")
    store.commit(Batch(MAIN, [event]))

    assert list(store.replay()) == [event]


def replace_text(event: Observed, text: str) -> Observed:
    """The same event with another line."""
    return event._replace(text=text)


def test_size_counts_the_journals_too(store: Store, path: Path) -> None:
    """What is written and not yet moved into the database takes room on the disk as well."""
    fill(store)
    journal = path.with_name(f"{path.name}-wal").stat().st_size

    assert journal > 0
    assert store.size >= path.stat().st_size + journal
