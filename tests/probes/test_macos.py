"""macOS, from recorded answers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.core.samples import ProcessRow
from app.probes.connections import ConnectionsProbe
from app.probes.macos import COMPRESSED, LEVEL, MacSystem, parse_netstat
from app.probes.processes import ProcessesProbe
from app.probes.system import MB
from tests.probes.machines import GoneError, Recorded, Told, socket

AT = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)
NETSTAT = """\
Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address             Foreign Address           (state)
tcp4       0      0  192.168.0.7.52133         203.0.114.10.443          ESTABLISHED
tcp4       0      0  192.168.0.7.52134         203.0.114.10.443          TIME_WAIT
tcp4       0      0  192.168.0.7.52135         203.0.114.11.443          FIN_WAIT_1
tcp4       0      0  127.0.0.1.52136           127.0.0.1.8765            ESTABLISHED
tcp4       0      0  192.168.0.7.52137         192.168.0.2.445           ESTABLISHED
tcp6       0      0  2607:f8b0:1::7.52138      2607:6bc0::10.443         ESTABLISHED
tcp6       0      0  fe80::1%lo0.52139         fe80::1%lo0.49152         ESTABLISHED
tcp46      0      0  *.8080                    *.*                       LISTEN
tcp4       0      0  *.*                       *.*                       CLOSED
udp4       0      0  192.168.0.7.500           203.0.114.10.500
tcp4       0      0  nonsense                  203.0.114.10.443          ESTABLISHED
tcp4       0      0  192.168.0.7.52140         example.443               ESTABLISHED
"""
APP = "/Applications/Claude.app/Contents"
DATA = "/Users/someone/Library/Application Support/Claude"
VM = "/System/Library/Frameworks/Virtualization.framework/XPCServices/com.apple.Virtualization.VirtualMachine"


def answers() -> Recorded:
    """A Mac with the app, two sessions, Cowork's VM, Docker's, an agent in a terminal and what an app left behind."""
    helper = f"{APP}/Frameworks/Claude Helper (Renderer).app/Contents/MacOS/Claude Helper (Renderer)"
    cli = f"{DATA}/claude-code/2.1.286/claude.app/Contents/MacOS/claude"
    calls = [socket(("192.168.0.7", 52_133), ("203.0.114.10", 443)), socket(("192.168.0.7", 9999), ("203.0.114.9", 1))]
    return Recorded(
        [
            Told(1, 0, "launchd", 1.0, None, None, None),
            Told(400, 1, "Claude", 40.0, f"{APP}/MacOS/Claude", [f"{APP}/MacOS/Claude"], 220 * MB),
            Told(401, 400, "Claude Helper (Renderer)", 41.0, helper, [helper, "--type=renderer"], 480 * MB),
            Told(402, 1, "chrome_crashpad_handler", 42.0, f"{APP}/Helpers/chrome_crashpad_handler", [], 4 * MB),
            Told(410, 400, "claude", 43.0, cli, [cli, "--output-format", "stream-json"], 310 * MB, calls),
            Told(411, 410, "node", 44.0, "/usr/local/bin/node", ["node", "tool.js"], 60 * MB),
            Told(412, 400, "claude", 45.0, cli, [cli], 290 * MB),
            Told(420, 1, "com.apple.Virtualization.VirtualMachine", 46.0, VM, [], 1900 * MB),
            Told(421, 1, "com.apple.Virtualization.VirtualMachine", 47.0, VM, [], 3900 * MB),
            Told(430, 1, "com.docker.backend", 30.0, "/Applications/Docker.app/Contents/MacOS/com.docker.backend"),
            Told(440, 1, "zsh", 31.0, "/bin/zsh", ["-zsh"], 5 * MB),
            Told(441, 440, "claude", 32.0, "/Users/someone/.local/bin/claude", ["claude"], 350 * MB),
            Told(450, 1, "claude", 20.0, cli, [cli], 95 * MB),
        ]
    )


def system(table: Recorded | None = None, **values: int) -> MacSystem:
    """A Mac whose kernel gives these values; the footprint of every process is half its memory."""
    table = table or answers()
    told = {LEVEL: 1, COMPRESSED: 700 * MB} | values

    def value(name: str) -> int:
        if name not in told or told[name] < 0:
            raise FileNotFoundError(name)
        return told[name]

    return MacSystem(
        table,
        run=lambda *command: NETSTAT if command[0].endswith("netstat") else "",
        value=value,
        footprint=lambda pid: (table.told[pid].rss or 0) // 2,
        responsible={420: 400, 421: 430}.get,
    )


@pytest.mark.parametrize(("number", "level"), [(1, "normal"), (2, "warning"), (4, "critical")])
def test_level_is_the_kernels_own(number: int, level: str) -> None:
    """The kernel's level leads, however little is free."""
    memory = system(Recorded(total=16_384, available=100), **{LEVEL: number}).memory()

    assert (memory.level, memory.origin) == (level, LEVEL)
    assert (memory.total, memory.available) == (16_384 * MB, 100 * MB)
    assert (memory.swap_used, memory.compressed, memory.unknown) == (512 * MB, 700 * MB, ())


