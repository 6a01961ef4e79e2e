"""The processes that matter here and their memory: machines made up by hand, and real processes of known size."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from app.core.samples import ProcessRow, Unknown
from app.probes.linux import LinuxSystem
from app.probes.processes import MOST_ROWS, REST, WHOLE_EVERY, ProcessesProbe
from app.probes.system import MB, Birth, Now
from tests.probes.families import TOOL, family, named, narrowed
from tests.probes.machines import Machine, hold, proc

AT = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)


def later(looks: int) -> datetime:
    """The instant of a look, ten seconds each."""
    return AT + timedelta(seconds=10 * looks)


def home() -> Machine:
    """A machine with the app, a tool server, two sessions and an agent in a terminal."""
    machine = Machine()
    machine.add(1, 0, "launchd", mb=20)
    machine.add(10, 1, "Claude", mb=200)
    machine.add(11, 10, "Claude Helper (Renderer)", mb=300)
    machine.add(12, 10, "node", mb=80, argv=["node", "--secret=hunter2"])
    machine.add(20, 10, "claude", mb=250, exe="/x/Claude/claude-code/2.1/claude")
    machine.add(21, 20, "bash", mb=5)
    machine.add(22, 10, "claude", mb=240, exe="/x/Claude/claude-code/2.1/claude")
    machine.add(30, 1, "zsh", mb=6)
    machine.add(31, 30, "claude", mb=330, exe="/usr/local/bin/claude")
    return machine


SESSIONS = {20: "local_a", 22: "local_b"}


def test_rows_are_told_by_role() -> None:
    """The app, its tools, each session with what it started, and agents elsewhere; each process once."""
    sample = ProcessesProbe(home()).look(AT, SESSIONS)

    assert sample.rows == (
        ProcessRow("app", "Claude", 10, 2, 500),
        ProcessRow("app", "node", 12, 1, 80),
        ProcessRow("session", "claude", 20, 2, 255, None, "local_a"),
        ProcessRow("session", "claude", 22, 1, 240, None, "local_b"),
        ProcessRow("agent", "Claude Code", 31, 1, 330),
    )
    assert (sample.at, sample.unknown, sample.tree_rss_mb) == (AT, (), 1075)


def test_connections_to_look_for_are_claudes() -> None:
    """The pids of the app, its sessions and of every ``claude`` are handed on; nobody else's are."""
    probe = ProcessesProbe(home())
    assert probe.claude_pids == frozenset()
    probe.look(AT, SESSIONS)

    assert probe.claude_pids == {10, 11, 12, 20, 21, 22, 31}


def test_arguments_are_kept_by_nobody() -> None:
    """What stands in a command line, secrets among it, is in nothing that the probe holds on to."""
    probe = ProcessesProbe(home())
    sample = probe.look(AT)

    assert "hunter2" not in repr(sample) + repr(vars(probe)["_known"])


def test_second_look_reads_only_what_changes() -> None:
    """Known processes are not looked at anew, and those that matter to nobody are not read at all."""
    machine = home()
    probe = ProcessesProbe(machine)
    probe.look(AT, SESSIONS)
    machine.asked.clear()
    machine.rss[12] = 90 * MB
    sample = probe.look(later(1), SESSIONS)

    assert machine.asked == {"pids": 1, "now": 7}
    assert [row.rss_mb for row in sample.rows if row.name == "node"] == [90]


def test_all_are_seen_anew_once_a_minute() -> None:
    """A process may turn into another program without getting another number."""
    machine = home()
    probe = ProcessesProbe(machine)
    agents = []
    for look in range(WHOLE_EVERY + 1):
        agents.append([row.name for row in probe.look(later(look), SESSIONS).agents])
        machine.births[30] = Birth(30, 30.0, 1, "codex")

    assert agents == [["Claude Code"]] * WHOLE_EVERY + [["Claude Code", "Codex"]]


