"""Notifications for real: an app writes its log, a server follows it, a service gets one message for one cause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.served import SESSION, AppLog, Served, until
from tests.notify.receiver import Receiver

pytestmark = pytest.mark.e2e


@pytest.fixture
def log(tmp_path: Path) -> Iterator[AppLog]:
    """A running app with three sessions, the first of which was closed before anybody watched."""
    app = AppLog(tmp_path / "logs")
    app.start()
    for number in range(3):
        app.begin(number, f"made-up-{number}")
    close(app, 0)
    yield app
    app.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A service."""
    with Receiver() as service:
        yield service


@pytest.fixture
def served(log: AppLog, receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server that tells the service of closed sessions."""
    monkeypatch.setenv("SEATWATCH_NOTIFY", "evicted")
    monkeypatch.setenv("SEATWATCH_NOTIFY_TO", receiver.address)
    monkeypatch.setenv("SEATWATCH_NOTIFY_DESKTOP", "off")
    server = Served(log.folder, tmp_path / "seatwatch.sqlite")
    server.start()
    yield server
    server.kill()


def close(app: AppLog, number: int) -> None:
    """The app closes a session for memory: a line that names it, and the one that closes it."""
    session = SESSION.format(number)
    app.write(
        f"[CliGovernor] pressure evicting {session} (idle 286s)", f"[CCD] Pausing session {session} (governor_evict)"
    )


def titles(receiver: Receiver) -> list[str]:
    """The titles of what arrived."""
    return [post["title"] for post in receiver.posts]


CLOSED = {f"Seatwatch: Session {letter} was closed" for letter in "ABCD"}
"""A session has a letter of its own; which one depends on who had a seat when letters were first asked for."""


def test_one_cause_is_one_message(served: Served, log: AppLog, receiver: Receiver) -> None:
    """A session that is closed is told once, whatever more the log says of it; a restart tells nothing old."""
    until(lambda: len(served.state()["sessions"]) == 3, "the log")
    close(log, 1)
    until(lambda: len(receiver.posts) == 1, "the message")
    # A second line of the same cause, then another cause: were the first told again, it would come before the other.
    log.write(f"[CCD] Pausing session {SESSION.format(1)} (governor_evict)")
    close(log, 2)
    until(lambda: len(receiver.posts) == 2, "the second message")

    first, second = titles(receiver)
    assert {first, second} < CLOSED
    assert first != second
    assert "made-up" not in str(receiver.posts)
    served.stop()
    log.begin(3, "made-up-3")
    served.start()
    close(log, 3)
    until(lambda: len(receiver.posts) == 3, "the message after the restart")
    assert titles(receiver)[2] in CLOSED
