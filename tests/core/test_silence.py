"""The silence of the app."""

from __future__ import annotations

import pytest

from app.core.events import AppQuitCompleted, AppStarted, Event, HeartbeatSeen
from app.core.silence import silent_seconds
from tests.core.helpers import NOON, after, state_after


@pytest.mark.parametrize(
    ("events", "seconds", "silent"),
    [
        ((), 0, None),
        ((HeartbeatSeen(NOON),), 150, 150),
        ((HeartbeatSeen(NOON),), -5, 0),
        ((AppStarted(NOON, None, None, None), AppQuitCompleted(after(5))), 150, None),
    ],
)
def test_silence_is_that_of_a_running_app(events: tuple[Event, ...], seconds: int, silent: int | None) -> None:
    """An app that does not run is not silent, and a clock set back makes no negative silence."""
    assert silent_seconds(state_after(*events), after(seconds)) == silent
