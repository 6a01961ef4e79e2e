"""The events: frozen values, each said by some line and told in its docstring."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

import app.core.events as package
from app.core.events import EVENT_TYPES, BaseEvent, Event, MachineEvent, NetworkFailed, Unrecognized, VmDiskFilled
from app.core.parser import Family, parser_for
from tests.core.helpers import NOON, record


def said() -> set[type[Event]]:
    """Every class of event that some format's sample becomes."""
    parsers = [parser_for(family) for family in get_args(Family)]
    events = [one.parse(record(sample)) for one in parsers for form in one.formats for sample in form.samples]
    return {type(event) for event in events if event is not None}


@pytest.mark.parametrize("kind", EVENT_TYPES.values(), ids=EVENT_TYPES)
def test_event_is_frozen_documented_and_has_its_instant_first(kind: type[Event]) -> None:
    """An event is a value with an instant, and its docstring is its documentation."""
    assert issubclass(kind, BaseEvent)
    assert fields(kind)[0].name == "at"
    assert kind.__doc__
    assert not kind.__doc__.startswith(kind.__name__ + "(")
    assert getattr(package, kind.__name__) is kind
    assert kind.__name__ in package.__all__


def test_event_cannot_change() -> None:
    """What was said stays said."""
    event = VmDiskFilled(NOON)
    with pytest.raises(FrozenInstanceError):
        event.at = NOON  # type: ignore[misc]


def test_every_event_is_said_by_a_line() -> None:
    """No class waits for a line that nobody reads; three are found without a format, and the probes find their own."""
    assert set(EVENT_TYPES.values()) - said() == {Unrecognized, NetworkFailed, VmDiskFilled, *get_args(MachineEvent)}
