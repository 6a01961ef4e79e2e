"""Made-up machines for the probes: a system by hand, psutil's answers as values, and a /proc of files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from app.core.samples import Unknown
from app.probes.system import MB, Birth, Connection, Key, Memory, Now, Platform

T = TypeVar("T")


@dataclass
class Machine:
    """A `System` of plain values. What is taken out of ``births`` is gone; ``asked`` counts the calls."""

    births: dict[int, Birth] = field(default_factory=dict)
    rss: dict[int, int] = field(default_factory=dict)
    footprints: dict[int, int] = field(default_factory=dict)
    hints: dict[int, tuple[str, ...]] = field(default_factory=dict)
    rows: list[Connection] = field(default_factory=list)
    owners: dict[Key, int] = field(default_factory=dict)
    blind: tuple[Unknown, ...] = ()
    asked: dict[str, int] = field(default_factory=dict)
    fails: Exception | None = None
    platform: Platform = "other"

    def add(self, pid: int, parent: int, name: str, *, mb: int = 10, exe: str = "", argv: Sequence[str] = ()) -> None:
        """A process; its pid tells its age as well."""
        self.births[pid] = Birth(pid, float(pid), parent, name, exe, tuple(argv))
        self.rss[pid] = mb * MB

    def end(self, *pids: int, heir: int = 1) -> None:
        """These are gone; their children are ``heir``'s."""
        for pid in pids:
            del self.births[pid]
        for child, birth in self.births.items():
            if birth.parent in pids:
                self.births[child] = Birth(child, birth.created, heir, birth.name, birth.exe, birth.argv)

    def memory(self) -> Memory:
        return Memory()

    def pids(self) -> Sequence[int]:
        self._count("pids")
        if self.fails is not None:
            raise self.fails
        return list(self.births)

    def birth(self, pid: int) -> Birth | None:
        self._count("birth")
        return self.births.get(pid)

    def now(self, pid: int) -> Now | None:
        self._count("now")
        birth = self.births.get(pid)
        if birth is None:
            return None
        return Now(birth.created, birth.parent, self.rss[pid], self.footprints.get(pid))

    def traces(self, pid: int) -> Sequence[str]:
        self._count("traces")
        return self.hints.get(pid, ())

    def blind_spots(self) -> tuple[Unknown, ...]:
        return self.blind

    def connections(self) -> Sequence[Connection]:
        if self.fails is not None:
            raise self.fails
        return list(self.rows)

    def owned(self, pids: Collection[int], rows: Sequence[Connection]) -> frozenset[Key]:
        self._count("owned")
        return frozenset(row.key for row in rows if self.owners.get(row.key) in pids)

    def _count(self, call: str) -> None:
        self.asked[call] = self.asked.get(call, 0) + 1


class GoneError(Exception):
    """What psutil would raise for a process that ended."""


class RefusedError(GoneError):
    """What psutil would raise for what is another user's."""


@dataclass
class Told:
    """psutil's answers about one process; what is None is refused."""

    pid: int
    parent: int
    label: str
    created: float = 1000.0
    path: str | None = ""
    line: list[str] | None = field(default_factory=list)
    rss: int | None = 0
    sockets: list[Any] | None = field(default_factory=list)

    def oneshot(self) -> AbstractContextManager[None]:
        return nullcontext()

    def create_time(self) -> float:
        return self.created

    def ppid(self) -> int:
        return self.parent

    def name(self) -> str:
        return self.label

    def exe(self) -> str:
        return _given(self.path)

    def cmdline(self) -> list[str]:
        return _given(self.line)

    def memory_info(self) -> Any:
        return SimpleNamespace(rss=_given(self.rss))

    def net_connections(self, kind: str) -> list[Any]:
        assert kind == "tcp"
        return _given(self.sockets)


def _given(value: T | None) -> T:
    if value is None:
        raise RefusedError
    return value


class Recorded:
    """psutil's answers about a machine, as `app.probes.psutil_table.Table`."""

    Error = GoneError
    AccessDenied = RefusedError

    def __init__(self, processes: Iterable[Told] = (), total: int = 24_576, available: int = 9_000) -> None:
        self.told = {one.pid: one for one in processes}
        self.whole = SimpleNamespace(total=total * MB, available=available * MB)
        self.swap: Any = SimpleNamespace(used=512 * MB)
        self.sockets: list[Any] = []

    def pids(self) -> list[int]:
        return list(self.told)

    def Process(self, pid: int) -> Any:  # noqa: N802 - psutil's own name
        if pid not in self.told:
            raise GoneError
        return self.told[pid]

    def virtual_memory(self) -> Any:
        return self.whole

    def swap_memory(self) -> Any:
        return _given(self.swap)

    def net_connections(self, kind: str) -> list[Any]:
        assert kind == "tcp"
        return self.sockets


def socket(
    local: tuple[str, int], remote: tuple[str, int] | tuple[()], status: str = "ESTABLISHED", pid: int | None = None
) -> Any:
    """One connection as psutil tells it."""
    return SimpleNamespace(laddr=local, raddr=remote, status=status, pid=pid)


def connection(remote: str = "203.0.113.9", port: int = 50_000, state: str = "ESTABLISHED", tag: int = 0) -> Connection:
    """A connection to port 443 of ``remote`` from this local port."""
    local = "2001:db8::7" if ":" in remote else "192.168.0.7"
    return Connection(6 if ":" in remote else 4, (local, port, remote, 443), state, tag)


def write(root: Path, files: dict[str, str]) -> None:
    """Files of a machine by their paths below ``root``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def proc(
    root: Path, pid: int, parent: int, name: str, *, exe: str = "", argv: Sequence[str] = (), pages: int = 0
) -> Path:
    """A process in ``root/proc``, started at tick ``10 * pid``. Its folder is given back."""
    rest = ["S", str(parent), *["0"] * 17, str(10 * pid), "1000000", str(pages), "0"]
    write(root, {f"proc/{pid}/stat": f"{pid} ({name}) {' '.join(rest)}\n"})
    write(root, {f"proc/{pid}/cmdline": "".join(f"{word}\0" for word in argv)})
    folder = root / "proc" / str(pid)
    if exe:
        (folder / "exe").symlink_to(exe)
    return folder


def hold(folder: Path, *targets: str) -> None:
    """What a process in ``proc`` has open."""
    (folder / "fd").mkdir(exist_ok=True)
    for number, target in enumerate(targets):
        (folder / "fd" / str(number)).symlink_to(target)
