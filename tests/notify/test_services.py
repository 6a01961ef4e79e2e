"""Services: a process for each letter, which ends with it, and whose every end has a reason."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.core.notices import Letter
from app.errors import Undelivered
from app.notify.services import Service, ask, problem_of
from tests.notify.hanging import hangs, is_ended_by_cancelling
from tests.notify.receiver import Receiver

LETTER = Letter("Seatwatch: a test", "Notifications arrive here. 届きます。")


def sender(folder: Path, code: str) -> Path:
    """A sender of this code."""
    path = folder / "send.py"
    path.write_text(code, "utf-8")
    return path


def test_a_letter_arrives() -> None:
    """It is sent to the address, which is not among the arguments of any process."""
    with Receiver() as receiver:
        asyncio.run(Service(receiver.address).send(LETTER))

    (post,) = receiver.posts
    assert (post["title"], post["message"]) == (LETTER.title, LETTER.body)


def test_an_address_that_is_none() -> None:
    """It is told before it is kept, and when a letter is to go there."""
    assert asyncio.run(problem_of("nosuchservice://host")) == "bad_address"
    with pytest.raises(Undelivered) as unknown:
        asyncio.run(Service("nosuchservice://host").send(LETTER))
    assert unknown.value.reason == "bad_address"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.stdin.read()", ""),
        ("print('late', end='')", "late"),
        ("print('anything else')", "refused"),
        ("raise SystemExit(3)", "refused"),
        ("import os; os.abort()", "refused"),
        ("import sys; sys.stdout.buffer.write(b'\\xff')", "refused"),
    ],
)
def test_every_end_has_a_reason(tmp_path: Path, code: str, reason: str) -> None:
    """A sender that fails, crashes or talks nonsense has not sent."""
    assert asyncio.run(ask({"address": "json://x"}, sender(tmp_path, code))) == reason


def test_one_that_hangs_is_ended(tmp_path: Path) -> None:
    """When the time is over, the process is gone too, and nobody waits for it."""
    told = tmp_path / "pid"
    hanging = sender(tmp_path, hangs(told))

    assert is_ended_by_cancelling(lambda: ask({"address": "json://x"}, hanging), told)


def test_without_python_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """When no process can be started, that is a refusal and no crash."""
    monkeypatch.setattr("sys.executable", "/nonexistent/python")

    assert asyncio.run(ask({"address": "json://x"})) == "refused"


def test_a_look_has_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address whose look does not end is told to be late."""
    monkeypatch.setattr("app.notify.services.LIMIT", 0.0)

    assert asyncio.run(problem_of("json://127.0.0.1")) == "late"