def test_what_a_dead_app_left_is_told_for_as_long_as_it_runs() -> None:
    """When the app is gone its former children are orphans, each a row, until they end."""
    machine = home()
    probe = ProcessesProbe(machine)
    probe.look(AT, SESSIONS)
    machine.end(10, 11, 22)
    orphans = [probe.look(later(look), SESSIONS).orphans for look in (1, 2)]
    machine.end(12)
    last = probe.look(later(3), SESSIONS)

    assert (
        orphans[0]
        == orphans[1]
        == (ProcessRow("orphan", "claude", 20, 2, 255), ProcessRow("orphan", "node", 12, 1, 80))
    )
    assert [(row.name, row.pid) for row in last.orphans] == [("claude", 20)]
    assert (last.app_running, len(last.agents)) == (False, 1)


def test_left_behind_before_the_first_look_is_found_too() -> None:
    """The app's own command line, found without an app above it, needs no memory of earlier looks."""
    machine = home()
    machine.end(10, 11)

    assert {row.pid for row in ProcessesProbe(machine).look(AT, SESSIONS).orphans} == {20, 22}


def test_process_that_ends_during_a_look_is_no_error() -> None:
    """What goes between the list and the reading is left out, and its children are told by what is left."""

    class Fleeting(Machine):
        def now(self, pid: int) -> Now | None:
            if pid == 22:
                self.births.pop(22, None)
            return super().now(pid)

        def birth(self, pid: int) -> Birth | None:
            return None if pid == 11 else super().birth(pid)

    machine = home()
    sample = ProcessesProbe(Fleeting(machine.births, machine.rss)).look(AT, SESSIONS)

    assert [(row.name, row.session, row.rss_mb) for row in sample.of("app", "session")] == [
        ("Claude", None, 200), ("node", None, 80), ("claude", "local_a", 255)
    ]  # fmt: skip


def test_number_that_is_given_again_is_another_process() -> None:
    """A process that got the number of another is met at the next look, and never takes its place."""
    machine = home()
    probe = ProcessesProbe(machine)
    probe.look(AT, SESSIONS)
    machine.births[12] = Birth(12, 900.0, 30, "vim")
    names = [[row.name for row in probe.look(later(look), SESSIONS).of("app")] for look in (1, 2)]

    assert names == [["Claude"], ["Claude"]]


def test_process_with_a_new_parent_is_told_by_that() -> None:
    """Who lost its parent since the last look is found out in the same look."""
    machine = home()
    probe = ProcessesProbe(machine)
    probe.look(AT, SESSIONS)
    machine.births[21] = Birth(21, 21.0, 1, "bash")
    sample = probe.look(later(1), SESSIONS)

    assert sample.orphans == (ProcessRow("orphan", "bash", 21, 1, 5),)


def test_whose_a_machine_is_is_asked_until_it_is_known() -> None:
    """A machine that has not opened its disk yet is nobody's for a moment, and is not asked after once it is known."""
    machine = home()
    machine.add(40, 1, "com.apple.Virtualization.VirtualMachine", mb=1900)
    probe = ProcessesProbe(machine)
    first = probe.look(AT)
    machine.hints[40] = ("/Users/a/Library/Application Support/Claude/vm_bundles/claudevm.bundle/rootfs.img",)
    second = probe.look(later(1))
    asked = machine.asked["traces"]
    probe.look(later(2))

    assert [row.name for row in first.other_vms] == ["Virtualization.framework"]
    assert first.unknown == (Unknown("vm_owner", "missing", "Virtualization.framework"),)
    assert (second.cowork_vm, second.unknown) == ((ProcessRow("cowork_vm", "Cowork VM", 40, 1, 1900),), ())
    assert machine.asked["traces"] == asked


def test_a_machine_of_nobody_known_is_just_a_machine() -> None:
    """Whose disk is none of the known programs' is a machine by its kind's name, and nothing is unknown about that."""
    machine = Machine()
    machine.add(40, 1, "qemu-system-x86_64", mb=700)
    machine.hints[40] = ("/dev/kvm", "/home/someone/disk.img")
    sample = ProcessesProbe(machine).look(AT)

    assert (sample.rows, sample.unknown) == ((ProcessRow("other_vm", "QEMU", 40, 1, 700),), ())


