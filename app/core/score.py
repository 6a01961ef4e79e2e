"""How often the ranking was right: each line in which the governor names a session is a question it answers.

For sessions that were really closed it also tells how long before the ranking had put them first. Some of what protects
a session is never logged, or only later: a miss is explained once a line shows that our first was protected.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from app.core.evolve import replace
from app.core.governor import first_out, ranking
from app.core.state import Hold, Lead, Miss, Score, State

KEPT = 50
"""How many misses, and how many closings, are remembered."""
ONE_SWEEP = timedelta(seconds=10)
"""Closings this near each other are one sweep down the list: it was foretold as a whole when its first was."""


def scored(state: State, session_id: str, at: datetime) -> State:
    """The state with this naming held against the ranking as it was just before."""
    queue = [one.session.id for one in ranking(state, at)[:3]]
    first, first_three = queue[:1] == [session_id], session_id in queue
    version = state.app.version or ""
    if not first and queue:
        state = replace(state, misses=(*state.misses, Miss(at, session_id, queue[0]))[-KEPT:])
    return replace(
        state,
        score=_add(state.score, first, first_three),
        scores={**state.scores, version: _add(state.scores.get(version, Score()), first, first_three)},
    )


def foretold(state: State, session_id: str, at: datetime) -> State:
    """The state with how long before it was closed this session had stood first; 0 when it had not."""
    last = state.leads[-1] if state.leads else None
    if state.first is not None and state.first[0] == session_id:
        seconds = max(0, int((at - state.first[1]).total_seconds()))
        if last is not None and at - last.at <= ONE_SWEEP:
            seconds = max(seconds, last.seconds)
    else:
        seconds = 0
    return replace(state, leads=(*state.leads, Lead(at, session_id, seconds))[-KEPT:])


def follow_first(before: State, after: State) -> State:
    """The state with whom the ranking puts first, and since when."""
    if after.sessions is before.sessions or after.at is None:
        return after
    head = first_out(after)
    if head is None:
        return after if after.first is None else replace(after, first=None)
    if after.first is not None and after.first[0] == head:
        return after
    return replace(after, first=(head, after.at))


def explained(state: State, session_id: str, hold: Hold) -> State:
    """The state in which misses that put this session first are explained by what is now known to protect it."""
    session = state.sessions.get(session_id)
    since = session.live_since if session is not None else None
    if since is None or not any(miss.ours == session_id and miss.explained_by is None for miss in state.misses):
        return state
    misses = tuple(
        replace(miss, explained_by=hold)
        if miss.ours == session_id and miss.explained_by is None and miss.at >= since
        else miss
        for miss in state.misses
    )
    return replace(state, misses=misses)


def median_lead(state: State) -> int | None:
    """Half of the sessions closed of late had stood first for at least so many seconds; None when none was closed."""
    ordered = sorted(lead.seconds for lead in state.leads)
    return ordered[len(ordered) // 2] if ordered else None


def _add(score: Score, first: bool, first_three: bool) -> Score:
    return Score(score.named + 1, score.first + first, score.first_three + first_three)
