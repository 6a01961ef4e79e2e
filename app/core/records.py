"""Lines to records: timestamp, severity and body, with the continuation lines that belong to them.

Only a line with the full prefix at column 0 opens a record; any other line continues the one before it, whatever it
looks like. A record is given out as soon as its own line is there, so what comes out never depends on how the bytes
were cut. The exception is a body that opens a block: it waits for its continuation lines, within bounds.

Most lines are of scopes that nobody reads. They are told apart by the first bytes of their body, counted, and never
decoded: `_Kind` remembers the verdict for each beginning of a line. A run of them is passed over as a whole, by steps
that take each a few hundredths of a microsecond a line; only lines with something to them are looked at one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import compress
from operator import itemgetter, not_
from typing import Literal, NamedTuple

from app.core.lines import SHORTEST_CUT, Framer, Line, Run, is_cut
from app.core.lookalikes import hits_of, look_alikes, places_of
from app.core.tally import Tally, add
from app.core.wallclock import ClockState, WallClock

MAX_MORE_LINES = 200
MAX_MORE_BYTES = 64 * 1024
"""A block that has reached either bound is given out as it is; the longest known ones have about 40 lines."""

_STAMP = 19
_LONGEST_KEY = 80
# The bytes up to here tell most kinds of lines apart; a longer beginning is looked up as a whole. With many more of
# them the numbers and ids in a line would make each one a kind of its own.
_NEAR = _STAMP + 32
_stamp_of, _near_of = itemgetter(slice(_STAMP)), itemgetter(slice(_STAMP, _NEAR))
_MAX_KINDS = 4096
# The first lines of a file are taken one by one, and teach most of the kinds that the others have.
_LEARNED_FROM = 200
_BOM = b"\xef\xbb\xbf"
_VM = b"[VM] "
_LEVEL = re.compile(rb" \[([a-z]{1,10})\](?: |$)")
_BRACKETS = frozenset(b"{[")
_LEFT_OPEN = re.compile(rb"\{ \w+[:,]")
_CLOSES = frozenset({b"}", b"]", b"} %o", b"] %o"})
# Control sequences, then operating system commands (title, link), then any other escape, then a lone one.
_ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]?")
# Control characters but the tab, and what turns the direction of writing: a name must not be shown as another one.
_UNSEEN = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Record(NamedTuple):
    """One thing that a log says.

    ``at`` is UTC, ``body`` the text after the prefix, ``more`` the continuation lines of a body that opens a block.
    ``offset`` (bytes) and ``line`` (from 1) are those of its first line within the source.
    """

    at: datetime
    severity: str
    body: str
    offset: int
    line: int
    more: tuple[str, ...] = ()


class Resume(NamedTuple):
    """Where to go on after a restart: the first byte that is not in any record or count yet, its line, the clock."""

    offset: int
    line: int
    clock: ClockState


def key_of(body: bytes) -> bytes:
    """What a body is told apart by: its tag up to and with the ``]`` when it starts with one, else its first word.

    Spaces before it do not count. ``[CCD CycleHealth] healthy…`` has ``[CCD CycleHealth]``, ``Session local_…`` has
    ``Session``, ``beforeQuit: handler…`` has ``beforeQuit:``, `` - CPUs: 4`` has ``-``. Never longer than 80 bytes.
    """
    start = body.lstrip(b" ")[:_LONGEST_KEY]
    if start.startswith(b"["):
        tag, end, _ = start.partition(b"]")
        if end:
            return tag + end
    return start.partition(b" ")[0]


def plain_text(raw: bytes) -> str:
    """``raw`` decoded: bytes that are no UTF-8 become U+FFFD; terminal escapes go, and characters that only mislead."""
    text = raw.decode("utf-8", "replace")
    if text.isprintable():
        return text
    return _UNSEEN.sub("", _ANSI.sub("", text))


@dataclass(slots=True, eq=False)
class _Kind:
    """What is known of all lines that begin alike after the stamp: severity, scope, and where the body starts.

    ``special`` ones are looked at line by line.
    """

    severity: str
    scope: str
    body: int
    wanted: bool
    special: bool
    count: int = 0


@dataclass(slots=True)
class _Open:
    """A record that waits for its continuation lines; ``ends`` tells that a bracket at column 0 is the last of them."""

    kind: _Kind
    epoch: int
    offset: int
    line: int
    raw: bytes
    ends: bool = False
    more: list[bytes] = field(default_factory=list)
    size: int = 0
    continued: int = 0
    cut: int = 0


class Joiner:
    """Turns the lines of one file into records, and counts them all.

    ``wanted`` says by `key_of` which lines become records. A line of any other kind becomes one too if it, or a line of
    its block, or a line that follows an ``[error]`` line, contains one of ``needles``. ``vm_prefix`` accepts ``[VM] ``
    before the stamp, as the log of the VM's native side has it.
    """

    def __init__(
        self,
        clock: WallClock,
        wanted: Callable[[bytes], bool] | frozenset[bytes],
        needles: tuple[bytes, ...] = (),
        *,
        vm_prefix: bool = False,
    ) -> None:
        self.clock = clock
        self._wanted = wanted.__contains__ if isinstance(wanted, frozenset) else wanted
        self._needles = needles
        self._vm_prefix = vm_prefix
        self._open: _Open | None = None
        self._kinds: dict[bytes, _Kind] = {}
        self._near: dict[bytes, _Kind] = {}
        self._near_special: dict[bytes, _Kind] = {}
        self._touched: list[_Kind] = []
        self._continued = 0
        self._unprefixed = 0
        self._cut = 0
        self._look_alikes = 0
        self._alike: list[int] = []

    @property
    def is_open(self) -> bool:
        """Whether a record waits for continuation lines; `flush` gives it out."""
        return self._open is not None

    def resume(self, framer: Framer) -> Resume:
        """Where to read on after a restart, given the framer that the lines came from."""
        # A clock that has seen a stamp reads it the same once more, so its state serves for the waiting record too.
        if self._open is not None:
            return Resume(self._open.offset, self._open.line, self.clock.state)
        return Resume(framer.offset, framer.number, self.clock.state)

    def feed(self, lines: Sequence[Line]) -> list[Record]:
        """The records that ``lines`` complete, in order."""
        return self.join(Run.of(lines))

    def join(self, run: Run) -> list[Record]:
        """The same for a run of lines."""
        if self._near or len(run.raws) <= _LEARNED_FROM:
            return self._join(run)
        first, rest = run.split(_LEARNED_FROM)
        return self._join(first) + self._join(rest)

    def _join(self, run: Run) -> list[Record]:
        records: list[Record] = []
        raws = self._cleaned(run)
        blob = b"\n".join(raws)
        self._alike += [run.number + place for place in look_alikes(blob)]
        close_by = 0
        for place in self._places(run, raws, blob):
            if self._open is not None and place != close_by:  # the lines between have prefixes
                self._close(records, self._open)
            close_by = place + 1
            self._take(raws[place], run.start(place), run.number + place, records)
        self._count_alike()
        return records

    def _take(self, raw: bytes, offset: int, number: int, records: list[Record]) -> None:
        """Take one line by itself: give its record out, unless its body opens a block or what follows is searched."""
        kind = self._kind_of(raw)
        epoch = self.clock.epoch(raw[:_STAMP]) if kind is not None else None
        if kind is None or epoch is None:
            self._continue(raw, records)
            return
        if self._open is not None:
            self._close(records, self._open)
        block = None
        if kind.special or (self._needles and (raw[-1] in _BRACKETS or self._has_needle(raw))):
            block = _block_of(raw[kind.body :])
            if block is not None or (kind.severity == "error" and not kind.wanted):
                self._open = _Open(kind, epoch, offset, number, raw, block == "bracket", cut=int(is_cut(raw)))
                return
            records.append(_record(kind, epoch, offset, number, raw))
        self._cut += is_cut(raw)
        self._count(kind)

    def _places(self, run: Run, raws: list[bytes], blob: bytes) -> Iterable[int]:
        """The places of the lines that must be looked at one by one; all others are counted here.

        Those are lines of kinds that nobody asked for, at a time that needs no calendar. What follows them without a
        prefix is counted alike whether they opened a block or not, so the block need not be opened, unless something in
        it was asked for or it may go on behind the run.
        """
        kinds: list[_Kind | None] = list(map(self._near.get, map(_near_of, raws)))
        stamps = set(compress(map(_stamp_of, raws), kinds))
        if not stamps or not self.clock.started or not self.clock.is_plain(stamps):
            return range(len(raws))
        last = next(place for place in range(len(kinds) - 1, -1, -1) if kinds[place] is not None)
        for place in (last, *self._owners(blob, kinds)):
            kinds[place] = None
        if run.longest > SHORTEST_CUT:
            kinds = [None if is_cut(raw) else kind for raw, kind in zip(raws, kinds, strict=True)]
        for kind, number in Counter(kinds).items():
            if kind is not None:
                self._count(kind, number)
        return compress(range(len(raws)), map(not_, kinds))

    def flush(self) -> list[Record]:
        """The record that waits, as it is: the file is over, or nothing came for too long."""
        records: list[Record] = []
        if self._open is not None:
            self._close(records, self._open)
        self._count_alike()
        return records

    def take_tally(self) -> Tally:
        """What was counted since the last call; a record that waits, and its lines, are not in it yet."""
        counts: dict[tuple[str, str], int] = {}
        for kind in self._touched:
            add(counts, (kind.severity, kind.scope), kind.count)
            kind.count = 0
        self._touched.clear()
        tally = Tally(counts, self._continued, self._unprefixed, self._cut, self.clock.newest, self._look_alikes)
        self._continued = self._unprefixed = self._cut = self._look_alikes = 0
        return tally

    def _cleaned(self, run: Run) -> list[bytes]:
        """The run's lines without what may stand before a prefix."""
        raws = run.raws
        if self._vm_prefix:
            raws = [raw.removeprefix(_VM) for raw in raws]
        if raws and run.start(0) == 0 and raws[0].startswith(_BOM):
            raws = [raws[0].removeprefix(_BOM), *raws[1:]]
        return raws

    def _has_needle(self, raw: bytes) -> bool:
        return any(needle in raw for needle in self._needles)

    def _owners(self, blob: bytes, kinds: list[_Kind | None]) -> Iterator[int]:
        """The places of what was asked for by a needle, and of the lines that may have opened the block around it."""
        low = -1
        for place in places_of(hits_of(blob, self._needles), blob):
            yield place
            # Back to a line that has a prefix for certain, but never twice over the same lines.
            owner = place
            while owner > low + 1 and kinds[owner] is None:
                owner -= 1
            yield owner
            low = place

    def _kind_of(self, raw: bytes) -> _Kind | None:
        """The kind of a line; None when it has no prefix."""
        if raw[_STAMP : _STAMP + 2] != b" [":
            return None
        near = _near_of(raw)
        kind = self._near_special.get(near) or self._near.get(near)
        if kind is not None:
            return kind
        beginning = _beginning(raw)
        kind = self._kinds.get(beginning) or self._classify(raw, beginning)
        if kind is not None and 0 < len(beginning) <= _NEAR - _STAMP:
            _keep(self._near_special if kind.special else self._near, near, kind)
        return kind

    def _classify(self, raw: bytes, beginning: bytes) -> _Kind | None:
        """The kind of a line that begins as none before it."""
        level = _LEVEL.match(raw, _STAMP)
        if level is None:
            return None
        severity = level[1].decode()
        key = key_of(plain_text(raw[level.end() : level.end() + 2 * _LONGEST_KEY]).encode())
        scope = key[1:-1].decode("utf-8", "replace") if key.startswith(b"[") and key.endswith(b"]") else ""
        wanted = self._wanted(key)
        kind = _Kind(severity, scope, level.end(), wanted, wanted or (severity == "error" and bool(self._needles)))
        if beginning:
            _keep(self._kinds, beginning, kind)
        return kind

    def _continue(self, raw: bytes, records: list[Record]) -> None:
        """Take a line without a prefix."""
        record = self._open
        if record is None:
            self._count_continued(1, int(is_cut(raw)))
            return
        record.continued += 1
        if record.ends and raw in _CLOSES:
            self._close(records, record)
            return
        record.cut += is_cut(raw)
        record.more.append(raw)
        record.size += len(raw)
        if len(record.more) >= MAX_MORE_LINES or record.size >= MAX_MORE_BYTES:
            self._close(records, record)

    def _close(self, records: list[Record], record: _Open) -> None:
        """Count the record that waits with its lines, and give it out if anybody asked for it."""
        self._open = None
        self._count(record.kind)
        self._count_continued(record.continued, record.cut)
        if not record.kind.wanted and not self._has_needle(b"\n".join([record.raw, *record.more])):
            return
        records.append(_record(record.kind, record.epoch, record.offset, record.line, record.raw, more=record.more))

    def _count(self, kind: _Kind, number: int = 1) -> None:
        if not kind.count:
            self._touched.append(kind)
        kind.count += number

    def _count_alike(self) -> None:
        """Count the lines that look like a limit, up to the record that waits: it is read again after a restart."""
        if self._open is None:
            self._look_alikes += len(self._alike)
            self._alike.clear()
        elif self._alike:
            waiting = [number for number in self._alike if number >= self._open.line]
            self._look_alikes += len(self._alike) - len(waiting)
            self._alike = waiting

    def _count_continued(self, lines: int, cut: int) -> None:
        self._cut += cut
        if self.clock.started:
            self._continued += lines
        else:
            self._unprefixed += lines


