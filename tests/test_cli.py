"""The ``seatwatch`` command: what it prints, where it prints it, and how it ends."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app import __version__, main, settings
from app.cli import cli
from app.ingest import discovery
from app.storage.store import Store
from tests.commands import Ended, ended
from tests.golden import DATA
from tests.test_explain import SIGN_OF_LIFE, A, B, line
from tests.test_explain import STORY as TOLD

STORY = TOLD + line("09:59:59", SIGN_OF_LIFE)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log folder in which one session was closed and another was only named, with the titles of both beside it."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "main.log").write_text(STORY)
    for session, title in ((A, "Tax folder"), (B, "Tax letters")):
        place = tmp_path / "claude-code-sessions" / "account" / "org"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{session}.json").write_text(json.dumps({"sessionId": session, "title": title}))
    return folder


def shell(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own."""
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=50, check=False, env={**os.environ, **env}
    )


def assert_error(told: Ended, code: int, *words: str) -> None:
    """Expect an exit code and three lines on stderr (what, why, what to do) with these words, and nothing else."""
    assert (told.code, told.out) == (code, "")
    assert len(told.err.splitlines()) == 3
    assert "Traceback" not in told.err
    for word in words:
        assert word in told.err


def inspected(*arguments: str) -> dict[str, Any]:
    """What ``inspect --json`` prints."""
    told = ended("inspect", *arguments, "--json")
    assert (told.code, told.err) == (0, "")
    found: dict[str, Any] = json.loads(told.out)
    return found


def explained(*arguments: str) -> dict[str, Any]:
    """What ``why --json`` prints."""
    told = ended("why", *arguments, "--tz", "UTC", "--json")
    assert (told.code, told.err) == (0, "")
    found: dict[str, Any] = json.loads(told.out)
    return found


def test_version() -> None:
    """One line, and no command is needed."""
    ran = CliRunner().invoke(cli, ["--version"])

    assert (ran.exit_code, ran.stdout) == (0, f"seatwatch {__version__}\n")


def test_without_a_command_the_help_is_shown() -> None:
    """Every command is listed."""
    ran = CliRunner().invoke(cli, [])

    assert all(name in ran.output for name in ("serve", "inspect", "why", "demo"))


@pytest.mark.parametrize(
    "arguments", [["--nonsense"], ["nonsense"], ["serve", "--nonsense"], ["serve", "--port", "x"], ["demo"]]
)
def test_a_wrong_flag_is_wrong_usage(arguments: list[str]) -> None:
    """Exit code 2, and nothing on stdout."""
    told = ended(*arguments)

    assert (told.code, told.out) == (2, "")
    assert "Error" in told.err


def test_inspect_prints_a_table_for_people(logs: Path) -> None:
    """The seats, the sessions by their titles, and what was counted."""
    told = ended("inspect", str(logs), "--tz", "UTC")

    assert (told.code, told.err) == (0, "")
    assert "1/8 seats taken, cap from the log" in told.out
    assert "Tax folder" in told.out
    assert "Counted in 12 lines" in told.out


def test_inspect_prints_an_object_for_programs(logs: Path) -> None:
    """Without a moment it judges from the last line."""
    report = inspected(str(logs), "--tz", "Asia/Tokyo")

    assert report["at"] == "2026-10-02T09:59:59+09:00"
    assert report["seats"]["taken"] == 1
    assert {one["id"]: one["title"] for one in report["sessions"]} == {A: "Tax folder", B: "Tax letters"}


@pytest.mark.parametrize(
    ("at", "seats", "closed"),
    [
        ("2026-10-02T08:00:00", 0, 0),
        ("2026-10-02T09:10:00", 2, 0),
        ("2026-10-02T18:10:00+09:00", 2, 0),
        ("2026-10-02 09:30:00", 1, 1),
        ("2026-10-03", 1, 1),
    ],
)
def test_inspect_judges_from_any_moment(at: str, seats: int, closed: int, logs: Path) -> None:
    """Before the log nothing is known; within it what was said by then; after it what was said last."""
    report = inspected(str(logs), "--tz", "UTC", "--at", at)

    assert (report["seats"]["taken"], report["counts"]["evicted"]["pressure"]) == (seats, closed)
    assert datetime.fromisoformat(report["at"]).utcoffset() == timedelta()


@pytest.mark.parametrize("at", ["yesterday", "", "2026-13-01", "25:00"])
@pytest.mark.parametrize("command", ["inspect", "why"])
def test_a_moment_that_makes_no_sense(command: str, at: str, logs: Path) -> None:
    """The form that it should have is shown."""
    folder = [str(logs)] if command == "inspect" else ["--logs", str(logs)]

    assert_error(ended(command, *folder, "--at", at), 2, repr(at), "2026-10-02T13:41:30+09:00")


@pytest.mark.parametrize("command", ["inspect", "why", "serve"])
def test_a_zone_that_makes_no_sense(command: str) -> None:
    """Each command says which setting it was and where it was given."""
    assert_error(ended(command, "--tz", "Mars/Olympus"), 2, "'tz'", "Mars/Olympus", "--tz")


