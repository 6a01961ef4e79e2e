"""Linux from /proc: recorded files, and the machine that runs the tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app.probes.linux import LinuxSystem, level_of_psi, parse_meminfo, parse_stat
from app.probes.system import MB, Birth, Now
from tests.probes.machines import hold, proc, write

MEMINFO = """\
MemTotal:       32768000 kB
MemFree:          210000 kB
MemAvailable:   16384000 kB
Buffers:          512000 kB
SwapTotal:       8192000 kB
SwapFree:        7168000 kB
Zswap:            102400 kB
HugePages_Total:       0
"""
CALM = """\
some avg10=0.42 avg60=0.10 avg300=0.02 total=123456
full avg10=0.00 avg60=0.00 avg300=0.00 total=65432
"""
BUSY = CALM.replace("some avg10=0.42", "some avg10=18.30")
STUCK = BUSY.replace("full avg10=0.00", "full avg10=12.75")


def machine(root: Path, **files: str) -> LinuxSystem:
    """A machine with the usual files; a keyword replaces one, or takes it away when it is empty."""
    given = {"meminfo": MEMINFO, "psi": CALM} | files
    paths = {"meminfo": "proc/meminfo", "psi": "proc/pressure/memory", "zram": "sys/block/zram0/mm_stat"}
    paths["limit"] = "sys/fs/cgroup/memory.max"
    (root / "proc").mkdir(exist_ok=True)
    write(root, {paths[name]: text for name, text in given.items() if text})
    return LinuxSystem(str(root), page_size=4096)


def test_memory_is_what_is_available_not_what_is_free(tmp_path: Path) -> None:
    """MemAvailable is told; MemFree, which is small on a healthy machine, never."""
    memory = machine(tmp_path).memory()

    assert (memory.total, memory.available) == (32_768_000 * 1024, 16_384_000 * 1024)
    assert (memory.swap_used, memory.compressed) == (1_024_000 * 1024, 102_400 * 1024)
    assert (memory.level, memory.origin, memory.unknown) == ("normal", "psi", ())


@pytest.mark.parametrize(
    ("psi", "available", "level", "origin"),
    [
        (CALM, 16_384_000, "normal", "psi"),
        (BUSY, 16_384_000, "warning", "psi"),
        (STUCK, 16_384_000, "critical", "psi"),
        (CALM, 1_600_000, "warning", "available"),
        (CALM, 600_000, "critical", "available"),
        (BUSY, 600_000, "critical", "available"),
        (STUCK, 1_600_000, "critical", "psi"),
    ],
)
def test_level_is_the_worse_of_two(tmp_path: Path, psi: str, available: int, level: str, origin: str) -> None:
    """Work that waits for memory and memory that is nearly gone are each enough, and the one that leads is named."""
    memory = machine(tmp_path, psi=psi, meminfo=MEMINFO.replace("16384000", str(available))).memory()

    assert (memory.level, memory.origin) == (level, origin)


def test_kernel_without_psi_is_judged_by_what_is_available(tmp_path: Path) -> None:
    """Without stall times the level comes from the share alone, and the sample says what is missing."""
    memory = machine(tmp_path, psi="").memory()

    assert (memory.level, memory.origin) == ("normal", "available")
    assert [(one.part, one.reason) for one in memory.unknown] == [("pressure", "platform")]


def test_psi_of_another_form_is_not_guessed_at(tmp_path: Path) -> None:
    """Stall times that cannot be understood count for nothing and are told."""
    memory = machine(tmp_path, psi="some text\n").memory()

    assert (memory.level, memory.origin) == ("normal", "available")
    assert [(one.part, one.reason) for one in memory.unknown] == [("pressure", "failed")]


def test_psi_that_may_not_be_read_says_so() -> None:
    """Some distributions keep stall times to root."""

    class Shut(LinuxSystem):
        def _text(self, name: str) -> str:
            if name == "pressure/memory":
                raise PermissionError(13, "denied")
            return MEMINFO if name == "meminfo" else super()._text(name)

    unknown = Shut().memory().unknown

    assert ("pressure", "permission") in {(one.part, one.reason) for one in unknown}


def test_missing_figures_are_unknown_not_zero(tmp_path: Path) -> None:
    """What an old or strange kernel does not tell is None, with the reason; the level then comes from PSI."""
    memory = machine(tmp_path, meminfo="MemTotal: 1000 kB\nMemFree: 10 kB\n").memory()

    assert (memory.available, memory.swap_used, memory.compressed) == (None, None, None)
    assert (memory.level, memory.origin) == ("normal", "psi")
    assert [one.part for one in memory.unknown] == ["available", "swap", "compressed"]
    assert {one.reason for one in memory.unknown} == {"missing"}


def test_nothing_to_judge_by_has_no_level(tmp_path: Path) -> None:
    """Neither available memory nor stall times: the level is unknown and comes from nowhere."""
    memory = machine(tmp_path, meminfo="MemTotal: 1000 kB\n", psi="").memory()

    assert (memory.level, memory.origin) == ("unknown", "none")


def test_zram_is_compressed_memory_too(tmp_path: Path) -> None:
    """What the first zram device takes is added to what zswap holds."""
    memory = machine(tmp_path, zram="  409600000 102400000 104857600 0 104857600 0 0 0 0\n").memory()

    assert memory.compressed == 104_857_600 + 102_400 * 1024


@pytest.mark.parametrize(("limit", "told"), [("4294967296\n", True), ("max\n", False), ("99999999999999\n", False)])
def test_container_is_told_that_memory_is_the_machines(tmp_path: Path, limit: str, told: bool) -> None:
    """Where a container may use less than the machine has, the sample says that its figures are the machine's."""
    unknown = machine(tmp_path, limit=limit).memory().unknown

    assert [(one.part, one.reason) for one in unknown] == [("container_memory", "container")] * told
    assert all("4096 MB" in one.detail for one in unknown)


