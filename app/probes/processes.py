"""The processes that matter here and their memory, every ten seconds.

A look reads two things: what is new, and what changes of the processes that bear a label. Everything else is known
from its first look, and seen again once a minute, since a process may turn into another program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from app.core.samples import ProcessesSample, ProcessRow, Unknown
from app.probes.naming import Kind, Known, kind_of, owner_by_traces
from app.probes.system import MB, Now, System, unknown_of
from app.probes.tree import Family, Label

WHOLE_EVERY = 6
"""Every so many looks all processes are seen anew."""
MOST_ROWS = 12
"""Rows of a role, sessions aside; what is smaller is taken together."""
REST = "…"
"""The name of what was taken together."""

NOBODY: Mapping[int, str] = MappingProxyType({})


class ProcessesProbe:
    """Rows of processes by role. ``claude_pids`` are those of the last look whose connections are Claude's."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._known: dict[int, Known] = {}
        self._parents: dict[int, int] = {}
        self._members: dict[int, float] = {}
        self._owners: dict[tuple[int, float], tuple[Kind, str] | None] = {}
        self._looks = 0
        self._blind: tuple[Unknown, ...] | None = None
        self.claude_pids: frozenset[int] = frozenset()

    def look(self, at: datetime, sessions: Mapping[int, str] = NOBODY) -> ProcessesSample:
        """What runs now. ``sessions`` tells the session of a pid, from the command line's list of its processes."""
        try:
            return self._look(at, sessions)
        except Exception as error:
            # A table that breaks in the middle is looked at again in ten seconds.
            return ProcessesSample(at, unknown=(unknown_of("processes", error),))

    def _look(self, at: datetime, sessions: Mapping[int, str]) -> ProcessesSample:
        self._meet()
        labels, seen = self._labelled(sessions)
        self._members = {pid: self._known[pid].created for pid, one in labels.items() if _of_the_app(one)}
        self.claude_pids = frozenset(pid for pid, label in labels.items() if label.claude)
        if self._blind is None:
            self._blind = self._system.blind_spots()
        lost = {label.name for pid, label in labels.items() if label.role == "other_vm" and self._is_lost(pid)}
        owners = tuple(Unknown("vm_owner", "missing", name) for name in sorted(lost))
        rows = rows_of(labels, seen, self._known)
        # No machine runs in less than a megabyte: its memory is not ours to see.
        shut = (row for row in rows if row.role in {"cowork_vm", "other_vm"} and row.rss_mb == 0)
        memory = tuple(Unknown("vm_memory", "permission", row.name) for row in shut)
        return ProcessesSample(at, rows, (*self._blind, *owners, *memory))

    def _meet(self) -> None:
        """Get to know what is new, and now and then everybody again; forget who is gone."""
        pids = self._system.pids()
        everybody = self._looks % WHOLE_EVERY == 0
        self._looks += 1
        for pid in self._known.keys() - set(pids):
            self._forget(pid)
        for pid in pids:
            if everybody or pid not in self._known:
                self._introduce(pid)
        self._owners = {key: told for key, told in self._owners.items() if key[0] in self._known}

    def _introduce(self, pid: int) -> None:
        birth = self._system.birth(pid)
        if birth is None:
            self._forget(pid)
            return
        self._known[pid], self._parents[pid] = kind_of(birth), birth.parent

    def _forget(self, pid: int) -> None:
        self._known.pop(pid, None)
        self._parents.pop(pid, None)

    def _labelled(self, sessions: Mapping[int, str]) -> tuple[dict[int, Label], dict[int, Now]]:
        """The labels, and how it is with who bears one. Who has a new parent since may bear another: once more then."""
        seen: dict[int, Now] = {}
        while True:
            labels = Family(self._known, self._parents, sessions, self._members, self._owner).labelled()
            unseen = labels.keys() - seen.keys()
            if not unseen:
                return labels, seen
            moved = [self._see(pid, seen) for pid in unseen]
            if not any(moved):
                return labels, seen

    def _see(self, pid: int, seen: dict[int, Now]) -> bool:
        """Read what changes of a process; whether that changes who is whose."""
        now = self._system.now(pid)
        if now is None or now.created != self._known[pid].created:
            # It went, and its number may be another's by now: the next look meets that one.
            self._forget(pid)
            return True
        seen[pid] = now
        moved = now.parent != self._parents[pid]
        self._parents[pid] = now.parent
        return moved

    def _owner(self, one: Known) -> tuple[Kind, str] | None:
        key = (one.pid, one.created)
        if self._owners.get(key) is None:
            # Asked again while unanswered: a machine opens its disk some moments after its start.
            traces = self._system.traces(one.pid)
            self._owners[key] = owner_by_traces(traces) or (("vm", one.name) if traces else None)
        return self._owners[key]

    def _is_lost(self, pid: int) -> bool:
        """Whether nobody could tell whose virtual machine it is."""
        one = self._known[pid]
        return one.kind in {"shared_vm", "windows_vm"} and self._owners.get((one.pid, one.created)) is None


def _of_the_app(label: Label) -> bool:
    return label.role in {"app", "session", "orphan"}


def rows_of(labels: Mapping[int, Label], seen: Mapping[int, Now], known: Mapping[int, Known]) -> tuple[ProcessRow, ...]:
    """The labelled processes as rows: largest first within a role, roles in the order of `app.core.samples.Role`.

    Agents and orphans have a row for each, everything else one for each name or session.
    """
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for pid, label in labels.items():
        apart = str(label.root) if label.role in {"agent", "orphan"} else ""
        groups[label.role, label.name, label.session or "", apart].append(pid)
    by_role: dict[str, list[ProcessRow]] = defaultdict(list)
    for pids in groups.values():
        row = _row(labels[pids[0]], pids, seen, known)
        by_role[row.role].append(row)
    order = ("app", "session", "cowork_vm", "other_vm", "agent", "orphan")
    return tuple(row for role in order for row in _bounded(by_role[role]))


def _row(label: Label, pids: list[int], seen: Mapping[int, Now], known: Mapping[int, Known]) -> ProcessRow:
    oldest = min(pids, key=lambda pid: (known[pid].created, pid))
    rss = sum(seen[pid].rss for pid in pids) // MB
    prints = [size for pid in pids if (size := seen[pid].footprint) is not None]
    whole = sum(prints) // MB if len(prints) == len(pids) else None
    return ProcessRow(label.role, label.name, oldest, len(pids), rss, whole, label.session)


def _bounded(rows: list[ProcessRow]) -> list[ProcessRow]:
    rows = sorted(rows, key=lambda row: (-row.rss_mb, row.name, row.pid))
    if not rows or rows[0].role == "session" or len(rows) <= MOST_ROWS:
        return rows
    kept, rest = rows[: MOST_ROWS - 1], rows[MOST_ROWS - 1 :]
    prints = [row.footprint_mb for row in rest if row.footprint_mb is not None]
    together = replace(
        rest[0],
        name=REST,
        count=sum(row.count for row in rest),
        rss_mb=sum(row.rss_mb for row in rest),
        footprint_mb=sum(prints) if len(prints) == len(rest) else None,
    )
    return [*kept, together]
