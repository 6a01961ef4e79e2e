"""The page in a real browser: it updates in place, keeps what was opened and focused, and survives a restart."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from app.core.state import Phase, Score
from app.live import Snapshot
from tests.core.machines import host, machine, ports, row
from tests.web.scenes import HOSTILE, NOW, Site, mark, session, seven_of_eight, sid, site, snapshot, state

pytestmark = pytest.mark.e2e

MARKS = (mark("put_off", 30, detail="8"), mark("evicted_for_seat", 26, 5, idle_seconds=900))


@dataclass(slots=True)
class Running:
    """A site that is served in a thread of its own."""

    site: Site
    server: uvicorn.Server
    loop: asyncio.AbstractEventLoop
    listener: socket.socket
    port: int
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        serving_of = self.server.serve(sockets=[self.listener])
        self.thread = threading.Thread(target=self.loop.run_until_complete, args=(serving_of,))
        self.thread.start()

    def publish(self, after: Snapshot) -> None:
        """Publish from the server's own loop, as the pipeline does."""
        newer = replace(after, version=self.site.live.current.version + 1)
        self.loop.call_soon_threadsafe(self.site.live.publish, newer)

    def stop(self) -> None:
        """End the streams, then the server, and let go of the port."""
        if self.loop.is_closed():
            return
        self.server.should_exit = True
        self.loop.call_soon_threadsafe(self.site.live.close)
        self.thread.join(10)
        self.loop.close()
        self.listener.close()


@contextmanager
def serving(shown: Snapshot, port: int = 0) -> Iterator[Running]:
    """Serve this snapshot on the loopback until the end of the block."""
    listener = socket.create_server(("127.0.0.1", port))
    here = site(shown)
    server = uvicorn.Server(uvicorn.Config(here.app, log_level="error", timeout_graceful_shutdown=1))
    running = Running(here, server, asyncio.new_event_loop(), listener, listener.getsockname()[1])
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def page_of(browser: Browser, port: int, **context: object) -> Iterator[tuple[Page, list[str]]]:
    """The page, live, and what its console said."""
    inside = browser.new_context(**context)  # type: ignore[arg-type]
    page, said = inside.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"http://127.0.0.1:{port}/")
    page.wait_for_selector('body[data-conn="live"]')
    yield page, said
    inside.close()


def test_updates_in_place_and_keeps_focus_and_details(browser: Browser) -> None:
    """A new line changes its tile; the open detail stays open, the focused mark focused, the console silent."""
    with serving(snapshot(marks=MARKS)) as running, page_of(browser, running.port) as (page, said):
        page.click("#happened summary >> nth=0")
        page.focus("#timeline .mark.evicted")
        readout = page.inner_text("#readout")
        current = seven_of_eight()
        busy = replace(current.sessions[sid(6)], phase=Phase.WORKING, idle_since=None)
        running.publish(
            snapshot(replace(current, sessions={**current.sessions, busy.id: busy}), (*MARKS, mark("put_off", 0.01)))
        )
        page.wait_for_selector("#seat-6.working")
        page.wait_for_function("document.querySelectorAll('#timeline .mark').length === 3")

        assert "closed to make room" in readout
        assert page.evaluate("document.activeElement.classList.contains('evicted')")
        assert page.locator("#happened details[open]").count() == 1
        assert said == []


