"""What is measured, and what is not claimed where nothing is known."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from app.core.machine import Machine, Ports
from app.core.ports import line_named, usage
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, ProcessRow, Tcp
from app.core.state import App, Counts, Phase, State
from app.export.measures import MEASURES, Facts, Measure, Sample
from tests.web.scenes import HOSTILE, NOW, session, seven_of_eight, state


def told(name: str, facts: Facts) -> list[Sample]:
    """The samples of the measure of this name."""
    (measure,) = (one for one in MEASURES if one.full_name == name)
    return list(measure.look(facts))


def facts(of: State | None = None, **fields: object) -> Facts:
    """Facts of a state, by default of `seven_of_eight`."""
    return Facts(NOW, seven_of_eight() if of is None else of, **fields)  # type: ignore[arg-type]


def machine() -> Machine:
    """A host with a line of 240 ports, of which 204 are taken."""
    connections = ConnectionsSample(NOW, claude=Tcp({"ESTABLISHED": 80}), host=Tcp({"ESTABLISHED": 204}))
    used = usage(connections, line_named("v6plus"))
    assert used is not None
    assert connections.host is not None
    rows = (ProcessRow("app", "Claude", 7, 9, 1000), ProcessRow("session", "claude", 8, 3, 500))
    host = HostSample(NOW, total_mb=24576, available_mb=2048, swap_used_mb=512)
    return Machine(host, ProcessesSample(NOW, rows), connections, Ports(used, connections.host))


def test_numbers_are_those_of_the_state() -> None:
    """Seats, the cap and how it is known, and sessions by phase."""
    now = facts()

    assert told("seatwatch_seats_taken", now) == [((), 7)]
    assert told("seatwatch_seats_cap", now) == [((), 8)]
    assert (("log",), 1.0) in told("seatwatch_seats_cap_origin", now)
    assert (("working", "code"), 4) in told("seatwatch_sessions", now)
    assert told("seatwatch_sessions_closable", now) == [((), 3)]
    assert (("ready",), 1.0) in told("seatwatch_vm_phase", now)
    assert told("seatwatch_app_child_processes", now) == [((), 63)]


def test_closed_put_off_and_would_be_are_never_mixed() -> None:
    """Each has a counter of its own, by cause."""
    counts = Counts(would_evict_warm=1, would_evict_user=2, put_off=7, evicted_cap=4, evicted_pressure=5, paused_idle=6)
    now = facts(state(counts=counts), put_off={"warm": 4, "user": 3})

    assert told("seatwatch_evictions_total", now) == [(("seat",), 4), (("memory",), 5)]
    assert told("seatwatch_put_offs_total", now) == [(("warm",), 4), (("user",), 3)]
    assert told("seatwatch_would_evict_lines_total", now) == [(("warm",), 1), (("user",), 2)]
    assert told("seatwatch_idle_pauses_total", now) == [((), 6)]


def test_machine_is_told_by_log_and_by_host() -> None:
    """Memory in bytes from both, swap, and the ports of the home line with their budget."""
    now = facts(machine=machine())

    assert told("seatwatch_memory_free_bytes", now) == [(("log",), 1946 * 1048576), (("host",), 2048 * 1048576)]
    assert told("seatwatch_app_memory_bytes", now)[1] == (("host",), 1500 * 1048576)
    assert told("seatwatch_swap_used_bytes", now) == [((), 512 * 1048576)]
    assert told("seatwatch_ports_in_use", now) == [((), 204)]
    assert told("seatwatch_ports_in_use_by_claude", now) == [((), 80)]
    assert told("seatwatch_ports_budget", now) == [((), 240)]


def test_nothing_is_claimed_before_all_is_read() -> None:
    """While the logs are read there is no counter, which would seem to have gone down, and no seat."""
    now = Facts(NOW, status="loading", lag=2.0, last_line_at=NOW - timedelta(hours=1))

    known = {one.full_name for one in MEASURES if list(one.look(now))}

    assert "seatwatch_status" in known
    assert told("seatwatch_tail_lag_seconds", now) == [((), 2.0)]
    assert told("seatwatch_last_line_timestamp_seconds", now) == [((), NOW.timestamp() - 3600)]
    assert {name for name in known if name.endswith("_total") or "seats" in name} == set()


def test_an_app_that_does_not_run_is_not_silent() -> None:
    """Silence is that of a running app; one that is gone is told as not running."""
    now = facts(State(at=NOW, app=App(running=False)))

    assert told("seatwatch_app_running", now) == [((), 0.0)]
    assert told("seatwatch_app_silent_seconds", now) == []


def test_no_text_of_a_log_is_a_label() -> None:
    """Hostile titles, ids, folders and versions stay out; a version that has no form of one is unknown."""
    named = session(1, Phase.IDLE, idle=90, title=HOSTILE, cwd=HOSTILE, id=HOSTILE)
    now = facts(state(named, app=App(True, HOSTILE, HOSTILE, NOW, NOW)), machine=machine())

    values = {value for one in MEASURES for labels, _number in one.look(now) for value in labels}

    assert told("seatwatch_app_info", now) == [(("unknown", "unknown"), 1)]
    assert all(re.fullmatch(r"[a-z_]+|[\d.]+(dev\d*)?", value) for value in values)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda one: one.full_name)
def test_names_follow_the_rules(measure: Measure) -> None:
    """A unit is the end of a name, a counter ends in _total, a sentence explains it, and names are unique."""
    assert re.fullmatch(r"seatwatch(_[a-z]+)+", measure.full_name)
    assert measure.full_name.endswith("_total") == (measure.sort == "counter")
    assert not measure.unit or measure.name.endswith(f"_{measure.unit}")
    assert measure.help.endswith(".")
    assert [one.full_name for one in MEASURES].count(measure.full_name) == 1
