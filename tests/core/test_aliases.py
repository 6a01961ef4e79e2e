"""Letters in place of titles and ids."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.aliases import Aliases, letter_of
from app.core.state import Phase, Session, State

AT = datetime(2026, 10, 2, 4, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("place", "letters"),
    [(0, "A"), (1, "B"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")],
)
def test_letters(place: int, letters: str) -> None:
    """After Z comes AA, as in the columns of a table."""
    assert letter_of(place) == letters


def test_no_place_before_the_first() -> None:
    """A place below 0 is a mistake of who asks."""
    with pytest.raises(ValueError, match="counts from 0"):
        letter_of(-1)


def test_no_two_places_share_letters() -> None:
    """Letters are as many as places."""
    assert len({letter_of(place) for place in range(20_000)}) == 20_000


@given(st.lists(st.text(max_size=4), max_size=60))
def test_the_same_session_keeps_its_letter(asked: list[str]) -> None:
    """However often and in between whatever others a session is named, its letter is that of its first sight."""
    aliases = Aliases()
    given_out = [aliases.letter(session) for session in asked]
    first_seen = list(dict.fromkeys(asked))

    assert given_out == [letter_of(first_seen.index(session)) for session in asked]
    assert list(aliases) == first_seen
    assert len(aliases) == len(first_seen)
    assert [Aliases(asked).letter(session) for session in asked] == given_out


def test_a_state_gives_the_order_of_the_log() -> None:
    """Sessions without a seat get letters in the order in which the log named them; who has one keeps it later."""
    sessions = {
        f"local_{n}": Session(f"local_{n}", order, AT, phase=Phase.ENDED) for n, order in ((1, 2), (2, 0), (3, 1))
    }
    aliases = Aliases.of(State(sessions=sessions))
    before = {session: aliases.letter(session) for session in sessions}

    aliases.meet(State(sessions={**sessions, "local_0": Session("local_0", -1, AT)}))

    assert before == {"local_2": "A", "local_3": "B", "local_1": "C"}
    assert {session: aliases.letter(session) for session in sessions} == before
    assert aliases.letter("local_0") == "D"


def test_a_restart_gives_the_same_letters() -> None:
    """Whoever holds a seat by then, and whenever a state is met first: letters follow from the log alone."""
    sessions = [
        Session("ended", 0, AT, phase=Phase.ENDED),
        Session("second", 1, AT, live_since=AT + timedelta(minutes=2)),
        Session("cowork", 2, AT, kind="cowork"),
        Session("first", 3, AT + timedelta(minutes=1)),
    ]
    grown = Aliases()
    for n in range(len(sessions)):
        grown.meet(State(sessions={one.id: one for one in sessions[: n + 1]}))

    restarted = Aliases.of(State(sessions={one.id: one for one in reversed(sessions)}))
    assert list(restarted) == list(grown) == ["ended", "second", "cowork", "first"]
