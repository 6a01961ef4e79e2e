"""The whole pure chain as one function of bytes, and what must hold for any of them.

`judge` is what every fuzzer calls: Hypothesis in the test suite, atheris in ``make fuzz``. It raises where the chain
raises, and where one of the promises below is broken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo

from app.core.census import CensusTaker
from app.core.diagnosis import Trail
from app.core.events import Observed, Unrecognized
from app.core.lines import Framer
from app.core.parser import NEEDLES, SHAPE_LENGTH, Family, parser_for
from app.core.recorder import Recorder
from app.core.records import Joiner, Record
from app.core.reducer import reduce
from app.core.report import state_report
from app.core.state import State
from app.core.tally import Tally
from app.core.wallclock import WallClock
from app.storage import codec

FAMILIES: tuple[Family, ...] = get_args(Family)
ZONES = (ZoneInfo("UTC"), ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Berlin"))
STAMP = b"2026-10-02 09:00:00 [info] "
MOST_SESSIONS = 20
"""How many sessions of one input are asked why they stopped."""
LATER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Case:
    """What one input stands for: a file of a family, read in a zone, and where its bytes are cut."""

    family: Family
    zone: ZoneInfo
    cut: int
    log: bytes

    @classmethod
    def of(cls, data: bytes) -> Case:
        """Two bytes choose, the rest is the file.

        With the highest bit of the first, each line is the body of a record: a fuzzer then need not find the stamp.
        """
        choice, cut = (data[:2] + b"\0\0")[:2]
        log = data[2:]
        if choice & 0x80:
            log = b"".join(STAMP + line + b"\n" for line in log.split(b"\n"))
        return cls(FAMILIES[choice % len(FAMILIES)], ZONES[choice // len(FAMILIES) % len(ZONES)], cut, log)


@dataclass(frozen=True, slots=True)
class Read:
    """What a file gave."""

    records: tuple[Record, ...]
    tally: Tally


def read(case: Case, pieces: Sequence[bytes]) -> Read:
    """The records and counts of a file that comes in ``pieces``."""
    framer = Framer()
    parser = parser_for(case.family)
    vm_prefix = case.family == "cowork_vm_swift.log"
    joiner = Joiner(WallClock(case.zone), parser.wants, NEEDLES, vm_prefix=vm_prefix)
    records: list[Record] = []
    for piece in pieces:
        records += joiner.join(framer.frame(piece))
    records += joiner.feed(framer.finish())
    records += joiner.flush()
    return Read(tuple(records), joiner.take_tally())


def judge(data: bytes) -> list[Observed]:
    """Take ``data`` through the chain and hold it to what the core promises; the events, for who wants more."""
    case = Case.of(data)
    whole = read(case, [case.log])
    at = case.cut * max(1, len(case.log)) // 256
    assert read(case, [case.log[:at], case.log[at:]]) == whole, "events depend on where the bytes were cut"
    parser = parser_for(case.family)
    observed = [
        Observed(event, "f", record.offset, record.line, record.body)
        for record in whole.records
        if (event := parser.parse(record)) is not None
    ]
    for one in observed:
        _check_event(one)
    _check_fold(observed, whole.tally, case.zone)
    return observed


def _check_event(one: Observed) -> None:
    assert all(char == "\t" or (ord(char) >= 32 and not 127 <= ord(char) < 160) for char in one.text), "controls"
    assert one.event.at.tzinfo is UTC, "an instant without a zone"
    if isinstance(one.event, Unrecognized):
        assert len(one.event.shape) <= SHAPE_LENGTH, "a shape without bound"
    row = codec.encode(one.event)
    assert codec.decode(row.kind, row.at, row.session, row.payload) == one.event, "the store gives another event back"


def _check_fold(observed: Sequence[Observed], tally: Tally, zone: ZoneInfo) -> None:
    """Fold, count, remember and explain; each of it is to work for anything that a parser may give."""
    state, history, census, trail = State(), Recorder(), CensusTaker(), Trail()
    for one in observed:
        before, state = state, reduce(state, one.event)
        history.note(before, one, state)
        census.take(before, one, state)
        trail.take(before, one, state)
    census.census(tally, state)
    for moment in _moments(state):
        json.dumps(state_report(state, moment, zone, (), None))
        history.window(moment - timedelta(hours=1), moment)
        for session in list(state.sessions)[:MOST_SESSIONS]:
            trail.diagnosis(state, session, moment)


def _moments(state: State) -> Iterator[datetime]:
    at: Any = state.at or datetime(2026, 10, 2, tzinfo=UTC)
    yield from (at, at + LATER, at - LATER)
