"""The command line's list of its live processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from io import FileIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ingest.registry import (
    MAX_BYTES,
    CliProcess,
    Registry,
    live_registry,
    pid_alive,
    posix_alive,
    windows_alive,
)

ONE = "local_00000000-0000-4000-8000-000000000001"
TWO = "local_00000000-0000-4000-8000-000000000002"


def write(folder: Path, pid: int, **fields: object) -> Path:
    """A file as the command line writes it for one process."""
    path = folder / f"{pid}.json"
    path.write_text(json.dumps({"pid": pid, "sessionId": f"cli-{pid}", "cwd": "/src/made-up", **fields}))
    return path


def everyone(_pid: int) -> bool:
    """All processes are alive."""
    return True


def registry_of(folder: Path) -> Registry:
    """The registry with every process alive."""
    found = live_registry(folder, everyone)
    assert found is not None
    return found


def test_process_is_read(tmp_path: Path) -> None:
    """All that is used of a process comes from its file."""
    write(tmp_path, 41, name="Tax folder", entrypoint="claude-desktop", hostSessionId=ONE)

    assert registry_of(tmp_path).processes == (
        CliProcess(41, "cli-41", "/src/made-up", "Tax folder", "claude-desktop", ONE),
    )


def test_absent_folder_says_nothing(tmp_path: Path) -> None:
    """No folder is no check, not a count of zero; an empty folder is zero."""
    (tmp_path / "file").write_text("")

    assert live_registry(tmp_path / "none", everyone) is None
    assert live_registry(tmp_path / "file", everyone) is None
    assert registry_of(tmp_path).hosted == 0


def test_folder_that_may_not_be_listed_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed is no check either."""

    def refuse(_folder: str) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)

    assert live_registry(tmp_path, everyone) is None


def test_only_live_processes_count(tmp_path: Path) -> None:
    """A killed process leaves its file; it is not even opened."""
    write(tmp_path, 41, entrypoint="claude-desktop")
    write(tmp_path, 42, entrypoint="claude-desktop")
    opened: list[str] = []

    def opener(path: str) -> FileIO:
        opened.append(Path(path).name)
        return FileIO(path)

    found = live_registry(tmp_path, {42}.__contains__, opener)

    assert found is not None
    assert [process.pid for process in found.processes] == [42]
    assert opened == ["42.json"]


def test_hosted_ones_are_told_by_host_or_entry_point(tmp_path: Path) -> None:
    """The app's processes have its session id or its entry point; terminals, editors and SDKs are others."""
    write(tmp_path, 41, entrypoint="claude-desktop")
    write(tmp_path, 42, hostSessionId=ONE)
    write(tmp_path, 43, entrypoint="cli")
    write(tmp_path, 44, entrypoint="sdk-cli", hostSessionId=None)
    write(tmp_path, 45)

    assert registry_of(tmp_path).hosted == 2
    assert [process.is_hosted for process in registry_of(tmp_path).processes] == [True, True, False, False, False]


def test_processes_by_session_of_the_app(tmp_path: Path) -> None:
    """Each session of the app has its pids in order; two of one session show a process left behind."""
    write(tmp_path, 101, hostSessionId=ONE)
    write(tmp_path, 9, hostSessionId=ONE)
    write(tmp_path, 50, hostSessionId=TWO)
    write(tmp_path, 51, entrypoint="claude-desktop")

    assert registry_of(tmp_path).by_host_session == {ONE: (9, 101), TWO: (50,)}


@pytest.mark.parametrize("host", ["", "<b>", "a/b", "x" * 200, 7, ["local_a"], {}, True])
def test_strange_host_session_is_none(tmp_path: Path, host: object) -> None:
    """What cannot be a session's id is not taken for one."""
    write(tmp_path, 41, hostSessionId=host)

    assert registry_of(tmp_path).processes[0].host_session_id is None
    assert registry_of(tmp_path).hosted == 0


def test_text_is_cleaned(tmp_path: Path) -> None:
    """Names and folders are other people's text: no escapes, no controls, no overrides."""
    write(tmp_path, 41, name="\x1b[31mred\u202e\n", cwd="/a\x00b", entrypoint=["x"])
    found = registry_of(tmp_path).processes[0]

    assert (found.name, found.cwd, found.entrypoint) == ("red", "/ab", None)


@pytest.mark.parametrize(
    "name", ["41.abc.key", "41.json.tmp", "0.json", "041.json", "-1.json", "x.json", "41.JSON", "99999999999.json"]
)
def test_other_names_are_ignored(tmp_path: Path, name: str) -> None:
    """Only ``<pid>.json`` belongs to the list; nobody is asked whether another is alive."""
    (tmp_path / name).write_text('{"pid": 41}')
    asked: list[int] = []

    def alive(pid: int) -> bool:
        asked.append(pid)
        return True

    assert live_registry(tmp_path, alive) == Registry()
    assert asked == []


