"""What lies beside the log: titles for sessions that are known, a count of processes where it belongs to the log."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.beside import REGISTRY, Beside, titled
from app.core.events import SessionStarted
from app.core.state import State
from app.ingest.titles import SessionFile
from tests.core.helpers import CODE, NOON, A, B, state_after


def known(*sessions: str) -> State:
    """A state in which these sessions run."""
    return state_after(*(SessionStarted(at=NOON, session=session, cwd=CODE) for session in sessions))


def file_of(session: str, **fields: object) -> SessionFile:
    """A session's file, read."""
    given = {"kind": "code", "title": "Tax folder", "cwd": None, "archived": False, "scheduled": False, **fields}
    return SessionFile(session, **given)  # type: ignore[arg-type]


def write_session(data: Path, session: str, title: str) -> None:
    """A session's file as the app keeps it."""
    folder = data / "claude-code-sessions" / "account" / "org"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{session}.json").write_text(json.dumps({"sessionId": session, "title": title}))


def write_process(home: Path, pid: int) -> None:
    """A process of the app in the registry."""
    (home / REGISTRY).mkdir(parents=True, exist_ok=True)
    (home / REGISTRY / f"{pid}.json").write_text(json.dumps({"pid": pid, "entrypoint": "claude-desktop"}))


def test_titles_are_given_to_sessions_that_are_known() -> None:
    """A file makes no session: the log alone does."""
    sessions = titled(known(A).sessions, {A: file_of(A), B: file_of(B)})

    assert set(sessions) == {A}
    assert sessions[A].title == "Tax folder"


def test_sessions_that_no_file_speaks_of_are_left_as_they_are(tmp_path: Path) -> None:
    """Nothing is copied for nothing."""
    state = known(A)

    assert titled(state.sessions, {B: file_of(B)}) is state.sessions
    assert Beside.of(tmp_path, home=tmp_path, env={}).add_to(state) is state


def test_titles_are_given_once_while_nothing_changes(tmp_path: Path) -> None:
    """Lines that change no session do not cost as much as there are sessions; one that does is told at once."""
    write_session(tmp_path, A, "Tax folder")
    beside = Beside.of(tmp_path / "logs", home=tmp_path / "home", env={})
    beside.refresh({A})
    state = known(A)
    told = beside.add_to(state)
    beside.refresh({A})

    assert beside.add_to(replace(state, cap=6)).sessions is told.sessions
    assert beside.add_to(known(A, B)).sessions.keys() == {A, B}


def test_the_log_keeps_what_the_file_does_not_say() -> None:
    """A file without a title or folder takes nothing away, and the log's folder goes before the file's."""
    sessions = titled(known(A).sessions, {A: file_of(A, title=None, cwd="/elsewhere")})

    assert sessions[A].title is None
    assert sessions[A].cwd == CODE
    again = titled(titled(known(A).sessions, {A: file_of(A)}), {A: file_of(A, title=None)})
    assert again[A].title == "Tax folder"


def test_a_session_among_coworks_own_takes_no_seat() -> None:
    """The folder of the file tells the kind where the log's line could be of either."""
    sessions = titled(known(A, B).sessions, {A: file_of(A, kind="cowork")})

    assert (sessions[A].kind, sessions[A].holds_seat) == ("cowork", False)
    assert sessions[B].holds_seat


def test_refresh_tells_whether_anything_is_new(tmp_path: Path) -> None:
    """A title that came or changed is news, the same one is none."""
    logs = tmp_path / "logs"
    write_session(tmp_path, A, "Tax folder")
    beside = Beside.of(logs, home=tmp_path / "home", env={})

    assert beside.refresh({A})
    assert not beside.refresh({A})
    assert beside.add_to(known(A)).sessions[A].title == "Tax folder"
    write_session(tmp_path, A, "Taxes of last year")
    assert beside.refresh({A})
    assert beside.add_to(known(A)).sessions[A].title == "Taxes of last year"


def test_processes_are_counted_where_the_folder_is_the_apps_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that came or went is news; a folder that was copied from elsewhere says nothing of this machine."""
    monkeypatch.setattr(sys, "platform", "linux")
    write_process(tmp_path, os.getpid())
    own = Beside.of(tmp_path / ".config" / "Claude" / "logs", home=tmp_path, env={})
    copied = Beside.of(tmp_path / "copied", home=tmp_path, env={})

    assert own.refresh(())
    assert own.processes == 1
    assert not own.refresh(())
    (tmp_path / REGISTRY / f"{os.getpid()}.json").unlink()
    assert own.refresh(())
    assert own.processes == 0
    assert not copied.refresh(())
    assert copied.processes is None


def test_pids_of_sessions_are_those_that_the_registry_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that names no session is counted and is nobody's; one that ended is forgotten."""
    monkeypatch.setattr(sys, "platform", "linux")
    write_process(tmp_path, os.getpid())
    own = Beside.of(tmp_path / ".config" / "Claude" / "logs", home=tmp_path, env={})
    own.refresh(())
    nobody = dict(own.pids)
    file = tmp_path / REGISTRY / f"{os.getpid()}.json"
    file.write_text(json.dumps({"pid": os.getpid(), "hostSessionId": A}))
    own.refresh(())
    named = dict(own.pids)
    file.unlink()
    own.refresh(())

    assert (nobody, named, own.pids) == ({}, {os.getpid(): A}, {})


@pytest.mark.parametrize(
    ("platform", "env", "folder", "own"),
    [
        ("linux", {}, ".config/Claude/logs", True),
        ("linux", {"XDG_CONFIG_HOME": "{home}/settings"}, "settings/Claude/logs", True),
        ("linux", {}, ".config/other/logs", False),
        ("linux", {}, "Downloads/logs", False),
        ("darwin", {}, "Library/Logs/Claude", True),
        ("darwin", {}, "Downloads/Claude", False),
        ("win32", {}, "AppData/Roaming/Claude/logs", True),
        ("win32", {}, "Downloads/Claude/logs", False),
    ],
)
def test_which_folders_are_the_apps_own(
    *, platform: str, env: dict[str, str], folder: str, own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the platform has the app write its logs, the machine's registry goes with them; nowhere else."""
    monkeypatch.setattr(sys, "platform", platform)
    given = {name: value.format(home=tmp_path) for name, value in env.items()}

    beside = Beside.of(tmp_path / folder, home=tmp_path, env=given)

    assert (beside.registry == tmp_path / REGISTRY) is own
    assert (beside.registry is None) is not own


def test_the_home_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a home the process's own is taken."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")

    assert Beside.of(tmp_path / ".config/Claude/logs", env={}).registry == tmp_path / REGISTRY