def test_processes_are_read_from_their_files(tmp_path: Path) -> None:
    """Name, parent, start, path and arguments of a process; its memory in bytes."""
    system = machine(tmp_path)
    proc(tmp_path, 40, 1, "node", exe="/usr/bin/node", argv=["node", "server.js"], pages=2560)
    write(tmp_path, {"proc/self/x": "", "proc/uptime": ""})

    assert list(system.pids()) == [40]
    assert system.birth(40) == Birth(40, 400.0, 1, "node", "/usr/bin/node", ("node", "server.js"))
    assert system.now(40) == Now(400.0, 1, 10 * MB)


def test_processes_that_end_are_no_error(tmp_path: Path) -> None:
    """Between the list and the look a process may end, or its file may be empty or broken."""
    system = machine(tmp_path)
    write(tmp_path, {"proc/41/stat": "", "proc/42/stat": "42 (x) S\n", "proc/43/stat": "nonsense"})

    assert [system.birth(pid) for pid in (40, 41, 42, 43)] == [None] * 4
    assert [system.now(pid) for pid in (40, 41, 42, 43)] == [None] * 4
    assert (system.traces(40), system.owned([40, 41], [])) == ([], frozenset())


def test_process_without_arguments_is_told_by_the_rest(tmp_path: Path) -> None:
    """A process that ends between two of its files is told by what was read."""
    system = machine(tmp_path)
    (proc(tmp_path, 44, 1, "node") / "cmdline").unlink()

    assert system.birth(44) == Birth(44, 440.0, 1, "node")


def test_threads_of_the_kernel_have_no_program(tmp_path: Path) -> None:
    """What the kernel runs itself has neither path nor arguments, and is not asked for them."""
    system = machine(tmp_path)
    proc(tmp_path, 77, 2, "kworker/0:1-events")

    assert system.birth(77) == Birth(77, 770.0, 2, "kworker/0:1-events")


@pytest.mark.parametrize(
    ("exe", "argv", "name"),
    [
        ("/usr/bin/qemu-system-x86_64", ["qemu-system-x86_64", "-m", "4G"], "qemu-system-x86_64"),
        ("/usr/bin/qemu-system-x86_64 (deleted)", [], "qemu-system-x86_64"),
        ("/opt/other", ["/usr/bin/qemu-system-x86_64"], "qemu-system-x86_64"),
        ("/opt/other", ["something"], "qemu-system-x86"),
        ("", [], "qemu-system-x86"),
    ],
)
def test_cut_names_are_made_whole(tmp_path: Path, exe: str, argv: list[str], name: str) -> None:
    """The kernel cuts names at 15 bytes; the path or the first argument has the rest."""
    system = machine(tmp_path)
    proc(tmp_path, 50, 1, "qemu-system-x86", exe=exe, argv=argv)
    birth = system.birth(50)

    assert birth is not None
    assert birth.name == name


