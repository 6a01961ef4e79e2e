"""The line runs out of ports: agents start, connections climb, the page warns in time, and *why* names the network."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import uvicorn
from playwright.sync_api import Browser, expect

from app.core.events import PortsCrossed
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample
from app.main import Parts, assemble, create_app
from app.probes.pace import Pace
from app.probing import Probes, Probing
from app.settings import load_settings
from tests.core.machines import connections, host, processes, row
from tests.e2e.served import SESSION, AppLog, until

pytestmark = pytest.mark.e2e

STEP = timedelta(seconds=10)
SPAN = timedelta(seconds=230)
"""The story's clock begins so long before now and ends there: what it sees of the last two minutes is shown."""


@dataclass
class Story:
    """A machine whose connections climb with each look, as several agents make them; ten seconds lie between looks."""

    taken: int = 130
    now: datetime = field(default_factory=lambda: datetime.now(UTC) - SPAN)
    end: datetime = field(default_factory=lambda: datetime.now(UTC))
    claude_pids: tuple[int, ...] = ()

    def clock(self) -> datetime:
        """The time of the story."""
        return self.now

    def look(self, at: datetime, *asked: object) -> Any:
        """The connections after ten more seconds of work; the line holds no more than its budget."""
        if self.now < self.end:
            self.now += STEP
            self.taken = min(232, self.taken + 5)
        return connections(self.taken, self.taken - 30, at)

    def probes(self) -> Probes:
        """Probes of this machine that look in quick succession."""
        story = self

        class Host:
            def look(self, at: datetime) -> HostSample:
                return host(9000, at=at)

        class Processes:
            claude_pids: tuple[int, ...] = ()

            def look(self, at: datetime, _sessions: object) -> ProcessesSample:
                return processes(row("app", "Claude", 3000, 12), row("other_vm", "Docker Desktop", 8192), at=at)

        class Connections:
            def look(self, at: datetime, pids: object) -> ConnectionsSample:
                found: ConnectionsSample = story.look(at, pids)
                return found

        paces = {"connections": Pace(0.2), "host": Pace(0.4), "processes": Pace(0.4)}
        return Probes(Host(), Processes(), Connections(), paces=paces)


def parts_of(logs: Path, database: Path, story: Story, closing: ExitStack) -> Parts:
    """Everything as it is put together for a person with v6 Plus, but for the machine that the probes look at."""
    given = {"logs": logs, "db": database, "tz": "UTC", "no_open": True, "home_line": "v6plus"}
    parts = assemble(load_settings(given, {}, logs / "no.toml"), closing)
    assert parts.probing is not None
    store, probed = parts.pipeline.store, parts.probing.probed
    probing = Probing(story.probes, parts.live, samples=store.samples, probed=probed, clock=story.clock, zone=UTC)
    return replace(parts, probing=probing)


@contextmanager
def serving(parts: Parts) -> Iterator[str]:
    """Serve it on the loopback until the end of the block; its address."""
    listener, loop = socket.create_server(("127.0.0.1", 0)), asyncio.new_event_loop()
    server = uvicorn.Server(uvicorn.Config(create_app(parts), log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=loop.run_until_complete, args=(server.serve(sockets=[listener]),))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        loop.call_soon_threadsafe(parts.live.close)
        thread.join(15)
        loop.close()
        listener.close()


def answer(address: str) -> dict[str, Any]:
    """What an address answers, as JSON."""
    with urlopen(address, timeout=10) as found:  # noqa: S310 - our own server on the loopback
        told: dict[str, Any] = json.load(found)
        return told


def test_line_that_runs_out_of_ports(browser: Browser, tmp_path: Path) -> None:
    """The page warns before the home goes offline; when turns then fail, the count of ports is their proof."""
    log, story, database = AppLog(tmp_path / "logs"), Story(), tmp_path / "seatwatch.sqlite"
    log.start()
    for number in range(1, 7):
        log.begin(number, f"agent{number}")
    with ExitStack() as closing, serving(parts_of(log.folder, database, story, closing)) as address:
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(address)
        expect(page.locator("#ports .count")).to_contain_text("of 240 ports in use", timeout=20_000)
        expect(page.locator("#memory")).to_contain_text("Docker Desktop")
        expect(page.locator("#sentence .said")).to_contain_text("At this pace the line is full in", timeout=20_000)
        expect(page.locator("#ports .pace")).to_contain_text("At this pace the line is full in")
        assert story.taken < 240
        expect(page.locator("#advice")).to_contain_text("Start no more agents now")
        expect(page.locator("#happened")).to_contain_text("ports of the home line were in use", timeout=20_000)
        until(lambda: answer(f"{address}/api/state")["ports"]["mark"] == 95, "the last mark")

        failing = SESSION.format(3)
        log.write(f"[CCD CycleHealth] {failing} cli_execution_error (error): fetch failed: net::ERR_TIMED_OUT")
        until(lambda: answer(f"{address}/api/why?session={failing}")["verdict"] == "network", "the verdict")
        why = answer(f"{address}/api/why?session={failing}")
        page.locator("#ports").locator("xpath=..").locator("details.past summary").click()
        expect(page.locator("#ports-trend")).to_be_visible()
        context.close()
    log.close()

    assert why["certainty"] == "likely"
    assert [one["source"] for one in why["evidence"]] == ["probe", "main.log"]
    assert "of 240 IPv4 ports of the home line are in use" in why["evidence"][0]["text"]
    with ExitStack() as closing:
        again = parts_of(log.folder, database, story, closing)
        again.pipeline.catch_up(lambda: None, asyncio.Event())
        kept = again.pipeline.fold.state.ports
    assert isinstance(kept, PortsCrossed)
    assert kept.mark == 95
