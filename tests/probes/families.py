"""Real processes for the probes to find: a stand-in for the app with children of known size. Pipes only."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from app.probes.system import System, this_system

CHILD = """
import sys
held = bytearray({mb} * 1024 * 1024)
for at in range(0, len(held), 4096):
    held[at] = 1
print("ready", flush=True)
sys.stdin.read()
"""
"""Takes so much memory, page by page, and keeps it until its input ends."""

PARENT = """
import subprocess, sys
tool, *texts = sys.argv[1:]
children = [subprocess.Popen([tool, "-I", "-S", "-c", text]) for text in texts]
print(*(child.pid for child in children), flush=True)
sys.stdin.read()
"""
"""Starts children by this program and these texts, who share its input and output, and waits for its input to end."""
TOOL = "tool-server"
"""What the children go by."""


class Family:
    """A parent and its children. All of them end when their input does, whoever is still alive."""

    def __init__(self, process: subprocess.Popen[str], children: int) -> None:
        assert process.stdout is not None
        self.process = process
        # One line of pids by the parent and one of each child, in whatever order they come to it.
        said = [process.stdout.readline().split() for _ in range(1 + children)]
        self.children = next([int(word) for word in words] for words in said if words != ["ready"])
        self.pid = process.pid

    def kill_parent(self) -> None:
        """The parent alone goes, as the app does when it crashes."""
        self.process.kill()
        self.process.wait()


@contextmanager
def family(folder: Path, name: str, *, mb: int, children: int) -> Iterator[Family]:
    """A parent under this name with children who hold so much memory each; all of them are gone afterwards."""
    command, tool = folder / name, folder / TOOL
    for link in (command, tool):
        link.symlink_to(sys.executable)
    child = CHILD.format(mb=mb)
    process = subprocess.Popen(
        [command, "-I", "-S", "-c", PARENT, tool, *[child] * children],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: list[psutil.Process] = []
    try:
        whole = Family(process, children)
        found = [psutil.Process(pid) for pid in whole.children]
        yield whole
    finally:
        process.kill()
        try:
            # The output ends when the last of them has.
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            for one in found:
                one.kill()
            process.communicate()


@contextmanager
def named(folder: Path, name: str) -> Iterator[int]:
    """A process under this name that does nothing; its pid."""
    command = folder / name
    command.symlink_to(sys.executable)
    process = subprocess.Popen(
        [command, "-I", "-S", "-c", "import sys; print('ready', flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def narrowed(monkeypatch: pytest.MonkeyPatch, *pids: int) -> System:
    """This machine with these processes and the first one alone: whoever runs the tests may run the app as well."""
    system = this_system()
    everybody = system.pids
    monkeypatch.setattr(system, "pids", lambda: [pid for pid in everybody() if pid in {1, *pids}])
    return system
