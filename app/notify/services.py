"""Services that Apprise knows: Slack, Discord, ntfy, mail and many more, each by an address that is a secret."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from typing import Any

from app.core.notices import Letter
from app.errors import Undelivered


class Service:
    """Sends letters to one address. The network blocks: each goes in a thread that nobody waits for at the end."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._busy: asyncio.Future[None] | None = None

    async def send(self, letter: Letter) -> None:
        """Send it. Raises `Undelivered`, also while an earlier one that was given up has not ended."""
        if self._busy is not None and not self._busy.done():
            raise Undelivered("late")
        self._busy = in_thread(deliver, self._address, letter)
        await asyncio.shield(self._busy)


def deliver(address: str, letter: Letter) -> None:
    """Send a letter and wait until it is taken. Raises `Undelivered`."""
    service = opened(address)
    from apprise import NotifyFormat  # noqa: PLC0415  `opened` has found it

    if not service.notify(title=letter.title, body=letter.body, body_format=NotifyFormat.TEXT):
        raise Undelivered("refused")


def opened(address: str) -> Any:
    """The service at an address; nothing is sent. Raises `Undelivered` when it is unknown, or Apprise not installed."""
    try:
        from apprise import Apprise, AppriseAsset, PersistentStoreMode  # noqa: PLC0415  a third of a second
    except ImportError as error:
        raise Undelivered("no_apprise") from error
    log = logging.getLogger("apprise")
    log.addHandler(logging.NullHandler())
    log.propagate = False
    # Nothing of Apprise's own in the message, nothing on the disk, and no other host than the one that was named.
    asset = AppriseAsset(
        app_id="Seatwatch", app_desc="Seatwatch", app_url="", image_url_mask="", image_url_logo="",
        async_mode=False, storage_mode=PersistentStoreMode.MEMORY, http_redirects=False,
    )  # fmt: skip
    service = Apprise(asset=asset)
    if not service.add(address):
        raise Undelivered("bad_address")
    return service


def problem_of(address: str) -> str:
    """What is wrong with an address, as the name of a reason; "" when a letter may be sent to it. It blocks a while."""
    try:
        opened(address)
    except Undelivered as undelivered:
        return undelivered.reason
    return ""


def in_thread(call: Any, *args: Any) -> asyncio.Future[None]:
    """Run ``call`` in a daemon thread: a service that never answers must not keep Seatwatch from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()

    def settle(error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
            future.exception()  # whoever gave up waiting does not look

    def run() -> None:
        error: BaseException | None = None
        try:
            call(*args)
        except Undelivered as refused:
            error = refused
        except Exception as failed:  # a plugin's own fault is the service's for us
            error = Undelivered("refused")
            error.__cause__ = failed
        with suppress(RuntimeError):  # the loop is closed: Seatwatch has ended
            loop.call_soon_threadsafe(settle, error)

    threading.Thread(target=run, name="seatwatch-notify", daemon=True).start()
    return future