@pytest.mark.parametrize("meant", [B, B.removeprefix("local_"), "bbbbbbbb", "Tax letters", "LETTERS"])
def test_why_takes_an_id_its_beginning_or_a_title(meant: str, logs: Path) -> None:
    """All of them mean the session that was closed to free memory."""
    answer = explained(meant, "--logs", str(logs))

    assert (answer["session"], answer["title"], answer["verdict"]) == (B, "Tax letters", "evicted_for_memory")
    assert [one["line"] for one in answer["evidence"]] == [8, 9]


def test_why_for_people(logs: Path) -> None:
    """The verdict in a sentence and the lines that prove it."""
    told = ended("why", "letters", "--logs", str(logs), "--tz", "UTC")

    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("Tax letters\nIt was closed to free memory. Its conversation is kept. (certain)\n")


def test_why_of_an_ambiguous_title(logs: Path) -> None:
    """Both are named with their ids, to choose from."""
    assert_error(ended("why", "tax", "--logs", str(logs)), 2, "more than one", A, B)


def test_why_of_nobody(logs: Path) -> None:
    """Who is known is named."""
    assert_error(ended("why", "nobody", "--logs", str(logs)), 2, "There is no session 'nobody'.", A, B)


def test_why_without_a_session_is_about_a_time(logs: Path) -> None:
    """What stopped near it, else that nothing did."""
    near = explained("--logs", str(logs), "--at", "2026-10-02T09:25:00")
    far = explained("--logs", str(logs))

    assert (near["session"], [one["session"] for one in near["stops"]]) == (B, [B])
    assert (far["session"], far["stops"]) == (None, [])


def test_why_of_a_time_outside_the_log(logs: Path) -> None:
    """Before it the log cannot answer, and says what it covers; after it nothing stopped."""
    early = ended("why", "--logs", str(logs), "--tz", "UTC", "--at", "2026-10-01")
    late = explained("--logs", str(logs), "--at", "2026-11-01")

    assert_error(early, 2, "does not reach back to 2026-10-01 00:00:00", "2026-10-02 09:00:01 to 2026-10-02 09:59:59")
    assert late["note"] == "Nothing stopped within ten minutes of that time."


def places(tmp_path: Path) -> dict[str, Path]:
    """Folders in which nothing can be read."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    return {"missing": tmp_path / "missing", "empty": tmp_path / "empty", "file": tmp_path / "file"}


@pytest.mark.parametrize("place", ["missing", "empty", "file"])
@pytest.mark.parametrize("command", ["serve", "inspect", "why"])
def test_nothing_to_read(command: str, place: str, tmp_path: Path) -> None:
    """Exit code 3 and the place that was looked in, for every command that reads."""
    folder = places(tmp_path)[place]
    arguments = [str(folder)] if command == "inspect" else ["--logs", str(folder)]
    more = ["--port", "0", "--db", str(tmp_path / "db.sqlite")] if command == "serve" else []

    assert_error(ended(command, *arguments, *more), 3, str(folder))


@pytest.mark.parametrize("command", ["serve", "inspect"])
def test_a_folder_that_may_not_be_read(command: str, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own word is given, and what to do about it."""

    def refuse(_folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(discovery, "look", refuse)
    arguments = [str(logs)] if command == "inspect" else ["--logs", str(logs), "--port", "0"]

    assert_error(ended(command, *arguments), 3, str(logs), "Permission denied")


def test_inspect_without_any_logs_names_the_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where it looked is where the app would write."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")

    assert_error(ended("inspect"), 3, str(tmp_path / "Claude" / "logs"), "--logs")


def test_serve_hands_on_what_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every flag becomes a setting; one that was not given leaves room for the environment."""
    given: list[settings.Settings] = []
    monkeypatch.setattr(main, "serve", given.append)
    monkeypatch.setenv("SEATWATCH_DEMO", "true")

    plain = ended("serve", "--logs", "here", "--host", "127.0.0.2", "--port", "0", "--db", "x.sqlite", "--no-open")

    assert plain.code == 0
    assert (given[0].logs, given[0].host, given[0].port) == (Path("here"), "127.0.0.2", 0)
    assert (given[0].database, given[0].demo, given[0].open_browser) == (Path("x.sqlite"), True, False)


def test_serving_has_its_garbage_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was imported is set aside from it, and it is on again by the time anything runs."""
    seen: list[tuple[bool, int]] = []
    monkeypatch.setattr(main, "serve", lambda _settings: seen.append((gc.isenabled(), gc.get_freeze_count())))
    try:
        ended("serve", "--logs", "here")
    finally:
        gc.unfreeze()

    assert seen[0][0]
    assert seen[0][1] > 10_000


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_that_is_taken(taken: int, logs: Path) -> None:
    """Exit code 4, and the port by its number."""
    told = ended("serve", "--logs", str(logs), "--port", str(taken))

    assert_error(told, 4, f"Port {taken} of 127.0.0.1 is taken.")


