"""Files that a log should never be: each gives a clear answer, loses nothing, and ends with the right exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.reading import read_folder
from tests.commands import Ended, ended
from tests.e2e.served import SESSION
from tests.golden import DATA

HOSTILE = DATA / "hostile"
READABLE = {
    "ansi_and_script": (1, 2),
    "bad_utf8": (2, 1),
    "carriage_returns": (2, 0),
    "nonsense_numbers": (2, 0),
    "nul": (2, 0),
    "unknown_lines": (2, 3),
}
"""Of each folder that is a log in spite of all: the seats that are taken and the lines that no pattern knows."""
NO_LOG = ("binary", "empty", "half_a_line")
LONG_LINE_BYTES = 200_000


def report(folder: Path) -> dict[str, Any]:
    """What ``inspect --json`` prints of a folder."""
    told = ended("inspect", str(folder), "--tz", "UTC", "--json")
    assert (told.code, told.err) == (0, "")
    found: dict[str, Any] = json.loads(told.out)
    return found


def assert_clear(told: Ended, code: int) -> None:
    """Expect what, why and what to do on stderr, three lines and no traceback, and nothing on stdout."""
    assert told.code == code
    assert told.out == ""
    assert len(told.err.splitlines()) == 3
    assert "Traceback" not in told.err


def test_every_folder_is_tested() -> None:
    """A folder that is put there is in one of the two lists."""
    assert {folder.name for folder in HOSTILE.iterdir()} == {*READABLE, *NO_LOG}


@pytest.mark.parametrize("name", READABLE)
def test_what_can_be_read_is_read(name: str) -> None:
    """The sessions around the damage are known, unknown lines are counted, and every line of the file is."""
    seats, unrecognized = READABLE[name]

    found = report(HOSTILE / name)

    assert found["seats"]["taken"] == seats
    assert found["counts"]["unrecognized"] == unrecognized
    assert found["app"]["version"] == "2.26454.0"
    data = (HOSTILE / name / "main.log").read_bytes()
    assert [(one["lines"], one["bytes"]) for one in found["sources"]] == [(data.count(b"\n"), len(data))]
    assert read_folder(HOSTILE / name, ZoneInfo("UTC")).tally.lines == data.count(b"\n")


@pytest.mark.parametrize("name", READABLE)
def test_nothing_that_commands_a_terminal_is_printed(name: str) -> None:
    """Escapes, bells and backspaces of a log stay in the log, in tables and in JSON."""
    printed = "".join(
        ended(*command, "--tz", "UTC", *as_json).out
        for command in (
            ("inspect", str(HOSTILE / name)),
            ("why", SESSION.format(1), "--logs", str(HOSTILE / name)),
            ("why", "--logs", str(HOSTILE / name)),
        )
        for as_json in ((), ("--json",))
    )

    assert printed
    assert {char for char in printed if ord(char) < 32 or 127 <= ord(char) < 160} == {"\n"}


@pytest.mark.parametrize("name", NO_LOG)
def test_what_is_no_log_is_said_to_be_none(name: str) -> None:
    """Exit code 3 and the name of the file, instead of a state with nothing in it."""
    told = ended("inspect", str(HOSTILE / name))

    assert_clear(told, 3)
    assert str(HOSTILE / name / "main.log") in told.err


def test_script_is_told_as_the_text_it_is() -> None:
    """Who asks why gets the line word for word, its tags included and its escapes gone."""
    told = ended("why", SESSION.format(2), "--logs", str(HOSTILE / "ansi_and_script"), "--tz", "UTC", "--json")
    answer = json.loads(told.out)

    assert answer["verdict"] == "evicted_for_memory"
    assert answer["evidence"][0]["text"].endswith("(idle 99s) hidden <img src=x onerror=alert(1)>")


def test_a_line_of_200_kb_is_counted_and_cut(tmp_path: Path) -> None:
    """It is one line, unknown as it is, and what follows it is read as ever."""
    known = (HOSTILE / "nul" / "main.log").read_bytes()
    stamp = b"2026-10-02 09:00:05 [info] "
    long = stamp + b"[CliGovernor] " + b"x" * LONG_LINE_BYTES + b"\n"
    after = stamp + f"Starting local session {SESSION.format(3)} in /Users/someone/p3\n".encode()
    (tmp_path / "main.log").write_bytes(known + long + after)

    found = report(tmp_path)

    assert found["seats"]["taken"] == 3
    assert found["counts"]["unrecognized"] == 1
    assert found["sources"][0]["lines"] == known.count(b"\n") + 2
    texts = [one.text for one in read_folder(tmp_path, ZoneInfo("UTC")).observed]
    assert max(map(len, texts)) < LONG_LINE_BYTES


def test_files_of_other_names_are_left_alone(tmp_path: Path) -> None:
    """A folder may hold anything beside the logs: folders of their names, links to nowhere, other files."""
    (tmp_path / "main.log").write_bytes((HOSTILE / "nul" / "main.log").read_bytes())
    (tmp_path / "main1.log").mkdir()
    (tmp_path / "cowork_vm_node.log").symlink_to(tmp_path / "nowhere")
    (tmp_path / "main99999.log").write_text("2026-10-02 09:00:01 [info] [CliGovernor] not ours\n")
    (tmp_path / "mcp.log").write_bytes(b"\xff\x00")

    found = report(tmp_path)

    assert found["seats"]["taken"] == 2
    assert [Path(one["path"]).name for one in found["sources"]] == ["main.log"]
