"""Sends one notification by Apprise, in a process of its own: a JSON object comes in on the standard input.

It imports nothing of Seatwatch, so that it can be run as it lies there. Apprise takes some twenty-five megabytes for as
long as a process lives, and a service that hangs ends with it: both are why it is none of Seatwatch's own process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

SENT, NO_APPRISE, BAD_ADDRESS, REFUSED = "", "no_apprise", "bad_address", "refused"
"""How it went, "" for well; the others are names of `app.errors.UNDELIVERED`."""


def deliver(address: str, title: str, body: str) -> str:
    """Send and wait until it is taken; how it went."""
    service, problem = opened(address)
    if service is None:
        return problem
    from apprise import NotifyFormat  # noqa: PLC0415  `opened` has found it

    return SENT if service.notify(title=title, body=body, body_format=NotifyFormat.TEXT) else REFUSED


def opened(address: str) -> tuple[Any, str]:
    """The service at an address, or None and what is wrong with it; nothing is sent."""
    try:
        from apprise import Apprise, AppriseAsset, PersistentStoreMode  # noqa: PLC0415  a third of a second
    except ImportError:
        return None, NO_APPRISE
    # Nothing of Apprise's own in the message, nothing on the disk, and no other host than the one that was named.
    asset = AppriseAsset(
        app_id="Seatwatch", app_desc="Seatwatch", app_url="", image_url_mask="", image_url_logo="",
        async_mode=False, storage_mode=PersistentStoreMode.MEMORY, http_redirects=False,
    )  # fmt: skip
    service = Apprise(asset=asset)
    return (service, SENT) if service.add(address) else (None, BAD_ADDRESS)


def answer(question: Mapping[str, str]) -> str:
    """How it went; without a ``title`` it is only looked whether the address could be sent to."""
    try:
        if "title" not in question:
            return opened(question["address"])[1]
        return deliver(question["address"], question["title"], question["body"])
    except Exception:  # a plugin's own fault is the service's for us
        return REFUSED


if __name__ == "__main__":
    sys.stdout.write(answer(json.load(sys.stdin)))
