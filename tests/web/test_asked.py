"""What programs ask of the past."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.counted import Census
from app.core.events import Event, IdleTimerFired, Observed, SessionPaused, SessionRetitled, SessionWarmed
from app.errors import DatabaseDamaged, DatabaseUnusable, SeatwatchError, WrongUsage
from app.explain import explain
from app.web.asked import Asked, asked_router, problem_of
from tests.web.scenes import NOW, ZONE, Reading, Site, ago, sid, site

PAUSED: tuple[Event, ...] = (
    SessionWarmed(ago(minutes=60), sid(1), 100),
    SessionRetitled(ago(minutes=59), sid(1), "Report"),
    IdleTimerFired(ago(minutes=20), sid(1)),
    SessionPaused(ago(minutes=20), sid(1), "idle_timeout"),
)


def asked_of(*events: Event) -> Site:
    """A site that was told these events, a line each."""
    one = site()
    one.reading = Reading([Observed(event, "f1", 100 * n, n, f"line {n}") for n, event in enumerate(events, start=1)])
    return one


def browser(one: Site) -> TestClient:
    """A program that asks it."""
    return TestClient(one.app, base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_why_is_the_answer_of_the_command() -> None:
    """``/api/why`` is what `seatwatch why --json` prints, for a session and for a time, and is never kept."""
    one = asked_of(*PAUSED)
    by_title = browser(one).get("/api/why", params={"session": "report"})
    by_time = browser(one).get("/api/why", params={"at": ago(minutes=21).isoformat()})

    assert by_title.json() == explain(one.reading, "report", NOW, ZONE)
    assert by_title.json()["verdict"] == "paused_idle"
    assert by_title.json()["evidence"][0]["source"] == "main.log"
    assert by_time.json()["session"] == sid(1)
    assert by_title.headers["cache-control"] == "no-store"


def test_why_is_judged_from_the_moment_asked_for() -> None:
    """Without a moment it is judged now; a plus that an address has turned into a blank is understood."""
    one = asked_of(*PAUSED)
    for query in ("", "?at=2026-10-02T18:50:00+09:00", "?at=2026-10-02T18:50:00"):
        assert browser(one).get(f"/api/why{query}").status_code == 200

    assert one.moments[0] == NOW
    assert [moment.isoformat() for moment in one.moments[1:]] == ["2026-10-02T18:50:00+09:00"] * 2


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"session": "nobody"}, ("There is no session 'nobody'.", "Known by then", "Name one of these")),
        ({"at": "soon"}, ("The time 'soon' makes no sense.", "not of the form", "2026-10-02T13:41:30+09:00")),
        ({"at": "0001-01-01T00:00:00"}, ("makes no sense", "between 1971 and 9000")),
        ({"at": "9999-12-31T23:59:59-14:00"}, ("makes no sense",)),
        ({"at": "2026-10-01T00:00:00"}, ("does not reach back", "It covers", "Name a time within it.")),
    ],
)
def test_wrong_question(query: dict[str, str], words: tuple[str, ...]) -> None:
    """A question that makes no sense is a problem document that says what, why and what to do."""
    answer = browser(asked_of(*PAUSED)).get("/api/why", params=query)

    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["instance"] == "/api/why"
    assert all(word in answer.json()["detail"] for word in words)


@pytest.mark.parametrize("query", [{"session": "x" * 201}, {"at": "x" * 81}])
def test_huge_question(query: dict[str, str]) -> None:
    """A question of any length is refused before anything is looked up."""
    one = asked_of(*PAUSED)

    assert browser(one).get("/api/why", params=query).status_code == 422
    assert one.moments == []


def test_census_is_what_was_counted() -> None:
    """``/api/census`` counts lines and events, with sources by their file names, and is never kept."""
    answer = browser(asked_of(*PAUSED)).get("/api/census")

    assert answer.json()["lines"] == 2
    assert answer.json()["scopes"] == [{"name": "CCD", "lines": 2, "share": 1.0}]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (WrongUsage("What.", "Why.", "Do."), 400),
        (DatabaseUnusable(PurePath("db"), "disk full"), 503),
        (DatabaseDamaged(PurePath("db"), "malformed"), 503),
    ],
)
def test_whose_fault(error: SeatwatchError, status: int) -> None:
    """A wrong question is the asker's fault; a database that fails is not, though a setting names its place."""
    problem = problem_of(error)

    assert (problem.status_code, problem.detail) == (status, str(error))


def test_store_that_fails() -> None:
    """A store that fails while it is asked gives a problem document on both addresses, never a traceback."""

    async def told(at: datetime) -> Reading:
        raise DatabaseDamaged(PurePath("db"), f"malformed at {at:%Y}")

    async def census() -> tuple[Census, dict[str, str]]:
        raise DatabaseDamaged(PurePath("db"), "malformed")

    app = FastAPI()
    app.include_router(asked_router(Asked(told, census), ZONE, lambda: NOW))
    with TestClient(app) as asker:
        answers = [asker.get(f"/api/{name}") for name in ("why", "census")]

    assert [answer.status_code for answer in answers] == [503, 503]
    assert all("is damaged" in answer.json()["detail"] for answer in answers)