def test_traces_are_what_a_process_has_open(tmp_path: Path) -> None:
    """The disk of a virtual machine is among the files that it has open."""
    system = machine(tmp_path)
    folder = proc(tmp_path, 60, 1, "qemu-system-x86")
    hold(folder, "/dev/kvm", "/home/someone/vm/disk.img")
    (folder / "fd" / "9").write_text("a descriptor that is no link any more")

    assert sorted(system.traces(60)) == ["/dev/kvm", "/home/someone/vm/disk.img"]


def test_container_hides_the_hosts_processes(tmp_path: Path) -> None:
    """In a container the processes of the host cannot be seen, and the sample says so."""
    assert machine(tmp_path).blind_spots() == ()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".containerenv").touch()

    assert [(one.part, one.reason) for one in machine(tmp_path).blind_spots()] == [("host_processes", "container")]


def test_connections_and_their_owners(tmp_path: Path) -> None:
    """Both tables are read, and a connection belongs to who holds the socket of its inode."""
    system = machine(tmp_path)
    row = "{n}: {local} {remote} 01 00000000:00000000 00:00000000 00000000  1000        0 {inode} 1 0\n"
    v6 = "B80D0120000000000000000001000000"
    four = row.format(n=0, local="0700A8C0:CB9F", remote="097100CB:01BB", inode=4711)
    six = row.format(n=0, local=f"{v6}:CBA0", remote=f"{v6}:01BB", inode=4712)
    write(tmp_path, {"proc/net/tcp": "heading\n" + four, "proc/net/tcp6": "heading\n" + six})
    hold(proc(tmp_path, 60, 1, "node"), "socket:[4711]", "pipe:[4712]", "/dev/null")
    rows = system.connections()

    assert [one.key for one in rows] == [
        ("192.168.0.7", 52_127, "203.0.113.9", 443), ("2001:db8::1", 52_128, "2001:db8::1", 443)
    ]  # fmt: skip
    assert system.owned([60, 61], rows) == {rows[0].key}


def test_kernel_without_ipv6_has_one_table(tmp_path: Path) -> None:
    """No table of IPv6 is no trouble; no table at all is."""
    system = machine(tmp_path)
    write(tmp_path, {"proc/net/tcp": "heading\n"})

    assert list(system.connections()) == []
    (tmp_path / "proc/net/tcp").unlink()
    with pytest.raises(FileNotFoundError):
        system.connections()


def test_lines_of_another_form_count_for_nothing() -> None:
    """Sizes are lines of a name and kilobytes; everything else is passed over."""
    assert parse_meminfo("A: 1 kB\nB: x kB\nC 2 kB\nD: 3\nE: -4 kB\n\n") == {"A": 1024}


def test_stat_survives_hostile_names() -> None:
    """A process may call itself anything, brackets and fields of a stat line included."""
    tail = " ".join(["S", "7", *["0"] * 17, "123", "0", "9"])

    assert parse_stat(f"5 (a) R 1 (b) (c)) {tail}") == ("a) R 1 (b) (c)", 7, 123.0, 9)


@pytest.mark.parametrize("state", ["Z", "X"])
def test_process_that_ended_and_was_not_noticed_is_gone(tmp_path: Path, state: str) -> None:
    """A zombie has a number and a name, and neither memory nor anything else."""
    system = machine(tmp_path)
    stat = proc(tmp_path, 60, 1, "node") / "stat"
    stat.write_text(stat.read_text("utf-8").replace(" S ", f" {state} "), "utf-8")

    assert (system.birth(60), system.now(60)) == (None, None)


@pytest.mark.parametrize("text", ["", "some avg60=1.0\n", "some avg10=x\n", "full avg10=1.0 total=1\n", "some avg10\n"])
def test_psi_of_another_form_is_refused(text: str) -> None:
    """No level is read from what is not PSI."""
    with pytest.raises((ValueError, KeyError)):
        level_of_psi(text)


def test_kernel_without_full_stalls_is_understood() -> None:
    """Older kernels told some stalls alone."""
    assert level_of_psi("some avg10=11.00 avg60=0 avg300=0 total=1\n") == "warning"


def test_this_process_is_found_for_real() -> None:
    """On the machine that runs the tests, /proc tells of this very process."""
    if sys.platform != "linux":
        assert not os.path.exists("/proc/self/stat")  # noqa: PTH110 - a fact of other systems, not a path of ours
        return
    system, mine = LinuxSystem(), os.getpid()
    birth, now = system.birth(mine), system.now(mine)

    assert mine in system.pids()
    assert birth is not None
    assert now is not None
    assert (birth.parent, birth.created) == (os.getppid(), now.created)
    assert now.rss > 20 * MB
    assert {one.reason for one in system.blind_spots()} <= {"container"}
