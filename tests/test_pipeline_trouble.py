"""The chain in trouble: a full disk, a folder that goes away, a part that breaks. Nothing is lost, and it is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.errors import DatabaseDamaged
from tests.following import ONE, TWO, Followed, append, begun, line


def test_a_full_disk_loses_nothing(logs: Path, followed: Followed) -> None:
    """While nothing can be stored the page goes on and says why; then all of it is stored, in the fold's order."""
    followed.store.failures = 5
    followed.catch_up()
    followed.settle()
    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.look()
    assert set(followed.state.sessions) == {ONE, TWO}
    followed.look()
    problem = followed.live.current.problem
    assert problem is not None
    assert "cannot be used" in problem
    assert "database or disk is full" in problem
    assert followed.stored() == []

    append(logs, line(10, f"[CCD] Pausing session {ONE} (idle_timeout)") + line(10, "[CCD] nothing"))
    followed.settle()

    assert followed.live.current.problem is None
    assert [type(one.event).__name__ for one in followed.stored()] == [
        "SessionStarted",
        "SessionStarted",
        "SessionPaused",
    ]
    state = followed.state
    followed.close()
    followed.open()
    followed.catch_up()
    assert followed.state == state


def test_a_quiet_log_still_gets_stored_when_the_disk_has_room_again(logs: Path, followed: Followed) -> None:
    """Storing is tried again without a new line, and the page hears that the trouble is over."""
    followed.catch_up()
    followed.settle()
    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.store.failures = 3
    followed.look()

    for _ in range(3):
        followed.look()
        assert followed.live.current.problem is not None
    followed.look()

    assert len(followed.stored()) == 2
    assert followed.live.current.problem is None


def test_a_folder_that_goes_away_and_comes_back(logs: Path, followed: Followed) -> None:
    """The page says what cannot be read, keeps what it knows, and goes on when the folder is back."""
    followed.catch_up()
    followed.settle()
    logs.rename(logs.with_name("elsewhere"))
    followed.look()
    problem = followed.live.current.problem
    assert problem is not None
    assert f"The log folder {logs} cannot be read" in problem
    assert set(followed.live.current.state.sessions) == {ONE}

    logs.with_name("elsewhere").rename(logs)
    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.look()

    assert followed.live.current.problem is None
    assert set(followed.live.current.state.sessions) == {ONE, TWO}


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DatabaseDamaged("seatwatch.sqlite", "malformed"), "The database seatwatch.sqlite is damaged."),
        (ZeroDivisionError("of ours"), "ZeroDivisionError."),
    ],
)
def test_what_breaks_the_pipeline_is_told(
    followed: Followed, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    """Whatever ends it early, the pages say that they stand still, and who runs Seatwatch gets the cause."""

    def broken(**_asked: object) -> None:
        raise error

    monkeypatch.setattr(followed.store, "replay", broken)

    asyncio.run(followed.pipeline.run(asyncio.Event()))

    assert followed.pipeline.failure is error
    assert followed.live.current.problem == f"Seatwatch follows the logs no more: {words} Start it again."
    assert not followed.live.current.ready


def test_the_log_tells_when_trouble_began_and_ended(
    logs: Path, followed: Followed, caplog: pytest.LogCaptureFixture
) -> None:
    """Where it lies is told; what the pages say has paths in it and is not."""
    caplog.set_level("INFO")
    followed.catch_up()
    followed.settle()
    away = logs.with_name("away")
    logs.rename(away)
    followed.settle()
    away.rename(logs)
    followed.settle()

    told = [(record.msg, vars(record)["facts"]) for record in caplog.records if "trouble" in str(record.msg)]
    assert told == [
        ("trouble began", {"logs": True, "store": False}),
        ("trouble is over", {"logs": False, "store": False}),
    ]
