"""The composition root: what is put together from settings, logs and a database."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from app.core.events import HostPressureRead
from app.errors import DatabaseHeld, LogFolderMissing, NoLogsFound
from app.main import assemble, utc_now
from app.storage.retention import Limits
from tests.composed import log_folder, settings


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log folder with one session."""
    return log_folder(tmp_path)


def test_the_named_folder_is_followed(logs: Path, tmp_path: Path) -> None:
    """The snapshot names the folder; nothing is a demo, and nothing was looked for in vain."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs), closing)
        parts.pipeline.catch_up(lambda: None, asyncio.Event())

        now = parts.live.current
        assert (now.folder, now.looked_in, now.demo, now.ready) == (str(logs), (), False, False)
        assert parts.pipeline.tailer.folder == logs
    assert (tmp_path / "seatwatch.sqlite").is_file()


@pytest.mark.parametrize(("name", "error"), [("nowhere", LogFolderMissing), ("empty", NoLogsFound)])
def test_a_named_folder_without_logs_is_an_error(name: str, error: type[Exception], tmp_path: Path) -> None:
    """Who named a folder wants that one, not a demo."""
    (tmp_path / "empty").mkdir()

    with ExitStack() as closing, pytest.raises(error):
        assemble(settings(tmp_path, logs=tmp_path / name), closing)


def test_without_any_logs_the_demo_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where it looked, uses no database of the user's, and leaves no folder behind."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path), closing)
        now = parts.live.current

        assert now.demo
        assert any("Claude" in place for place in now.looked_in)
        assert now.folder is not None
        home = Path(now.folder).parent
        assert (home / "logs" / "main.log").stat().st_size > 0
        assert parts.pipeline.store.path == home / "demo.sqlite"

    assert not home.exists()
    assert not (tmp_path / "seatwatch.sqlite").exists()


def test_the_demo_is_shown_when_asked_for(logs: Path, tmp_path: Path) -> None:
    """Logs that are there are left alone, and no place was looked in."""
    with ExitStack() as closing:
        now = assemble(settings(tmp_path, logs=logs, demo=True), closing).live.current

        assert now.demo
        assert now.looked_in == ()
        assert now.folder != str(logs)


def test_a_database_belongs_to_one(logs: Path, tmp_path: Path) -> None:
    """The second one is refused; once the first is gone it may."""
    chosen = settings(tmp_path, logs=logs)
    with ExitStack() as first:
        assemble(chosen, first)
        with ExitStack() as second, pytest.raises(DatabaseHeld):
            assemble(chosen, second)
    with ExitStack() as third:
        assert assemble(chosen, third).settings is chosen


def test_under_another_zone_the_logs_are_read_anew(logs: Path, tmp_path: Path) -> None:
    """Instants that one zone gave must not stand beside those of another."""
    instants = []
    for zone in ("UTC", "UTC", "Asia/Tokyo"):
        with ExitStack() as closing:
            parts = assemble(settings(tmp_path, logs=logs, tz=zone), closing)
            known = len(parts.pipeline.store.checkpoints())
            parts.pipeline.catch_up(lambda: None, asyncio.Event())
            instants.append((known, {one.event.at.hour for one in parts.pipeline.store.replay()}))

    assert instants == [(0, {9}), (1, {9}), (0, {0})]


def test_a_damaged_database_is_set_aside_and_said_so(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The logs are read again into a new one, and the old one is kept under the name that is told."""
    (tmp_path / "seatwatch.sqlite").write_bytes(b"SQLite format 3\0" + b"nonsense" * 1000)
    with ExitStack() as closing:
        aside = assemble(settings(tmp_path, logs=logs), closing).pipeline.store.set_aside

    assert aside is not None
    assert aside.is_file()
    assert f"It is kept as {aside}; the logs are read again." in capsys.readouterr().out


def test_limits_and_polling_reach_the_pipeline(logs: Path, tmp_path: Path) -> None:
    """What was set is what holds."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs, keep_days=7, keep_mb=50, poll=True), closing)

        assert parts.pipeline.poll
        assert parts.pipeline.keeper.limits == Limits(timedelta(days=7), 50_000_000)


def test_the_clock_is_utc() -> None:
    """Everything within is in UTC; zones are for showing."""
    assert utc_now().tzinfo is UTC


def test_probes_run_only_where_they_are_wanted(logs: Path, tmp_path: Path) -> None:
    """Without them nothing of the machine is looked at; with them what they found before is counted on from."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs, probes=False), closing)
        assert parts.probing is None
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs), closing)
        assert parts.probing is not None
        parts.probing.probed.add([HostPressureRead(utc_now(), "normal")])
        parts.pipeline.catch_up(lambda: None, asyncio.Event())
        asyncio.run(parts.pipeline._look(asyncio.Event()))
    with ExitStack() as closing:
        again = assemble(settings(tmp_path, logs=logs), closing)
        assert again.probing is not None
        again.probing.probed.add([HostPressureRead(utc_now(), "normal")])
        assert again.probing.probed.take()[0].events[0].line == 2


def test_demo_has_a_machine_of_its_own(tmp_path: Path) -> None:
    """Made up like its logs, on a line of v6 Plus, with a day behind it."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, demo=True), closing)
        assert parts.probing is not None
        probes = parts.probing._begin()

        assert probes.line == "v6plus"
        assert len(parts.live.current.trend.window(utc_now() - timedelta(days=1), utc_now())) > 1400
