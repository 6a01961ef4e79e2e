"""The desktop: what is shown through the library, and what is told where there is no desktop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.notices import Letter
from app.errors import Undelivered
from app.notify import desktop
from app.notify.desktop import Desktop, show_by_script
from tests.notify.hanging import hangs, is_ended_by_cancelling

LETTER = Letter('Seatwatch: "; do shell script "x', "-e $(id) \\ ")


class Library:
    """Stands in for desktop-notifier's object."""

    def __init__(self, *, capable: bool = True, shows: bool = True, broken: bool = False) -> None:
        self.capable, self.shows, self.broken = capable, shows, broken
        self.shown: list[tuple[str, str]] = []

    async def get_capabilities(self) -> frozenset[str]:
        """What the system can show."""
        if self.broken:
            raise ConnectionRefusedError
        return frozenset({"title"}) if self.capable else frozenset()

    async def send(self, title: str, message: str, on_dispatched: Callable[[], Any]) -> None:
        """Show it, or, as the library does, fail without a word."""
        if self.shows:
            self.shown.append((title, message))
            on_dispatched()


def test_a_letter_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Title and text reach the notification centre, through one connection for all letters."""
    library = Library()
    made: list[Library] = []

    def make() -> Library:
        made.append(library)
        return library

    monkeypatch.setattr(desktop, "_notifier", make)

    async def twice() -> None:
        place = Desktop()
        await place.send(LETTER)
        await place.send(LETTER)

    asyncio.run(twice())

    assert library.shown == [(LETTER.title, LETTER.body)] * 2
    assert len(made) == 1


@pytest.mark.parametrize("library", [Library(capable=False), Library(shows=False), Library(broken=True)])
def test_where_nothing_can_be_shown(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """No notification service, one that swallows what it gets, and a broken connection are all told."""
    monkeypatch.setattr(desktop, "_notifier", lambda: library)
    monkeypatch.setattr(sys, "platform", "linux")

    with pytest.raises(Undelivered) as undelivered:
        asyncio.run(Desktop().send(LETTER))
    assert undelivered.value.reason == "no_desktop"


def test_a_mac_shows_it_by_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python may show nothing itself on macOS, the script runner is asked."""
    asked: list[Letter] = []

    async def show(letter: Letter) -> None:
        asked.append(letter)

    monkeypatch.setattr(desktop, "_notifier", lambda: Library(capable=False))
    monkeypatch.setattr(desktop, "show_by_script", show)
    monkeypatch.setattr(sys, "platform", "darwin")
    asyncio.run(Desktop().send(LETTER))

    assert asked == [LETTER]


def test_a_machine_without_a_desktop(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The real library on a machine whose bus is not there: a reason, and no traceback in the terminal."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    monkeypatch.setattr(sys, "platform", "linux")

    with pytest.raises(Undelivered, match="no notification service"):
        asyncio.run(Desktop().send(LETTER))
    assert caplog.text == ""


def test_the_script_gets_texts_as_arguments(tmp_path: Path) -> None:
    """On macOS a hostile title is handed to the script runner as it is, and is no part of the script."""
    told = tmp_path / "told"
    runner = tmp_path / "runner"
    runner.write_text(f"#!{sys.executable}\nimport sys\nopen({str(told)!r}, 'w').write('\\0'.join(sys.argv[1:]))\n")
    runner.chmod(0o700)

    asyncio.run(show_by_script(LETTER, str(runner)))

    *script, title, body = told.read_text("utf-8").split("\0")
    assert (title, body) == (LETTER.title, LETTER.body)
    assert "shell" not in "".join(script)


def test_a_script_that_hangs_is_ended(tmp_path: Path) -> None:
    """When the time is over, the script runner is gone too."""
    told, runner = tmp_path / "pid", tmp_path / "runner"
    runner.write_text(f"#!{sys.executable}\n{hangs(told)}")
    runner.chmod(0o700)

    assert is_ended_by_cancelling(lambda: show_by_script(LETTER, str(runner)), told)


@pytest.mark.parametrize("command", ["false", "no-such-command-anywhere"])
def test_a_script_that_fails_is_told(command: str) -> None:
    """A script runner that is not there or fails has shown nothing."""
    with pytest.raises(Undelivered):
        asyncio.run(show_by_script(LETTER, command))