def _record(kind: _Kind, epoch: int, offset: int, number: int, raw: bytes, *, more: Sequence[bytes] = ()) -> Record:
    at, body = datetime.fromtimestamp(epoch, UTC), plain_text(raw[kind.body :])
    return Record(at, kind.severity, body, offset, number, tuple(map(plain_text, more)))


def _beginning(raw: bytes) -> bytes:
    """The part of a line that decides its kind: from after the stamp to where `key_of` ends; b"" when unclear."""
    body = raw.find(b"] ", _STAMP, _STAMP + 15) + 2
    if raw[body : body + 1] == b"[":
        end = raw.find(b"]", body, body + _LONGEST_KEY) + 1
    else:
        end = raw.find(b" ", body, body + _LONGEST_KEY)
        if end < 0 and len(raw) <= body + _LONGEST_KEY:
            end = len(raw)
    beginning = raw[_STAMP:end] if end > body else b""
    return b"" if b"\x1b" in beginning or b"\x9b" in beginning else beginning


def _keep(kinds: dict[bytes, _Kind], beginning: bytes, kind: _Kind) -> None:
    if len(kinds) >= _MAX_KINDS:  # hostile variety costs time, not memory
        kinds.clear()
    kinds[beginning] = kind


def _block_of(body: bytes) -> Literal["bracket", "text"] | None:
    """Which block ``body`` opens: one that a bracket ends, one that only the next prefix ends, or none."""
    if body and body[-1] in _BRACKETS:
        return "bracket"
    if body.endswith(b"stderr tail:"):
        return "text"
    if b"{" in body and body.count(b"{") > body.count(b"}") and _LEFT_OPEN.search(body):
        return "bracket"
    return None
