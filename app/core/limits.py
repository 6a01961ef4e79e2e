"""Whether a usage limit holds at an instant."""

from __future__ import annotations

from datetime import datetime

from app.core.state import Limit, State


def limit_at(state: State, at: datetime) -> Limit | None:
    """The newest usage limit if it holds at ``at``: from when it was met until it resets."""
    limited = state.limited
    return limited if limited is not None and limited.at <= at < limited.resets_at else None
