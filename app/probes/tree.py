"""Whose each process is: the app's, a session's, an agent's, a virtual machine's, or nobody's any more. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.core.samples import Role
from app.probes.naming import Kind, Known
from app.probes.system import SERVICES


@dataclass(frozen=True, slots=True)
class Label:
    """What a process counts for. ``root`` is the process that the label comes from, ``claude`` whether it is one."""

    role: Role
    name: str
    root: int
    session: str | None = None
    claude: bool = True


Owner = Callable[[Known], tuple[Kind, str] | None]
"""Whose virtual machine it is, where the process itself does not say; None when nobody can tell."""


@dataclass(slots=True)
class Family:
    """The processes of one look by pid, with their parents.

    ``members`` are those that belonged to the app at an earlier look, by pid with their time of creation. A label goes
    from parent to child, the nearest one counts, and a process has one at most: nothing is counted twice.
    """

    known: Mapping[int, Known]
    parents: Mapping[int, int]
    sessions: Mapping[int, str]
    members: Mapping[int, float]
    owner: Owner
    labels: dict[int, Label | None] = field(default_factory=dict)
    app_runs: bool = field(init=False)

    def __post_init__(self) -> None:
        self.app_runs = any(one.kind == "app" for one in self.known.values())

    def labelled(self) -> dict[int, Label]:
        """The label of every process that has one."""
        for pid in self.known:
            self._resolve(pid)
        return {pid: label for pid, label in self.labels.items() if label is not None}

    def _resolve(self, pid: int) -> None:
        # From the process up to the first that is settled, then down again: a chain may be as long as the table.
        chain: list[int] = []
        above: int | None = pid
        while above is not None and above not in self.labels:
            self.labels[above] = None  # a ring of parents, which a hostile table may hold, ends here
            chain.append(above)
            above = self._parent(above)
        label = self.labels[above] if above is not None else None
        for one in reversed(chain):
            label = self._label(self.known[one], label)
            self.labels[one] = label

    def _parent(self, pid: int) -> int | None:
        """The parent; None when it is gone, or its number was given to a process that is younger than its child."""
        parent = self.known.get(self.parents.get(pid, 0))
        if parent is None or parent.pid == pid or parent.created > self.known[pid].created:
            return None
        return parent.pid

    def _left(self, pid: int) -> bool:
        """Whether a process has lost its parent: nobody, or who takes over such processes."""
        parent = self._parent(pid)
        return parent is None or parent <= 1 or self.known[parent].name.casefold() in SERVICES

    def _label(self, one: Known, above: Label | None) -> Label | None:
        inside = above is not None and above.role in {"app", "session"}
        match one.kind:
            case "app":
                return Label("app", one.name, one.pid)
            case "vm" | "cowork_vm" | "shared_vm" | "windows_vm":
                return self._machine(one, above)
            case "crashpad" if self.app_runs:
                return Label("app", "Claude", one.pid)
            case "helper" | "crashpad" if above is None:
                return Label("orphan", "Claude", one.pid)
        if one.pid in self.sessions and (inside or not self._left(one.pid)):
            return Label("session", "claude", one.pid, self.sessions[one.pid])
        if above is not None:
            return self._inherited(one, above)
        return self._outside(one)

    def _inherited(self, one: Known, above: Label) -> Label:
        if above.role == "app":
            # Each program below the app is told by its name: that is how a pile of tool servers shows.
            return Label("app", "Claude" if one.kind == "electron" else one.name, above.root)
        if above.role == "agent" and one.kind in {"cli", "hosted_cli"} and not above.claude:
            return Label("agent", one.name, one.pid)
        return above

    def _outside(self, one: Known) -> Label | None:
        was_ours = self.members.get(one.pid) == one.created
        registered = one.pid in self.sessions or one.kind == "hosted_cli"
        if was_ours or (registered and self._left(one.pid)):
            return Label("orphan", one.name, one.pid)
        if one.kind in {"cli", "hosted_cli", "agent"}:
            return Label("agent", one.name, one.pid, claude=one.kind != "agent")
        return None

    def _machine(self, one: Known, above: Label | None) -> Label:
        kind, name = one.kind, one.name
        if kind == "shared_vm":
            of_app = above is not None and above.role == "app"
            kind, name = ("cowork_vm", name) if of_app else (self.owner(one) or (kind, name))
        elif kind == "windows_vm":
            kind = "cowork_vm" if self.app_runs and not self._wsl_hides() else kind
        if kind != "cowork_vm":
            return Label("other_vm", name, one.pid, claude=False)
        return Label("cowork_vm" if self.app_runs else "orphan", "Cowork VM", one.pid)

    def _wsl_hides(self) -> bool:
        """Whether WSL 2 runs under the same name as Cowork's VM: only newer versions of Windows tell them apart."""
        names = {known.name.casefold() for known in self.known.values()}
        return "wslhost" in names and "wsl 2" not in names
