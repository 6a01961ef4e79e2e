"""One log through its files when things happen in between: during a look, once a file has no name, in any order."""

from __future__ import annotations

from io import FileIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.ingest import identity, source
from app.ingest.files import FoundFile, open_log, read_at
from tests.ingest.logs import Follower, line, lines, names


def test_a_rotation_during_a_look(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the file is renamed between listing and opening, the look ends and the next one has it all, in order."""

    def rotate_first(file: FoundFile) -> object:
        monkeypatch.setattr(identity, "open_log", open_log)
        logs.write("main.log", lines(3))
        logs.move("main.log", "main1.log")
        logs.write("main.log", lines(4))
        return open_log(file)

    logs.write("main.log", lines(1))
    logs.look()
    logs.write("main.log", lines(2))
    monkeypatch.setattr(identity, "open_log", rotate_first)
    assert logs.look() == []
    assert logs.tailer.behind
    assert logs.look() == names([2, 3, 4])


def test_emptied_between_the_look_and_the_read(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes of what was written anew are never taken for the end of what was there: the next look has them whole."""

    def empty_first(handle: FileIO, offset: int, size: int) -> bytes:
        monkeypatch.setattr(source, "read_at", read_at)
        (logs.folder / "main.log").write_bytes(lines(*range(3, 9)))
        return read_at(handle, offset, size)

    logs.write("main.log", lines(1))
    logs.look()
    logs.write("main.log", lines(2))
    monkeypatch.setattr(source, "read_at", empty_first)
    assert logs.look() == []
    assert logs.tailer.behind
    assert logs.look() == names(range(3, 9))


def test_emptied_once_it_has_no_name(logs: Follower) -> None:
    """What is gone with its bytes is over; the file after it is read."""
    logs.write("main.log", lines(1))
    logs.look()
    with (logs.folder / "main.log").open("r+b") as held:
        (logs.folder / "main.log").unlink()
        held.truncate()
        held.write(b"x" * 999)
        held.flush()
        logs.write("main.log", lines(2))
        assert logs.look() == names([2])
    assert not logs.tailer.behind


STEPS = st.sampled_from(["write", "half", "rotate", "look", "restart", "limited"])


@settings(max_examples=100, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_any_order_of_things(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """Whatever the app and we do in whatever order: every line comes once, in order."""
    logs = Follower(tmp_path_factory.mktemp("logs"))
    written, rest, archives = 0, b"", 0
    found: list[str] = []
    for step in [*steps, "look"]:
        if step in ("look", "limited"):
            found += logs.look(150 if step == "limited" else 10**9)
        elif step == "restart":
            logs.restart()
        elif step == "half" and not rest:
            written += 1
            logs.write("main.log", line(written)[:33])
            rest = line(written)[33:]
        elif step == "write" or (step == "rotate" and rest):
            written += not rest
            logs.write("main.log", rest or line(written))
            rest = b""
        elif step == "rotate" and (logs.folder / "main.log").exists():
            for archive in range(archives, 0, -1):
                logs.move(f"main{archive}.log", f"main{archive + 1}.log")
            logs.move("main.log", "main1.log")
            archives += 1
    logs.tailer.close()
    assert found == names(range(1, written + (not rest)))
    assert logs.tally().lines == len(found)
