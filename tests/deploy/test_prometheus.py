"""What ``deploy/prometheus`` has: read by Prometheus' own tool, and run by a real Prometheus on three machines."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from app.demo.writer import DemoWriter
from app.export.measures import MEASURES
from tests.deploy.watched import DEPLOY, ROOT, Prometheus, quick, say
from tests.e2e.served import Served, until
from tests.promtool import command

TOKEN = "a-token-that-three-machines-share"  # noqa: S105  made up
TEAM = ("first-desk", "second-desk", "third-desk")
DASHBOARD = ROOT / "deploy" / "grafana" / "seatwatch.json"
NAMES = {one.full_name for one in MEASURES}
NOT_HERE = r"ports|swap|source=\"host\"|> 0$"
"""What these machines have no answer to: they have no probes, and closed nobody within the last minute."""


def promtool(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What the tool says of files in ``deploy/prometheus``."""
    return subprocess.run([command("promtool"), *arguments], cwd=DEPLOY, capture_output=True, text=True, check=False)


def expressions() -> list[str]:
    """Every query of the dashboard, for all machines and the last hour."""
    board = json.loads(DASHBOARD.read_text("utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [one["expr"] for one in board["annotations"]["list"]]
    return [one.replace("$instance", ".*").replace("$__range", "1h") for one in asked]


def test_rules_pass_their_own_tests() -> None:
    """Each alert fires when it should and no sooner, and each has a test."""
    tested = promtool("test", "rules", "seatwatch.rules.test.yml")

    assert (tested.returncode, tested.stderr) == (0, "")
    alerts = re.findall(r"- alert: (\w+)", (DEPLOY / "seatwatch.rules.yml").read_text("utf-8"))
    assert len(alerts) >= 8
    assert alerts == re.findall(r"- name: (\w+)", (DEPLOY / "seatwatch.rules.test.yml").read_text("utf-8"))


def test_configuration_is_one(tmp_path: Path) -> None:
    """The example, its machines and its rules are what Prometheus takes."""
    quick(tmp_path / "copy", {"first-desk": "127.0.0.1:1"}, TOKEN)

    checked = promtool("check", "config", str(tmp_path / "copy" / "prometheus.yml"))

    assert (checked.returncode, checked.stderr) == (0, "")
    assert "9 rules found" in checked.stdout


@pytest.mark.parametrize("file", [DASHBOARD, DEPLOY / "seatwatch.rules.yml", DEPLOY / "seatwatch.rules.test.yml"])
def test_every_name_is_measured(file: Path) -> None:
    """What a query asks for is told by /metrics; an old name would be an empty panel and an alert that never fires."""
    named = set(re.findall(r"\bseatwatch_[a-z_]+", file.read_text("utf-8")))

    assert named
    assert named - NAMES == set()


def test_dashboard_shows_what_matters() -> None:
    """Every panel says what it means, is for the machines that were chosen, and overlaps no other."""
    board = json.loads(DASHBOARD.read_text("utf-8"))
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}  # fmt: skip
        assert panel["description"]
        assert all("$instance" in target["expr"] for target in panel["targets"])
        assert not taken & cells
        taken |= cells
    shown = " ".join(expressions())
    wanted = ("seats_taken", "seats_cap", "evictions", "put_offs", "would_evict", "pressure_level", "vm_phase", "ports")
    assert [name for name in wanted if f"seatwatch_{name}" not in shown] == []


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Served]]:
    """Three machines, each with its own demo folder, and one token."""
    monkeypatch.setenv("SEATWATCH_TOKEN", TOKEN)
    machines = []
    with ExitStack() as closing:
        starting = closing.enter_context(ThreadPoolExecutor())
        for seed, owner in enumerate(TEAM, start=1):
            logs = tmp_path / owner / "logs"
            closing.enter_context(DemoWriter(logs, seed, history=timedelta(minutes=20)))
            one = Served(logs, tmp_path / owner / "seatwatch.sqlite", flags=("--no-probes",))
            closing.callback(one.kill)
            say(logs / "main.log", "Memory pressure transition: normal")
            machines.append(one)
        list(starting.map(Served.start, machines))
        yield machines


def test_a_real_prometheus_watches_three_machines(team: list[Served], tmp_path: Path) -> None:
    """It scrapes all three with the token; alerts fire for the machine meant and clear; every panel has an answer."""
    targets = dict(zip(TEAM, (one.address.removeprefix("http://") for one in team), strict=True))
    prometheus = Prometheus(quick(tmp_path / "prometheus", targets, TOKEN), tmp_path / "data")
    try:
        prometheus.start()
        until(lambda: prometheus.values("up") == dict.fromkeys(TEAM, 1.0), "all three machines")
        until(lambda: set(prometheus.values("seatwatch_seats_cap")) == set(TEAM), "the caps")
        with pytest.raises(HTTPError, match="401"):
            urlopen(f"{team[0].address}/metrics", timeout=5)  # noqa: S310 - our own server, without the token
        second = team[1].logs / "main.log"

        say(second, "Memory pressure transition: critical")
        until(lambda: prometheus.firing("SeatwatchMemoryCritical") == {"second-desk"}, "the alert of one machine")
        say(second, "Memory pressure transition: normal")
        until(lambda: prometheus.firing("SeatwatchMemoryCritical") == set(), "its end")

        team[2].stop()
        until(lambda: prometheus.firing("SeatwatchDown") == {"third-desk"}, "the alert of the machine that is gone")
        team[2].start()
        until(lambda: prometheus.firing("SeatwatchDown") == set(), "its return")

        answered = {query: prometheus.ask("query", query=query) for query in expressions()}
        assert {one["resultType"] for one in answered.values()} == {"vector"}
        empty = [query for query, one in answered.items() if not one["result"]]
        assert [query for query in empty if not re.search(NOT_HERE, query)] == []
        until(lambda: set(prometheus.values("seatwatch_seats_taken")) == set(TEAM), "all three again")
        for counter in (name for name in NAMES if name.endswith("_total")):
            assert set(prometheus.values(f"sum by (owner) (resets({counter}[5m]))").values()) == {0.0}, counter
    finally:
        prometheus.stop()
