"""The page of the census, as it is sent."""

from __future__ import annotations

from pathlib import PurePath

from starlette.testclient import TestClient

from app.core.events import Event, HostDisagreed, Observed, SessionStarted, Unrecognized
from app.core.state import State
from app.errors import DatabaseDamaged
from tests.web.scenes import HOSTILE, Site, ago, sid, site, snapshot


def told() -> Site:
    """A site with a session, a hostile line of an unknown shape, and a difference to what the host says."""
    one = site()
    events: tuple[Event, ...] = (
        SessionStarted(ago(minutes=9), sid(1), "/x"),
        Unrecognized(ago(minutes=8), f"[VM] {HOSTILE}"),
        HostDisagreed(ago(minutes=7), "processes", 3, 4),
    )
    one.reading.observed += [Observed(event, "f1", n, n, f"{HOSTILE} {n}") for n, event in enumerate(events, start=1)]
    return one


def browser(one: Site) -> TestClient:
    """A browser's stand-in on the site."""
    return TestClient(one.app, base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_page_of_the_census() -> None:
    """Lines, the governor, limits, checks, and each unknown shape with a sample, without any script."""
    answer = browser(told()).get("/census")

    assert answer.status_code == 200
    assert "2 lines read. The governor wrote 0.0 % of them." in answer.text
    assert "1 lines, first at main.log:2" in answer.text
    assert '<span class="where">main.log:2</span>' in answer.text
    assert "live sessions" in answer.text
    assert "<script>alert" not in answer.text
    assert not {"\x1b", "\u202e"} & set(answer.text)


def test_the_census_in_japanese() -> None:
    """All of it."""
    page = browser(told()).get("/census?lang=ja").text

    assert "読み込んだ行は2行。うち0.0 %がガバナーの行です。" in page
    assert "このマシンとログが食い違った時点" in page


def test_it_is_shown_while_the_history_is_read() -> None:
    """What has been counted so far is shown at any time, with the note that it is still being read."""
    page = browser(site(snapshot(State(), ready=False))).get("/census")

    assert page.status_code == 200
    assert "Reading the history." in page.text


def test_a_store_that_fails_is_told() -> None:
    """A store that fails while it is asked is said with what to do."""
    one = told()
    one.shelf.error = DatabaseDamaged(PurePath("db"), "malformed")
    answer = browser(one).get("/census")

    assert (answer.status_code, "What is kept cannot be read" in answer.text) == (503, True)
