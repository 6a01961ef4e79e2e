"""A Seatwatch that serves a folder, as a process of its own, and an app that writes logs into that folder."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

SESSION = "local_00000000-0000-4000-8000-{:012}"


@dataclass
class AppLog:
    """``main.log`` as the app writes it: one handle held open, renamed when it is full."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = (self.folder / "main.log").open("ab", buffering=0)

    def write(self, *bodies: str) -> None:
        """Append one line for each body, in one go, with the present second (UTC) on it."""
        stamp = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        self._file.write("".join(f"{stamp} [info] {body}\n" for body in bodies).encode())

    def start(self, *, version: str = "2.26454.0") -> None:
        """The app starts: a block of several lines."""
        self.write(f"Starting app {{\n  appVersion: '{version}',\n  platform: 'darwin',\n  arch: 'arm64'\n}}")

    def begin(self, number: int, folder: str) -> None:
        """A session starts in ``folder`` and its first turn begins."""
        session = SESSION.format(number)
        self.write(
            f"Starting local session {session} in /Users/someone/{folder}", f"Sending message to session {session}"
        )

    def rotate(self) -> None:
        """Rename the file and go on in a new one."""
        self._file.close()
        (self.folder / "main.log").rename(self.folder / "main1.log")
        self._file = (self.folder / "main.log").open("ab", buffering=0)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@dataclass
class Served:
    """``seatwatch serve`` on ``logs``; `start` it, `stop` it, and start it again at the same port."""

    logs: Path
    database: Path
    port: int = 0
    flags: tuple[str, ...] = ()
    program: tuple[str, ...] = (sys.executable, "-m", "app")
    address: str = ""
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start the server and wait until it says where it is."""
        command = [*self.program, "serve", "--no-open", "--tz", "UTC", "--port", str(self.port)]
        command += ["--logs", str(self.logs), "--db", str(self.database), *self.flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        told = []
        for line in self.process.stdout:
            told.append(line)
            if " is at http://" in line:
                self.address = line.split(" is at ")[1].split()[0].partition("/?")[0]
                self.port = int(self.address.rpartition(":")[2])
                return
        raise AssertionError("the server ended: " + "".join(told))

    def stop(self) -> str:
        """Interrupt the server as Ctrl-C does; what it printed after the start."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=15)
        assert self.process.returncode == 0, rest
        self.process = None
        return rest

    def state(self) -> dict[str, Any]:
        """What ``/api/state`` answers."""
        with urlopen(f"{self.address}/api/state", timeout=10) as answer:  # noqa: S310 - our own server on loopback
            found: dict[str, Any] = json.load(answer)
            return found

    def kill(self) -> None:
        """End the process however it stands, for the end of a test."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()


def until(true: Callable[[], bool], what: str, seconds: float = 15) -> None:
    """Ask again and again until ``true``; fail after ``seconds`` with ``what`` did not come."""
    import time  # noqa: PLC0415

    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds} s")
        time.sleep(0.02)
