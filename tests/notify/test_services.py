"""Services by Apprise: what arrives at a real receiver, and what is told when nothing does."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest

from app.core.notices import Letter
from app.errors import Undelivered
from app.notify.services import Service, deliver, in_thread, opened, problem_of
from tests.notify.receiver import Receiver

LETTER = Letter("Seatwatch: ‹b›fix‹/b› was closed", "Line one\nand :smile: \\n two")


def test_a_letter_arrives_as_it_is() -> None:
    """A service gets title and text unchanged, and nothing that names another host."""
    with Receiver() as receiver:
        asyncio.run(Service(receiver.address).send(LETTER))

    (post,) = receiver.posts
    assert (post["title"], post["message"]) == (LETTER.title, LETTER.body)
    assert "http" not in str(post).lower()


def test_a_refusal_is_told() -> None:
    """A service that answers with an error, or is not there, has not taken the letter."""
    with Receiver(status=500) as receiver, pytest.raises(Undelivered) as refused:
        deliver(receiver.address, LETTER)
    with pytest.raises(Undelivered) as gone:
        deliver(receiver.address, LETTER)

    assert (refused.value.reason, gone.value.reason) == ("refused", "refused")
    assert receiver.address not in str(refused.value)


def test_a_redirect_is_not_followed() -> None:
    """Letters go to the address that was named and to no other."""
    with (
        Receiver() as elsewhere,
        Receiver(status=302, location=elsewhere.url) as receiver,
        pytest.raises(Undelivered),
    ):
        deliver(receiver.address, LETTER)

    assert (len(receiver.posts), elsewhere.posts) == (1, [])


def test_an_unknown_kind_of_address() -> None:
    """An address of no service that Apprise knows is told as such."""
    with pytest.raises(Undelivered) as unknown:
        opened("nosuchservice://host")

    assert unknown.value.reason == "bad_address"
    assert problem_of("nosuchservice://host") == "bad_address"
    assert problem_of("json://127.0.0.1") == ""


def test_without_apprise_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package for services is an extra; who has not installed it is told how."""
    monkeypatch.setitem(sys.modules, "apprise", None)

    with pytest.raises(Undelivered, match=r"pip install 'seatwatch\[notify\]'"):
        opened("json://127.0.0.1")


def test_one_that_hangs_is_not_asked_twice() -> None:
    """While a letter that was given up still hangs, no second thread is spent on the service."""
    go_on = threading.Event()

    async def twice() -> str:
        service = Service("json://127.0.0.1:9")
        service._busy = in_thread(go_on.wait, 30)
        with pytest.raises(Undelivered) as late:
            await service.send(LETTER)
        go_on.set()
        await service._busy
        return late.value.reason

    assert asyncio.run(twice()) == "late"


def test_a_fault_in_a_plugin_is_a_refusal() -> None:
    """Whatever a library raises, the courier hears of one kind of failure."""

    def broken() -> None:
        raise ZeroDivisionError

    async def once() -> None:
        await in_thread(broken)

    with pytest.raises(Undelivered) as refused:
        asyncio.run(once())
    assert isinstance(refused.value.__cause__, ZeroDivisionError)
