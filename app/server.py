"""A uvicorn server that ends live streams before it waits for connections.

uvicorn waits for open connections before it tells the application to shut down, and a stream never ends by itself:
with a page open, Ctrl-C would hang. So the streams are told first; the graceful time-out is only a net.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from app.errors import PortTaken, WrongUsage

MOST_CONNECTIONS = 200
"""More than a hundred pages, fewer than the files that a process may have open on macOS (256). Beyond it 503 is
answered: who opens connections and sends nothing cannot keep us from our own files."""
GRACE_SECONDS = 1
"""How long open connections may take to end once their streams were told to."""


TICK_SECONDS = 5.0
"""How often the ``Date`` of answers is made anew, by which nobody goes here. uvicorn wakes ten times a second to see
whether it is to end, which is a fifth of a percent of a core for as long as it runs; here a signal wakes it."""


class Server(uvicorn.Server):
    """uvicorn's server with streams that end first, and that sleeps while nobody asks for anything."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams
        self._wake: Callable[[], object] = lambda: None

    async def main_loop(self) -> None:
        """Tick now and then until a signal says that it is over."""
        ending = asyncio.Event()
        self._wake = partial(asyncio.get_running_loop().call_soon_threadsafe, ending.set)
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await ending.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal, and end at once."""
        super().handle_exit(sig, frame)
        self._wake()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then do what uvicorn does."""
        self._end_streams()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to ``host`` and ``port`` (0: a free one), so that a taken port is known before anything starts.

    Raises `PortTaken`, and `WrongUsage` when the host or the port cannot be listened on at all.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two programs share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, UnicodeError) as error:  # the latter: a name that no name of a host can be
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise PortTaken(host, port) from error
        raise WrongUsage(
            f"Seatwatch cannot listen on port {port} of {host}.",
            f"The system says: {getattr(error, 'strerror', None) or error}.",
            "Give an address of this machine with --host, and a port from 1024 on with --port.",
        ) from error
    return listener


def run(app: ASGIApp, listener: socket.socket, end_streams: Callable[[], None]) -> None:
    """Serve until a signal ends it, then return: who called has things to put away."""
    # uvicorn sends itself the signal again once it is down, which would kill the process before anything is put away.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = uvicorn.Config(
        app,
        log_config=None,  # what it has to say goes to our own log, not as a traceback to the terminal
        log_level="warning",
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        server_header=False,
        proxy_headers=False,  # nobody may tell us another address than the one that wrong tokens are counted for
        timeout_graceful_shutdown=GRACE_SECONDS,
        lifespan="on",
    )
    with suppress(KeyboardInterrupt):
        Server(config, end_streams).run(sockets=[listener])
