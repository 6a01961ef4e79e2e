"""Whether ports were scarce when something failed, and whether its words are those of a network."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.core.events import HeartbeatSeen, PortsCrossed, PortsEased
from app.core.events.machine import PortMark
from app.core.portstrail import AFTER, LASTS, PortsTrail, names_network
from tests.core.helpers import NOON, after, observed


def crossed(mark: PortMark, seconds: float = 0) -> PortsCrossed:
    """A mark of a line of 240 ports that was reached."""
    return PortsCrossed(after(seconds), mark, 240 * mark // 100, 240, None, None)


def test_nothing_proves_anything_before_a_mark() -> None:
    """Without a mark that matters there is no proof; the lowest one is a note, not a want."""
    trail = PortsTrail()
    for one in observed([HeartbeatSeen(NOON), crossed(70)]):
        trail = trail.after(one)

    assert trail.proof(NOON) is None


@pytest.mark.parametrize(
    ("later", "proves"), [(timedelta(), True), (LASTS, True), (LASTS + timedelta(seconds=1), False)]
)
def test_mark_proves_for_as_long_as_it_would_be_told_again(later: timedelta, proves: bool) -> None:
    """After that the probes have stopped, and what they said last is no proof of now."""
    (one,) = observed([crossed(85)])

    assert (PortsTrail().after(one).proof(NOON + later) is one) is proves


def test_what_failed_before_the_mark_is_not_proven_by_it() -> None:
    """A cause comes first."""
    (one,) = observed([crossed(95)])

    assert PortsTrail().after(one).proof(after(-1)) is None


def test_count_that_fell_proves_for_a_short_while() -> None:
    """A turn that waited for its connection fails when the ports are free again already."""
    first, eased = observed([crossed(95), PortsEased(after(60), 100, 240)])
    trail = PortsTrail().after(first).after(eased)

    assert trail.proof(after(60) + AFTER) is first
    assert trail.proof(after(61) + AFTER) is None
    assert trail.after(observed([crossed(85, 90)])[0]).eased_at is None


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("[CCD CycleHealth] local_1 cli_execution_error (error): fetch failed net::ERR_NETWORK_CHANGED", True),
        ("API Error: Connection error.", True),
        ("API Error: connect ETIMEDOUT 203.0.113.7:443", True),
        ("Request timed out", True),
        ("no response within 300 s", True),
        ("the CLI ended early", False),
        ("API Error: 500 internal", False),
    ],
)
def test_words_of_a_failed_connection(text: str, network: bool) -> None:
    """The words of clients and systems that got no connection or no answer."""
    assert names_network(text) is network