@pytest.mark.parametrize(
    "content", ["", "{", '{"pid": 4', "[]", "41", '{"pid": 42}', '{"pid": "41"}', "{}", "\x00" * 9]
)
def test_half_written_and_foreign_files_are_skipped(tmp_path: Path, content: str) -> None:
    """A file that is not whole, or speaks of another process than its name does, spoils nothing else."""
    (tmp_path / "41.json").write_text(content)
    write(tmp_path, 43, entrypoint="claude-desktop")

    assert [process.pid for process in registry_of(tmp_path).processes] == [43]


def test_true_is_no_pid(tmp_path: Path) -> None:
    """JSON's true equals one in Python, and is no process all the same."""
    (tmp_path / "1.json").write_text('{"pid": true}')

    assert registry_of(tmp_path) == Registry()


def test_huge_file_is_skipped(tmp_path: Path) -> None:
    """A file far larger than any of the list is not read."""
    write(tmp_path, 41, pad="x" * MAX_BYTES)

    assert registry_of(tmp_path) == Registry()


def test_unreadable_file_is_skipped(tmp_path: Path) -> None:
    """A file that may not be read spoils nothing else."""
    write(tmp_path, 41)
    write(tmp_path, 42)

    def opener(path: str) -> FileIO:
        if path.endswith("41.json"):
            raise PermissionError(13, "Permission denied")
        return FileIO(path)

    found = live_registry(tmp_path, everyone, opener)

    assert found is not None
    assert [process.pid for process in found.processes] == [42]


def test_links_and_fifos_are_skipped(tmp_path: Path) -> None:
    """A link leads nowhere and a FIFO does not hang."""
    listed = tmp_path / "sessions"
    listed.mkdir()
    (listed / "41.json").symlink_to(write(tmp_path, 41))
    os.mkfifo(listed / "42.json")
    (listed / "43.json").mkdir()

    assert registry_of(listed) == Registry()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["pid", "cwd", "name"]), inner),
    max_leaves=12,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()) | st.just(b"[" * 100_000))
def test_no_content_raises(content: bytes) -> None:
    """Any bytes and any JSON are a process or nothing, never an exception."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "41.json").write_bytes(content)

        assert len(registry_of(Path(folder)).processes) <= 1


def test_nothing_in_the_folder_changes(tmp_path: Path) -> None:
    """Looking leaves every file as it was."""
    write(tmp_path, 41, hostSessionId=ONE)
    (tmp_path / "42.json").write_text("{")

    def facts() -> list[tuple[int, ...]]:
        seen = [path.lstat() for path in [tmp_path, *sorted(tmp_path.iterdir())]]
        return [(s.st_mode, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for s in seen]

    before = facts()
    registry_of(tmp_path)

    assert facts() == before


def test_own_process_is_alive_and_an_ended_one_is_not() -> None:
    """A process that runs is alive; once it has ended and been waited for it is not."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()

    assert pid_alive(os.getpid())
    assert not pid_alive(ended.pid)


def test_asking_does_not_end_the_process() -> None:
    """A process that is asked for goes on."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

    assert pid_alive(child.pid)
    assert child.poll() is None
    child.communicate(b"\n")
    assert child.returncode == 0


@pytest.mark.parametrize("pid", [0, -1, -41, 2**32, 2**80])
def test_what_names_no_single_process_is_never_asked_for(pid: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zero and negative numbers stand for groups of processes, larger ones for none."""
    asked: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _signal: asked.append(pid))

    assert not pid_alive(pid)
    assert asked == []


@pytest.mark.parametrize(
    ("error", "alive"), [(PermissionError(), True), (ProcessLookupError(), False), (OverflowError(), False)]
)
def test_what_the_system_answers(error: Exception, alive: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user's process is alive though we may not signal it; the signal is always 0."""
    signals: list[int] = []

    def kill(_pid: int, signal: int) -> None:
        signals.append(signal)
        raise error

    monkeypatch.setattr(os, "kill", kill)

    assert posix_alive(41) is alive
    assert signals == [0]


class Kernel:
    """Windows as far as it is asked: a handle or an error, and what a wait answers."""

    def __init__(self, handle: int, error: int = 0, waited: int = 0) -> None:
        self.handle, self.error, self.waited = handle, error, waited
        self.closed: list[int] = []

    def open_process(self, access: int, pid: int) -> tuple[int, int]:
        assert access == 0x101000, "no right beyond asking and waiting"
        assert pid == 41
        return self.handle, self.error

    def wait(self, handle: int) -> int:
        assert handle == self.handle
        return self.waited

    def close(self, handle: int) -> None:
        self.closed.append(handle)


@pytest.mark.parametrize(
    ("kernel", "alive"),
    [(Kernel(7, waited=0x102), True), (Kernel(7, waited=0), False), (Kernel(0, error=5), True), (Kernel(0, 87), False)],
)
def test_windows(kernel: Kernel, alive: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs, has ended and is still held, is another user's, does not exist; handles are closed, nobody is killed."""
    monkeypatch.delattr(os, "kill")

    assert windows_alive(41, kernel) is alive
    assert kernel.closed == ([7] if kernel.handle else [])