def test_machine_that_hides_its_memory_is_told() -> None:
    """A machine of no size at all is one whose memory may not be read, and the sample says so."""
    machine = Machine()
    machine.add(40, 1, "vmware-vmx", mb=0)
    sample = ProcessesProbe(machine).look(AT)

    assert sample.rows == (ProcessRow("other_vm", "VMware", 40, 1, 0),)
    assert sample.unknown == (Unknown("vm_memory", "permission", "VMware"),)


def test_footprint_is_whole_or_not_told() -> None:
    """A row has a footprint only when each of its processes has one."""
    machine = home()
    machine.footprints = {10: 150 * MB, 11: 250 * MB, 20: 200 * MB}
    sample = ProcessesProbe(machine).look(AT, SESSIONS)

    assert [(row.name, row.footprint_mb) for row in sample.of("app")] == [("Claude", 400), ("node", None)]
    assert sample.by_session["local_a"].footprint_mb is None


def test_many_rows_are_taken_together() -> None:
    """A pile of different tools has its largest rows and one for the rest; no memory is lost on the way."""
    machine = Machine(footprints={10: 0})
    machine.add(10, 1, "Claude", mb=200)
    for number in range(40):
        machine.add(100 + number, 10, f"tool-{number:02}", mb=10 + number)
    sample = ProcessesProbe(machine).look(AT)

    assert len(sample.rows) == MOST_ROWS
    assert (sample.rows[-1].name, sample.rows[-1].count) == (REST, 41 - (MOST_ROWS - 1))
    assert sample.tree_rss_mb == 200 + sum(10 + number for number in range(40))
    assert sample.rows[-1].footprint_mb is None


def test_sessions_are_never_taken_together() -> None:
    """Every session has its own row, however many there are."""
    machine = Machine()
    machine.add(10, 1, "Claude")
    for pid in range(100, 142):
        machine.add(pid, 10, "claude", exe="/x/claude-code/2.1/claude")
    sample = ProcessesProbe(machine).look(AT, {pid: f"local_{pid}" for pid in range(100, 142)})

    assert len(sample.by_session) == 42


def test_rest_has_a_footprint_when_all_of_it_has() -> None:
    """Rows taken together have the sum of their footprints."""
    machine = Machine()
    machine.add(10, 1, "Claude", mb=200)
    for number in range(MOST_ROWS + 3):
        machine.add(100 + number, 10, f"tool-{number:02}")
    machine.footprints = dict.fromkeys(machine.births, 4 * MB)
    sample = ProcessesProbe(machine).look(AT)

    assert sample.rows[-1].footprint_mb == 4 * sample.rows[-1].count


@pytest.mark.parametrize("trouble", [PermissionError("no"), ValueError("broken table")])
def test_trouble_is_a_sample_that_says_so(trouble: Exception) -> None:
    """A look never raises, and the next one is whole again."""
    machine = home()
    probe = ProcessesProbe(machine)
    machine.fails = trouble
    broken = probe.look(AT, SESSIONS)
    machine.fails = None

    assert (broken.rows, [one.part for one in broken.unknown]) == ((), ["processes"])
    assert len(probe.look(later(1), SESSIONS).rows) == 5


def test_what_cannot_be_seen_is_told_with_every_sample() -> None:
    """What the system hides for good is in each sample."""
    machine = home()
    machine.blind = (Unknown("host_processes", "container"),)
    probe = ProcessesProbe(machine)

    assert [probe.look(later(look)).unknown for look in (0, 1)] == [machine.blind] * 2


