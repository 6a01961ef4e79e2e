"""The quick copy does what the standard library's does."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import Event
from app.core.evolve import replace
from app.core.state import State
from tests.core.helpers import ANY_EVENT, NOON, after


@dataclass(frozen=True, slots=True)
class Seat:
    """A value like those of the fold."""

    number: int
    owner: str | None = None


def test_changes_some_fields_of_a_copy() -> None:
    """The named fields change, the others stay, and the value itself is left alone."""
    seat = Seat(1, "a")

    assert replace(seat, owner="b") == Seat(1, "b")
    assert replace(seat) == seat
    assert replace(seat) is not seat
    assert seat == Seat(1, "a")


@dataclass(frozen=True)
class Desk:
    """The same without slots."""

    number: int
    owner: str | None = None


def test_a_value_without_slots_is_copied_the_same_way() -> None:
    """The copy has the class and all fields of the value, is frozen as it is, and leaves it alone."""
    desk = Desk(1, "a")

    assert replace(desk, owner="b") == Desk(1, "b")
    assert replace(desk) == desk
    assert replace(desk) is not desk
    assert desk == Desk(1, "a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(desk, owner="b").owner = "c"  # type: ignore[misc]


def test_an_unknown_field_is_an_error() -> None:
    """A name that is no field of the value never passes in silence."""
    with pytest.raises(KeyError, match="colour"):
        replace(Seat(1), colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="colour"):
        replace(Desk(1), colour="red")  # type: ignore[call-arg]


@given(ANY_EVENT.filter(lambda event: len(dataclasses.fields(event)) > 1), st.integers(0, 1000))
def test_equals_the_standard_copy_for_every_event(event: Event, seconds: int) -> None:
    """For any event the copy at another time is what `dataclasses.replace` makes, of the same class."""
    quick = replace(event, at=after(seconds))

    assert quick == dataclasses.replace(event, at=after(seconds))
    assert type(quick) is type(event)


def test_equals_the_standard_copy_for_the_state() -> None:
    """The state, the largest value there is, is copied field by field as well."""
    assert replace(State(), at=NOON) == dataclasses.replace(State(), at=NOON)