def test_a_database_that_is_held(logs: Path, tmp_path: Path) -> None:
    """Exit code 4, and the database by its path."""
    path = tmp_path / "seatwatch.sqlite"
    with Store.open(path, settings.resource_dir("migrations")):
        told = ended("serve", "--logs", str(logs), "--port", "0", "--db", str(path))

    assert_error(told, 4, f"The database {path} is in use.")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something of ours that fails."""

    def divide(*_arguments: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(settings, "find_logs", divide)


@pytest.mark.usefixtures("broken")
def test_a_fault_of_ours_is_told_in_words() -> None:
    """Exit code 1, what it was, and how to see more."""
    assert_error(ended("inspect"), 1, "a mistake of its own", "ZeroDivisionError: a bug", "--debug")


@pytest.mark.usefixtures("broken")
def test_debug_shows_the_traceback() -> None:
    """For a fault of ours, and for an error of usage too; the words follow as ever."""
    fault = ended("--debug", "inspect")
    usage = ended("--debug", "inspect", "--tz", "Mars/Olympus")

    assert (fault.code, usage.code) == (1, 2)
    assert fault.err.startswith("Traceback")
    assert "ZeroDivisionError: a bug" in fault.err
    assert "Traceback" in usage.err
    assert "'tz'" in usage.err.splitlines()[-3]


def test_exit_codes_of_the_process(logs: Path, tmp_path: Path) -> None:
    """What a shell sees is what this process sees."""
    found = {
        name: shell(*arguments)
        for name, arguments in {
            "version": ["--version"],
            "inspect": ["inspect", str(logs), "--json"],
            "usage": ["inspect", "--nonsense"],
            "missing": ["serve", "--logs", str(tmp_path / "missing"), "--port", "0"],
        }.items()
    }

    assert {name: ran.returncode for name, ran in found.items()} == {
        "version": 0, "inspect": 0, "usage": 2, "missing": 3,
    }  # fmt: skip
    assert json.loads(found["inspect"].stdout)["seats"]["taken"] == 1
    assert len(found["missing"].stderr.splitlines()) == 3
    assert found["missing"].stdout == ""


def test_a_narrow_encoding_spells_out_what_it_lacks(logs: Path, tmp_path: Path) -> None:
    """A pipe of another code page gets every title all the same, and JSON that is JSON."""
    place = tmp_path / "claude-code-sessions" / "account" / "org" / f"{A}.json"
    place.write_text(json.dumps({"sessionId": A, "title": "確定申告 😀 é"}))

    table = shell("inspect", str(logs), PYTHONIOENCODING="ascii")
    plain = shell("inspect", str(logs), "--json", PYTHONIOENCODING="ascii")
    full = shell("inspect", str(logs), "--json", PYTHONIOENCODING="utf-8")

    assert (table.returncode, plain.returncode, full.returncode) == (0, 0, 0)
    assert "\\u78ba" in table.stdout
    assert json.loads(plain.stdout) == json.loads(full.stdout)
    assert "確定申告 😀 é" in full.stdout
    assert plain.stdout.isascii()


def test_reading_changes_nothing(tmp_path: Path) -> None:
    """Size, times and rights of every file and of the folder are what they were; none came and none went."""
    folder = tmp_path / "logs"
    shutil.copytree(DATA / "rotated_with_overlap", folder)

    def facts() -> dict[str, tuple[int, ...]]:
        seen = {path: path.stat() for path in [folder, *folder.iterdir()]}
        return {str(p): (s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_mode) for p, s in seen.items()}

    before = facts()
    assert inspected(str(folder))["seats"]["taken"] > 0
    assert ended("why", "--logs", str(folder)).code == 0

    assert facts() == before


def test_demo_writes_until_it_is_interrupted(tmp_path: Path) -> None:
    """As a process: it says how to see the logs, writes on, and ends with exit code 0."""
    folder = tmp_path / "made-up"
    command = [sys.executable, "-m", "app", "demo", "--write", str(folder), "--speed", "600", "--tz", "Asia/Tokyo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(2)]
        process.send_signal(signal.SIGINT)
        rest, err = process.communicate(timeout=20)

    assert (process.returncode, rest, err) == (0, "Ended.\n", "")
    assert told[1] == f"  seatwatch serve --logs {folder} --tz Asia/Tokyo\n"
    report = inspected(str(folder), "--tz", "Asia/Tokyo")
    assert report["sessions"]


def test_demo_leaves_the_logs_of_others_alone(logs: Path) -> None:
    """A folder with logs that no demo wrote is refused, by the name of the log, and nothing in it changes."""
    assert_error(ended("demo", "--write", str(logs)), 2, str(logs), "main.log")

    assert (logs / "main.log").read_text() == STORY
    assert [path.name for path in logs.iterdir()] == ["main.log"]


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "fast"])
def test_a_speed_that_moves_no_clock(speed: str, tmp_path: Path) -> None:
    """It is refused before anything is written."""
    assert ended("demo", "--write", str(tmp_path / "new"), "--speed", speed).code == 2
    assert not (tmp_path / "new").exists()
