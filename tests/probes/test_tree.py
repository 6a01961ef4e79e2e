"""Whose each process is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.samples import Role
from app.probes.naming import Kind, Known
from app.probes.tree import Family, Label

Row = tuple[int, int, Kind, str]
LAUNCHD: Row = (1, 0, "", "launchd")
APP: Row = (10, 1, "app", "Claude")


def labels(
    *rows: Row,
    sessions: Mapping[int, str] | None = None,
    members: tuple[int, ...] = (),
    owners: Mapping[int, tuple[Kind, str]] | None = None,
) -> dict[int, Label]:
    """The labels of processes given as pid (which is their age too), parent, kind and name."""
    known = {pid: Known(pid, float(pid), name, kind) for pid, _, kind, name in rows}
    parents = {pid: parent for pid, parent, _, _ in rows}
    owned = owners or {}
    family = Family(
        known, parents, sessions or {}, {pid: float(pid) for pid in members}, lambda one: owned.get(one.pid)
    )
    return family.labelled()


def roles(found: Mapping[int, Label]) -> dict[int, Role]:
    """The role of each."""
    return {pid: label.role for pid, label in found.items()}


def test_the_apps_children_are_told_by_their_names() -> None:
    """Helpers are the app, tool servers and what they start are named by their program, so that a pile shows."""
    found = labels(
        LAUNCHD, APP, (11, 10, "helper", "Claude"), (12, 10, "", "npm"), (13, 12, "", "node"), (14, 1, "", "Finder")
    )

    assert {pid: (label.role, label.name) for pid, label in found.items()} == {
        10: ("app", "Claude"), 11: ("app", "Claude"), 12: ("app", "npm"), 13: ("app", "node")
    }  # fmt: skip


def test_a_session_has_all_that_it_started() -> None:
    """What a session's process started counts for the session, another agent within it too."""
    found = labels(
        APP, (20, 10, "hosted_cli", "claude"), (21, 20, "", "bash"), (22, 21, "agent", "Codex"), (23, 21, "cli", "x"),
        sessions={20: "local_a"},
    )  # fmt: skip

    assert {found[pid] for pid in (20, 21, 22, 23)} == {Label("session", "claude", 20, "local_a")}


def test_a_process_of_the_app_without_a_session_is_the_apps() -> None:
    """As long as nobody says which session it is, the command line under the app is one of its children."""
    found = labels(APP, (20, 10, "hosted_cli", "claude"))

    assert found[20] == Label("app", "claude", 10)


def test_a_registered_session_elsewhere_is_a_session() -> None:
    """One that the list names and that still has a parent is alive, though not below the app."""
    found = labels(APP, (15, 1, "", "shell"), (20, 15, "cli", "Claude Code"), sessions={20: "local_a"})

    assert found[20].role == "session"


def test_agents_in_terminals_are_not_the_apps() -> None:
    """Each agent in a terminal stands for itself and for what it started; only Claude's own count as Claude."""
    found = labels(
        APP, (30, 1, "", "zsh"), (31, 30, "cli", "Claude Code"), (32, 31, "", "node"), (33, 30, "agent", "Codex")
    )

    assert roles(found) == {10: "app", 31: "agent", 32: "agent", 33: "agent"}
    assert (found[32].root, found[31].claude, found[33].claude) == (31, True, False)


def test_claude_within_another_agent_is_claudes() -> None:
    """Another agent that starts ``claude`` has a row of its own, and so has what it started."""
    found = labels((33, 1, "agent", "Codex"), (34, 33, "", "sh"), (35, 34, "cli", "Claude Code"), (36, 35, "", "node"))

    assert [(found[pid].name, found[pid].root, found[pid].claude) for pid in (33, 34, 35, 36)] == [
        ("Codex", 33, False), ("Codex", 33, False), ("Claude Code", 35, True), ("Claude Code", 35, True)
    ]  # fmt: skip


def test_electron_is_the_app_below_the_app_alone() -> None:
    """A helper that does not say whose it is belongs to whom it descends from, and is nobody's orphan elsewhere."""
    found = labels(APP, (11, 10, "electron", "electron"), (12, 1, "electron", "electron"))

    assert {pid: (label.role, label.name) for pid, label in found.items()} == {
        10: ("app", "Claude"), 11: ("app", "Claude")
    }  # fmt: skip


@pytest.mark.parametrize("heir", [0, 1, 2, 999])
def test_what_a_dead_app_left_is_an_orphan(heir: int) -> None:
    """Helpers, the app's own command line and former children of an app that is gone, whoever took them over."""
    found = labels(
        LAUNCHD, (2, 1, "", "systemd"), (11, heir, "helper", "Claude"), (12, heir, "hosted_cli", "claude"),
        (13, heir, "", "node"), (14, 13, "", "sh"), (15, heir, "", "unrelated"), members=(13,),
    )  # fmt: skip

    assert roles(found) == {11: "orphan", 12: "orphan", 13: "orphan", 14: "orphan"}
    assert (found[14].root, found[13].name) == (13, "node")


