"""The clock of this host jumps while Seatwatch runs: pages go on, nothing waits for a time that will not come."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from app.live import Snapshot
from app.web.stream import follow
from tests.web.scenes import Site, site

JUMPS = [
    timedelta(days=1),
    timedelta(days=-1),
    timedelta(days=365 * 30),
    timedelta(days=-365 * 30),
    timedelta(hours=-1),
]
PATIENCE = 15.0


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_pages_are_answered_after_a_jump(jump: timedelta) -> None:
    """Every page and fact is still to be had, no lag is negative, and back again it is as before."""
    shown = site()
    with TestClient(shown.app, base_url="http://127.0.0.1", raise_server_exceptions=False) as browser:
        addresses = ("/", "/wall", "/why", "/census", "/api/state", "/api/timeline", "/healthz")
        before = browser.get("/api/state").json()
        shown.clock.at += jump
        answers = [browser.get(address).status_code for address in addresses]
        lags = [one["lag_seconds"] for one in browser.get("/healthz").json()["sources"]]
        shown.clock.at -= jump

        assert answers == [200] * len(addresses)
        assert min(lags) >= 0
        assert browser.get("/api/state").json() == before


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_the_stream_goes_on_after_a_jump(jump: timedelta) -> None:
    """What changes is sent at once, as ever: waiting goes by a clock that nobody sets."""
    shown = site()

    async def story() -> list[str]:
        async with asyncio.timeout(PATIENCE), aclosing(follow(shown.board, shown.live)) as events:
            told = [str((await anext(events)).raw_data)]
            shown.clock.at += jump
            shown.live.publish(_next(shown))
            told.append(str((await anext(events)).raw_data))
            return told

    first, second = asyncio.run(story())

    assert "hx-partial" in first
    assert second


def _next(shown: Site) -> Snapshot:
    return replace(shown.live.current, version=shown.live.current.version + 1)
