"""The composition root: what is put together, what a person is told, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import webbrowser
from contextlib import ExitStack
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import main
from app.core.events import HostPressureRead
from app.errors import DatabaseDamaged, DatabaseHeld, LogFolderMissing, NoLogsFound, PortTaken
from app.live import Snapshot
from app.main import Parts, assemble, create_app, serve, utc_now
from app.server import listen
from app.settings import Settings, load_settings
from app.storage.retention import Limits
from tests.e2e.served import SESSION, until

LINE = f"2026-10-02 09:00:01 [info] Starting local session {SESSION.format(1)} in /Users/someone/alpha\n"
STARTS = 50


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log folder with one session."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "main.log").write_text(LINE * 2)
    return folder


def settings(tmp_path: Path, **flags: Any) -> Settings:
    """Settings with a database of their own and no browser, beside what is given."""
    given = {"db": tmp_path / "seatwatch.sqlite", "tz": "UTC", "port": 0, "no_open": True, **flags}
    return load_settings(given, {}, tmp_path / "no.toml")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Parts]:
    """What `serve` puts together; it comes to its end at once."""
    made: list[Parts] = []

    def remember(parts: Parts) -> Parts:
        made.append(parts)
        return parts

    monkeypatch.setattr(main, "create_app", remember)
    monkeypatch.setattr(main, "run", lambda _app, _listener, _end: None)
    return made


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


def test_serve_says_what_it_reads_and_where_it_is(
    logs: Path, tmp_path: Path, served: list[Parts], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two lines: the folder, and the address that a person opens."""
    serve(settings(tmp_path, logs=logs))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Reading {logs}"
    assert lines[1].startswith("Seatwatch ")
    assert " is at http://127.0.0.1:" in lines[1]
    assert "Ctrl-C ends it" in lines[1]
    assert len(served) == 1


def test_serve_says_where_it_looked_in_vain(
    tmp_path: Path, served: list[Parts], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each place on a line of its own, and that nothing on the page is real."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    serve(settings(tmp_path))

    out = capsys.readouterr().out
    assert "No logs of the Claude desktop app were found. Looked in:\n  " in out
    assert all(f"  {place}\n" in out for place in served[0].live.current.looked_in)
    assert "Showing demo data: nothing on the page is real." in out


def test_an_address_of_ipv6_is_put_in_brackets(
    logs: Path, tmp_path: Path, served: list[Parts], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser understands it no other way."""

    class Listener(ExitStack):
        def getsockname(self) -> tuple[str, int, int, int]:
            return ("::1", 8585, 0, 0)

    monkeypatch.setattr(main, "listen", lambda _host, _port: Listener())
    serve(settings(tmp_path, logs=logs))

    assert "is at http://[::1]:8585 " in capsys.readouterr().out
    assert served


@pytest.mark.parametrize("no_open", [True, False])
def test_a_browser_opens_unless_it_is_not_to(
    no_open: bool, logs: Path, tmp_path: Path, served: list[Parts], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given the address of the page, once."""
    opened: list[str] = []
    asked = threading.Event()

    def browse(address: str) -> None:
        opened.append(address)
        asked.set()

    monkeypatch.setattr(webbrowser, "open", browse)

    serve(settings(tmp_path, logs=logs, no_open=no_open or None))

    if no_open:
        assert opened == []
    else:
        assert asked.wait(10)
        assert opened[0].startswith("http://127.0.0.1:")
    assert served


def test_a_taken_port_ends_it_before_anything_is_made(logs: Path, tmp_path: Path) -> None:
    """No database is opened for nothing."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortTaken):
            serve(settings(tmp_path, logs=logs, port=port))

    assert not (tmp_path / "seatwatch.sqlite").exists()


def test_what_broke_the_pipeline_ends_the_command(
    logs: Path, tmp_path: Path, served: list[Parts], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause reaches whoever started Seatwatch, once the server is down."""
    broken = DatabaseDamaged("seatwatch.sqlite", "malformed")

    def break_it(_app: object, _listener: object, _end: object) -> None:
        served[0].pipeline.failure = broken

    monkeypatch.setattr(main, "run", break_it)

    with pytest.raises(DatabaseDamaged):
        serve(settings(tmp_path, logs=logs))


def test_limits_and_polling_reach_the_pipeline(logs: Path, tmp_path: Path) -> None:
    """What was set is what holds."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs, keep_days=7, keep_mb=50, poll=True), closing)

        assert parts.pipeline.poll
        assert parts.pipeline.keeper.limits == Limits(timedelta(days=7), 50_000_000)


def test_health_tells_of_the_store_and_the_process(logs: Path, tmp_path: Path) -> None:
    """Sizes, waiting, memory and time are those of this run."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs), closing)
        with TestClient(create_app(parts), base_url="http://127.0.0.1") as client:
            until(lambda: client.get("/readyz").status_code == 200, "the end of loading")
            found = client.get("/healthz").json()

    assert found["database"]["bytes"] > 4096
    assert found["writer"] == {"waiting": 0}
    assert found["process"]["rss_bytes"] > 10_000_000
    assert found["process"]["uptime_seconds"] >= 0


def served_once(chosen: Settings) -> Snapshot:
    """Put it together, ask the page for the state, and take it apart again."""
    with ExitStack() as closing:
        parts = assemble(chosen, closing)
        with TestClient(create_app(parts), base_url="http://127.0.0.1") as client:
            assert client.get("/api/state").status_code == 200
    return parts.live.current


def open_files() -> int:
    """How many files this process holds open, without those that only wait for the garbage collection."""
    gc.collect()
    return sum(1 for _ in Path("/dev/fd").iterdir())


def test_starting_and_stopping_leaves_nothing(logs: Path, tmp_path: Path) -> None:
    """After fifty starts there are as many threads and open files as after the first few, and no task is left."""
    chosen = settings(tmp_path, logs=logs)
    for _ in range(2):
        served_once(chosen)
    threads, files = threading.active_count(), open_files()

    for _ in range(STARTS):
        served_once(chosen)

    # The watcher's own threads let go of their handles a moment after they were told to end.
    until(lambda: threading.active_count() <= threads and open_files() <= files, "the end of all threads and files")
    assert (threading.active_count(), open_files()) <= (threads, files)
    assert [one for one in gc.get_objects() if isinstance(one, asyncio.Task) and not one.done()] == []


def test_stopping_ends_the_pipeline_and_every_wait(logs: Path, tmp_path: Path) -> None:
    """The lifespan closes what pages wait for, and returns once the pipeline is through."""
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs), closing)
        with TestClient(create_app(parts), base_url="http://127.0.0.1"):
            assert not parts.live.closing
        assert parts.live.closing
        assert parts.pipeline.failure is None
        assert parts.live.current.ready


