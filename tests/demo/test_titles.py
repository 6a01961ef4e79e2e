"""Session files with made-up titles."""

import json
from pathlib import Path

from app.demo import lifecycle
from app.demo.titles import TITLES, SessionFiles, title_for
from tests.demo.worlds import START, idle_session, quiet_world


def test_titles_are_many_short_and_different() -> None:
    """About forty, each fit for a tile."""
    assert len(set(TITLES)) == len(TITLES) >= 40
    assert max(map(len, TITLES)) <= 18


def test_titles_repeat_with_a_number() -> None:
    """After the last one they start over, told apart."""
    assert title_for(0) == TITLES[0]
    assert title_for(len(TITLES)) == f"{TITLES[0]} 2"


def test_a_file_holds_what_the_app_keeps_of_a_session(tmp_path: Path) -> None:
    """Under account and organization, named for the session, times in milliseconds."""
    world = quiet_world()
    session = idle_session(world, 60)
    SessionFiles(tmp_path).write(world)
    path = tmp_path / "claude-code-sessions" / world.account / world.org / f"{session.id}.json"
    record = json.loads(path.read_text(encoding="utf-8"))

    assert path == SessionFiles(tmp_path).path_of(world, session)
    assert (record["sessionId"], record["title"], record["cwd"]) == (session.id, TITLES[0], session.cwd)
    assert record["createdAt"] == int(START.timestamp() * 1000)
    assert record["lastActivityAt"] == record["createdAt"] - 60_000


def test_cowork_keeps_its_files_elsewhere(tmp_path: Path) -> None:
    """The two managers have a folder each."""
    world = quiet_world()
    lifecycle.create(world, "cowork")
    SessionFiles(tmp_path).write(world)

    assert [path.name for path in tmp_path.iterdir()] == ["local-agent-mode-sessions"]


def test_only_changed_files_are_written_again(tmp_path: Path) -> None:
    """A file that says the same is left alone."""
    world = quiet_world()
    session = idle_session(world, 60)
    files = SessionFiles(tmp_path)
    files.write(world)
    path = files.path_of(world, session)
    before = path.stat().st_mtime_ns
    files.write(world)
    same = path.stat().st_mtime_ns
    session.archived = True
    files.write(world)

    assert same == before
    assert json.loads(path.read_text(encoding="utf-8"))["isArchived"]
