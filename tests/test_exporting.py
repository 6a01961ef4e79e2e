"""``seatwatch export``: the files of ``/share`` from a log folder."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.errors import WrongUsage
from app.exporting import Order, export, scene_at
from app.reading import FolderReading, read_folder
from app.web.share_files import FORMS
from tests.commands import Ended, ended

ID = "local_0decade1-feed-4bad-8cab-00facade1234"
OTHER = "local_beaded00-1111-4bad-8cab-00facade5678"
TITLE, SECRET = "Quasar takeover", "quasar"
TRACES = (SECRET, *ID.removeprefix("local_").split("-"), "beaded00", "local_", "main.log", "/users")
"""What no file may have, in small letters."""


def line(clock: str, body: str) -> str:
    """A line of the app's log."""
    return f"2026-10-02 {clock} [info] {body}\n"


STORY = "".join(
    (
        line("08:00:00", "Starting app {\n  appVersion: '2.9939.4',\n  platform: 'darwin',\n  arch: 'arm64'\n}"),
        line("08:00:10", f"Starting local session {ID} in /Users/{SECRET}/{SECRET}-macbook/{SECRET}-folder"),
        line("08:00:11", f"Sending message to session {ID}"),
        line("08:05:00", f"[CCD CycleHealth] healthy cycle for {ID} (67s, hadFirstResponse=true)"),
        line("08:06:00", f"Starting local session {OTHER} in /Users/{SECRET}/x"),
        line("08:06:05", f"Sending message to session {OTHER}"),
        line("08:20:00", f"[CliGovernor] {SECRET}@mail.example at {SECRET}-macbook said something"),
        line("08:30:00", f"[CliGovernor] at cap=8; evicting {ID} (idle 1500s) for warm spawn"),
        line("08:30:00", f"[CCD] Pausing session {ID} (governor_evict)"),
        line("08:58:00", f"[{SECRET}] a line that nobody knows"),
    )
)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log folder in which every field that could tell whose it is says so, with titles beside it."""
    folder = tmp_path / f"{SECRET}-home" / "logs"
    folder.mkdir(parents=True)
    (folder / "main.log").write_text(STORY)
    place = folder.parent / "claude-code-sessions" / f"{SECRET}-account" / f"{SECRET}-org"
    place.mkdir(parents=True)
    (place / f"{ID}.json").write_text(json.dumps({"sessionId": ID, "title": TITLE}))
    return folder


@pytest.fixture
def reading(logs: Path) -> FolderReading:
    """The folder, read once."""
    return read_folder(logs, UTC)


def run(logs: Path, out: Path, *arguments: str) -> Ended:
    """The command, with the log's zone set."""
    return ended("export", str(logs), "--out", str(out), "--tz", "UTC", *arguments)


def unpacked(made: bytes) -> bytes:
    """A file in small letters, without the face it carries, and with what a PNG packs beside it."""
    parts = [re.sub(rb"base64,[\w+/=]+", b"", made)]
    for match in re.finditer(b"(?:IDAT|zTXt|iTXt|iCCP)", made):
        body = made[match.end() :]
        unzip = zlib.decompressobj()
        try:
            parts.append(unzip.decompress(body))
        except zlib.error:
            continue
    return b"".join(parts).lower()


@pytest.mark.parametrize("suffix", FORMS)
def test_no_file_tells_whose_it_is(logs: Path, tmp_path: Path, suffix: str) -> None:
    """From a log full of markers no marker comes into any file, in whatever form and wherever in it."""
    out = tmp_path / f"shared.{suffix}"
    told = run(logs, out)
    made = out.read_bytes()

    assert (told.code, told.err) == (0, "")
    assert told.out == f"Wrote {out}\n"
    assert [trace for trace in TRACES if trace.encode() in unpacked(made)] == []
    assert suffix == "png" or b"Session A" in made


@pytest.mark.parametrize("suffix", [suffix for suffix in FORMS if suffix != "png"])
def test_with_titles_nothing_but_titles(logs: Path, tmp_path: Path, suffix: str) -> None:
    """With ``--titles`` the title is there; a session without one keeps its letter, for its folder stays away."""
    out = tmp_path / f"shared.{suffix}"
    run(logs, out, "--titles")
    made = unpacked(out.read_bytes())

    assert TITLE.lower().encode() in made
    assert suffix == "csv" or b"session b" in made
    assert [trace for trace in TRACES if trace.encode() in made.replace(TITLE.lower().encode(), b"")] == []


def test_the_story_is_told(logs: Path, tmp_path: Path) -> None:
    """Seats, sessions and events are those of the log at its last line."""
    out = tmp_path / "shared.json"
    run(logs, out)
    plain = json.loads(out.read_text("utf-8"))

    assert plain["at"] == "2026-10-02T08:58:00+00:00"
    assert plain["seats"] == {"taken": 1, "cap": 8, "cap_origin": "log"}
    assert [(one["name"], one["phase"]) for one in plain["sessions"]] == [
        ("Session A", "evicted"),
        ("Session B", "working"),
    ]
    assert [event["kind"] for event in plain["events"]] == ["app_started", "evicted_for_seat"]


