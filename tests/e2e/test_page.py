"""The page on the real server: what it says, where its tiles stand, what it marks, and whom it asks."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.served import SESSION, AppLog, Served, until

pytestmark = pytest.mark.e2e

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota")
HEALTHY = "[CCD CycleHealth] healthy cycle for {} (67s, hadFirstResponse=true)"
PAUSE = "[CCD] Pausing session {} ({})"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[AppLog]:
    """An app that has just started, on a machine with eight seats."""
    app = AppLog(tmp_path / "logs")
    app.start()
    yield app
    app.close()


@pytest.fixture
def served(log: AppLog, tmp_path: Path) -> Iterator[Served]:
    """A server that follows the app's log."""
    server = Served(log.folder, tmp_path / "seatwatch.sqlite")
    server.start()
    yield server
    server.kill()


@pytest.fixture
def asked() -> list[str]:
    """Every address that the page asked for."""
    return []


@pytest.fixture
def page(browser: Browser, served: Served, asked: list[str]) -> Iterator[Page]:
    """The dashboard, open and live; whatever its console complains of fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(served.address)
    expect(opened.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
    yield opened
    context.close()
    assert complaints == []


def says(page: Page, words: str) -> None:
    """Expect words in the sentence."""
    expect(page.locator("#sentence")).to_contain_text(words, timeout=10_000)


def test_the_sentence_follows_the_state(page: Page, log: AppLog, asked: list[str]) -> None:
    """Free seats, the last one, the cap, all busy, over it, tight memory, an eviction, a quit; nobody else is asked."""
    says(page, "No session holds a seat.")
    for number in range(5):
        log.begin(number, NAMES[number])
    says(page, "3 seats free. Nothing would be closed.")
    log.begin(5, NAMES[5])
    log.begin(6, NAMES[6])
    says(page, "One seat left. Nothing can be closed now")
    log.begin(7, NAMES[7])
    says(page, "All 8 seats are taken and all are working.")
    log.write(f"[CliGovernor] pressure evicting {SESSION.format(0)} (idle 400s)")
    log.write(PAUSE.format(SESSION.format(0), "governor_evict"))
    says(page, "alpha was closed")
    log.write("Memory pressure transition: warning", f"Session {SESSION.format(1)} query iterator completed")
    log.begin(8, NAMES[8])
    log.begin(0, NAMES[0])
    says(page, "Memory is tight. beta could be closed at any moment.")
    log.write("Memory pressure transition: normal")
    says(page, "9 sessions on 8 seats. Warm starts are put off until one ends.")
    log.write("[CCD] Stopping 9 active session(s) on quit", "willQuit: handler is ready for quit, so quitting")
    says(page, "Claude is not running.")

    assert {url.split("/")[2] for url in asked} == {page.url.split("/")[2]}


def places(page: Page) -> dict[str, str]:
    """The place of each session's tile, by its title."""
    tiles = page.locator("#seats li:not(.free)").evaluate_all(
        "found => found.map(one => [one.querySelector('.name').textContent, one.id])"
    )
    return dict(tiles)


def test_tiles_stay_where_they_are(page: Page, served: Served, log: AppLog) -> None:
    """Over 200 changes a session's tile is in one place for as long as the session holds its seat."""
    rng = Random(4)
    alive: set[int] = set()
    stood: dict[str, str] = {}
    for change in range(200):
        number = rng.randrange(len(NAMES))
        if number not in alive:
            log.begin(number, NAMES[number])
            alive.add(number)
        elif rng.random() < 0.4:
            log.write(PAUSE.format(SESSION.format(number), "idle_timeout"))
            alive.discard(number)
            stood.pop(NAMES[number], None)
        else:
            log.write(HEALTHY.format(SESSION.format(number)), f"Sending message to session {SESSION.format(number)}")
        if change % 10 == 9:
            wanted = {NAMES[one] for one in alive}
            until(lambda wanted=wanted: set(places(page)) == wanted, f"{wanted} on the page")  # type: ignore[misc]
            stands = places(page)
            assert {name: place for name, place in stands.items() if name in stood} == {
                name: place for name, place in stood.items() if name in stands
            }
            stood = stands


SHOWN = """() => Object.fromEntries(Object.entries({
    queue: ["#queue > li", ".place, .name, .note"], kept: ["#kept > li", ".place, .name, .note"],
    texts: ["#next .aside, #queue-more, #kept-more, #record > p, #happened .aside", null],
    happened: ["#happened > .event", ".what, .why"], marks: [".tl-plot .mark", "title, text"],
}).map(([name, [all, parts]]) => [name, [...document.querySelectorAll(all)].map(one => [
    one.id, parts ? [...one.querySelectorAll(parts)].map(part => part.textContent) : one.textContent
])]))"""
"""What the lists of the page have, in their order; without the clocks, which count on in each page by themselves."""


