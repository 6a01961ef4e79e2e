"""How long a usage limit holds."""

from __future__ import annotations

import pytest

from app.core.limits import limit_at
from app.core.state import Limit, State
from tests.core.helpers import NOON, A, after

LIMIT = Limit(NOON, A, "12:01pm (UTC)", after(60))


@pytest.mark.parametrize(("seconds", "holds"), [(-1, False), (0, True), (59, True), (60, False), (3600, False)])
def test_a_limit_holds_from_when_it_was_met_until_it_resets(seconds: int, holds: bool) -> None:
    """Neither before its line nor from the instant of the reset on."""
    assert limit_at(State(limited=LIMIT), after(seconds)) == (LIMIT if holds else None)


def test_no_limit() -> None:
    """Where none was met there is none."""
    assert limit_at(State(), NOON) is None
