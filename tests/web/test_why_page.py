"""The page of *why*, as it is sent."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.census import Census
from app.core.events import Event, Observed, SessionPaused, SessionStarted
from app.core.reducer import fold
from app.core.state import State
from app.errors import DatabaseUnusable
from app.web.asked import Asked
from app.web.why_page import why_router
from tests.web.scenes import HOSTILE, Reading, Site, ago, sid, site, snapshot

EVENTS: tuple[Event, ...] = (
    SessionStarted(ago(minutes=90), sid(1), "/Users/someone/alpha"),
    SessionPaused(ago(minutes=24), sid(1), "idle_timeout"),
)


def asked_of(text: str = "line") -> Site:
    """A site that was told of one session that was paused."""
    one = site(snapshot(fold(State(), EVENTS)))
    one.reading.observed += [Observed(event, "f1", n, n, f"{text} {n}") for n, event in enumerate(EVENTS, start=1)]
    return one


def browser(one: Site) -> TestClient:
    """A browser's stand-in on the site."""
    return TestClient(one.app, base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_without_a_question_the_newest_stops_are_offered() -> None:
    """The form is empty, and what stopped of late is a link to its own answer."""
    page = browser(asked_of()).get("/why").text

    assert '<option value="">any session</option>' in page
    assert 'name="at" type="datetime-local" step="1" value=""' in page
    assert f'<a href="/why?session={sid(1)}&amp;at=2026-10-02T10%3A00%3A00Z">' in page
    assert 'id="verdict"' not in page


@pytest.mark.parametrize(
    "query",
    [
        {"session": sid(1)}, {"session": sid(1)[:12]}, {"session": "0001", "at": ""}, {"at": "2026-10-02T19:01"},
        {"session": sid(1), "at": "2026-10-02T10:00:00Z"}, {"at": "2026-10-02T19:05:00 09:00", "session": " "},
    ],
)  # fmt: skip
def test_a_question_gets_its_answer(query: dict[str, str]) -> None:
    """By session, by time or by both: the verdict, and the lines that prove it."""
    answer = browser(asked_of()).get("/why", params=query)

    assert answer.status_code == 200
    assert 'data-verdict="paused_idle" data-certainty="certain"' in answer.text
    assert '<span class="where">main.log:2</span>' in answer.text
    assert "Certain: the log says so itself." in answer.text


def test_the_answer_in_japanese() -> None:
    """All of it: the verdict, how sure, and what to do."""
    page = browser(asked_of()).get("/why", params={"session": sid(1), "lang": "ja"}).text

    assert "は待機時間が過ぎたため、アプリに一時停止されました。" in page
    assert "確実: ログ自体にそう書かれています。" in page
    assert "開けば続きから再開します。" in page


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"at": "soon"}, "“soon” is no time"),
        ({"at": HOSTILE}, "is no time"),
        ({"at": "9999-12-31T23:59:59-14:00"}, "is no time"),
        ({"at": "2020-01-01T00:00:00"}, "does not reach back to that time."),
        ({"session": "nobody"}, "names no session “nobody”."),
        ({"session": HOSTILE}, "names no session"),
        ({"session": "x" * 9000, "at": "y" * 9000}, "is no time"),
    ],
)
def test_a_question_that_makes_no_sense(query: dict[str, str], words: str) -> None:
    """It is said on the page, with the form to ask again; nothing of the address is more than text."""
    answer = browser(asked_of()).get("/why", params=query)

    assert answer.status_code == 400
    assert words in answer.text
    assert 'id="problem"' in answer.text
    assert 'id="ask-session"' in answer.text
    assert "<script>alert" not in answer.text
    assert len(answer.text) < 25_000


def test_nothing_stopped_then() -> None:
    """A time at which nothing stopped is an answer too."""
    page = browser(asked_of()).get("/why", params={"at": "2026-10-02T18:30"}).text

    assert "Nothing stopped within ten minutes of that time." in page
    assert 'id="verdict"' not in page


def test_nothing_stopped_ever() -> None:
    """Where nothing has stopped the page says so."""
    assert "Nothing has stopped in all that is kept of the log." in browser(site()).get("/why").text


def test_hostile_lines_stay_text() -> None:
    """A log line that holds markup and codes is shown as text in the proof."""
    page = browser(asked_of(HOSTILE)).get("/why", params={"session": sid(1)}).text

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert not {"\x1b", "\u202e"} & set(page)


def test_a_store_that_fails_is_told() -> None:
    """A store that fails while it is asked is said with what to do."""

    async def told(at: datetime) -> Reading:
        raise DatabaseUnusable(PurePath("db"), f"disk full at {at:%Y}")

    async def census() -> tuple[Census, dict[str, str]]:
        raise AssertionError

    app = FastAPI()
    app.include_router(why_router(site().board, Asked(told, census)))
    with TestClient(app) as visitor:
        answer = visitor.get("/why", params={"session": "x"})

    assert (answer.status_code, "disk full" in answer.text) == (503, True)
