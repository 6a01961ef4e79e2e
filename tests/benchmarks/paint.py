"""How long from a line appended to ``main.log`` until it is painted in a browser.

Run: ``python -m tests.benchmarks.paint [LINES]``. An app holds its log open and appends one line at a time, at odd
moments, with a rotation in the middle; a page in headless Chromium watches the number change. Then the same while the
app writes a hundred lines of noise a second, and then with 100,000 lines written at once just before the one that is
watched for. Printed are the median, the 99th percentile and the worst, and the ratio to two frames of an idle page,
which is what painting alone costs here.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from itertools import count
from pathlib import Path
from random import Random
from statistics import quantiles

from playwright.sync_api import Page, sync_playwright

from tests.browser import find_chromium
from tests.conftest import CHROMIUM_FLAGS
from tests.e2e.served import SESSION, AppLog, Served

WATCH = """() => {
  window.painted = new Promise(done => {
    const watch = new MutationObserver(() => { watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.timeOrigin + performance.now()))); });
    watch.observe(document.querySelector('#number'), {subtree: true, childList: true, characterData: true});
  });
}"""


def measure(page: Page, log: AppLog, lines: int) -> list[float]:
    """Milliseconds until the page had painted each line."""
    painted = []
    rng = Random(1)
    for number in range(lines):
        if number == lines // 2:
            log.rotate()
        page.evaluate(WATCH)
        time.sleep(rng.uniform(0.2, 0.5))
        written = time.time() * 1000
        if number % 2:
            log.write(f"[CCD] Pausing session {SESSION.format(number - 1)} (idle_timeout)")
        else:
            log.begin(number, f"p{number}")
        painted.append(float(page.evaluate("() => window.painted")) - written)
    return painted


def chatter(log: AppLog, stop: threading.Event) -> None:
    """A hundred lines a second, of scopes that are only counted and of turns, in turn."""
    for number in count():
        if stop.wait(0.01):
            return
        session = SESSION.format(900 + number % 3)
        log.write(f"Sending message to session {session}" if number % 25 == 0 else f"[growthbook] refresh {number}")


def burst(page: Page, log: AppLog, rounds: int) -> list[float]:
    """Milliseconds from 100,000 lines at once, of which three in a hundred are events, to the line after them."""
    painted = []
    for number in range(5000, 5000 + rounds):
        page.evaluate(WATCH)
        written = time.time() * 1000
        log.write(*(_noise(place) for place in range(100_000)))
        log.begin(number, f"b{number}")
        painted.append(float(page.evaluate("() => window.painted")) - written)
        time.sleep(3)
    return painted


def _noise(place: int) -> str:
    return (
        "[SkillsPlugin] Window focused — polling now (last poll was 9ms ago)" if place % 33 == 0 else f"[git] {place}"
    )


def row(name: str, values: list[float]) -> str:
    """One line of the table."""
    cuts = quantiles(values, n=100, method="inclusive")
    return f"{name:<28}{cuts[49]:>10.0f}{cuts[98]:>10.0f}{max(values):>10.0f}"


def main() -> None:
    """Start everything, measure, print."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        log = AppLog(Path(home) / "logs")
        log.start()
        served = Served(log.folder, Path(home) / "db.sqlite")
        served.start()
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        page = chromium.new_page()
        page.goto(served.address)
        page.locator('#connection[data-state="live"]').wait_for()
        trips = []
        for _ in range(50):
            started = time.perf_counter()
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            trips.append((time.perf_counter() - started) * 1000)
        painted = measure(page, log, lines)
        stop = threading.Event()
        thread = threading.Thread(target=chatter, args=(log, stop), daemon=True)
        thread.start()
        time.sleep(3)  # its own sessions begin, which changes the number too
        busy = measure(page, log, lines)
        stop.set()
        thread.join()
        after = burst(page, log, 3)
        served.stop()
        chromium.close()
        log.close()
    print(f"{'milliseconds':<28}{'median':>10}{'p99':>10}{'worst':>10}")
    print(row("line appended → painted", painted))
    print(row("… at 100 lines a second", busy))
    print(row("… after 100,000 at once", after))
    print(row("two frames of this browser", trips))
    print(f"ratio of the medians: {sorted(painted)[len(painted) // 2] / sorted(trips)[len(trips) // 2]:.1f}")


if __name__ == "__main__":
    main()