def test_cards_of_the_machine_follow_and_their_details_stay_open(browser: Browser) -> None:
    """A new count changes the ports' card in place; what was opened of it and of memory stays open meanwhile."""
    rows = (row("app", "Claude", 2900, 11), row("session", "claude", 512, 3, sid(5)))
    calm = machine(*rows, found=ports(180, None, claude=146, at=NOW), host=host(1900, at=NOW), at=NOW)
    full = machine(*rows, found=ports(204, 6.0, claude=170, at=NOW), host=host(900, at=NOW), at=NOW)
    with serving(snapshot(machine=calm)) as running, page_of(browser, running.port) as (page, said):
        page.click("#ports-states summary")
        page.click("#memory-sessions summary")
        page.locator("details.past summary").nth(2).click()
        before = page.inner_text("#ports .count")
        running.publish(snapshot(machine=full))
        page.wait_for_selector("#ports .pace.out")

        assert before == "180 of 240 ports in use"
        assert page.inner_text("#ports .count") == "204 of 240 ports in use"
        assert page.inner_text("#ports .pace") == "At this pace the line is full in 6 minutes."
        assert page.get_attribute("#sentence .said", "data-case") == "ports"
        assert page.inner_text("#memory .free").startswith("0.9 GB free of 24 GB")
        assert page.locator("#ports-states[open], #memory-sessions[open], details.past[open]").count() == 3
        assert page.is_visible("#ports-trend")
        assert said == []


def test_without_probes_there_is_no_card_of_ports(browser: Browser) -> None:
    """Nothing is shown where nothing is known; memory is what the log says."""
    with serving(snapshot()) as running, page_of(browser, running.port) as (page, said):
        assert not page.is_visible("#ports")
        assert page.is_visible("#memory")
        assert said == []


def test_advice_follows_and_the_record_stays_open(browser: Browser) -> None:
    """A session that falls silent changes what to do now; the opened record of the queue stays open meanwhile."""
    score = {"2.9939.4": Score(44, 41, 44)}
    calm = state(*(session(n) for n in range(8)), scores=score)
    with serving(snapshot(calm)) as running, page_of(browser, running.port) as (page, said):
        before = page.inner_text("#advice li")
        page.click("#record summary")
        silent = session(3, Phase.IDLE, idle=900, title=HOSTILE)
        running.publish(snapshot(replace(calm, sessions={**calm.sessions, silent.id: silent})))
        page.wait_for_selector("#advice li.first_to_go")

        assert before == "Nothing to do."
        assert "<script>alert(1)</script>" in page.inner_text("#advice li.first_to_go b")
        assert page.locator("#next .queue .first").count() == 1
        assert page.locator("#record[open]").count() == 1
        assert said == []


def test_survives_a_restart_of_the_server(browser: Browser) -> None:
    """While the server is away the page says so; when it is back the page is live again by itself."""
    with serving(snapshot()) as first, page_of(browser, first.port) as (page, _said):
        first.stop()
        page.wait_for_selector('body[data-conn="reconnecting"]')
        with serving(snapshot(state(session(1))), first.port):
            page.wait_for_selector('body[data-conn="live"]')
            page.wait_for_function("document.querySelector('.taken').textContent === '1'")

            assert page.inner_text("#sentence .said").startswith("7 seats free.")


@pytest.mark.parametrize("place", ["#seat-6 a", "#timeline .mark.evicted", "#name-1 a"])
def test_who_has_stepped_to_something_stays_there_when_the_page_comes_back(browser: Browser, place: str) -> None:
    """A page that was hidden or cut off is told everything anew, and whoever is on a tile, a mark or a lane stays."""
    with serving(snapshot(marks=MARKS)) as first, page_of(browser, first.port) as (page, _said):
        page.focus(place)
        first.stop()
        page.wait_for_selector('body[data-conn="reconnecting"]')
        current = seven_of_eight()
        busy = replace(current.sessions[sid(6)], phase=Phase.WORKING, idle_since=None)
        after = snapshot(replace(current, sessions={**current.sessions, busy.id: busy}), MARKS)
        with serving(after, first.port):
            page.wait_for_selector('body[data-conn="live"]')
            page.wait_for_selector("#seat-6.working")

            assert page.evaluate("place => document.activeElement === document.querySelector(place)", place)


