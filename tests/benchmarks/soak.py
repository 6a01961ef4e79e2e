"""Weeks in minutes: one page takes tens of thousands of updates, and neither it nor the server may grow.

Run: ``python -m tests.benchmarks.soak [UPDATES] [PATH]`` (50,000 and ``/`` if left out; ``/wall`` is the page that
is left open for weeks). The demo's app lives two weeks in a folder; a server folds them event by event, as fast as the
page takes them, with the clock of the story. Measured after a tenth of the updates and at the end, after a garbage
collection each: the page's heap and its DOM nodes, and the server's memory. The history in memory is that of eight
days, so the server may grow until its eighth day and not after it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from fastapi import FastAPI
from playwright.sync_api import CDPSession, Page, sync_playwright

from app.core.events import Observed
from app.demo.cases import demo_config
from app.demo.simulation import Simulation
from app.demo.writer import write_history
from app.folding import Fold
from app.live import Live, Snapshot
from app.reading import read_folder
from app.server import listen, run
from app.settings import resource_dir
from app.web import build_web, stream
from app.web.asked import Asked
from tests.browser import find_chromium
from tests.conftest import CHROMIUM_FLAGS

START = datetime(2026, 10, 1, tzinfo=UTC)
DAYS = 14
PAUSE = 0.002
COUNT = """() => { window.updates = 0;
  document.addEventListener('htmx:sse:after:message', event => {
    if (!event.detail.message?.event) window.updates += 1; }); }"""


def story() -> Sequence[Observed]:
    """Two weeks of the demo's app, as events."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "logs"
        config = replace(demo_config(START), noise_per_minute=0.1)
        write_history(folder, Simulation(1, config), START + timedelta(days=DAYS))
        return read_folder(folder, UTC).observed


def serve() -> None:
    """The server's side: the story as snapshots, one for each event, over and over."""
    observed = story()
    fold = Fold()
    live = Live(Snapshot(0, fold.state, fold.history, demo=True, ready=True))
    now = [START]

    async def tell() -> None:
        round_of_weeks = 0
        while not live.closing:
            for one in observed:
                event = replace(one.event, at=one.event.at + timedelta(days=DAYS) * round_of_weeks)
                fold.take([one._replace(event=event)])
                now[0] = event.at
                old = live.current
                live.publish(replace(old, version=old.version + 1, state=fold.state))
                await asyncio.sleep(PAUSE)
                if live.closing:
                    return
            round_of_weeks += 1

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(tell())
        yield
        live.close()
        await task

    stream.LEAST_SECONDS_BETWEEN = 0.0  # a page is spared in real life, not here
    app = FastAPI(lifespan=lifespan)
    build_web(
        app,
        live=live,
        zone=UTC,
        templates_dir=resource_dir("templates"),
        static_dir=resource_dir("static"),
        clock=lambda: now[0],
        asked=cast("Asked", None),  # nothing is asked of the past here
    )
    listener = listen("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    run(app, listener, live.close)


def measure(page: Page, devtools: CDPSession, server: int) -> tuple[float, float, float]:
    """The page's heap (MB) and DOM nodes, the server's memory (MB)."""
    devtools.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    nodes = float(page.evaluate("document.querySelectorAll('*').length"))
    pages = int(Path(f"/proc/{server}/statm").read_text("ascii").split()[1])
    return found["JSHeapUsedSize"] / 1e6, nodes, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Start both sides, wait for the updates, print the growth."""
    updates = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    path = sys.argv[2] if len(sys.argv) > 2 else "/"
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.soak", "serve"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    port = server.stdout.readline().strip()
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
            page = chromium.new_page()
            page.goto(f"http://127.0.0.1:{port}{path}")
            page.locator('#connection[data-state="live"]').wait_for()
            page.evaluate(COUNT)
            devtools = page.context.new_cdp_session(page)
            devtools.send("Performance.enable")
            rows = []
            for goal in (updates // 10, updates // 2, updates):
                while int(page.evaluate("window.updates")) < goal:
                    time.sleep(0.5)
                rows.append((goal, *measure(page, devtools, server.pid)))
                print("{:>8,} updates: heap {:.1f} MB, {:.0f} nodes, server {:.1f} MB".format(*rows[-1]), flush=True)
            first, last = rows[0], rows[-1]
            print(
                "growth: heap ×{:.2f}, nodes ×{:.2f}, server ×{:.2f}".format(
                    *(b / a for a, b in zip(first[1:], last[1:], strict=True))
                )
            )
            chromium.close()
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
