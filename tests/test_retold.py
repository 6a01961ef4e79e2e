"""What is asked of the past while Seatwatch runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.core.census import census
from app.core.points import Point
from app.explain import explain
from app.reading import FolderReading, read_folder
from app.retold import LOOK_BACK, Retold
from app.web.kept import Wanted
from tests.e2e.served import SESSION
from tests.following import Followed

NAMED = SESSION.format(1)
AT = datetime(2026, 10, 2, 9, 30, tzinfo=UTC)
LINES = (
    f"2026-10-02 09:00:01 [info] Starting local session {NAMED} in /Users/someone/alpha\n"
    f"2026-10-02 09:00:09 [info] [CCD CycleHealth] healthy cycle for {NAMED} (6s, hadFirstResponse=true)\n"
    "2026-10-02 09:10:00 [info] [remote-file] staged 3 files, 0 files-api 429s retried\n"
    f"2026-10-02 09:20:00 [warn] [CCD CycleHealth] {NAMED} api_error (success): API Error: 529 Overloaded.\n"
    f"2026-10-02 09:25:00 [info] [CCD] Pausing session {NAMED} (idle_timeout)\n"
)


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    """A pipeline that has read a main.log in which one session was paused."""
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "main.log").write_text(LINES)
    one = Followed(logs, tmp_path / "seatwatch.sqlite")
    one.catch_up()
    yield one
    one.close()


def test_why_is_that_of_the_folder(followed: Followed) -> None:
    """The store tells of a session what the log folder tells."""
    told = asyncio.run(Retold(followed.pipeline).told(AT))
    read = read_folder(followed.logs, UTC)

    assert explain(told, NAMED, AT, UTC) == explain(read, NAMED, AT, UTC)
    assert explain(told, NAMED, AT, UTC)["verdict"] == "paused_idle"
    assert (told.last_at, told.first_at) == (read.last_at, read.first_at)


def test_a_week_is_told_again(followed: Followed) -> None:
    """What happened longer before the moment asked for is left out; of a time without any line nothing is told."""
    retold = Retold(followed.pipeline)
    later = asyncio.run(retold.told(AT + LOOK_BACK - timedelta(minutes=8)))
    much_later = asyncio.run(retold.told(AT + 2 * LOOK_BACK))

    assert [stop.at.minute for stop in later.walked(AT + LOOK_BACK)[1].stops] == [25]
    assert (later.first_at, much_later.first_at) == (AT.replace(minute=25), None)


def test_of_now_the_fold_tells(followed: Followed) -> None:
    """From the last event on the answer is at hand, with the titles of the page; before it the store is read."""
    retold = Retold(followed.pipeline)
    followed.pipeline._publish(True)
    shown = followed.pipeline.live.current.state
    titled = replace(shown, sessions={NAMED: replace(shown.sessions[NAMED], title="Report")})
    followed.pipeline.live.current = replace(followed.pipeline.live.current, state=titled)
    now, before = asyncio.run(retold.told(AT)), asyncio.run(retold.told(AT - timedelta(minutes=6)))
    answer = explain(now, "report", AT, UTC)

    assert (now.last_at, now.first_at) == (AT - timedelta(minutes=5), None)
    assert answer == {**explain(read_folder(followed.logs, UTC), NAMED, AT, UTC), "title": "Report"}
    assert explain(now, None, AT, UTC)["session"] == NAMED
    assert isinstance(before, FolderReading)


def test_events_are_told_from_the_store(followed: Followed) -> None:
    """What is kept of a session, page by page, with its first and last instant and the names of its files."""
    retold = Retold(followed.pipeline)
    newest = asyncio.run(retold.events(Wanted(session=NAMED, limit=2)))
    before = asyncio.run(retold.events(Wanted(session=NAMED, kinds=("SessionStarted",), before=newest[-1].id)))
    within = asyncio.run(retold.events(Wanted(start=AT.replace(minute=10), end=AT.replace(minute=25))))

    assert [type(one.observed.event).__name__ for one in newest] == ["SessionPaused", "ServiceOverloaded"]
    assert [one.observed.line for one in before] == [1]
    assert [one.observed.line for one in within] == [4]
    assert asyncio.run(retold.life(NAMED)) == (AT.replace(minute=0, second=1), AT.replace(minute=25), 4)
    assert asyncio.run(retold.life("nobody")) is None
    assert set(asyncio.run(retold.names()).values()) == {"main.log"}


def test_what_is_told_does_not_grow(followed: Followed) -> None:
    """An answer that is being made is not changed by lines that come meanwhile."""
    followed.pipeline._publish(True)
    now = asyncio.run(Retold(followed.pipeline).told(AT))
    stops = list(now.walked(AT)[1].stops)
    with (followed.logs / "main.log").open("a") as file:
        file.write(f"2026-10-02 09:26:01 [info] Starting local session {NAMED} in /Users/someone/alpha\n")
        file.write(f"2026-10-02 09:27:00 [info] [CCD] Pausing session {NAMED} (idle_timeout)\n")
    followed.look()

    assert now.walked(AT)[1].stops == stops
    assert len(followed.pipeline.fold.trail.stops) == len(stops) + 1


def test_census_was_taken_on_the_way(followed: Followed) -> None:
    """It equals the census of the folder, while that is read and after, and a restart changes nothing of it."""
    read = read_folder(followed.logs, UTC)
    expected = census(read.tally, read.observed, read.state_at(AT))
    early, _ = asyncio.run(Retold(followed.pipeline).census())
    followed.pipeline._publish(True)
    before, names = asyncio.run(Retold(followed.pipeline).census())
    followed.close()
    followed.open()
    followed.catch_up()
    followed.pipeline._publish(True)
    after, _ = asyncio.run(Retold(followed.pipeline).census())

    assert early == before == after == expected
    assert set(names.values()) == {"main.log"}
    assert (before.limits.overload, before.limits.look_alikes) == (1, 1)


def test_nothing_read_yet(tmp_path: Path) -> None:
    """An empty folder has an empty census, and nothing to tell."""
    (tmp_path / "logs").mkdir()
    one = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite")
    told = asyncio.run(Retold(one.pipeline).told(AT))
    counted, names = asyncio.run(Retold(one.pipeline).census())
    one.close()

    assert (told.first_at, told.last_at) == (None, AT)
    assert (counted.lines, names) == (0, {})


def test_a_window_of_the_past_is_folded_again(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """What memory has forgotten the store tells: who lived when the window opens, its marks, the state at its end."""
    monkeypatch.setattr("app.retold.PAGE", 2)
    start, end = AT.replace(minute=5), AT.replace(minute=28)
    state, history = Retold(followed.pipeline).history(start, end)
    earlier = Retold(followed.pipeline).history(start - timedelta(days=9), start - timedelta(days=8))

    assert (history.start, history.end) == (start, end)
    assert history.spans == followed.pipeline.fold.history.window(start, end).spans
    assert [mark.kind for mark in history.marks] == ["overloaded", "paused_idle"]
    assert state.sessions[NAMED].phase is followed.state.sessions[NAMED].phase
    assert (earlier[0].at, earlier[1].spans) == (None, ())


def test_a_window_of_the_past_has_what_the_probes_saw(followed: Followed) -> None:
    """Beside what the log said, in the finest step that is kept."""
    seen = [Point(AT + timedelta(minutes=m), available_mb=m, available_low_mb=m) for m in range(3)]
    followed.store.samples.keep(seen)

    _state, history = Retold(followed.pipeline).history(AT - timedelta(hours=1), AT + timedelta(hours=1))
    assert list(history.points) == seen
