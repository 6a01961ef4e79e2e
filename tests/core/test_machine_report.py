"""What the probes know, as JSON carries it."""

from __future__ import annotations

import json
from datetime import timedelta, timezone

from app.core.machine import Machine
from app.core.machine_report import machine_plain, ports_plain
from app.core.report import state_report
from app.core.samples import HostSample, Unknown
from app.core.state import Pressure, State
from tests.core.helpers import NOON, A, after
from tests.core.machines import host, machine, ports, row

TOKYO = timezone(timedelta(hours=9))
FOUND = machine(row("session", "claude", 400, 3, A), found=ports(204, 5.96), host=host(1900))


def test_memory_and_processes() -> None:
    """Every number that is known, by name, and whose process it is."""
    plain = machine_plain(FOUND, NOON, TOKYO)

    assert json.loads(json.dumps(plain)) == {
        "memory": {
            "at": "2026-10-02T21:00:00+09:00", "total_mb": 24_576, "available_mb": 1900, "swap_used_mb": 1229,
            "compressed_mb": 2048, "level": "normal", "origin": "none",
        },
        "processes": {
            "at": "2026-10-02T21:00:00+09:00", "tree_rss_mb": 400, "tree_footprint_mb": None,
            "rows": [
                {"role": "session", "name": "claude", "count": 3, "rss_mb": 400, "footprint_mb": None, "session": A}
            ],
        },
        "unknown": [],
    }  # fmt: skip


def test_ports_of_the_line() -> None:
    """The count, the budget, the time left and what the connections do."""
    plain = ports_plain(FOUND, NOON, TOKYO)

    assert json.loads(json.dumps(plain)) == {
        "at": "2026-10-02T21:00:00+09:00", "line": "v6plus", "budget": 240, "in_use": 204, "claude": 0, "whole": True,
        "percent": 85.0, "highest_today": 204, "minutes_left": 6.0, "mark": 85,
        "by_state": {"ESTABLISHED": 153, "TIME_WAIT": 51}, "held": 0, "remotes": 68,
    }  # fmt: skip


def test_what_cannot_be_read_says_why() -> None:
    """None is not zero: the reason stands beside it."""
    broken = Machine(HostSample(NOON, unknown=(Unknown("memory", "permission", "denied"),)))
    plain = machine_plain(broken, NOON, TOKYO)

    assert plain is not None
    assert plain["unknown"] == [{"part": "memory", "reason": "permission", "detail": "denied"}]
    assert plain["processes"] is None
    assert ports_plain(broken, NOON, TOKYO) is None


def test_nothing_known_is_nothing() -> None:
    """Without probes, or with samples that are too old, there is no machine to tell of."""
    assert machine_plain(Machine(), NOON, TOKYO) is None
    assert machine_plain(FOUND, after(600), TOKYO) is None
    without = state_report(State(), NOON, TOKYO)
    assert (without["machine"], without["ports"]) == (None, None)


def test_state_has_them_beside_what_the_log_says() -> None:
    """The contract of the state is as it was; these two are beside it, and the advice knows of them."""
    report = state_report(State(), NOON, TOKYO, machine=machine(found=ports(230)))

    assert report["ports"]["mark"] == 95
    assert report["memory"] is None
    assert report["advice"][0]["kind"] == "ports_short"


def test_pressure_of_the_host_says_so() -> None:
    """Where no line of the log gave a level, the one that the probe read stands there with its origin."""
    read = Pressure(host_level="warning", host_since=NOON, host_last=NOON)

    assert state_report(State(pressure=read), NOON, TOKYO)["pressure"] == {
        "level": "warning", "since": "2026-10-02T21:00:00+09:00", "origin": "host",
    }  # fmt: skip
