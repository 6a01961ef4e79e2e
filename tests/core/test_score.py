"""How often the ranking was right."""

from __future__ import annotations

import pytest

from app.core.events import (
    AppStarted,
    Event,
    EvictionForeseen,
    HeartbeatSeen,
    MemoryEvictionBegan,
    PauseDeclined,
    SeatEvictionBegan,
    SessionPaused,
    SessionResumed,
    SessionWarmed,
    TurnBegan,
)
from app.core.score import KEPT, foretold, median_lead, scored
from app.core.state import Lead, Miss, Score, State
from tests.core.helpers import NOON, A, B, C, after, state_after

D = "local_d"


@pytest.fixture
def state() -> State:
    """Four idle sessions, in the order of the ranking, of a named version."""
    warmed = [SessionWarmed(after(n), one, 100) for n, one in enumerate((A, B, C, D))]
    return state_after(AppStarted(NOON, "2.9939.4", None, None), *warmed)


@pytest.mark.parametrize(("named", "first", "three"), [(A, 1, 1), (B, 0, 1), (C, 0, 1), (D, 0, 0), ("local_x", 0, 0)])
def test_naming_is_held_against_the_ranking(state: State, named: str, first: int, three: int) -> None:
    """A hit is the head of the list; the first three are counted beside it."""
    assert scored(state, named, after(100)).score == Score(1, first, three)


def test_score_is_kept_in_all_and_by_version(state: State) -> None:
    """Versions behave differently, so each has its own count beside the one over everything."""
    state = scored(scored(state, A, after(100)), B, after(100))
    assert state.score == Score(2, 1, 2)
    assert state.scores == {"2.9939.4": Score(2, 1, 2)}
    assert scored(State(), A, NOON).scores == {"": Score(1, 0, 0)}


def test_first_is_followed_with_since_when(state: State) -> None:
    """Whoever heads the list heads it since the one before was gone, busy or looked at."""
    assert state.first == (A, after(0))
    busy = state_after(TurnBegan(after(50), A), start=state)
    assert busy.first == (B, after(50))
    assert state_after(HeartbeatSeen(after(60)), start=busy).first == (B, after(50))
    everyone_busy = state_after(*(TurnBegan(after(70), one) for one in (B, C, D)), start=busy)
    assert everyone_busy.first is None
    assert state_after(TurnBegan(after(80), D), start=everyone_busy).first is None
    assert state_after(TurnBegan(NOON, A)).first is None


def test_closing_tells_how_long_before_it_was_foretold(state: State) -> None:
    """A session that stood first for a minute was foretold for a minute; one that never did, not at all."""
    story = (SeatEvictionBegan(after(60), A, 8, 60, "warm"), SessionPaused(after(60), A, "governor_evict"))
    assert state_after(*story, start=state).leads == (Lead(after(60), A, 60),)
    assert foretold(state, D, after(60)).leads == (Lead(after(60), D, 0),)


def test_sweep_is_foretold_as_a_whole(state: State) -> None:
    """Its second victim comes first only when the first is gone, and was next in the list all the while."""
    story: list[Event] = []
    for one in (A, B):
        story += [MemoryEvictionBegan(after(60), one, 60), SessionPaused(after(60), one, "governor_evict")]
    swept = state_after(*story, start=state)
    assert [lead.seconds for lead in swept.leads] == [60, 60]
    later = state_after(MemoryEvictionBegan(after(90), C, 88), start=swept)
    assert [lead.seconds for lead in later.leads] == [60, 60, 30]
    assert median_lead(later) == 60
    assert median_lead(state) is None


def test_miss_is_explained_by_what_the_log_tells_later(state: State) -> None:
    """The governor passed over our first; fifteen minutes later it says why."""
    missed = state_after(EvictionForeseen(after(60), B, 8, 59, "user"), start=state)
    assert missed.misses == (Miss(after(60), B, A),)
    told = state_after(PauseDeclined(after(900), A, "remote_control"), start=missed)
    assert told.misses == (Miss(after(60), B, A, "remote_control"),)
    assert state_after(PauseDeclined(after(990), A, "background_task"), start=told).misses == told.misses
    other = state_after(PauseDeclined(after(900), C, "remote_control"), start=missed)
    assert other.misses == missed.misses


def test_miss_is_not_explained_by_another_process(state: State) -> None:
    """What protects a session now says nothing of the process that it had then."""
    missed = state_after(EvictionForeseen(after(60), B, 8, 59, "user"), start=state)
    again = (SessionPaused(after(70), A, "idle_timeout"), SessionResumed(after(80), A, "/Users/someone/code"))
    assert state_after(*again, PauseDeclined(after(900), A, "scheduled"), start=missed).misses == missed.misses


def test_misses_and_leads_are_bounded(state: State) -> None:
    """A machine that runs for weeks keeps the newest of them."""
    for n in range(KEPT + 5):
        state = foretold(scored(state, B, after(n)), B, after(n))
    assert (len(state.misses), len(state.leads)) == (KEPT, KEPT)