@pytest.mark.parametrize("width", [390, 1280, 1760])
def test_never_scrolls_sideways_and_runs_no_hostile_text(browser: Browser, width: int) -> None:
    """From a phone to a wide screen the page fits, and a title is never more than text."""
    current = seven_of_eight()
    hostile = {one.id: replace(one, title=HOSTILE * 3) for one in current.sessions.values()}
    shown = snapshot(replace(current, sessions=hostile), MARKS, problem=HOSTILE)
    with (
        serving(shown) as running,
        page_of(browser, running.port, viewport={"width": width, "height": 900}) as (page, said),
    ):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("img").count() == 0
        assert said == []


def test_counts_on_between_updates(browser: Browser) -> None:
    """Silence counts up and the safe time down without any message, in the forms the server uses."""
    with serving(snapshot()) as running, page_of(browser, running.port) as (page, _said):
        before = page.inner_text("#seat-7 .ago")
        page.wait_for_function("before => document.querySelector('#seat-7 .ago').innerText !== before", arg=before)

        assert page.inner_text("#seat-7 .ago").startswith("silent ")
        assert running.site.clock() == NOW


def test_explains_itself_once(browser: Browser) -> None:
    """The first visit explains three words; dismissed, it stays away; its key and the foot bring it back."""
    with serving(snapshot()) as running, page_of(browser, running.port) as (page, _said):
        assert page.locator("#intro p").count() == 3
        page.click("#intro button")
        page.reload()
        page.wait_for_selector('body[data-conn="live"]')
        hidden = page.is_hidden("#intro")
        page.keyboard.press("i")
        by_key = page.is_visible("#intro")
        page.keyboard.press("i")
        page.click(".foot [data-open=intro]")

        assert hidden
        assert by_key
        assert page.evaluate("document.activeElement.id") == "intro"
        expect(page.locator("#intro")).to_be_in_viewport()


def test_keys_and_themes(browser: Browser) -> None:
    """`?` lists the keys; a chosen theme is kept and beats the system's."""
    with serving(snapshot()) as running, page_of(browser, running.port, color_scheme="dark") as (page, _said):
        page.keyboard.press("?")
        listed = page.is_visible("#keys")
        page.keyboard.press("Escape")
        page.click("[data-theme-choice=light]")
        page.reload()

        assert listed
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 245, 241)"


def test_ranges_are_links_with_a_way_back(browser: Browser) -> None:
    """Each range has an address of its own; back and forward go through them, and each is live again."""
    with serving(snapshot(marks=MARKS)) as running, page_of(browser, running.port) as (page, said):
        page.click("[data-range='6h']")
        page.wait_for_selector('body[data-conn="live"]')
        six = (page.url.partition("?")[2], page.locator("[data-range][aria-current]").inner_text())
        page.click("[data-range='24h']")
        page.wait_for_selector('body[data-conn="live"]')
        day = page.locator(".axis.day").text_content()
        page.go_back()
        page.wait_for_selector('body[data-conn="live"]')
        back = page.locator("[data-range][aria-current]").inner_text()
        page.go_back()
        first = page.locator("[data-range][aria-current]").inner_text()
        page.go_forward()
        page.wait_for_selector('body[data-conn="live"]')

        assert six == ("range=6h", "6 h")
        assert day == "2 Oct"
        assert (back, first, page.locator("[data-range][aria-current]").inner_text()) == ("6 h", "2 h", "6 h")
        assert said == []


def test_a_range_is_followed_live(browser: Browser) -> None:
    """A mark that comes while a day is shown appears in that day, and its lane alone is drawn anew."""
    with serving(snapshot(marks=MARKS)) as running, page_of(browser, running.port) as (page, _said):
        page.click("[data-range='24h']")
        page.wait_for_selector('body[data-conn="live"]')
        page.evaluate("document.querySelector('#lane-0').dataset.same = 'yes'")
        running.publish(snapshot(marks=(*MARKS, mark("would_evict", 0.01, 6))))
        page.wait_for_selector("#marks-5 .would_be")

        assert page.locator("#lane-0").get_attribute("data-same") == "yes"
        assert page.locator("#marks-5 .would_be").evaluate("one => one.namespaceURI") == "http://www.w3.org/2000/svg"
        assert "in 24 h" in page.inner_text("#happened")


