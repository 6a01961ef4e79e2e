"""What happened, for programs."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import PurePath

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.events import Event, Observed, SessionPaused, SessionWarmed, UsageLimited
from app.core.history import History
from app.core.state import Phase, State
from app.errors import DatabaseDamaged
from app.web.listings import Listing, listings_router
from app.web.past import PastWindows
from tests.web.scenes import NOW, ZONE, Site, ago, mark, session, sid, site, snapshot, state

HAPPENED: tuple[Event, ...] = (
    SessionWarmed(ago(minutes=60), sid(1), 100),
    SessionWarmed(ago(minutes=50), sid(2), 90),
    UsageLimited(ago(minutes=40), sid(1), "7pm", ago(minutes=-30)),
    SessionPaused(ago(minutes=20), sid(1), "idle_timeout"),
)


def told(*events: Event, shown: Site | None = None) -> Site:
    """A site whose archive holds these events, a line each."""
    one = shown or site()
    one.reading.observed += [Observed(event, "f1", 100 * n, n, f"line {n}") for n, event in enumerate(events, start=1)]
    return one


def browser(one: Site) -> TestClient:
    """A program that asks it."""
    return TestClient(one.app, base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_events_are_told_newest_first_with_their_lines() -> None:
    """Each event has its kind, its own fields, and where in which file it stands."""
    answer = browser(told(*HAPPENED)).get("/api/events")

    assert answer.headers["cache-control"] == "no-store"
    assert [one["kind"] for one in answer.json()["events"]] == [
        "SessionPaused", "UsageLimited", "SessionWarmed", "SessionWarmed",
    ]  # fmt: skip
    assert answer.json()["events"][1] == {
        "id": 3, "at": "2026-10-02T18:44:00+09:00", "kind": "UsageLimited", "session": sid(1), "source": "main.log",
        "line": 3, "offset": 300, "text": "line 3",
        "fields": {"resets": "7pm", "resets_at": "2026-10-02T19:54:00+09:00"},
    }  # fmt: skip
    assert answer.json()["next"] is None


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"session": sid(1)}, [4, 3, 1]),
        ({"kind": "SessionWarmed"}, [2, 1]),
        ({"kind": ["SessionWarmed", "UsageLimited"]}, [3, 2, 1]),
        ({"from": "2026-10-02T18:34", "to": "2026-10-02T18:44"}, [2]),
        ({"from": "2026-10-02T09:34:00 00:00"}, [4, 3, 2]),
        ({"limit": 2}, [4, 3]),
        ({"limit": 2, "before": 3}, [2, 1]),
        ({"session": "nobody"}, []),
    ],
)
def test_events_are_chosen(query: dict[str, str], ids: list[int]) -> None:
    """By session, by kind, by time, and page by page."""
    answer = browser(told(*HAPPENED)).get("/api/events", params=query).json()

    assert [one["id"] for one in answer["events"]] == ids
    assert answer["next"] == (ids[-1] if len(ids) == query.get("limit", 100) else None)


@pytest.mark.parametrize(
    ("path", "query", "status", "words"),
    [
        ("events", {"from": "soon"}, 400, "The time 'soon' makes no sense."),
        ("events", {"kind": "Boom"}, 400, "There is no kind of event 'Boom'. The kinds are: AccountOpened"),
        ("events", {"limit": "0"}, 422, "limit"),
        ("events", {"limit": "501"}, 422, "limit"),
        ("events", {"before": "x"}, 422, "before"),
        ("events", {"session": "x" * 201}, 422, "session"),
        ("sessions", {"kind": "human"}, 422, "kind"),
        ("sessions", {"before": "local_gone"}, 400, "Begin again without 'before'."),
        ("sessions", {"to": "0001-01-01"}, 400, "makes no sense"),
        ("timeline", {"range": "3w"}, 400, "There is no range “3w”."),
        ("timeline", {"from": "2026-10-02T18:00", "to": "2026-10-02T17:00"}, 400, "ends before it begins. A window"),
    ],
)
def test_wrong_questions(path: str, query: dict[str, str], status: int, words: str) -> None:
    """What makes no sense is a problem document that says what, why and what to do."""
    answer = browser(told(*HAPPENED)).get(f"/api/{path}", params=query)

    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert words in answer.json()["detail"]
    assert answer.json()["instance"] == f"/api/{path}"


def test_sessions_are_listed_page_by_page() -> None:
    """Newest first, each as ``/api/state`` has it, until there is no next page."""
    one = browser(site(snapshot(state(*(session(n) for n in range(5))))))
    first = one.get("/api/sessions", params={"limit": 3}).json()
    second = one.get("/api/sessions", params={"limit": 3, "before": first["next"]}).json()
    of_state = {each["id"]: each for each in one.get("/api/state").json()["sessions"]}

    assert [each["id"] for each in (*first["sessions"], *second["sessions"])] == [sid(n) for n in (4, 3, 2, 1, 0)]
    assert second["next"] is None
    assert all(each == of_state[each["id"]] for each in first["sessions"])


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({"kind": "cowork"}, [2]),
        ({"session": "0001"}, [1]),
        ({"session": sid(2)}, [2]),
        ({"from": "2026-10-02T19:20"}, [3, 1]),
        ({"to": "2026-10-02T19:20"}, [2]),
    ],
)
def test_sessions_are_chosen(query: dict[str, str], numbers: list[int]) -> None:
    """By kind, by the beginning of an id, and by when the present phase began."""
    sessions = (session(1), session(2, Phase.IDLE, idle=600, kind="cowork"), session(3, Phase.IDLE, idle=60))
    answer = browser(site(snapshot(state(*sessions)))).get("/api/sessions", params=query).json()

    assert [each["id"] for each in answer["sessions"]] == [sid(n) for n in numbers]


def test_timeline_is_the_data_of_the_picture() -> None:
    """Spans, seats, pressure, memory and marks of the range, those of one session alone if that is asked for."""
    marks = (mark("put_off", 10), mark("evicted_for_seat", 26, 5))
    one = browser(site(snapshot(marks=marks)))
    whole = one.get("/api/timeline").json()
    mine = one.get("/api/timeline", params={"session": sid(5), "range": "1h", "kind": "evicted_for_seat"}).json()

    assert {span["session"] for span in whole["spans"]} == {sid(n) for n in range(1, 8)}
    assert [each["kind"] for each in whole["marks"]] == ["evicted_for_seat", "put_off"]
    assert whole["pressure"][-1] == {"level": "normal", "start": "2026-10-02T19:11:00+09:00", "end": None}
    assert {span["session"] for span in mine["spans"]} == {sid(5)}
    assert [each["line"] for each in mine["marks"]] == [260]
    assert (len(whole["memory"]), len(whole["seats"])) == (100, 3)


def test_timeline_of_long_ago_is_told_by_the_store() -> None:
    """A window that memory has forgotten is folded again from what is kept."""
    asked: list[tuple[datetime, datetime]] = []
    shown = site()

    def history_of(start: datetime, end: datetime) -> tuple[State, History]:
        asked.append((start, end))
        return State(), History(start, end)

    app = FastAPI()
    app.include_router(listings_router(Listing(shown.live, shown.shelf, PastWindows(history_of), ZONE, lambda: NOW)))
    with TestClient(app) as program:
        answer = program.get("/api/timeline", params={"from": "2026-09-12T19:24", "to": "2026-09-12T20:24"}).json()

    assert asked == [(ago(days=20), ago(days=20) + timedelta(hours=1))]
    assert (answer["from"], answer["spans"]) == ("2026-09-12T19:24:00+09:00", [])


def test_store_that_fails() -> None:
    """A store that fails while it is asked gives a problem document, never a traceback."""
    one = told(*HAPPENED)
    one.shelf.error = DatabaseDamaged(PurePath("db"), "malformed")

    answer = browser(one).get("/api/events")

    assert (answer.status_code, "is damaged" in answer.json()["detail"]) == (503, True)
