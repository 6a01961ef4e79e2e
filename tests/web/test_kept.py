"""What is asked of the events that are kept, and how their sources are called."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from app.live import SourceStatus
from app.web.kept import NothingKept, Wanted, named, names_now
from tests.web.scenes import NOW, ago, mark, past, seven_of_eight, snapshot


def test_nothing_kept_answers_nothing() -> None:
    """Where no events are kept every question has an empty answer."""
    archive = NothingKept()

    assert asyncio.run(archive.events(Wanted())) == ()
    assert asyncio.run(archive.life("local_1")) is None
    assert asyncio.run(archive.names()) == {}


def test_marks_name_their_file() -> None:
    """A mark is shown with the name of the log file; of a source that is gone its id is all there is."""
    sources = (
        SourceStatus("/logs/main.log", 1, 1, NOW, source="a1"),
        SourceStatus(r"C:\logs\main1.log", 1, 1, NOW, source="b2"),
        SourceStatus("/logs/new.log", 0, 0, NOW),
    )
    marks = tuple(replace(mark("put_off", 5), source=source) for source in ("a1", "b2", "c3"))
    names = names_now(replace(snapshot(), sources=sources))
    shown = named(past(seven_of_eight(), marks), names)

    assert names == {"a1": "main.log", "b2": "main1.log"}
    assert [one.source for one in shown.marks] == ["main.log", "main1.log", "c3"]
    assert shown.marks[0].at == ago(minutes=5)
