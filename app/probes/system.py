"""What the probes ask of a machine, and which machine this is.

`System` is the one seam to the outside: `app.probes.linux`, `macos` and `windows` are its real forms, and each of
them takes what it reads from (a folder, a command, a library) as an argument, so that recorded answers can stand in.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

from app.core.records import plain_text
from app.core.samples import HostLevel, Reason, Unknown

Platform: TypeAlias = Literal["linux", "macos", "windows", "other"]

MB = 1024 * 1024
LONGEST_NAME = 48
LONGEST_DETAIL = 120
SERVICES = frozenset({"launchd", "systemd", "init", "services"})
"""Who takes over a process whose parent has ended, or starts one that never had another."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of the machine in bytes, and its level with what gave it; see `app.core.samples.HostSample`."""

    total: int | None = None
    available: int | None = None
    swap_used: int | None = None
    compressed: int | None = None
    level: HostLevel = "unknown"
    origin: str = "none"
    unknown: tuple[Unknown, ...] = ()


@dataclass(frozen=True, slots=True)
class Birth:
    """What a process is, looked at once. ``argv`` serves to tell that and is kept by nobody."""

    pid: int
    created: float
    parent: int
    name: str
    exe: str = ""
    argv: tuple[str, ...] = ()


class Now(NamedTuple):
    """What changes of a process. ``created`` (any clock that does not change) tells a reused pid. Sizes in bytes."""

    created: float
    parent: int
    rss: int
    footprint: int | None = None


Key: TypeAlias = tuple[str, int, str, int]
"""Local address and port, remote address and port: a connection's identity."""


class Connection(NamedTuple):
    """One TCP connection with a remote end. ``tag`` is what the system tells the owner by (inode, pid), 0 if nothing.

    ``family`` is 4 for an IPv4 connection of an IPv6 socket too: it takes an IPv4 port.
    """

    family: Literal[4, 6]
    key: Key
    state: str
    tag: int = 0

    @property
    def remote(self) -> str:
        """The remote address."""
        return self.key[2]


class System(Protocol):
    """A machine. What fails for one process gives None or nothing; what fails as a whole is an OSError."""

    platform: Platform

    def memory(self) -> Memory:
        """Memory now; parts that cannot be read are None and told as unknown."""
        ...

    def pids(self) -> Sequence[int]:
        """All processes that can be seen."""
        ...

    def birth(self, pid: int) -> Birth | None:
        """What a process is; None when it is gone."""
        ...

    def now(self, pid: int) -> Now | None:
        """How it is with a process; None when it is gone."""
        ...

    def traces(self, pid: int) -> Sequence[str]:
        """Paths that tell whose virtual machine a process is; empty when there are none to be seen."""
        ...

    def blind_spots(self) -> tuple[Unknown, ...]:
        """What cannot be seen of the processes, for as long as we run."""
        ...

    def connections(self) -> Sequence[Connection]:
        """All TCP connections of the machine that have a remote end."""
        ...

    def owned(self, pids: Collection[int], rows: Sequence[Connection]) -> frozenset[Key]:
        """The connections of ``rows`` that belong to these processes."""
        ...


def unknown_of(part: str, error: Exception) -> Unknown:
    """An error as what is not known because of it."""
    reason: Reason = "failed"
    if isinstance(error, PermissionError):
        reason = "permission"
    elif isinstance(error, FileNotFoundError | LookupError | AttributeError):
        reason = "missing"
    elif isinstance(error, TimeoutError):
        reason = "timeout"
    return Unknown(part, reason, tidy(str(error), LONGEST_DETAIL))


def tidy(text: str, longest: int = LONGEST_NAME) -> str:
    """A name or message of the system in one line that can be shown: others choose the names of their processes."""
    # Spaces first: line ends are among what is taken away as invisible, and words must not run together.
    spaced = "".join(" " if c.isspace() else c for c in text[: longest * 8])
    seen = plain_text(spaced.encode("utf-8", "replace"))
    return " ".join("".join(c for c in seen if c.isprintable()).split())[:longest]


def run_command(*command: str, seconds: float = 5.0) -> str:
    """What a command of the system prints. OSError (TimeoutError among them) when it cannot, fails or takes longer."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands by full path, no part of them from outside
            command, capture_output=True, check=True, timeout=seconds, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"{command[0]} took more than {seconds:g} s") from error
    except subprocess.CalledProcessError as error:
        raise OSError(f"{command[0]} ended with {error.returncode}") from error
    return done.stdout.decode("utf-8", "replace")


def level_by_share(total: int | None, available: int | None) -> HostLevel:
    """The level by the share of memory that is available: below 5 % warning, below 2 % critical.

    The app's own thresholds on Windows and Linux, so that the page and the governor speak of the same thing.
    """
    if not total or available is None:
        return "unknown"
    share = available / total
    return "critical" if share < 0.02 else "warning" if share < 0.05 else "normal"


def this_system(platform: str = sys.platform) -> System:
    """The machine we run on; ``platform`` as `sys.platform` says it."""
    if platform == "linux":
        from app.probes.linux import LinuxSystem  # noqa: PLC0415 - one of three is ever needed

        return LinuxSystem()
    if platform == "darwin":
        from app.probes.macos import MacSystem  # noqa: PLC0415 - one of three is ever needed

        return MacSystem()
    from app.probes.windows import WindowsSystem  # noqa: PLC0415 - one of three is ever needed

    return WindowsSystem("windows" if platform == "win32" else "other")