def test_linux_from_recorded_files(tmp_path: Path) -> None:
    """A recorded /proc with the app under Electron, its Cowork VM, a session, an agent and a machine of Lima's."""
    electron, page = "/usr/lib/electron/electron", MB // 4096
    app, cli = "/usr/lib/claude-desktop/app.asar", "/home/a/.config/Claude/claude-code/2.1.286/claude"
    qemu = "/usr/bin/qemu-system-x86_64"
    proc(tmp_path, 1, 0, "systemd", pages=3 * page)
    proc(tmp_path, 2, 0, "kthreadd")
    proc(tmp_path, 3, 2, "kworker/0:0")
    proc(tmp_path, 10, 1, "electron", exe=electron, argv=[electron, app], pages=150 * page)
    proc(tmp_path, 11, 10, "electron", exe=electron, argv=[electron, "--type=zygote", app], pages=50 * page)
    proc(tmp_path, 12, 11, "electron", exe=electron, argv=[electron, "--type=renderer"], pages=250 * page)
    proc(tmp_path, 20, 10, "claude", exe=cli, argv=[cli, "--resume", "x"], pages=300 * page)
    proc(tmp_path, 30, 10, "qemu-system-x86", exe=qemu, argv=[qemu, "-m", "4096"], pages=2000 * page)
    proc(tmp_path, 40, 1, "bash", exe="/usr/bin/bash", argv=["bash"], pages=5 * page)
    proc(tmp_path, 41, 40, "codex", exe="/usr/bin/codex", argv=["codex"], pages=90 * page)
    hold(proc(tmp_path, 50, 1, "qemu-system-x86", exe=qemu, argv=[qemu], pages=900 * page), "/home/a/.lima/x/disk")
    probe = ProcessesProbe(LinuxSystem(str(tmp_path), page_size=4096))
    sample = probe.look(AT, {20: "local_a"})

    assert sample.rows == (
        ProcessRow("app", "Claude", 10, 3, 450),
        ProcessRow("session", "claude", 20, 1, 300, None, "local_a"),
        ProcessRow("cowork_vm", "Cowork VM", 30, 1, 2000),
        ProcessRow("other_vm", "Lima", 50, 1, 900),
        ProcessRow("agent", "Codex", 41, 1, 90),
    )
    assert probe.claude_pids == {10, 11, 12, 20, 30}


def test_real_tree_is_found_and_summed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the app with three children of 60 MB each: all are found, and their memory is what they hold."""
    with family(tmp_path, "claude-desktop", mb=60, children=3) as real:
        probe = ProcessesProbe(narrowed(monkeypatch, real.pid, *real.children))
        one, two, three = sorted(real.children)
        sample = probe.look(AT, {two: "local_real"})

    tools, app, session = sample.rows
    assert probe.claude_pids == {real.pid, one, two, three}
    assert [(row.role, row.name, row.pid, row.count) for row in sample.rows] == [
        ("app", TOOL, one, 2), ("app", "Claude", real.pid, 1), ("session", "claude", two, 1)
    ]  # fmt: skip
    assert 60 <= session.rss_mb <= 60 + 30
    assert 120 <= tools.rss_mb <= 120 + 60
    assert sample.tree_rss_mb == tools.rss_mb + app.rss_mb + session.rss_mb


def test_real_orphans_are_found_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the stand-in is killed its children are orphans; they are told, and still run afterwards."""
    with family(tmp_path, "claude-desktop", mb=1, children=2) as real:
        probe = ProcessesProbe(narrowed(monkeypatch, real.pid, *real.children))
        before = probe.look(AT)
        real.kill_parent()
        orphans = [probe.look(later(look)).orphans for look in (1, 2)]
    ended = (probe.look(later(look)).rows for look in range(3, 500) if not Event().wait(0.02))

    assert (before.orphans, before.app_running) == ((), True)
    assert () in ended
    assert [sorted((row.pid, row.name, row.count) for row in rows) for rows in orphans] == [
        [(pid, TOOL, 1) for pid in sorted(real.children)]
    ] * 2


@pytest.mark.parametrize(
    ("name", "role", "label"),
    [
        ("qemu-system-x86_64", "other_vm", "QEMU"),
        ("VBoxHeadless", "other_vm", "VirtualBox"),
        ("codex", "agent", "Codex"),
    ],
)
def test_real_processes_are_known_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, role: str, label: str
) -> None:
    """A process that goes by the name of a virtual machine or of an agent is told as one."""
    with named(tmp_path, name) as pid:
        sample = ProcessesProbe(narrowed(monkeypatch, pid)).look(AT)

    assert [(row.role, row.name, row.pid, row.count) for row in sample.rows] == [(role, label, pid, 1)]
