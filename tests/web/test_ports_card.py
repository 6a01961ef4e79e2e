"""The card of the home line's ports: count, shares, pace, and what to keep in mind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.machine import Machine, Ports
from app.core.ports import line_named
from app.core.samples import ConnectionsSample, Tcp, Unknown
from app.web.language import speaking
from app.web.ports_card import MOST_MINUTES, ports_view
from app.web.views import Row
from tests.core.machines import connections, machine, ports
from tests.web.scenes import NOW, ZONE

OTHERS = "Other devices at home take ports of the same line; they cannot be counted from here."


def seen(found: Ports) -> Machine:
    """A machine of which only the ports are known."""
    return machine(found=found, at=NOW)


def test_line_with_a_budget() -> None:
    """The design's own numbers: 146 of Claude, 34 of others, 60 left of 240."""
    view = ports_view(seen(ports(180, None, claude=146, at=NOW)), NOW, ZONE)

    assert (view.shown, view.line, view.count, view.tone) == (True, "v6 Plus, 240", "180 of 240 ports in use", "next")
    assert view.summary == "146 by Claude, 34 others. 60 left."
    assert [(one.kind, one.label, one.width) for one in view.slices] == [
        ("claude", "Claude 146", 60.8), ("rest", "others 34", 14.2),
    ]  # fmt: skip
    assert view.rows == (Row("Highest today", "180 at 19:24"), Row("Remote addresses", "60"))
    assert (view.pace, view.notes) == ("", (OTHERS,))


@pytest.mark.parametrize(
    ("taken", "minutes", "tone", "pace"),
    [
        (100, None, "plain", ""),
        (204, 6.0, "out", "At this pace the line is full in 6 minutes."),
        (204, 0.2, "out", "At this pace the line is full in 1 minute."),
        (170, 150.0, "next", "At this pace the line is full in 2 hours."),
        (170, MOST_MINUTES + 1, "next", ""),
        (240, 0.0, "out", "The line is full: new connections fail."),
    ],
)
def test_pace(taken: int, minutes: float | None, tone: str, pace: str) -> None:
    """Where the slope leads, while that is near enough to matter."""
    view = ports_view(seen(ports(taken, minutes, at=NOW)), NOW, ZONE)

    assert (view.tone, view.pace) == (tone, pace)


def test_more_than_the_budget_fills_the_bar() -> None:
    """A router may give one port to several connections; nothing is left then, and nothing is negative."""
    view = ports_view(seen(ports(260, 0.0, claude=200, at=NOW)), NOW, ZONE)

    assert sum(one.width for one in view.slices) == pytest.approx(100, abs=0.2)
    assert view.summary == "200 by Claude, 60 others."


def test_sentences_follow_each_other_as_the_language_has_it() -> None:
    """Japanese leaves no space after a full stop."""
    with speaking("ja"):
        view = ports_view(seen(ports(180, None, claude=146, at=NOW)), NOW, ZONE)

    assert view.summary == "Claude が146、その他が34。残り60。"


def test_connections_by_what_they_do() -> None:
    """Most first, with the names of network tools; what the router still keeps and IPv6 stand below."""
    tcp = Tcp({"ESTABLISHED": 90, "TIME_WAIT": 30, "ODD_STATE": 1}, {"ESTABLISHED": 12}, 20, 7)
    view = ports_view(seen(replace(ports(128, at=NOW), tcp=tcp)), NOW, ZONE)

    assert view.states == (
        Row("open", "90"), Row("closed, still taking a port (TIME_WAIT)", "30"), Row("ODD_STATE", "1"),
        Row("gone here, still kept by the router", "7"), Row("IPv6, which takes none", "12"),
    )  # fmt: skip
    bare = ports_view(seen(replace(ports(128, at=NOW), tcp=Tcp({"ESTABLISHED": 1}), highest=None)), NOW, ZONE)
    assert bare.states == (Row("open", "1"),)
    assert [one.name for one in bare.rows] == ["Remote addresses"]


def test_line_without_a_budget_is_only_counted() -> None:
    """There is no bar against nothing; what would give one is said."""
    unnamed = ports_view(seen(ports(80, line=line_named("none"), at=NOW)), NOW, ZONE)
    unknown = ports_view(seen(ports(80, line=line_named("transix"), at=NOW)), NOW, ZONE)

    assert (unnamed.line, unnamed.count, unnamed.slices) == ("", "80 IPv4 connections", ())
    assert unnamed.notes == ("Name your home line in the settings to see how many of its ports are left.",)
    assert unknown.line == "transix"
    assert unknown.notes == ("How many ports this line has is not known; the settings take a number.",)


def test_least_that_can_be_counted_is_said_to_be_one() -> None:
    """Without the host's connections the count is Claude's own."""
    found = ports(50, claude=50, at=NOW)
    view = ports_view(seen(replace(found, usage=replace(found.usage, whole=False))), NOW, ZONE)
    nobody = ports_view(seen(ports(50, claude=None, at=NOW)), NOW, ZONE)

    assert view.notes[-1] == "Only Claude's own connections can be counted: there are at least so many."
    assert nobody.summary == "190 left."


def test_without_a_count_the_card_is_not_there_or_says_why() -> None:
    """Without probes there is nothing to say; of a probe that cannot count there is."""
    blind = Machine(connections=ConnectionsSample(NOW, unknown=(Unknown("connections", "permission"),)))

    assert not ports_view(Machine(), NOW, ZONE).shown
    view = ports_view(blind, NOW, ZONE)
    assert (view.shown, view.notes) == (True, ("Connections: not known, no permission.",))
    partly = replace(seen(ports(5, at=NOW)), connections=replace(connections(5), unknown=blind.connections.unknown))  # type: ignore[union-attr]
    assert ports_view(partly, NOW, ZONE).notes[-1] == "Connections: not known, no permission."
