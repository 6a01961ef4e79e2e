"""How often the ranking was right: each line in which the governor names a session is a question it answers."""

from __future__ import annotations

from datetime import datetime

from app.core.evolve import replace
from app.core.governor import ranking
from app.core.state import Score, State


def scored(state: State, session_id: str, at: datetime) -> State:
    """The state with this naming held against the ranking as it was just before."""
    queue = [one.session.id for one in ranking(state, at)[:3]]
    first, first_three = queue[:1] == [session_id], session_id in queue
    version = state.app.version or ""
    return replace(
        state,
        score=_add(state.score, first, first_three),
        scores={**state.scores, version: _add(state.scores.get(version, Score()), first, first_three)},
    )


def _add(score: Score, first: bool, first_three: bool) -> Score:
    return Score(score.named + 1, score.first + first, score.first_three + first_three)