def test_a_fixed_window_stands_still_and_the_seats_do_not(browser: Browser) -> None:
    """A link to a window shows it as it was; the seats above go on, and a link leads back to live."""
    with serving(snapshot(marks=MARKS)) as running, page_of(browser, running.port) as (page, said):
        page.goto(f"http://127.0.0.1:{running.port}/?from=2026-10-02T18:30&to=2026-10-02T19:00")
        page.wait_for_selector('body[data-conn="live"]')
        before = page.inner_html("#timeline")
        running.publish(snapshot(state(session(1)), marks=(*MARKS, mark("put_off", 25))))
        page.wait_for_selector("#number .taken:text-is('1')")
        stood = page.inner_html("#timeline") == before
        page.click("#still .button")
        page.wait_for_selector('body[data-conn="live"]')

        assert stood
        assert page.url.endswith("/?range=2h")
        assert page.locator("#now").count() == 1
        assert said == []


def test_language_is_chosen_in_place_and_kept(browser: Browser) -> None:
    """The switch changes the language of this very page and of those to come, times and live updates included."""
    with serving(snapshot(marks=MARKS)) as running, page_of(browser, running.port, locale="en-GB") as (page, said):
        page.click("[data-range='6h']")
        page.wait_for_selector('body[data-conn="live"]')
        page.click("[data-language=ja]")
        page.wait_for_selector('html[lang=ja] body[data-conn="live"]')
        address, sentence = page.url, page.inner_text("#sentence .said")
        (cookie,) = page.context.cookies()
        page.wait_for_selector("#connection .text:text('ライブ、最終ログは')")

        running.publish(snapshot(state(session(1)), marks=MARKS))
        page.wait_for_selector("#number .taken:text-is('1')")

        assert address.endswith("/?range=6h")
        assert sentence == "残り1席。あと2つ始めると、14分待機中の Meeting notes が最初に閉じられる見込みです。"
        assert (cookie["name"], cookie["value"], cookie["sameSite"], cookie["path"]) == (
            "seatwatch_lang", "ja", "Strict", "/",
        )  # fmt: skip
        assert page.inner_text("#sentence .said") == "空き7席。閉じられるタスクはありません。"
        assert page.inner_text("#seat-1 .ago").endswith("経過")
        assert said == []


def test_an_address_in_a_language_gives_way_to_the_switch(browser: Browser) -> None:
    """Where the address names a language it leads; the switch takes it out of the address and keeps the choice."""
    with serving(snapshot()) as running, page_of(browser, running.port, locale="en-GB") as (page, _said):
        page.goto(f"http://127.0.0.1:{running.port}/?range=1h&lang=ja")
        japanese = page.locator("html").get_attribute("lang")
        page.click("[data-language=en]")
        page.wait_for_selector('html[lang=en] body[data-conn="live"]')

        assert japanese == "ja"
        assert page.url.endswith("/?range=1h")


@pytest.mark.parametrize(
    "address", ["/?lang=ja", "/?lang=ja&range=24h", "/?lang=ja&from=yesterday", "/?at=2026-10-02T19:00"]
)
@pytest.mark.parametrize("width", [390, 1280, 1760])
def test_every_window_fits_in_both_languages(browser: Browser, width: int, address: str) -> None:
    """Nothing makes the page wider than the screen."""
    with (
        serving(snapshot(marks=MARKS)) as running,
        page_of(browser, running.port, viewport={"width": width, "height": 900}) as (page, said),
    ):
        page.goto(f"http://127.0.0.1:{running.port}{address}")
        page.wait_for_selector('body[data-conn="live"]')

        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert said == []