def test_what_the_kernel_does_not_tell_is_unknown() -> None:
    """A level it does not number so, a value it lacks and a refused swap are unknown, not normal and not zero."""
    table = answers()
    table.swap = None
    memory = system(table, **{LEVEL: 3, COMPRESSED: -1}).memory()

    assert (memory.level, memory.origin, memory.swap_used, memory.compressed) == ("unknown", "none", None, None)
    assert [(one.part, one.reason) for one in memory.unknown] == [
        ("pressure", "missing"), ("swap", "failed"), ("compressed", "missing")
    ]  # fmt: skip


def test_netstat_is_read_line_by_line() -> None:
    """Connections with both ends are read in either family; what listens, other protocols and odd lines are not."""
    rows = parse_netstat(NETSTAT)

    assert [(row.family, row.key[1], row.state) for row in rows] == [
        (4, 52_133, "ESTABLISHED"), (4, 52_134, "TIME_WAIT"), (4, 52_135, "FIN_WAIT1"), (4, 52_136, "ESTABLISHED"),
        (4, 52_137, "ESTABLISHED"), (6, 52_138, "ESTABLISHED"), (6, 52_139, "ESTABLISHED"),
    ]  # fmt: skip


def test_netstat_of_another_version_is_asked_again() -> None:
    """A version without the letters for long addresses is asked without them; one that hangs is not asked again."""
    asked: list[tuple[str, ...]] = []

    def run(*command: str) -> str:
        asked.append(command)
        if len(asked) == 1:
            raise OSError("illegal option")
        return NETSTAT

    assert len(MacSystem(answers(), run=run).connections()) == 7
    assert [command[1] for command in asked] == ["-anlW", "-an"]

    def hang(*command: str) -> str:
        raise TimeoutError(command[0])

    with pytest.raises(TimeoutError):
        MacSystem(answers(), run=hang).connections()


def test_machine_is_told_by_who_stands_for_it() -> None:
    """Whose virtual machine it is comes from the program that macOS holds responsible, if there is another."""
    mac = system()

    assert mac.traces(420) == (f"{APP}/MacOS/Claude",)
    assert mac.traces(411) == ()
    assert mac.blind_spots() == ()


def test_a_mac_is_told_as_rows() -> None:
    """Every process of a Mac that matters is in one row, under its role."""
    sample = ProcessesProbe(system()).look(AT, {410: "local_a"})

    assert sample.rows == (
        ProcessRow("app", "Claude", 400, 3, 704, 352),
        ProcessRow("app", "claude", 412, 1, 290, 145),
        ProcessRow("session", "claude", 410, 2, 370, 185, "local_a"),
        ProcessRow("cowork_vm", "Cowork VM", 420, 1, 1900, 950),
        ProcessRow("other_vm", "Docker Desktop", 421, 1, 3900, 1950),
        ProcessRow("agent", "Claude Code", 441, 1, 350, 175),
        ProcessRow("orphan", "claude", 450, 1, 95, 47),
    )
    assert sample.unknown == ()


def test_connections_of_a_mac() -> None:
    """All connections come from netstat, Claude's own by the descriptors of its processes; the home's are left out."""
    sample = ConnectionsProbe(system()).look(AT, {410})

    assert sample.host is not None
    assert sample.claude is not None
    assert (dict(sample.host.v4), dict(sample.host.v6)) == (
        {"ESTABLISHED": 1, "FIN_WAIT1": 1, "TIME_WAIT": 1}, {"ESTABLISHED": 1}
    )  # fmt: skip
    assert (sample.host.remotes_v4, dict(sample.claude.v4)) == (2, {"ESTABLISHED": 1})


def test_mac_without_a_process_is_no_error() -> None:
    """Everything may end between two calls."""
    table = answers()
    mac = system(table)
    table.told.clear()

    assert (list(mac.pids()), mac.birth(400), mac.now(400), mac.traces(420)) == ([], None, None, ())
    assert mac.owned({400}, mac.connections()) == frozenset()
    with pytest.raises(GoneError):
        table.Process(400)
