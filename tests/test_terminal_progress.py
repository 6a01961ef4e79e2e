"""The line that tells how far the reading is: when it is drawn, what it says, and that it leaves nothing behind."""

from __future__ import annotations

import sys
from datetime import UTC
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from app import reading, terminal_progress
from app.reading import read_folder
from app.terminal_progress import reading_shown
from tests.following import Followed

MB = 1_000_000
ERASED = "\x1b[2K"


class Stream(StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, *, terminal: bool = True) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of eighty columns that can do what most can, whatever the tests run in."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLORTERM", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")


def drawn(stream: Stream, *left: int, step: float = 1.0) -> list[str]:
    """What the line looked like each time it was drawn, without its bar, while so much was ``left`` at each step."""
    ticks = iter(step * n for n in range(1, 1000))
    with reading_shown(stream, lambda: next(ticks)) as tell:
        for one in left:
            tell(one)
    lines = [one.split("━")[0].partition(" \x1b[")[0] for one in stream.getvalue().split("\r" + ERASED)]
    return [" ".join(one.replace("\x1b[?25l", "").split()) for one in lines if "Reading" in one]


def test_it_tells_how_much_is_read() -> None:
    """Megabytes and per cent, from nothing to all."""
    shown = drawn(Stream(), 50 * MB, 19 * MB, 0)

    assert list(dict.fromkeys(shown)) == [
        "Reading 0 of 50 MB 0 %",
        "Reading 31 of 50 MB 62 %",
        "Reading 50 of 50 MB 100 %",
    ]


def test_it_is_one_line_that_is_erased() -> None:
    """Each line is drawn over the last one, and the terminal has its cursor and an empty line in the end."""
    stream = Stream()
    drawn(stream, 50 * MB, 19 * MB, 0)

    written = stream.getvalue()
    assert written.count("\n") == 1  # Rich leaves the line for a moment, and comes back to erase it
    assert written.endswith("\r\x1b[1A" + ERASED)
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")


@pytest.mark.parametrize("left", [0, 1, reading.PIECE_BYTES])
def test_what_is_read_in_one_go_is_not_shown(left: int) -> None:
    """An empty folder and a short history: nothing would ever move."""
    stream = Stream()

    assert drawn(stream, left, 0) == []
    assert stream.getvalue() == ""


def test_what_is_no_terminal_stays_clean() -> None:
    """Nothing is written into a pipe or a file, even if colours are wished for there."""
    stream = Stream(terminal=False)

    assert drawn(stream, 50 * MB, 19 * MB, 0) == []
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("TERM", "unknown"), ("TTY_INTERACTIVE", "0")])
def test_a_terminal_that_cannot_draw_over_a_line_gets_none(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one whose user wants nothing that moves."""
    monkeypatch.setenv(name, value)
    stream = Stream()

    assert drawn(stream, 50 * MB, 0) == []
    assert stream.getvalue() == ""


def test_without_colours_the_bar_is_seen_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where colours are not wanted none is written, and the bar grows from nothing."""
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Stream()
    drawn(stream, 50 * MB, 25 * MB)

    bars = [one.count("━") for one in stream.getvalue().split("\r" + ERASED) if "Reading" in one]
    assert bars[0] == 0
    assert bars[-1] == 20
    assert "\x1b[9" not in stream.getvalue()


@pytest.mark.parametrize("columns", [1, 10, 20, 30, 40, 200])
def test_it_fits_into_any_width(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is broken in two could not be drawn over."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Stream()
    drawn(stream, 50 * MB, 19 * MB)

    lines = stream.getvalue().replace("\x1b[?25l", "").partition("\n")[0].split("\r" + ERASED)
    assert lines
    assert max(len(one) for one in lines) <= columns


def test_a_log_that_grows_meanwhile_is_never_more_than_read() -> None:
    """What comes in while reading makes the rest larger; the line stays between nothing and all."""
    shown = drawn(Stream(), 50 * MB, 60 * MB, 30 * MB, 0)

    assert list(dict.fromkeys(shown)) == [
        "Reading 0 of 50 MB 0 %",
        "Reading 0 of 60 MB 0 %",
        "Reading 30 of 60 MB 50 %",
        "Reading 60 of 60 MB 100 %",
    ]


def test_it_is_drawn_ten_times_a_second_at_most() -> None:
    """Reading in small pieces does not wait for the terminal at each."""
    many = drawn(Stream(), *range(50 * MB, 0, -MB), step=0.01)

    assert 3 <= len(many) <= 9


def test_it_is_erased_when_reading_ends_early() -> None:
    """An error or Ctrl-C leaves no half a line before what is said next."""
    stream = Stream()

    def interrupted() -> None:
        with reading_shown(stream) as tell:
            tell(50 * MB)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert stream.getvalue().endswith(ERASED)


def test_rich_is_not_loaded_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is shown serving does not pay for it."""
    monkeypatch.setitem(sys.modules, "rich.progress", None)  # to import it would be an error

    assert drawn(Stream(terminal=False), 50 * MB, 0) == []
    assert drawn(Stream(), MB, 0) == []


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of a few kilobytes."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "main.log").write_text("2026-10-02 09:00:01 [info] [CCD] nothing\n" * 100)
    return folder


def test_reading_a_folder_tells_what_is_left(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it before the first piece, less after each, and nothing in the end."""
    monkeypatch.setattr(reading, "PIECE_BYTES", 1000)
    told: list[int] = []
    read_folder(logs, UTC, told.append)

    assert told[0] == (logs / "main.log").stat().st_size
    assert told == sorted(told, reverse=True)
    assert len(set(told)) > 3
    assert told[-1] == 0


def test_following_shows_the_history_that_it_reads(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same line while a server catches up, and none at the next start, when nothing is left."""
    monkeypatch.setattr(terminal_progress, "PIECE_BYTES", 1000)
    monkeypatch.setattr(terminal_progress, "STEP_SECONDS", 0.0)
    shown = []
    for _ in range(2):
        stream = Stream()
        followed = Followed(logs, tmp_path / "seatwatch.sqlite")
        followed.pipeline.progress = partial(reading_shown, stream)
        followed.catch_up()
        followed.close()
        shown.append(stream.getvalue())

    assert "100 %" in shown[0]
    assert shown[0].endswith(ERASED)
    assert shown[1] == ""
