"""Log folders with known truth: what the command line prints of them is that truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli import cli
from tests.golden import CASES, DATA, main, write
from tests.truth import report_differences

LARGEST_BYTES = 64_000


def asked(*arguments: str) -> dict[str, Any]:
    """The JSON that a command prints, run in this process."""
    ran = CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False)
    assert ran.exit_code == 0
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def expected(name: str) -> dict[str, Any]:
    """The truth of a case."""
    truth: dict[str, Any] = json.loads((DATA / name / "expected.json").read_text("utf-8"))
    return truth


@pytest.mark.parametrize("name", CASES)
def test_inspect_tells_the_truth(name: str) -> None:
    """Cap, seats, phases, protections, silences, ranking, counts and VM are the simulation's own."""
    truth = expected(name)

    report = asked("inspect", str(DATA / name), "--at", truth["at"], "--tz", truth["tz"])

    assert report_differences(truth, report) == []
    assert report["counts"]["unrecognized"] == 0


@pytest.mark.parametrize("name", CASES)
def test_why_tells_the_truth(name: str) -> None:
    """Of each session that stopped, `why` gives the reason, and lines of the log that are there word for word."""
    truth = expected(name)
    stopped = {session: so["why"] for session, so in truth["sessions"].items() if so["why"]}
    assert stopped

    for session, verdict in stopped.items():
        answer = asked("why", session, "--logs", str(DATA / name), "--at", truth["at"], "--tz", truth["tz"])
        assert (answer["session"], answer["verdict"]) == (session, verdict)
        assert answer["evidence"]
        for one in answer["evidence"]:
            row = (DATA / name / one["source"]).read_text("utf-8").split("\n")[one["line"] - 1]
            assert one["text"] in row


def test_cases_are_what_they_are_named_for() -> None:
    """Line ends of both sorts, archives that overlap, starts of the app, and lines that closed nothing are there."""
    windows = (DATA / "windows_line_ends" / "main.log").read_bytes()
    assert 0 < windows.count(b"\r\n") < windows.count(b"\n")
    older, newer = (
        (DATA / "rotated_with_overlap" / name).read_bytes().splitlines() for name in ("main1.log", "main.log")
    )
    assert older[-1] in newer
    assert (DATA / "restarts" / "main.log").read_bytes().count(b"Starting app {") > 3
    assert expected("warns_only")["evicts_for_real"] is False


@pytest.mark.parametrize("name", CASES)
def test_cases_stay_small(name: str) -> None:
    """Each holds a log and its truth, in files small enough to be read by a person."""
    files = list((DATA / name).iterdir())

    assert {"main.log", "expected.json"} <= {file.name for file in files}
    assert sum(file.stat().st_size for file in files) < LARGEST_BYTES


def test_cases_are_rewritten_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the flag nothing is written; with it, every case is."""
    monkeypatch.setattr("tests.golden.DATA", tmp_path)
    with pytest.raises(SystemExit):
        main([])
    assert "--rewrite" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

    main(["--rewrite"])

    assert {folder.name for folder in tmp_path.iterdir()} == set(CASES)
    assert all((tmp_path / name / "expected.json").is_file() for name in CASES)


def test_writing_a_case_makes_its_folder_anew(tmp_path: Path) -> None:
    """What lay in the folder is gone, and writing twice gives the same bytes."""
    name = "restarts"
    (tmp_path / name).mkdir()
    (tmp_path / name / "main9.log").write_bytes(b"old")
    write(tmp_path / name, CASES[name])
    first = {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}

    write(tmp_path / name, CASES[name])

    assert {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} == first
    assert "main9.log" not in first