def test_a_moment_of_the_past(logs: Path, tmp_path: Path) -> None:
    """``--at``, and a window that ends before the last line, show what was true then."""
    out = tmp_path / "shared.json"
    run(logs, out, "--at", "2026-10-02T08:10")
    by_moment = json.loads(out.read_text("utf-8"))
    run(logs, out, "--from", "2026-10-02T08:01", "--to", "2026-10-02T08:10")
    by_window = json.loads(out.read_text("utf-8"))

    assert by_moment["seats"]["taken"] == by_window["seats"]["taken"] == 2
    assert by_moment["at"] == by_window["at"] == "2026-10-02T08:10:00+00:00"
    assert by_window["from"] == "2026-10-02T08:01:00+00:00"


def test_a_file_that_is_there_is_replaced(logs: Path, tmp_path: Path) -> None:
    """Running it again writes the same name anew and says that something was there; nothing else is left behind."""
    out = tmp_path / "out" / "shared.csv"
    out.parent.mkdir()
    first, second = run(logs, out), run(logs, out)

    assert (first.out, second.out) == (f"Wrote {out}\n", f"Replaced {out}\n")
    assert [path.name for path in out.parent.iterdir()] == ["shared.csv"]


def test_language_theme_and_form(logs: Path, tmp_path: Path) -> None:
    """``--lang``, ``--theme`` and ``--format`` decide what the name leaves open."""
    out = tmp_path / "shared"
    told = run(logs, out, "--lang", "ja", "--theme", "light", "--format", "SVG")
    made = out.read_text("utf-8")

    assert told.code == 0
    assert "タスク A" in made
    assert 'fill="#f6f5f1"' in made


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "gif"], "'gif' names no form"),
        (["--range", "3h"], "There is no range"),
        (["--from", "tomorrow"], "is no time such as"),
        (["--theme", "pink"], "no theme 'pink'"),
        (["--lang", "tlh"], "no language 'tlh'"),
        (["--at", "2026-10-01T00:00"], "does not reach back"),
        (["--at", "noon"], "makes no sense"),
    ],
)
def test_what_makes_no_sense(logs: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    """A wrong flag ends with exit 2 and three lines: what, why, what to do; nothing is written."""
    told = run(logs, tmp_path / "shared.png", *arguments)

    assert told.code == 2
    assert words in told.err
    assert len(told.err.splitlines()) == 3
    assert not (tmp_path / "shared.png").exists()


def test_a_name_without_a_form(logs: Path, tmp_path: Path) -> None:
    """A name that ends with no known form is refused with the list of forms."""
    told = run(logs, tmp_path / "shared.gif")

    assert told.code == 2
    assert "png, svg, html, csv, json, trace.json" in told.err


@pytest.mark.parametrize("place", ["missing/shared.csv", "folder.csv"])
def test_a_place_that_cannot_be_written(place: str, logs: Path, tmp_path: Path) -> None:
    """A folder that is not there, or one in the file's place, is said with the system's reason; nothing is left."""
    (tmp_path / "folder.csv").mkdir()
    before = sorted(tmp_path.iterdir())
    told = run(logs, tmp_path / place)

    assert told.code == 2
    assert "cannot be written" in told.err
    assert sorted(tmp_path.iterdir()) == before


def test_no_logs(tmp_path: Path) -> None:
    """Without a log folder it ends like every command: exit 3."""
    assert run(tmp_path / "none", tmp_path / "shared.csv").code == 3


def test_pictures_of_two_moments_agree(reading: FolderReading) -> None:
    """A session has the letter of its place in the log in each file, whoever holds a seat at the moment it shows."""
    asked: Mapping[str, str] = {"range": "15m"}
    early = scene_at(reading, UTC, datetime(2026, 10, 2, 8, 10, tzinfo=UTC), asked)
    late = scene_at(reading, UTC, reading.last_at, {})

    assert [(one.order, letter) for letter, one in early.state.sessions.items()] == [(0, "A"), (1, "B")]
    assert [(one.order, letter) for letter, one in late.state.sessions.items()] == [(0, "A"), (1, "B")]


def test_export_says_what_it_wrote(reading: FolderReading, tmp_path: Path) -> None:
    """The form that was chosen comes back, and an unknown one raises before anything is read or written."""
    form, replaced = export(reading, UTC, None, {}, Order(tmp_path / "a.trace.json"))

    assert (form.suffix, replaced) == ("trace.json", False)
    with pytest.raises(WrongUsage):
        export(reading, UTC, None, {}, Order(tmp_path / "a"))
