"""What a store must hold of what a writer wrote: parsed by the core alone, without any file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from app.core.events import Event, Observed
from app.core.lines import Framer
from app.core.parser import parser_for
from app.core.records import Joiner
from app.core.wallclock import ClockState, WallClock
from app.reading import reading_for
from app.storage.rows import TEXT_LIMIT
from tests.faults.writer import Segment

NUMBER = re.compile(r"(?:idle |of |someone/)(\d+)(?:s\)| s|/x)")


@dataclass
class Verdict:
    """How a store compares with the writer's list; all but ``events`` and ``expected`` are to be empty."""

    events: int = 0
    lost: list[int] = field(default_factory=list)
    doubled: list[int] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    misplaced: list[int] = field(default_factory=list)
    expected: list[Event] = field(default_factory=list)

    def __str__(self) -> str:
        found: list[tuple[str, Sequence[object]]] = [("lost", self.lost), ("doubled", self.doubled)]
        found += [("misplaced", self.misplaced), ("strange", self.strange)]
        return f"{self.events} events; " + "; ".join(f"{len(those)} {what} {those[:5]}" for what, those in found)

    @property
    def faultless(self) -> bool:
        """Whether each event is there once and in its place."""
        return not (self.lost or self.doubled or self.strange or self.misplaced)


def number_of(text: str) -> int | None:
    """The number by which the writer knows the line; None for a line that was cut off."""
    found = NUMBER.search(text)
    return int(found[1]) if found else None


def parsed(segments: Sequence[Segment], zone: tzinfo = UTC) -> list[list[tuple[Event, str]]]:
    """The events of each segment with their text, as one reading from beginning to end would give them."""
    reading, parse, clock = reading_for(zone), parser_for("main.log").parse, ClockState()
    found = []
    for segment in segments:
        framer = Framer()
        joiner = Joiner(WallClock(zone, clock), reading.wanted, reading.needles)
        records = [*joiner.feed(framer.feed(segment.text.encode("latin-1"))), *joiner.feed(framer.finish())]
        records += joiner.flush()
        clock = joiner.clock.state
        events = [(parse(record), record.body[:TEXT_LIMIT]) for record in records]
        found.append([(event, text) for event, text in events if event is not None])
    return found


def judge(segments: Sequence[Segment], stored: Sequence[Observed], zone: tzinfo = UTC) -> Verdict:
    """Compare what is ``stored``, in the order of the fold, with what was written."""
    verdict = Verdict(len(stored))
    counts = Counter(number_of(one.text) for one in stored)
    verdict.doubled = [number for number, times in counts.items() if number is not None and times > 1]
    sure = [number for segment in segments if not segment.emptied for number in segment.numbers]
    verdict.lost = [number for number in sure if number not in counts]
    place = 0
    for segment, events in zip(segments, parsed(segments, zone), strict=True):
        for event, text in events:
            one = stored[place] if place < len(stored) else None
            if one is not None and one.text == text and one.event == event:
                verdict.expected.append(event)
                place += 1
                continue
            if segment.emptied:
                if one is not None and text.startswith(one.text):  # read halfway when the file was emptied
                    verdict.expected.append(one.event)
                    place += 1
                break
            verdict.misplaced.append(number_of(text) or 0)
    verdict.strange = [one.text for one in stored[place:]]
    return verdict
