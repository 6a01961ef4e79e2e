"""What the probes saw at one instant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.samples import ProcessesSample, ProcessRow, Tcp
from tests.core.helpers import NOON

APP = ProcessRow("app", "Claude", 100, 6, 900, 1100)
TOOLS = ProcessRow("app", "node", 130, 3, 240, 200)
FIRST = ProcessRow("session", "claude", 140, 2, 400, 380, "local_a")
SECOND = ProcessRow("session", "claude", 150, 1, 300, 290, "local_b")
VM = ProcessRow("cowork_vm", "Cowork VM", 160, 1, 2048)
DOCKER = ProcessRow("other_vm", "Docker Desktop", 170, 1, 4096)
AGENT = ProcessRow("agent", "Claude Code", 180, 1, 350)
LEFT = ProcessRow("orphan", "node", 190, 1, 80)
SAMPLE = ProcessesSample(NOON, (APP, TOOLS, FIRST, SECOND, VM, DOCKER, AGENT, LEFT))


def test_tree_is_the_app_with_its_sessions() -> None:
    """The tree's memory is the app's and its sessions'; machines, agents and what was left running are not in it."""
    assert SAMPLE.tree_rss_mb == 900 + 240 + 400 + 300
    assert SAMPLE.tree_footprint_mb == 1100 + 200 + 380 + 290
    assert SAMPLE.app_running


def test_rows_are_found_by_their_role() -> None:
    """Each role has its rows, in the order of the sample, and their memory."""
    assert (SAMPLE.cowork_vm, SAMPLE.other_vms, SAMPLE.agents, SAMPLE.orphans) == ((VM,), (DOCKER,), (AGENT,), (LEFT,))
    assert SAMPLE.of("orphan", "app") == (APP, TOOLS, LEFT)
    assert SAMPLE.rss_of("cowork_vm", "other_vm") == 6144


def test_sessions_are_found_by_their_id() -> None:
    """A session's row is found by the id that the probe was told."""
    assert dict(SAMPLE.by_session) == {"local_a": FIRST, "local_b": SECOND}


@pytest.mark.parametrize("rows", [(), (APP, replace(FIRST, footprint_mb=None))])
def test_footprint_with_a_part_missing_is_not_known(rows: tuple[ProcessRow, ...]) -> None:
    """A sum without one of its parts would be too small, and one of nothing would be a zero that nobody measured."""
    assert ProcessesSample(NOON, rows).tree_footprint_mb is None


def test_nothing_seen_is_no_app() -> None:
    """A look that saw no process of the app says so."""
    empty = ProcessesSample(NOON, (DOCKER, AGENT))

    assert (empty.app_running, empty.tree_rss_mb, dict(empty.by_session)) == (False, 0, {})


def test_every_ipv4_connection_takes_a_port_whatever_its_state() -> None:
    """TIME_WAIT and what the router still keeps count, IPv6 does not."""
    tcp = Tcp({"ESTABLISHED": 40, "TIME_WAIT": 25, "SYN_SENT": 1}, {"ESTABLISHED": 90}, 12, held=9)

    assert tcp.in_use == 75
    assert Tcp().in_use == 0
