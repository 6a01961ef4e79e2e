"""The quick ``replace`` does what the standard one does."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from app.core.evolve import replace
from app.core.state import App, Counts, Phase, Pressure, Session, State, Vm

from tests.core.helpers import NOON, A

CHANGES: list[tuple[Any, dict[str, Any]]] = [
    (State(), {"cap": 8, "focused": A}),
    (Session(A, 0, NOON), {"phase": Phase.IDLE, "idle_since": NOON}),
    (App(), {"running": True}),
    (Counts(), {"put_off": 3}),
    (Pressure(), {}),
    (Vm(), {"cpus": 4, "guest": "Ubuntu"}),
]


@pytest.mark.parametrize(("value", "changes"), CHANGES, ids=lambda value: type(value).__name__)
def test_same_as_the_standard_one(value: Any, changes: dict[str, Any]) -> None:
    """Equal for each kind of value that the fold changes, and the old value stays as it was."""
    before = dataclasses.replace(value)
    assert replace(value, **changes) == dataclasses.replace(value, **changes)
    assert value == before


def test_unknown_field_is_an_error() -> None:
    """A wrong name is never taken silently."""
    with pytest.raises(KeyError):
        replace(App(), no_such_field=1)  # type: ignore[call-arg]
