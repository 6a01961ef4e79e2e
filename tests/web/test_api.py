"""The same facts for programs."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.report import state_report
from app.core.state import Counts, State
from app.live import Snapshot, SourceStatus
from app.web.api import health
from tests.web.scenes import NOW, ZONE, client, site, snapshot, state


def test_state_is_the_report() -> None:
    """``/api/state`` is what `seatwatch inspect --json` prints."""
    shown = snapshot()
    with client(shown) as browser:
        answer = browser.get("/api/state")

    assert answer.json() == state_report(shown.state, NOW, ZONE, shown.sources)
    assert answer.headers["cache-control"] == "no-store"


def test_health_tells_lag_and_what_was_not_understood() -> None:
    """Each source with its lag, and how many lines no pattern knew."""
    shown = snapshot(state(counts=Counts(unrecognized=3)))
    with client(shown) as browser:
        answer = browser.get("/healthz").json()

    assert answer["status"] == "ok"
    assert answer["unrecognized"] == 3
    assert answer["sources"][0]["lag_seconds"] == 0
    assert answer["version"]


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        (snapshot(), "ok"),
        (snapshot(State(), ready=False), "loading"),
        (snapshot(problem="x"), "degraded"),
        (replace(snapshot(), sources=(SourceStatus("a", 0, 0, None, "gone"),)), "degraded"),
    ],
)
def test_health_in_a_word(shown: Snapshot, status: str) -> None:
    """Loading and trouble are told from health."""
    assert health(site(shown).live, NOW)["status"] == status


def test_lag_is_never_negative_and_unknown_before_the_first_reading() -> None:
    """A clock set back gives no negative lag."""
    sources = (SourceStatus("a", 0, 0, NOW + timedelta(seconds=5)), SourceStatus("b", 0, 0, None))
    found = health(site(snapshot(sources=sources)).live, NOW)["sources"]

    assert [one["lag_seconds"] for one in found] == [0.0, None]
