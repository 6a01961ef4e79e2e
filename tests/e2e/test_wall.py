"""The wall in a real browser: it fits, stays awake, walks, dims, renews itself, and holds for weeks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from app.core.state import Phase, Session
from app.live import Snapshot
from app.web import stream
from tests.e2e.served import AppLog, Served
from tests.web.scenes import NOW, ago, mark, session, seven_of_eight, sid, snapshot, state
from tests.web.test_in_browser import Running, serving

pytestmark = pytest.mark.e2e

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
STANDING = ((390, 844), (768, 1024), (1080, 1920))
"""A phone, a tablet, and a screen that was turned."""
LONG = "A title that goes on for much longer than any tile has room for 議事録の整理と翻訳"
TOKYO = ZoneInfo("Asia/Tokyo")
LOCK = """window.asked = 0;
Object.defineProperty(navigator, 'wakeLock', {value: {request: async (kind) => {
  window.asked += kind === 'screen' ? 1 : 0;
  if (window.refused) throw new DOMException('no', 'NotAllowedError');
  return window.lock = {released: false};
}}});"""
SPILLED = """() => [...document.querySelectorAll('.seat')].flatMap(seat => {
  const room = seat.getBoundingClientRect();
  return [...seat.children, ...seat.querySelectorAll('span')].map(one => one.getBoundingClientRect()).filter(box =>
    box.left < room.left - .5 || box.right > room.right + .5 || box.top < room.top - .5 || box.bottom > room.bottom + .5
  ).map(() => seat.textContent);
})"""
OUTSIDE = """() => ['#number', '#sentence', '#seats', '#picture', '.levels', '#foot', '#connection'].filter(name => {
  const box = document.querySelector(name).getBoundingClientRect();
  return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth || box.height < 10;
})"""
CUT = """() => [...document.querySelectorAll('#foot .fact, .time')].filter(
  one => one.scrollWidth > one.clientWidth + 1).length"""
OVERLAP = """() => {
  const at = name => document.querySelector(name).getBoundingClientRect();
  return at('#sentence .said').bottom > at('#seats').top || at('#seats').bottom > at('#picture').top;
}"""
SIZE = """() => {
  const [page, body] = [document.documentElement, document.body];
  return [Math.max(page.scrollWidth, body.scrollWidth), Math.max(page.scrollHeight, body.scrollHeight)];
}"""
SHARE = "name => parseFloat(getComputedStyle(document.querySelector(name)).fontSize) / innerHeight"


def many(cap: int, taken: int) -> Snapshot:
    """So many seats in every state there is, with long titles among them."""
    kinds: list[dict[str, Any]] = [
        {}, {"phase": Phase.IDLE, "idle": 4000}, {"phase": Phase.IDLE, "idle": 42},
        {"phase": Phase.WAITING, "waiting_for": {"r": ago(hours=11)}}, {"title": LONG},
        {"phase": Phase.IDLE, "idle": 900, "holds": {"remote_control": ago(hours=1), "scheduled": ago(hours=1)}},
    ]  # fmt: skip
    current = seven_of_eight()
    holders: list[Session] = [session(n, **kinds[n % len(kinds)]) for n in range(taken)]
    return snapshot(
        replace(current, sessions={one.id: one for one in holders}, cap=cap),
        (mark("evicted_for_seat", 26, 5), mark("evicted_for_memory", 70, 6)),
    )


@contextmanager
def wall(browser: Browser, running: Running, query: str = "", script: str = "", **context: Any) -> Iterator[Page]:
    """The wall, live; whatever its console complains of fails the test."""
    inside = browser.new_context(**{"viewport": {"width": 1280, "height": 720}, "locale": "en-GB", **context})
    page, said = inside.new_page(), list[str]()
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    if script:
        page.add_init_script(script)
    page.goto(f"http://127.0.0.1:{running.port}/wall{query}")
    page.wait_for_selector('body[data-conn="live"]')
    yield page
    inside.close()
    assert said == []


@pytest.mark.parametrize(("cap", "taken", "locale"), [(8, 8, "en-GB"), (8, 9, "ja-JP"), (42, 42, "en-GB")])
def test_fits_a_screen_that_stands(browser: Browser, cap: int, taken: int, locale: str) -> None:
    """On a screen higher than wide nothing is covered or cut either, and titles are not too small to be read."""
    with serving(many(cap, taken)) as running, wall(browser, running, locale=locale) as page:
        for width, height in STANDING:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SIZE) == [width, height]
            assert page.evaluate(SPILLED) == []
            assert page.evaluate(OUTSIDE) == []
            assert not page.evaluate(OVERLAP)
            assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.seat .name')).fontSize)") >= 10


def seen_again(page: Page) -> None:
    """Let the page believe that it was just uncovered."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.parametrize(
    ("cap", "taken", "locale"),
    [
        (6, 4, "en-GB"), (8, 8, "en-GB"), (8, 9, "ja-JP"), (21, 19, "en-GB"), (21, 21, "ja-JP"),
        (42, 42, "en-GB"), (42, 40, "ja-JP"), (64, 70, "en-GB"),
    ],
)  # fmt: skip
def test_fits_every_screen(browser: Browser, cap: int, taken: int, locale: str) -> None:
    """From 1280 × 720 to 4K nothing is scrolled to, nothing leaves its tile, and nothing covers anything else."""
    with serving(many(cap, taken)) as running, wall(browser, running, locale=locale) as page:
        page.evaluate("document.querySelector('#walk').style.transform = 'translate(4px, 4px)'")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            size = page.evaluate(SIZE)
            assert size == [width, height]
            assert page.evaluate(SPILLED) == []
            assert page.evaluate(OUTSIDE) == []
            assert page.evaluate(CUT) == 0
            assert not page.evaluate(OVERLAP)


