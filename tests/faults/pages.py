"""Many pages at once, without a browser: plain sockets that hold a stream open and see what comes."""

from __future__ import annotations

import json
import selectors
import socket
import time
from contextlib import suppress
from typing import Any
from urllib.request import urlopen

REQUEST = "GET /stream?range=15m&lang=en HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n"


class Pages:
    """So many streams of the Seatwatch at ``port``; ``close`` ends them."""

    def __init__(self, port: int, number: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._seen: dict[socket.socket, bytearray] = {}
        for _ in range(number):
            page = open_stream(port)
            page.setblocking(False)
            self._seen[page] = bytearray()
            self._selector.register(page, selectors.EVENT_READ)

    def await_all(self, word: bytes, seconds: float) -> list[float]:
        """Read until every page was sent ``word`` since the last call; after how many seconds each was.

        Pages that were not within ``seconds`` are left out.
        """
        begun = time.monotonic()
        arrived: dict[socket.socket, float] = {}
        while len(arrived) < len(self._seen) and (left := begun + seconds - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                page = key.fileobj
                assert isinstance(page, socket.socket)
                with suppress(BlockingIOError):
                    self._seen[page] += page.recv(1 << 20)
                if word in self._seen[page]:
                    arrived.setdefault(page, time.monotonic() - begun)
        for seen in self._seen.values():
            seen.clear()
        return sorted(arrived.values())

    def close(self) -> None:
        """End them all, as pages that are closed."""
        self._selector.close()
        for page in self._seen:
            page.close()


def open_stream(port: int, buffer: int | None = None) -> socket.socket:
    """A connection on which a stream was asked for; the system takes ``buffer`` bytes for a page that never reads."""
    page = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if buffer is not None:
        page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    page.settimeout(20)
    page.connect(("127.0.0.1", port))
    page.sendall(REQUEST.format(port=port).encode())
    return page


def health(address: str) -> dict[str, Any]:
    """What ``/healthz`` answers."""
    with urlopen(f"{address}/healthz", timeout=20) as answer:  # noqa: S310 - our own server on loopback
        found: dict[str, Any] = json.load(answer)
        return found
