"""The server's beginning and its endings: a taken port, a signal, a stream that is still open."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from app import server
from app.errors import PortTaken, WrongUsage
from app.server import MOST_CONNECTIONS, listen, run
from tests.e2e.served import AppLog, Served, until


def hosts() -> list[str]:
    """The loopback addresses that this machine has: containers often lack the one of IPv6."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return ["127.0.0.1"]
    return ["127.0.0.1", "::1"]


@pytest.fixture
def _signals() -> Iterator[None]:
    """The handlers are as they were after a test that serves in this process."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("host", hosts())
def test_a_free_port_is_found(host: str) -> None:
    """With 0 the system chooses, and the socket takes connections before anything serves."""
    with listen(host, 0) as listener:
        port = listener.getsockname()[1]
        assert port > 0
        with socket.create_connection((host, port), timeout=5) as client:
            assert client.getpeername()[1] == port


@pytest.mark.parametrize("host", hosts())
def test_a_taken_port_is_known_at_once(host: str) -> None:
    """The second one is told which port of which host, and the first is not disturbed."""
    with listen(host, 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortTaken) as caught:
            listen(host, port)

        assert (caught.value.host, caught.value.port) == (host, port)
        assert listener.fileno() > 0


def test_a_port_that_was_let_go_can_be_taken_again() -> None:
    """A restart at the same port follows at once."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
    with listen("127.0.0.1", port) as again:
        assert again.getsockname()[1] == port


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid", "a" * 80])
def test_an_address_of_another_machine_is_wrong_usage(host: str) -> None:
    """Nothing is taken there: the host is what has to be corrected."""
    with pytest.raises(WrongUsage, match=f"cannot listen on port 0 of {host}") as caught:
        listen(host, 0)

    assert caught.value.why.startswith("The system says: ")
    assert "--host" in caught.value.todo


@pytest.mark.usefixtures("_signals")
@pytest.mark.usefixtures("_signals")
def test_a_server_that_nobody_asks_sleeps_until_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """It wakes for the time of day, and a signal ends it at once, however long that is."""
    monkeypatch.setattr(server, "TICK_SECONDS", 3600.0)
    ticks: list[int] = []

    class Watched(server.Server):
        async def on_tick(self, counter: int) -> bool:
            ticks.append(counter)
            if len(ticks) == 1:
                asyncio.get_running_loop().call_later(0.05, self.handle_exit, signal.SIGTERM, None)
            return await super().on_tick(counter)

    one = Watched(uvicorn.Config(Starlette(), lifespan="off", log_config=None), lambda: None)
    asyncio.run(asyncio.wait_for(one.main_loop(), 10))

    assert len(ticks) == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_returns_after_a_signal_while_a_stream_is_open(number: signal.Signals) -> None:
    """Streams are told first, so they end by themselves; then whoever called can put things away."""
    ended = asyncio.Event()
    got: list[bytes] = []

    async def endless() -> AsyncIterator[bytes]:
        yield b"first\n"
        await ended.wait()
        yield b"last\n"

    async def stream(_request: object) -> StreamingResponse:
        return StreamingResponse(endless())

    listener = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"

    def page() -> None:
        with urlopen(address, timeout=20) as answer:
            got.append(answer.readline())
            os.kill(os.getpid(), number)
            got.append(answer.readline())

    client = threading.Thread(target=page)
    client.start()
    with listener:
        run(Starlette(routes=[Route("/", stream)]), listener, ended.set)
    client.join(10)

    assert got == [b"first\n", b"last\n"]
    assert not client.is_alive()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_seatwatch_ends_with_exit_code_0_while_a_page_is_open(number: signal.Signals, tmp_path: Path) -> None:
    """The whole of it, as a process: a signal with a stream open, no word on the terminal, exit code 0."""
    log = AppLog(tmp_path / "logs")
    log.start()
    served = Served(log.folder, tmp_path / "seatwatch.sqlite")
    served.start()
    try:
        with urlopen(f"{served.address}/stream", timeout=20) as stream:  # noqa: S310 - our own server on loopback
            assert stream.readline()
            assert served.process is not None
            served.process.send_signal(number)
            rest, _ = served.process.communicate(timeout=15)
            assert (served.process.returncode, rest) == (0, "")
    finally:
        served.kill()
        log.close()


def test_own_log_tells_of_the_run_and_the_terminal_of_no_traceback(tmp_path: Path) -> None:
    """What the web server reports goes to the log beside the database: a request that is none, the start, the stop."""
    log = AppLog(tmp_path / "logs")
    log.start()
    served = Served(log.folder, tmp_path / "seatwatch.sqlite")
    served.start()
    try:
        with socket.create_connection(("127.0.0.1", served.port), timeout=5) as client:
            client.sendall(b"no request at all\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 400")
        assert served.stop() == ""
    finally:
        served.kill()
        log.close()

    lines = [json.loads(line) for line in (tmp_path / "seatwatch.sqlite.log").read_text("utf-8").splitlines()]
    assert [line["event"] for line in lines if line["logger"] == "seatwatch"] == ["started", "stopped"]
    assert [line["event"] for line in lines if line["logger"].startswith("uvicorn")] == [
        "Invalid HTTP request received."
    ]


@pytest.mark.usefixtures("_signals")
def test_connections_that_send_nothing_are_bounded() -> None:
    """Who opens more than there may be is told so at once; when they are gone everybody is answered again."""

    async def hello(_request: object) -> PlainTextResponse:
        return PlainTextResponse("hello")

    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    told: list[bytes] = []

    def ask() -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return client.recv(100).partition(b"\r\n")[0]

    def crowd() -> None:
        idle = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(MOST_CONNECTIONS)]
        told.append(ask())
        for one in idle:
            one.close()
        until(lambda: ask() == b"HTTP/1.1 200 OK", "an answer")
        told.append(ask())
        os.kill(os.getpid(), signal.SIGTERM)

    client = threading.Thread(target=crowd)
    client.start()
    with listener:
        run(Starlette(routes=[Route("/", hello)]), listener, lambda: None)
    client.join(10)

    assert told[0] == b"HTTP/1.1 503 Service Unavailable"
    assert told[-1] == b"HTTP/1.1 200 OK"
