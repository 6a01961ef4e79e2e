"""What a supervisor is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.state import Counts, State
from app.live import Snapshot, SourceStatus
from app.web.health import Inside, health, health_router
from tests.web.scenes import NOW, client, site, snapshot, state

GONE = replace(snapshot(), sources=(SourceStatus("a", 0, 0, None, "gone"),))


def test_health_tells_lag_and_what_was_not_understood() -> None:
    """Each source with its lag, and how many lines no pattern knew."""
    with client(snapshot(state(counts=Counts(unrecognized=3)))) as browser:
        answer = browser.get("/healthz")

    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert found["status"] == "ok"
    assert found["unrecognized"] == 3
    assert found["sources"][0]["lag_seconds"] == 0
    assert found["version"]


@pytest.mark.parametrize(
    ("shown", "status", "ready"),
    [
        (snapshot(), "ok", 200),
        (snapshot(State(), ready=False), "loading", 503),
        (snapshot(problem="x"), "degraded", 503),
        (GONE, "degraded", 503),
    ],
)
def test_ready_is_more_than_alive(shown: Snapshot, status: str, ready: int) -> None:
    """Alive is who answers; ready is who has read everything and lacks nothing."""
    with client(shown) as browser:
        alive, full = browser.get("/healthz"), browser.get("/readyz")

    assert (alive.status_code, full.status_code) == (200, ready)
    assert alive.json()["status"] == full.json()["status"] == status


def test_supervisors_may_ask_for_the_head() -> None:
    """The status alone, without a body."""
    with client(snapshot(problem="x")) as browser:
        answers = [browser.head(path) for path in ("/healthz", "/readyz")]

    assert [(one.status_code, one.content) for one in answers] == [(200, b""), (503, b"")]


def test_lag_is_never_negative_and_unknown_before_the_first_reading() -> None:
    """A clock set back gives no negative lag."""
    sources = (SourceStatus("a", 0, 0, NOW + timedelta(seconds=5)), SourceStatus("b", 0, 0, None))
    found = health(site(snapshot(sources=sources)).live, NOW)["sources"]

    assert [one["lag_seconds"] for one in found] == [0.0, None]


def test_the_inside_is_told() -> None:
    """What waits for the store, the size of the database, what the process takes, and how many pages are open."""
    app = FastAPI()
    inside = Inside(3, 4096, 60.0, 1.5, 90_000_000, 7, 20)
    app.include_router(health_router(site().live, lambda: NOW, lambda: inside, lambda: 2))

    found = TestClient(app).get("/healthz").json()

    assert (found["writer"], found["database"], found["pages"]) == ({"waiting": 3}, {"bytes": 4096}, 2)
    assert found["process"] == {
        "uptime_seconds": 60.0,
        "cpu_seconds": 1.5,
        "rss_bytes": 90_000_000,
        "threads": 7,
        "open_files": 20,
    }
