"""The application while it runs: who is answered, how it is, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app import main
from app.live import Snapshot
from app.main import assemble, create_app
from app.settings import Settings
from tests.composed import log_folder, settings
from tests.e2e.served import until

STARTS = 50


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log folder with one session."""
    return log_folder(tmp_path)


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