def test_a_part_that_breaks_is_told_and_stops_no_other(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own log says which error it was; the pages go on, and the pipeline comes to its own end."""

    async def broken(*_given: object, **_named: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(main, "send", broken)
    with ExitStack() as closing:
        parts = assemble(settings(tmp_path, logs=logs), closing)
        with TestClient(create_app(parts), base_url="http://127.0.0.1") as client:
            until(lambda: client.get("/readyz").status_code == 200, "the end of loading")
        saved = (tmp_path / "seatwatch.sqlite-fold").exists()
    told = [json.loads(line) for line in (tmp_path / "seatwatch.sqlite.log").read_text("utf-8").splitlines()]

    assert [one["error"]["type"] for one in told if one["event"] == "a part has ended"] == ["RuntimeError"]
    assert parts.pipeline.failure is None
    assert saved


def test_only_other_hosts_names_are_let_in(logs: Path, tmp_path: Path) -> None:
    """The name that was given with --host is answered; without it only this machine's own names are."""
    for host, status in (("127.0.0.1", 421), ("198.51.100.7", 200)):
        with ExitStack() as closing:
            parts = assemble(settings(tmp_path, logs=logs, host=host), closing)
            with TestClient(create_app(parts), base_url="http://198.51.100.7") as client:
                shown = {"Authorization": f"Bearer {parts.access.token}"}
                assert client.get("/api/state", headers=shown).status_code == status


@pytest.mark.parametrize("own", [None, "t" * 43])
def test_beyond_this_machine_a_token_is_needed(own: str | None, logs: Path, tmp_path: Path) -> None:
    """The one that was chosen, else one that is kept beside the database."""
    with ExitStack() as closing:
        chosen = settings(tmp_path, logs=logs, host="0.0.0.0", token=own)  # noqa: S104  this is the test's subject
        access = assemble(chosen, closing).access

    kept = tmp_path / "seatwatch.sqlite.token"
    assert access.anywhere
    assert access.token == (own or kept.read_text().strip())
    assert kept.exists() is (own is None)
    assert str(access.token) not in repr(access)


def test_on_this_machine_a_token_is_asked_for_if_one_was_chosen(logs: Path, tmp_path: Path) -> None:
    """A machine that several people use; else nobody is asked."""
    for own in (None, "t" * 43):
        with ExitStack() as closing:
            assert assemble(settings(tmp_path, logs=logs, token=own), closing).access.token == own


def test_the_address_with_the_token_is_shown_and_not_opened(
    logs: Path, tmp_path: Path, served: list[Parts], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other people on the machine would see it among a browser's arguments."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    serve(settings(tmp_path, logs=logs, token="t" * 43, no_open=False))

    assert len(served) == 1
    assert f"/?token={'t' * 43}  (Ctrl-C" in capsys.readouterr().out
    assert opened == []


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
