"""The page as it is first sent."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.history import History
from app.core.state import App, Phase, State
from app.errors import DatabaseUnusable
from app.live import Snapshot
from app.web.pages import pages_router
from app.web.past import PastWindows
from app.web.ranges import Window
from tests.web.scenes import HOSTILE, NOW, FixedRecorder, ago, client, mark, session, site, snapshot, state

EMPTY = FixedRecorder(History(ago(hours=2), NOW))


def test_page_is_whole_without_scripts() -> None:
    """The number, the sentence, the seats, the timeline and the cards are in the first answer."""
    with client(snapshot(marks=(mark("evicted_for_seat", 26, 5),))) as browser:
        answer = browser.get("/")

    assert answer.headers["cache-control"] == "no-store"
    assert '<span class="taken">7</span>' in answer.text
    assert "<b>Meeting notes</b> is likely to be closed first" in answer.text
    assert answer.text.count('<li id="seat-') == 8
    assert "right 41 of 44 times" in answer.text
    assert "closed to make room" in answer.text
    assert "Times are JST." in answer.text


def test_page_connects_once_and_its_connection_is_never_swapped() -> None:
    """One stream per page, on an element that no update has as its target."""
    with client() as browser:
        page = browser.get("/").text

    assert page.count("hx-sse:connect") == 1
    assert re.search(r'<div id="stream" hx-sse:connect="/stream\?range=2h&amp;lang=en" hx-swap="none"', page)
    assert not re.search(r'<div id="stream"[^>]*>\s*<(?!/div>)', page)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (snapshot(demo=True, looked_in=("/a",)), "Demo data. No Claude logs were found."),
        (snapshot(State(), ready=False), "Reading the history."),
        (Snapshot(1, State(), EMPTY, looked_in=("/a",), ready=True), "No Claude logs found. Looked in: /a"),
        (snapshot(state()), "No session holds a seat."),
        (snapshot(state(app=App(running=False, down_since=ago(minutes=26)))), "Claude is not running."),
        (snapshot(problem="The disk is full."), "The disk is full."),
        (snapshot(state(*(session(n) for n in range(9)))), 'class="number over"'),
        (snapshot(state(*(session(n, Phase.IDLE, idle=n * 30) for n in range(42)), cap=42)), "wide-9 mid-7 dense"),
    ],
)
def test_every_state_is_drawn(shown: Snapshot, words: str) -> None:
    """Demo, loading, no logs, empty, not running, trouble, over the cap, many seats."""
    with client(shown) as browser:
        answer = browser.get("/")

    assert answer.status_code == 200
    assert words in answer.text


def test_page_is_light() -> None:
    """Compressed, the first answer stays far below 60 KB."""
    with client() as browser:
        answer = browser.get("/", headers={"Accept-Encoding": "gzip"})

    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 12_000


def test_head_is_answered() -> None:
    """Who only asks whether the page is there gets no body."""
    with client() as browser:
        answer = browser.head("/")

    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("name", ["15m", "1h", "2h", "6h", "24h", "7d"])
def test_each_range_is_a_link_and_a_page(name: str) -> None:
    """The range in the address is drawn, marked as the current one, and followed by the page's stream."""
    with client(snapshot(marks=(mark("put_off", 10),))) as browser:
        page = browser.get(f"/?range={name}").text

    start, end = Window(name).bounds(NOW)
    assert f'data-start="{int(start.timestamp())}" data-end="{int(end.timestamp())}"' in page
    assert page.count('aria-current="true"') == 2  # the range and the language
    assert f'<a href="/?range={name}" data-range="{name}" aria-current="true">' in page
    assert f'hx-sse:connect="/stream?range={name}&amp;lang=en"' in page
    assert 'id="still"' not in page


def test_a_fixed_window_says_that_it_stands_still() -> None:
    """It has its own picture, nothing that its script would move, and a way back; the seats stay about now."""
    marks = (mark("put_off", 100), mark("evicted_for_seat", 5, 5))
    with client(snapshot(marks=marks)) as browser:
        page = browser.get("/?from=2026-10-02T17:30&to=2026-10-02T18:30").text

    assert "You look at 17:30 to 18:30." in page
    assert '<a class="button" href="/?range=2h">Back to live</a>' in page
    assert "data-start=" not in page
    assert 'id="now"' not in page
    assert ' open"' not in page[page.index('id="timeline"') : page.index('id="readout"')]
    assert "0 evictions, 1 start put off in this window" in page
    assert '<span class="taken">7</span>' in page


def test_a_moment_has_its_line() -> None:
    """A link to a moment opens around it, with the moment marked; now is drawn where it lies in the window."""
    with client() as browser:
        page = browser.get("/?at=2026-10-02T19:20:00%2B09:00&range=1h").text

    assert re.search(r'class="now pin" x="70\.0%".*?<text y="12">19:20:00</text>', page)
    assert 'id="now"' in page
    assert "You look at 18:38 to 19:38." in page


def test_a_links_language_goes_along() -> None:
    """Who came by a link in a language stays in it from range to range; the switch leads to the same window."""
    with client() as browser:
        page = browser.get("/?range=6h&lang=ja").text

    assert '<a href="/?range=24h&amp;lang=ja"' in page
    assert '<a href="/?range=6h&amp;lang=en" lang="en"' in page


@pytest.mark.parametrize("key", ["range", "from", "to", "at", "lang"])
@pytest.mark.parametrize(
    "value",
    [HOSTILE, "x" * 20_000, "\x00\x1b[31m", "-1", "999999999999999999", "{problem}", "%s%n", "９日", "' OR 1=1"],
)
def test_hostile_values_get_a_page(key: str, value: str) -> None:
    """Whatever stands in the address, the answer is the page, with the usual range and no word of it unescaped."""
    with client() as browser:
        answer = browser.get("/", params={key: value})
        twice = browser.get("/", params=[(key, value), (key, value), ("range", "2h")])

    assert (answer.status_code, twice.status_code) == (200, 200)
    assert "<script>alert" not in answer.text
    assert len(answer.text) < 90_000
    assert ('id="unclear"' in answer.text) is (key != "lang")
    assert f'data-end="{int(Window().bounds(NOW)[1].timestamp())}"' in answer.text


def test_what_the_store_tells_is_shown() -> None:
    """A window from before the history in memory is told by the store; when the store fails, the page says so."""
    shown = site(snapshot())
    old = History(ago(days=20), ago(days=19), marks=(replace(mark("put_off", 0), at=ago(days=19.5)),))
    asked = []

    def told(start: datetime, end: datetime) -> tuple[State, History]:
        asked.append((start, end))
        if len(asked) > 1:
            raise DatabaseUnusable(Path("seatwatch.sqlite"), "disk I/O error")
        return state(), old

    app = FastAPI()
    app.include_router(pages_router(shown.board, PastWindows(told)))
    with TestClient(app) as browser:
        page = browser.get("/?from=2026-09-12T19:24&to=2026-09-13T19:24").text
        failing = browser.get("/?from=2026-09-11T19:24&to=2026-09-12T19:24")

    assert asked[0] == (ago(days=20), ago(days=19))
    assert "13 Sep, 07:24:00" in page
    assert "0 evictions, 1 start put off in this window" in page
    assert failing.status_code == 200
    assert "disk I/O error" in failing.text