def test_an_orphan_may_be_left_while_the_app_runs() -> None:
    """A tool whose session has ended and that belongs to nobody any more is told, though the app goes on."""
    found = labels(
        LAUNCHD, APP, (13, 1, "", "node"), (20, 1, "hosted_cli", "claude"), members=(13,), sessions={20: "a"}
    )

    assert roles(found) == {10: "app", 13: "orphan", 20: "orphan"}


def test_a_reused_number_is_not_an_orphan() -> None:
    """A process that got the number of a former child is another one: it was created later."""
    family = Family({13: Known(13, 99.0, "node", "")}, {13: 1}, {}, {13: 13.0}, lambda one: None)

    assert family.labelled() == {}


def test_a_younger_process_is_no_parent() -> None:
    """Where a parent's number was given to the app, the child that is older than that is not the app's."""
    found = labels((5, 10, "", "old"), APP, (11, 10, "", "node"))

    assert roles(found) == {10: "app", 11: "app"}


def test_the_crash_reporter_leaves_its_parent_on_purpose() -> None:
    """It is the app's while the app runs, and an orphan when it does not."""
    assert roles(labels(LAUNCHD, APP, (12, 1, "crashpad", "crashpad")))[12] == "app"
    assert roles(labels(LAUNCHD, (12, 1, "crashpad", "crashpad")))[12] == "orphan"


def test_a_machine_below_the_app_is_coworks() -> None:
    """A machine that the app itself started is Cowork's; one that a session started is asked after."""
    found = labels(
        APP, (20, 10, "hosted_cli", "claude"), (40, 10, "shared_vm", "QEMU"), (41, 20, "shared_vm", "QEMU"),
        (42, 40, "", "helper"), sessions={20: "local_a"},
    )  # fmt: skip

    assert roles(found) == {10: "app", 20: "session", 40: "cowork_vm", 41: "other_vm", 42: "cowork_vm"}
    assert found[41] == Label("other_vm", "QEMU", 41, claude=False)


def test_other_machines_are_asked_after() -> None:
    """Elsewhere the owner is found out: Cowork, another program, or nobody can tell."""
    found = labels(
        APP, *((pid, 1, "shared_vm", "Virtualization") for pid in (40, 41, 42)),
        owners={40: ("cowork_vm", "Cowork VM"), 41: ("vm", "Lima")},
    )  # fmt: skip

    assert [(found[pid].role, found[pid].name) for pid in (40, 41, 42)] == [
        ("cowork_vm", "Cowork VM"), ("other_vm", "Lima"), ("other_vm", "Virtualization")
    ]  # fmt: skip


def test_coworks_machine_without_the_app_was_left_running() -> None:
    """A machine of Cowork's that outlives the app is an orphan that holds gigabytes."""
    assert labels((40, 1, "cowork_vm", "Cowork VM"))[40] == Label("orphan", "Cowork VM", 40)


@pytest.mark.parametrize(
    ("app", "others", "role", "name"),
    [
        (True, (), "cowork_vm", "Cowork VM"),
        (False, (), "other_vm", "Hyper-V"),
        (True, ("wslhost",), "other_vm", "Hyper-V"),
        (True, ("wslhost", "WSL 2"), "cowork_vm", "Cowork VM"),
    ],
)
def test_windows_machine_is_coworks_unless_wsl_may_hide_in_it(
    app: bool, others: tuple[str, ...], role: str, name: str
) -> None:
    """A machine without a name is Cowork's while the app runs, unless WSL runs and is nowhere else to be seen."""
    rows: list[Row] = [(50 + at, 1, "", other) for at, other in enumerate(others)]
    found = labels(*([APP] if app else []), *rows, (60, 1, "windows_vm", "Hyper-V"))

    assert (found[60].role, found[60].name) == (role, name)


@given(
    st.lists(
        st.tuples(
            st.integers(1, 30),
            st.integers(0, 31),
            st.sampled_from(["", "app", "helper", "cli", "hosted_cli", "agent", "shared_vm", "crashpad"]),
        ),
        unique_by=lambda row: row[0],
    ),
    st.dictionaries(st.integers(1, 30), st.just("local_a")),
)
def test_any_table_at_all_gets_labels(rows: list[tuple[int, int, Kind]], sessions: dict[int, str]) -> None:
    """Rings, strangers and missing parents: every process has one label or none, and no look goes on for ever."""
    known = {pid: Known(pid, 1.0, "x", kind) for pid, _, kind in rows}
    found = Family(known, {pid: parent for pid, parent, _ in rows}, sessions, {}, lambda one: None).labelled()

    assert found.keys() <= known.keys()
    assert {pid for pid, one in known.items() if one.kind not in {"", "hosted_cli"}} <= found.keys()
