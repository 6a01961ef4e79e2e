"""Seatwatch's own log: it tells what was done and never what was read."""

from __future__ import annotations

import asyncio
import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app import logs
from app.logs import KEPT_FILES, log_file, own_log
from tests.hostile_texts import HOSTILE, MARK

LOG = logging.getLogger("seatwatch.test")


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A log that is open for the length of the test."""
    found = log_file(tmp_path / "seatwatch.sqlite")
    with own_log(found):
        yield found


def lines(path: Path) -> list[dict[str, Any]]:
    """What the file holds."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_line_is_an_object_with_facts(path: Path) -> None:
    """When, how grave, who, what, and numbers and words that belong to it."""
    LOG.warning("logs read", extra={"facts": {"lines": 5, "done": True, "kind": "main.log", "left": None}})

    (line,) = lines(path)
    assert path.name == "seatwatch.sqlite.log"
    assert line.pop("at").endswith("+00:00")
    assert line == {
        "level": "warning", "logger": "seatwatch.test", "event": "logs read",
        "lines": 5, "done": True, "kind": "main.log", "left": None,
    }  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_of_others_gets_in(name: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a fact, as an argument, or in an exception and its cause: only what the code itself says is written."""
    text = HOSTILE[name]
    # What pytest captures goes into its report, and a worker of its could not hand on half a character.
    ours = [one for one in logging.getLogger().handlers if type(one).__module__ != "_pytest.logging"]
    with monkeypatch.context() as alone:
        alone.setattr(logging.getLogger(), "handlers", ours)
        try:
            try:
                raise KeyError(text)
            except KeyError as error:
                raise ValueError(text) from error
        except ValueError:
            LOG.exception("failed at %s", text, extra={"facts": {"title": f"{text} of two words", "event": text}})

    assert MARK not in path.read_text("utf-8")
    (line,) = lines(path)
    assert (line["event"], line["title"]) == ("failed at %s", "…")
    assert (line["error"]["type"], line["error"]["cause"]["type"]) == ("ValueError", "KeyError")
    assert line["error"]["where"][0].startswith("tests.test_logs:test_no_text")


def test_what_the_event_loop_reports_keeps_to_its_first_line(path: Path) -> None:
    """asyncio puts the exception's own text into its message; the message begins with what happened."""

    async def scenario() -> None:
        asyncio.get_running_loop().call_exception_handler(
            {"message": "Task was lost", "exception": ValueError(MARK), "task": MARK}
        )

    asyncio.run(scenario())

    assert MARK not in path.read_text("utf-8")
    assert [line["event"] for line in lines(path)] == ["Task was lost"]


def test_the_file_is_its_owners_and_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mode 0600 for each of a few files, and together they never outgrow their bound."""
    handler = next(one for one in logging.getLogger().handlers if isinstance(one, logs.PrivateFile))
    monkeypatch.setattr(handler, "maxBytes", 2000)
    for number in range(500):
        LOG.info("again", extra={"facts": {"number": number}})

    found = sorted(path.parent.iterdir())
    assert len(found) == KEPT_FILES + 1
    assert {stat.S_IMODE(one.stat().st_mode) for one in found} == {0o600}
    assert sum(one.stat().st_size for one in found) <= 2000 * (KEPT_FILES + 1)
    assert lines(path)[-1]["number"] == 499


def test_a_place_that_cannot_be_written_is_no_trouble(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who logs is not disturbed, and nothing is printed."""
    with own_log(tmp_path / "nowhere" / "x.log"):
        LOG.info("unheard")

    assert capsys.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []


def test_everything_is_as_before_after_it(tmp_path: Path) -> None:
    """Handler, level and file are gone with the block, and nothing is made before the first line."""
    root, own = logging.getLogger(), logging.getLogger("seatwatch")
    before = (root.level, own.level, list(root.handlers))
    with own_log(tmp_path / "x.log"):
        pass

    assert (root.level, own.level, list(root.handlers)) == before
    assert list(tmp_path.iterdir()) == []


def test_messages_that_are_no_text_and_long_ones(path: Path) -> None:
    """An object is told by its class, a long message is cut."""
    LOG.error(ValueError(MARK))
    LOG.error("x" * 1000)

    assert [line["event"] for line in lines(path)] == ["ValueError", "x" * 200]


def test_of_libraries_only_warnings_are_kept(path: Path) -> None:
    """A watcher that tells of every change would fill the log with them."""
    logging.getLogger("watchfiles.main").info("1 change detected")
    logging.getLogger("watchfiles.main").warning("something is wrong")

    assert [line["event"] for line in lines(path)] == ["something is wrong"]
