"""The page as it is first sent."""

from __future__ import annotations

import re

import pytest

from app.core.history import History
from app.core.state import App, Phase, State
from app.live import Snapshot
from app.web.pages import zone_name
from tests.web.scenes import NOW, FixedRecorder, ago, client, mark, session, site, snapshot, state

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


def test_zone_has_a_name() -> None:
    """The footer says in which zone all times are."""
    assert zone_name(site().board) == "JST"
