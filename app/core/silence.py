"""For how long the app has given no sign of life."""

from __future__ import annotations

from datetime import datetime

from app.core.state import State

SILENT_AFTER_SECONDS = 150
"""A healthy app writes a memory line about every minute; after this much silence it is stuck or the machine sleeps."""


def silent_seconds(state: State, at: datetime) -> int | None:
    """Seconds since the running app last gave a sign of life; None when it does not run."""
    if not state.app.running or state.app.last_sign_at is None:
        return None
    return max(0, int((at - state.app.last_sign_at).total_seconds()))
