"""How often the ranking was right."""

from __future__ import annotations

import pytest
from app.core.events import AppStarted, SessionWarmed
from app.core.score import scored
from app.core.state import Score, State

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
