"""The map of sessions: a plain map in all but what a change of it costs."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.sessions import Sessions, alive_in
from app.core.state import Phase, Session
from tests.core.helpers import NOON, A, B

IDLE, GONE = Session(A, 0, NOON, phase=Phase.IDLE), Session(B, 1, NOON, phase=Phase.ENDED)
SESSIONS = st.builds(
    lambda n, phase: Session(f"local_{n}", n, NOON, phase=phase), st.integers(0, 5), st.sampled_from(list(Phase))
)


@given(st.lists(SESSIONS), st.sets(st.sampled_from([f"local_{n}" for n in range(6)])))
def test_equals_a_plain_map(changes: list[Session], left_out: set[str]) -> None:
    """After any changes it has what a dictionary has, whichever way it is looked at."""
    found, plain = Sessions({}, {}), dict[str, Session]()
    for one in changes:
        found = found.having(one)
        plain[one.id] = one
    found = found.without(left_out)
    plain = {key: one for key, one in plain.items() if key not in left_out}
    assert found == plain
    assert len(found) == len(plain)
    assert sorted(found) == sorted(plain)
    assert dict(found.items()) == plain
    assert sorted(one.id for one in found.values()) == sorted(plain)
    assert {one.id for one in found.alive} == {key for key, one in plain.items() if one.alive}
    assert {one.id for one in found.gone} == {key for key, one in plain.items() if not one.alive}
    assert Sessions.of(plain) == found


def test_finds_by_id() -> None:
    """A live session and one that ended are found alike; an unknown one is none, or the default, or an error."""
    found = Sessions.of({A: IDLE, B: GONE})
    assert (found[A], found[B], found.get(B)) == (IDLE, GONE, GONE)
    assert found.get("x") is None
    assert found.get("x", IDLE) is IDLE
    assert "x" not in found
    with pytest.raises(KeyError):
        found["x"]


def test_a_change_leaves_the_former_map_alone() -> None:
    """Who holds the map of a moment sees that moment for ever."""
    before = Sessions.of({A: IDLE, B: GONE})
    after = before.having(Session(A, 0, NOON, phase=Phase.EVICTED))
    assert before == {A: IDLE, B: GONE}
    assert [one.id for one in after.alive] == []
    assert before.having() == before
    assert Sessions.of(before) is before


def test_is_kept_as_it_is() -> None:
    """Copied and written away it is the same map."""
    found = Sessions.of({A: IDLE, B: GONE})
    assert copy.copy(found) == found
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301  our own bytes


def test_who_is_alive_in_any_map() -> None:
    """Whoever ranks may be given any map."""
    plain = {A: IDLE, B: GONE}
    assert list(alive_in(plain)) == list(alive_in(Sessions.of(plain))) == [IDLE]
