"""The whole examination: of a healthy machine, of one where much is wrong, and for a report that names nobody."""

from __future__ import annotations

import json
import platform
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.doctor import examine as module
from app.doctor.examine import Report, examine
from app.doctor.findings import Finding
from tests.commands import ended
from tests.e2e.served import SESSION

NOW = datetime(2026, 10, 2, 9, 1, tzinfo=UTC)
KNOWN = f"2026-10-02 09:00:01 [info] Starting local session {SESSION.format(1)} in /Users/someone/alpha\n"
MARK = "Zanzibar"


@pytest.fixture
def flags(tmp_path: Path) -> dict[str, Any]:
    """A log folder with one session, a database that is not there yet, and any port."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "main.log").write_text(KNOWN)
    return {"logs": tmp_path / "logs", "db": tmp_path / "seatwatch.sqlite", "tz": "UTC", "port": 0}


def of(report: Report, topic: str) -> Finding:
    """The one finding about a topic."""
    (found,) = [one for one in report.findings if one.topic == topic]
    return found


def test_a_healthy_machine_has_no_problem(flags: dict[str, Any], tmp_path: Path) -> None:
    """Every topic is told, none of them is a problem, and nothing was made."""
    before = sorted(tmp_path.rglob("*"))

    report = examine(flags, NOW)

    assert [one.what for one in report.findings if one.level == "problem"] == []
    assert {one.topic for one in report.findings} == {
        "program", "settings", "zone", "log places", "logs", "log file", "log lines", "newest line", "database",
        "free space", "permissions", "port", "own log", "probes",
    }  # fmt: skip
    assert of(report, "newest line").what == "The newest line is 59 seconds old."
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("given", "topic", "word"),
    [
        ({"port": "many"}, "settings", "port"),
        ({"logs": Path("nowhere")}, "logs", "not there"),
        ({"tz": "+09:00"}, "newest line", "old"),
        ({"tz": "-05:00"}, "newest line", "ahead"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(
    given: dict[str, Any], topic: str, word: str, flags: dict[str, Any]
) -> None:
    """A wrong setting, a folder that is not there, times of another zone: the rest is looked at all the same."""
    report = examine({**flags, **given}, NOW)

    found = of(report, topic)
    assert found.level in {"problem", "note"}
    assert word in found.what
    assert found.todo
    assert of(report, "free space").level == "ok"


def test_the_places_of_the_logs_are_listed(
    flags: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a named folder every known place is told, with whether it has a log."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(module, "candidates", lambda *_: [tmp_path / "logs", tmp_path / "old"])

    report = examine({**flags, "logs": None}, NOW)

    assert [one.facts for one in report.findings if one.topic == "log places"] == [
        {"has_log": True},
        {"has_log": False},
    ]


def test_files_that_are_no_log_and_lines_that_nobody_knows(flags: dict[str, Any]) -> None:
    """A folder without a line of the log is a problem; unknown lines are a note that asks for a report."""
    main = flags["logs"] / "main.log"
    main.write_text(KNOWN + "2026-10-02 09:00:02 [info] [CliGovernor] something new\n")
    strange = examine(flags, NOW)
    main.write_text("no log at all\n")
    none = examine(flags, NOW)

    assert (of(strange, "log lines").level, of(strange, "log lines").facts["unrecognized"]) == ("note", 1)
    assert strange.shapes == [("[CliGovernor] something new", 1)]
    assert (of(none, "log lines").level, of(none, "log lines").facts) == ("problem", {"readable": False})


def test_a_full_disk_and_a_log_of_errors(flags: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Too little room is a problem; errors in the own log are counted."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    flags["db"].with_name("seatwatch.sqlite.log").write_text('{"level": "error"}\n{"level": "info"}\n')

    report = examine(flags, NOW)

    assert (of(report, "free space").level, of(report, "free space").what[:4]) == ("problem", "5 MB")
    assert of(report, "own log").facts == {"exists": True, "lines": 2, "errors": 1}


def test_a_look_that_is_refused_is_a_finding(flags: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's refusal ends one look and not the examination."""

    def refused(_path: object) -> Finding:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module, "database_finding", refused)

    report = examine(flags, NOW)

    assert of(report, "database").what == "It cannot be looked at: Permission denied."
    assert of(report, "own log").level == "ok"


def test_the_command_ends_with_0_whatever_it_finds(flags: dict[str, Any], tmp_path: Path) -> None:
    """It was asked to look and it did; a script reads the number of problems."""
    flags["logs"].joinpath("main.log").unlink()
    arguments = ("doctor", "--logs", str(flags["logs"]), "--db", str(flags["db"]), "--port", "0")

    told, printed = ended(*arguments, "--json"), ended(*arguments)

    assert (told.code, told.err, printed.code, printed.err) == (0, "", 0, "")
    assert json.loads(told.out)["problems"] == 1
    assert printed.out.endswith("Things to put right: 1.\n")


def test_the_bundle_names_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark in every place that names a person, a machine or their work: none of it is in any byte of the file."""
    home = tmp_path / f"{MARK}-home"
    logs = home / MARK / "logs"
    logs.mkdir(parents=True)
    session = f"local_{MARK}-4000"
    lines = (
        f"Starting local session {session} in /Users/{MARK}/{MARK}-project",
        f"[CliGovernor] told {MARK} of {session} '{MARK} one' \"{MARK} two\" /Users/{MARK}/x",
        f"[CliGovernor] told C:\\Users\\{MARK} {MARK.lower()}",
        f"[WarmLifecycle:{MARK}] {MARK}@{MARK}.example {MARK.upper()}_key=sk-{MARK} 席{MARK}",
        f"[CCD] Pausing {MARK} (session restart)",
        f"[{MARK}] anything",
    )
    (logs / "main.log").write_text("".join(f"2026-10-02 09:00:01 [info] {line}\n" for line in lines))
    (logs / f"{MARK}.log").write_text("x")
    config = home / "config.toml"
    config.write_text(
        f"notify_to = ['json://user:{MARK}@127.0.0.1/x']\ntoken = '{MARK * 8}'\nallow_host = ['{MARK}']\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(platform, "node", lambda: MARK)
    monkeypatch.setattr(module, "config_file", lambda: config)
    bundle = tmp_path / "report.zip"

    told = ended(
        "doctor", "--logs", str(logs), "--db", str(home / f"{MARK}.sqlite"), "--port", "0", "--bundle", str(bundle)
    )

    assert (told.code, told.err) == (0, "")
    with zipfile.ZipFile(bundle) as found:
        inside = "".join(found.read(name).decode() for name in found.namelist())
        assert found.comment == b""
    assert MARK.lower() not in inside.lower()
    assert MARK.lower().encode() not in bundle.read_bytes().lower()
    assert len(json.loads(_shapes(bundle))) == 4


def _shapes(bundle: Path) -> str:
    with zipfile.ZipFile(bundle) as found:
        return found.read("shapes.json").decode()