def test_a_page_that_followed_shows_what_one_that_opens_shows(
    page: Page, browser: Browser, served: Served, log: AppLog
) -> None:
    """Whatever came, went and changed: no row of the queue, of what happened or of the marks is missing or too many."""
    rng, alive, passed_over = Random(11), set[int](), 0
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    other = context.new_page()
    for change in range(120):
        number = rng.randrange(len(NAMES))
        session = SESSION.format(number)
        if number not in alive:
            log.begin(number, NAMES[number])
            alive.add(number)
        else:
            what = rng.choice(["silent", "silent", "busy", "named", "closed", "paused", "holds", "put off"])
            lines = {
                "silent": (HEALTHY.format(session), f"[idle-check] session {session} idle"),
                "busy": (f"Sending message to session {session}",),
                "named": (f"[CliGovernor] at cap=8; would evict {session} (idle {change}s) for user spawn",),
                "closed": (f"[CliGovernor] at cap=8; evicting {session} (idle 70s) for user spawn",
                           PAUSE.format(session, "governor_evict")),
                "paused": (PAUSE.format(session, "idle_timeout"),),
                "holds": (f"[CCD] Skipping pause for session {session} - 1 active background task(s)",),
                "put off": ("[CliGovernor] at cap; yielding warm spawn",),
            }  # fmt: skip
            log.write(*lines[what])
            if what in ("closed", "paused"):
                alive.discard(number)
        page.wait_for_timeout(rng.choice((0, 0, 120)))
        if change % 20 == 19:
            other.goto(served.address)
            expect(other.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
            until(lambda: page.evaluate(SHOWN) == other.evaluate(SHOWN), f"the same on both pages after {change}")

            passed_over += page.locator("#kept > li").count()

    shown = page.evaluate(SHOWN)
    assert shown["queue"]
    assert passed_over
    assert len(shown["happened"]) == 16
    assert len({name for name, _texts in shown["marks"]}) == len(shown["marks"]) > 5
    context.close()


def test_every_mark_is_an_event(page: Page, log: AppLog, served: Served) -> None:
    """What the timeline marks is what the log says: put off, would-be, closed and paused, each with its line."""
    first, second, third = (SESSION.format(number) for number in range(3))
    for number in range(3):
        log.begin(number, NAMES[number])
    log.write(*(HEALTHY.format(one) for one in (first, second, third)))
    log.write(
        f"[CliGovernor] at cap=8; would evict {first} (idle 70s) for warm spawn",
        "[CliGovernor] at cap; yielding warm spawn",
        f"[CliGovernor] at cap=8; evicting {first} (idle 70s) for warm spawn",
        PAUSE.format(first, "governor_evict"),
        PAUSE.format(second, "idle_timeout"),
        f"Session {third} query error: Claude Code process terminated by signal SIGKILL",
    )

    timeline = page.locator("#timeline")
    for kind, line in {
        "put_off": "[CliGovernor] at cap; yielding warm spawn",
        "would_be": "would evict",
        "evicted": PAUSE.format(first, "governor_evict"),
        "paused": PAUSE.format(second, "idle_timeout"),
    }.items():
        mark = timeline.locator(f"svg.mark.{kind}")
        expect(mark).to_have_count(1, timeout=10_000)
        expect(mark.locator("title")).to_contain_text(line)
    expect(timeline.locator("svg.mark", has_text="SIGKILL")).to_have_count(1)
    counts = served.state()["counts"]
    assert (counts["put_off"], counts["would_evict"]["warm"], counts["evicted"]["cap"], counts["paused_idle"]) == (
        1,
    ) * 4


def test_no_policy_is_loosened(page: Page, served: Served) -> None:
    """The page runs under a policy without any ``unsafe-`` exception."""
    answer = page.request.get(served.address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert re.search("unsafe", policy) is None


def test_a_sixth_page_is_told_of_the_browsers_limit(browser: Browser, served: Served, page: Page) -> None:
    """A browser keeps six connections to one address: the pages say so before the seventh waits for ever."""
    expect(page.locator("#crowd")).to_be_hidden()
    context = browser.new_context()
    others = [context.new_page() for _ in range(5)]
    for other in others:
        other.goto(served.address)
        expect(other.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
    expect(page.locator("#crowd")).to_be_visible(timeout=10_000)

    others[0].close()
    expect(page.locator("#crowd")).to_be_hidden(timeout=20_000)
    context.close()


HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_page_that_was_hidden_catches_up(page: Page, served: Served, log: AppLog) -> None:
    """A night in the background costs no connection; on return the page shows what happened meanwhile."""
    log.begin(0, NAMES[0])
    expect(page.locator("#number")).to_contain_text("1", timeout=10_000)
    page.evaluate(HIDE, True)
    for number in (1, 2, 3):
        log.begin(number, NAMES[number])
    until(lambda: served.state()["seats"]["taken"] == 4, "the sessions that started meanwhile")
    expect(page.locator("#number")).to_contain_text("1")

    page.evaluate(HIDE, False)
    expect(page.locator("#number")).to_contain_text("4", timeout=10_000)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=10_000)
    until(lambda: set(places(page)) == set(NAMES[:4]), "the tiles of all four")


def test_a_page_says_since_when_it_stands_still(page: Page, served: Served, log: AppLog) -> None:
    """A server that stops answering, as over a sleep, makes the page stale; once it goes on the page recovers."""
    assert served.process is not None
    served.process.send_signal(signal.SIGSTOP)
    try:
        expect(page.locator("#connection")).to_have_attribute("data-state", "stale", timeout=30_000)
        expect(page.locator("#connection")).to_contain_text("stale since")
    finally:
        served.process.send_signal(signal.SIGCONT)
    log.begin(0, NAMES[0])

    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=30_000)
    expect(page.locator("#seats")).to_contain_text(NAMES[0], timeout=10_000)
