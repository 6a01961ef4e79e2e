"""The page of one session, as it is sent."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.events import Observed, SessionPaused, SessionWarmed
from app.core.history import History
from app.core.state import State
from app.errors import DatabaseDamaged
from app.web.past import PastWindows
from app.web.session_page import session_router
from tests.web.scenes import HOSTILE, NOW, Site, ago, mark, session, seven_of_eight, sid, site, snapshot, state

MARKS = (mark("evicted_for_memory", 30, 5), mark("would_evict", 25, 5))


def told(lines: int = 3, text: str = "line") -> Site:
    """A site with seven sessions, whose archive has so many lines of the fifth."""
    one = site(snapshot(marks=MARKS))
    one.reading.observed += [
        Observed(SessionWarmed(ago(minutes=60 - n / 10), sid(5), n), "f1", 100 * n, n, f"{text} {n}")
        for n in range(1, lines + 1)
    ]
    return one


def browser(one: Site) -> TestClient:
    """A browser's stand-in on the site."""
    return TestClient(one.app, base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_page_of_a_session() -> None:
    """What it does, its life as a picture, its place, its lines, and the way to why, without any script."""
    answer = browser(told()).get(f"/sessions/{sid(5)}")

    assert answer.status_code == 200
    assert "<h1>Meeting notes</h1>" in answer.text
    assert "has been silent since 19:09:58" in answer.text
    assert 'id="lane-0"' in answer.text
    assert 'id="lane-1"' not in answer.text
    assert f'href="/why?session={sid(5)}"' in answer.text
    assert answer.text.count('<span class="where">main.log:') == 3
    assert "<b>1st</b> of 3 that could be closed" in answer.text


def test_lines_go_on_page_by_page() -> None:
    """Older lines are a link away; a cursor that is no number gives the newest page."""
    one = browser(told(70))
    first = one.get(f"/sessions/{sid(5)}").text
    second = one.get(f"/sessions/{sid(5)}?before=41").text
    wrong = one.get(f"/sessions/{sid(5)}?before=%27x").text
    huge = one.get(f"/sessions/{sid(5)}?before={'9' * 400}").text

    assert f'href="/sessions/{sid(5)}?before=41#log"' in first
    assert ("line 70<" in first, "line 40<" in first) == (True, False)
    assert ("line 70<" in second, "line 40<" in second) == (False, True)
    assert "Back to the newest" in second
    assert first.partition("<main")[2] == wrong.partition("<main")[2] == huge.partition("<main")[2]


@pytest.mark.parametrize("name", ["nobody", quote(HOSTILE.replace("/", "")), "x" * 5000, "%00", "..%5c..%5cetc"])
def test_an_unknown_session_is_a_page_that_helps(name: str) -> None:
    """It says what, why, and offers those that are there; nothing of the address is more than text."""
    answer = browser(told()).get(f"/sessions/{name}")

    assert answer.status_code == 404
    assert "No such session" in answer.text
    assert "Choose one of the newest sessions:" in answer.text
    assert f'<a href="/sessions/{sid(7)}">Translate manual</a>' in answer.text
    assert "<script>alert" not in answer.text
    assert len(answer.text) < 20_000


def test_no_session_at_all() -> None:
    """Where nothing is known there is nothing to choose, and a way back."""
    answer = browser(site(snapshot(state()))).get("/sessions/nobody")

    assert answer.status_code == 404
    assert "Go back to the seats." in answer.text


def test_hostile_lines_and_titles_stay_text() -> None:
    """No markup, code or direction mark of a log line or title reaches the page as such."""
    one = told(3, HOSTILE)
    hostile = session(5, title=HOSTILE, cwd=f"/{HOSTILE}")
    one.live.current = snapshot(state(hostile), MARKS)
    page = browser(one).get(f"/sessions/{sid(5)}").text

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert "<img" not in page
    assert not {"\x1b", "\u202e"} & set(page)


def test_a_life_that_memory_has_forgotten_is_told_by_the_store() -> None:
    """A session that ended long ago has its picture and its state from what is kept."""
    shown, asked = told(), []
    shown.reading.observed[:] = [
        Observed(SessionPaused(ago(days=20), sid(9), "idle_timeout"), "f1", 1, 1, "paused long ago")
    ]

    def history_of(start: datetime, end: datetime) -> tuple[State, History]:
        asked.append((start, end))
        return state(session(9, title="Old one")), History(start, end)

    app = FastAPI()
    app.include_router(session_router(shown.board, shown.shelf, PastWindows(history_of)))
    with TestClient(app) as visitor:
        answer = visitor.get(f"/sessions/{sid(9)}")

    assert asked[0][0] < ago(days=20) < asked[0][1]
    assert "<h1>Old one</h1>" in answer.text
    assert "paused long ago" in answer.text


def test_a_store_that_fails_is_told() -> None:
    """A store that fails while it is asked is said with what to do, never a traceback."""
    one = told()
    one.shelf.error = DatabaseDamaged(PurePath("db"), "malformed")
    answer = browser(one).get(f"/sessions/{sid(5)}")

    assert answer.status_code == 503
    assert "What is kept cannot be read" in answer.text
    assert "Reload this page in a moment" in answer.text


def test_the_dashboard_leads_there() -> None:
    """Tiles, lanes, the queue and what happened lead to the session, and what happened to why."""
    page = browser(site(snapshot(seven_of_eight(), MARKS))).get("/").text
    here = f'href="/sessions/{sid(5)}"'

    for part in ('id="seat-5"', 'id="name-4"', 'id="next"', 'id="happened"'):
        assert here in page[page.index(part) :][:3500], part
    assert f'href="/why?session={sid(5)}&amp;at=2026-10-02T09%3A54%3A00Z"' in page
    assert NOW.hour == 10