def test_type_is_as_large_as_the_guide_says(browser: Browser) -> None:
    """With eight seats a title takes a thirtieth of the height on every screen; the number eight times as much."""
    said = {"#number .number": 0.26, "#sentence .said": 0.068, ".seat .name": 0.033, ".seat .state": 0.027}
    with serving(snapshot()) as running, wall(browser, running) as page:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert {name: round(page.evaluate(SHARE, name), 4) for name in said} == said
    with serving(many(42, 42)) as running, wall(browser, running) as page:
        assert page.evaluate(SHARE, ".seat .name") == pytest.approx(0.024)
        assert page.evaluate(SHARE, ".seat .state") == pytest.approx(0.0195)


def test_the_screen_is_kept_awake(browser: Browser) -> None:
    """The lock is asked for once, and again once it was let go; a refusal is said while it lasts."""
    with serving(snapshot()) as running, wall(browser, running, script=LOCK) as page:
        first = page.evaluate("window.asked")
        seen_again(page)
        held = page.evaluate("window.asked")
        page.evaluate("window.lock.released = true; window.refused = true")
        seen_again(page)
        expect(page.locator("#awake")).to_be_visible()
        refused = page.evaluate("window.asked")
        page.evaluate("window.refused = false")
        seen_again(page)
        expect(page.locator("#awake")).to_be_hidden()

        assert (first, held, refused) == (1, 1, 2)
        assert page.evaluate("window.asked") == 3


def test_it_walks_by_a_pixel_a_minute(browser: Browser) -> None:
    """Each minute it moves by one pixel, within four of its place, and comes by every pixel there."""
    places = []
    with serving(snapshot()) as running, wall(browser, running, reduced_motion="reduce") as page:
        for minute in range(162):
            page.clock.set_fixed_time(NOW + timedelta(minutes=minute))
            seen_again(page)
            places.append(
                page.evaluate("(m => [m.e, m.f])(new DOMMatrix(document.querySelector('#walk').style.transform))")
            )

    steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(places)]
    assert set(steps) == {1}
    assert max(abs(along) for place in places for along in place) == 4
    assert len({tuple(place) for place in places}) == 81


@pytest.mark.parametrize(
    ("query", "hour", "dark"),
    [
        ("?dim=22-7", 23, True),
        ("?dim=22-7", 6, True),
        ("?dim=22-7", 7, False),
        ("?dim=0-24", 12, True),
        ("", 23, False),
    ],
)
def test_dims_by_the_readers_clock(browser: Browser, query: str, hour: int, dark: bool) -> None:
    """Within the hours that the address names, where the screen hangs, the page is black, whatever theme it has."""
    light: dict[str, Any] = {"timezone_id": "Asia/Tokyo", "color_scheme": "light"}
    with serving(snapshot()) as running, wall(browser, running, query, **light) as page:
        page.clock.set_fixed_time(datetime(2026, 10, 2, hour, 0, tzinfo=TOKYO))
        seen_again(page)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")

        assert page.evaluate("document.documentElement.classList.contains('night')") is dark
        assert (ground == "rgb(0, 0, 0)") is dark


