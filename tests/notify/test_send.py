"""The sender: what arrives at a real receiver by Apprise, and what it answers when nothing does."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from app.errors import UNDELIVERED
from app.notify.send import BAD_ADDRESS, NO_APPRISE, REFUSED, SENT, answer, deliver, opened
from app.notify.services import SENDER
from tests.notify.receiver import Receiver

TITLE, BODY = "Seatwatch: ‹b›fix‹/b› was closed", "Line one\nand :smile: \\n two"


def test_a_letter_arrives_as_it_is() -> None:
    """A service gets title and text unchanged, and nothing that names another host."""
    with Receiver() as receiver:
        assert deliver(receiver.address, TITLE, BODY) == SENT

    (post,) = receiver.posts
    assert (post["title"], post["message"]) == (TITLE, BODY)
    assert "http" not in str(post).lower()


def test_a_refusal_is_told() -> None:
    """A service that answers with an error, or is not there, has not taken the letter."""
    with Receiver(status=500) as receiver:
        assert deliver(receiver.address, TITLE, BODY) == REFUSED
    assert deliver(receiver.address, TITLE, BODY) == REFUSED


def test_a_redirect_is_not_followed() -> None:
    """Letters go to the address that was named and to no other."""
    with Receiver() as elsewhere, Receiver(status=302, location=elsewhere.url) as receiver:
        assert deliver(receiver.address, TITLE, BODY) == REFUSED

    assert (len(receiver.posts), elsewhere.posts) == (1, [])


def test_an_address_is_only_looked_at() -> None:
    """Without a title nothing is sent: it is told whether something could be."""
    with Receiver() as receiver:
        assert answer({"address": receiver.address}) == SENT
    assert receiver.posts == []
    assert answer({"address": "nosuchservice://host"}) == BAD_ADDRESS
    assert answer({"address": "nosuchservice://host", "title": TITLE, "body": BODY}) == BAD_ADDRESS


def test_without_apprise_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package for services is an extra; who has not installed it is told how."""
    monkeypatch.setitem(sys.modules, "apprise", None)

    assert opened("json://127.0.0.1") == (None, NO_APPRISE)
    assert "pip install 'seatwatch[notify]'" in UNDELIVERED[NO_APPRISE]


def test_a_fault_in_a_plugin_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a library raises, the answer is one of the reasons."""

    def broken(_address: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.notify.send.opened", broken)

    assert answer({"address": "json://x"}) == REFUSED


def test_it_runs_as_it_lies_there() -> None:
    """As a process of its own it needs nothing of Seatwatch, and says no more than the reason."""
    with Receiver() as receiver:
        question = json.dumps({"address": receiver.address, "title": TITLE, "body": BODY})
        ran = subprocess.run(
            [sys.executable, "-P", str(SENDER)], input=question, capture_output=True, text=True, check=True, cwd="/"
        )

    assert (ran.stdout, len(receiver.posts)) == ("", 1)
