"""``seatwatch demo``: what is written and said, and how it ends."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Never
from zoneinfo import ZoneInfo

import pytest

from app.demo import command
from app.demo.command import write_demo
from app.demo.writer import DemoWriter
from app.errors import WrongUsage


def _interrupt(_seconds: float) -> Never:
    raise KeyboardInterrupt


def _threads_that(wait: Any) -> Any:
    """A stand-in for `threading` of which the main thread's wait does something else."""
    return SimpleNamespace(Event=lambda: SimpleNamespace(wait=wait))


@pytest.mark.parametrize(("zone", "name"), [(ZoneInfo("Asia/Tokyo"), "Asia/Tokyo"), (UTC, "UTC")])
def test_the_demo_writes_until_it_is_interrupted(
    zone: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says how to see the logs, in which zone, and ends in a word."""
    monkeypatch.setattr(command, "threading", _threads_that(_interrupt))

    write_demo(tmp_path / "made up", 1, 1, zone)

    out = capsys.readouterr().out
    assert f"seatwatch serve --logs {tmp_path / 'made up'} --tz {name}\n" in out
    assert out.endswith("Ended.\n")
    assert (tmp_path / "made up" / "main.log").stat().st_size > 1000


def test_a_demo_that_cannot_write_says_so(tmp_path: Path) -> None:
    """A file where the folder should be is a matter of the name that was given."""
    (tmp_path / "file").write_text("")

    with pytest.raises(WrongUsage, match="cannot write into") as caught:
        write_demo(tmp_path / "file", 1, 1, UTC)

    assert "--write" in caught.value.todo


def test_a_demo_that_fails_later_does_not_go_on_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up ends the thread that writes, and with it the command."""
    writers: list[Any] = []

    class Writer(DemoWriter):
        def start(self) -> None:
            writers.append(self)

    def fill_up(_seconds: float) -> None:
        writers[0].failure = OSError(28, "No space left on device")

    monkeypatch.setattr(command, "DemoWriter", Writer)
    monkeypatch.setattr(command, "threading", _threads_that(fill_up))

    with pytest.raises(WrongUsage, match="No space left on device"):
        write_demo(tmp_path / "logs", 1, 1, UTC)