def test_renews_itself_once_for_a_new_version(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of another version makes the wall load itself once; one that goes on to differ, never again."""
    with serving(snapshot()) as first, wall(browser, first) as page:
        page.evaluate("window.old = true")
        first.stop()
        monkeypatch.setattr("app.web.wall_page.__version__", "9.9.9")
        with serving(snapshot(), first.port) as second:
            page.wait_for_function("() => window.old === undefined")
            page.wait_for_selector('#stream[data-v^="9.9.9-"]', state="attached")
            page.wait_for_selector('body[data-conn="live"]')
            page.evaluate("document.querySelector('#stream').dataset.v = 'another'; window.old = true")
            second.publish(snapshot(replace(seven_of_eight(), at=ago(seconds=1))))
            expect(page.locator("#connection")).to_have_attribute("data-state", "outdated")

            assert page.evaluate("window.old") is True


def test_hidden_titles_stay_hidden(browser: Browser) -> None:
    """Neither the first answer nor what the stream sends later holds a title, and a letter stays with its session."""
    current = seven_of_eight()
    titles = [str(one.title) for one in current.sessions.values()]
    with serving(snapshot()) as running, wall(browser, running, "?titles=hide") as page:
        expect(page.locator("#seat-5 .name")).to_have_text("Session E")
        busy = replace(current.sessions[sid(5)], phase=Phase.WORKING, idle_since=None)
        running.publish(snapshot(replace(current, sessions={**current.sessions, busy.id: busy})))
        page.wait_for_selector("#seat-5.working")

        assert page.inner_text("#seat-5 .name") == "Session E"
        assert "Session F goes first" in page.inner_text("#sentence")
        assert not [title for title in titles if title in page.content()]


def test_three_hundred_updates_leave_nothing_behind(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """After hundreds of updates the page has the nodes and the listeners that it had after the first."""
    monkeypatch.setattr(stream, "LEAST_SECONDS_BETWEEN", 0.0)
    eight, nine = state(*(session(n) for n in range(1, 9))), state(*(session(n) for n in range(1, 10)))
    with serving(snapshot(eight)) as running, wall(browser, running) as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")

        def counted() -> tuple[float, float]:
            devtools.send("HeapProfiler.collectGarbage")
            found = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
            return page.evaluate("document.querySelectorAll('*').length"), found["JSEventListeners"]

        counts: list[tuple[float, float]] = []
        for _twice in range(150):
            for shown, number in ((nine, "9"), (eight, "8")):
                running.publish(snapshot(shown))
                page.wait_for_function("n => document.querySelector('.taken').textContent === n", arg=number)
            counts.append(counted() if len(counts) in (0, 149) else (0.0, 0.0))

        assert counts[-1] == counts[0]


@pytest.fixture
def app_log(tmp_path: Path) -> Iterator[AppLog]:
    """A running app with two sessions."""
    log = AppLog(tmp_path / "logs")
    log.start()
    log.begin(0, "alpha")
    log.begin(1, "beta")
    yield log
    log.close()


def test_the_whole_chain(browser: Browser, app_log: AppLog, tmp_path: Path) -> None:
    """A line that the app writes is on the wall; while Seatwatch is away it stays, grows pale, and says since when."""
    served = Served(app_log.folder, tmp_path / "seatwatch.sqlite")
    served.start()
    page = browser.new_page(viewport={"width": 1280, "height": 720}, locale="en-GB")
    try:
        page.clock.install()
        page.goto(f"{served.address}/wall")
        expect(page.locator("#seat-2 .name")).to_have_text("beta", timeout=15_000)
        app_log.begin(2, "gamma")
        expect(page.locator("#seat-3 .name")).to_have_text("gamma")
        served.stop()
        page.clock.fast_forward(16_000)
        expect(page.locator("#connection")).to_contain_text("stale since")
        assert float(page.evaluate("getComputedStyle(document.querySelector('#seats')).opacity")) < 0.5
        assert page.evaluate(SHARE, "#connection") > 0.03
        expect(page.locator("#seat-3 .name")).to_have_text("gamma")
    finally:
        page.context.close()
        served.kill()
