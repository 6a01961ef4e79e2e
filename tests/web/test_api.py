"""The same facts for programs."""

from __future__ import annotations

from app.core.report import state_report
from tests.web.scenes import NOW, ZONE, client, snapshot


def test_state_is_the_report() -> None:
    """``/api/state`` is what `seatwatch inspect --json` prints."""
    shown = snapshot()
    with client(shown) as browser:
        answer = browser.get("/api/state")

    assert answer.json() == state_report(shown.state, NOW, ZONE, shown.sources)
    assert answer.headers["cache-control"] == "no-store"
