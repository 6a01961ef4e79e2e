"""Single looks: the port and who has it, who may read our files, the database, the probes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.doctor import looks
from app.doctor.looks import database_finding, port_finding, private_finding, probe_findings
from app.probes import system
from app.settings import resource_dir
from app.storage.store import Store
from tests.e2e.served import AppLog, Served

NOW = datetime(2026, 10, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which something listens that never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_free_port_and_one_of_another_program(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that listens and is no Seatwatch is in the way; who never answers is not waited for."""
    monkeypatch.setattr(looks, "ASK_SECONDS", 0.1)
    free, other = port_finding("127.0.0.1", 0), port_finding("127.0.0.1", taken)

    assert (free.level, free.facts["free"]) == ("ok", True)
    assert (other.level, other.facts) == ("problem", {"free": False, "seatwatch": False})
    assert "--port" in other.todo


@pytest.mark.parametrize("token", [None, "t" * 43])
def test_a_seatwatch_that_runs_is_recognised(
    token: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own page is no obstacle, nor is one that asks for a token; its database is in use."""
    if token is not None:
        monkeypatch.setenv("SEATWATCH_TOKEN", token)
    log = AppLog(tmp_path / "logs")
    log.start()
    served = Served(log.folder, tmp_path / "seatwatch.sqlite")
    served.start()
    try:
        found, database = port_finding("127.0.0.1", served.port), database_finding(served.database)
    finally:
        served.kill()
        log.close()

    assert (found.level, found.facts) == ("ok", {"free": False, "seatwatch": True})
    assert ("token" in found.what) is (token is not None)
    assert database.facts["held"] is True


def test_an_address_of_another_machine_is_a_problem() -> None:
    """The same words as a start would say."""
    found = port_finding("192.0.2.1", 0)

    assert (found.level, "--host" in found.todo) == ("problem", True)


def test_files_that_others_may_read_are_told(tmp_path: Path) -> None:
    """What to run is said, word for word; files that are not there are no matter."""
    for name, mode in (("a", 0o600), ("b", 0o644)):
        (tmp_path / name).touch(mode)
        (tmp_path / name).chmod(mode)

    fine = private_finding([tmp_path / "a", tmp_path / "missing"])
    wrong = private_finding([tmp_path / "a", tmp_path / "b"])

    assert (fine.level, wrong.level) == ("ok", "problem")
    assert wrong.todo == f"Run: chmod 600 {tmp_path / 'b'}"


def test_databases_are_told_apart(tmp_path: Path) -> None:
    """None yet is as it should be; one that is no database is a problem with a way out."""
    path = tmp_path / "seatwatch.sqlite"
    missing = database_finding(path)
    Store.open(path, resource_dir("migrations")).close()
    sound = database_finding(path)
    path.write_bytes(b"no database" * 1000)
    damaged = database_finding(path)

    assert [one.level for one in (missing, sound, damaged)] == ["ok", "ok", "problem"]
    assert "sets it aside" in damaged.todo


def test_probes_tell_what_they_cannot_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory first; a machine that no probe knows is a note and no failure."""
    found = probe_findings(NOW)

    def unknown() -> None:
        raise OSError("no such system")

    monkeypatch.setattr(system, "this_system", unknown)
    without = probe_findings(NOW)

    assert found[0].facts["work"] is True
    assert [(one.level, one.facts) for one in without] == [("note", {"work": False})]
