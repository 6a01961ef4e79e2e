"""Windows, from recorded answers."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from app.core.samples import ProcessRow
from app.probes.connections import ConnectionsProbe
from app.probes.processes import ProcessesProbe
from app.probes.system import MB
from app.probes.windows import WindowsSystem
from tests.probes.machines import Recorded, Told, socket

AT = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)
LOCAL = "C:\\Users\\someone\\AppData\\Local"
APP = f"{LOCAL}\\AnthropicClaude\\app-2.9939.4\\claude.exe"
CLI = "C:\\Users\\someone\\AppData\\Roaming\\Claude\\claude-code\\2.1.286\\claude.exe"


def answers(*more: Told) -> Recorded:
    """A PC with the app, a session, Cowork's VM, WSL 2 and an agent in a terminal."""
    return Recorded(
        [
            Told(4, 0, "System", 0.0, None, None, None),
            Told(700, 4, "services.exe", 1.0, None, None, None),
            Told(5000, 3333, "claude.exe", 50.0, APP, [APP], 200 * MB),
            Told(5001, 5000, "claude.exe", 51.0, APP, [APP, "--type=gpu-process"], 150 * MB),
            Told(5010, 5000, "claude.exe", 52.0, CLI, [CLI, "--output-format", "stream-json"], 300 * MB),
            Told(5020, 700, "vmmem", 53.0, None, None, 4104 * MB),
            Told(5021, 700, "vmmemWSL", 54.0, None, None, 2000 * MB),
            Told(5030, 4000, "claude.exe", 55.0, "C:\\Users\\someone\\.local\\bin\\claude.exe", ["claude"], 320 * MB),
            *more,
        ]
    )


def test_memory_is_judged_by_its_share() -> None:
    """Windows has no levels: the share that is available gives it, and compressed memory is not told."""
    memory = WindowsSystem(table=answers()).memory()

    assert (memory.total, memory.available, memory.swap_used) == (24_576 * MB, 9_000 * MB, 512 * MB)
    assert (memory.level, memory.origin, memory.compressed) == ("normal", "available", None)
    assert [(one.part, one.reason) for one in memory.unknown] == [("compressed", "platform")]


@pytest.mark.parametrize(("available", "level"), [(1_300, "normal"), (1_200, "warning"), (480, "critical")])
def test_thresholds_are_the_apps(available: int, level: str) -> None:
    """Below 5 % of 24 GB is a warning, below 2 % critical."""
    assert WindowsSystem(table=Recorded(available=available)).memory().level == level


def test_page_file_that_cannot_be_read_is_unknown() -> None:
    """Swap needs a counter that can be switched off."""
    table = Recorded()
    table.swap = None

    assert [one.part for one in WindowsSystem(table=table).memory().unknown] == ["compressed", "swap"]


def test_a_pc_is_told_as_rows() -> None:
    """Every process of a PC that matters is in one row, under its role."""
    sample = ProcessesProbe(WindowsSystem(table=answers())).look(AT, {5010: "local_a"})

    assert sample.rows == (
        ProcessRow("app", "Claude", 5000, 2, 350),
        ProcessRow("session", "claude", 5010, 1, 300, None, "local_a"),
        ProcessRow("cowork_vm", "Cowork VM", 5020, 1, 4104),
        ProcessRow("other_vm", "WSL 2", 5021, 1, 2000),
        ProcessRow("agent", "Claude Code", 5030, 1, 320),
    )
    assert sample.unknown == ()


def test_machine_that_could_be_wsl_is_not_claimed() -> None:
    """An older Windows calls the memory of WSL 2 as it calls Cowork's: then the sample says that it cannot tell."""
    table = answers(Told(5040, 4000, "wslhost.exe", 56.0, None, None, MB))
    del table.told[5021]
    sample = ProcessesProbe(WindowsSystem(table=table)).look(AT)

    assert sample.cowork_vm == ()
    assert [row.name for row in sample.other_vms] == ["Hyper-V"]
    assert [(one.part, one.reason, one.detail) for one in sample.unknown] == [("vm_owner", "missing", "Hyper-V")]


def test_connections_come_with_their_owners() -> None:
    """Each connection is told with its process; one that waits in TIME_WAIT has none."""
    table = answers()
    table.sockets = [
        socket(("192.168.0.7", 50_001), ("203.0.114.9", 443), "ESTABLISHED", 5010),
        socket(("192.168.0.7", 50_002), ("203.0.114.9", 443), "TIME_WAIT", 0),
        socket(("192.168.0.7", 50_003), ("203.0.114.8", 443), "SYN_SENT", None),
        socket(("0.0.0.0", 135), (), "LISTEN", 700),  # noqa: S104 - what Windows tells, not what is bound
        socket(("127.0.0.1", 50_004), ("127.0.0.1", 50_005), "ESTABLISHED", 5010),
    ]
    sample = ConnectionsProbe(WindowsSystem(table=table)).look(AT, {5010})

    assert sample.claude is not None
    assert sample.host is not None
    assert dict(sample.claude.v4) == {"ESTABLISHED": 1}
    assert dict(sample.host.v4) == {"ESTABLISHED": 1, "SYN_SENT": 1, "TIME_WAIT": 1}
    assert sample.unknown == ()


def test_other_systems_get_what_psutil_serves() -> None:
    """A system that nobody made anything for is read in the same way, under its own name."""
    table = Recorded([Told(9, 1, "claude", 1.0, "/usr/local/bin/claude", ["claude"], MB)])
    system = WindowsSystem("other", table)

    assert (system.platform, list(system.pids()), system.traces(9), system.blind_spots()) == ("other", [9], (), ())
    assert table.virtual_memory() == SimpleNamespace(total=24_576 * MB, available=9_000 * MB)
