"""The address that Prometheus scrapes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.machine import Machine
from app.core.samples import HostSample
from app.core.state import State
from app.live import Live, Snapshot, SourceStatus
from app.web.health import Inside
from app.web.metrics import facts_of
from tests.web.scenes import NOW, ago, client, snapshot


def test_the_newest_snapshot_is_told() -> None:
    """The numbers of now, never to be kept, without a title or a path."""
    with client(snapshot()) as browser:
        answer = browser.get("/metrics")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert answer.headers["cache-control"] == "no-store"
    assert "\nseatwatch_seats_taken 7.0\n" in answer.text
    assert not [word for word in ("Meeting notes", "local_", "/logs", "main.log") if word in answer.text]


def test_half_read_logs_are_not_counted() -> None:
    """While history is read, a shown part of it is no count."""
    with client(snapshot(ready=False, filling=True)) as browser:
        text = browser.get("/metrics").text

    assert 'seatwatch_status{seatwatch_status="loading"} 1.0' in text
    assert "_total" not in text


@pytest.mark.parametrize(
    ("shown", "status"),
    [(snapshot(), "ok"), (snapshot(State(), ready=False), "loading"), (snapshot(problem="x"), "degraded")],
)
def test_status_is_that_of_readyz(shown: Snapshot, status: str) -> None:
    """Both words come from one place."""
    assert facts_of(Live(shown), NOW, Inside()).status == status


def test_lag_is_that_of_the_file_longest_unlooked_at() -> None:
    """One file that nobody reads any more is seen among others; one that cannot be read is counted."""
    sources = (SourceStatus("a", 0, 0, ago(seconds=1)), SourceStatus("b", 0, 0, ago(seconds=90), "gone"))

    facts = facts_of(Live(replace(snapshot(), sources=sources)), NOW, Inside())

    assert (facts.lag, facts.sources, facts.unreadable) == (90.0, 2, 1)


def test_old_samples_are_not_of_now() -> None:
    """What a probe saw an hour ago tells nothing of now."""
    shown = snapshot(machine=Machine(HostSample(NOW, available_mb=2048)))

    assert facts_of(Live(shown), NOW, Inside()).machine.host is not None
    assert facts_of(Live(shown), NOW + timedelta(hours=1), Inside()).machine.host is None


def test_the_inside_is_told() -> None:
    """What waits, sizes and put-off starts by what asked for them."""
    inside = Inside(3, 4096, 60.0, 1.5, 90_000_000, put_off={"warm": 2, "user": 1})

    facts = facts_of(Live(snapshot()), NOW, inside, 2)

    assert (facts.waiting, facts.database_bytes, facts.rss_bytes, facts.pages) == (3, 4096, 90_000_000, 2)
    assert facts.put_off == {"warm": 2, "user": 1}
