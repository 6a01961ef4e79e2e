"""Joining: lines to records, with nothing depending on how the bytes were cut."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.lines import CUT_MARK, MAX_LINE, Framer
from app.core.records import MAX_MORE_BYTES, MAX_MORE_LINES, Joiner, Record, Resume, key_of, plain_text
from app.core.tally import Tally
from app.core.wallclock import ClockState, WallClock

ZONE = ZoneInfo("Europe/Berlin")
WANTED = frozenset({b"[CliGovernor]", b"[CCD]", b"Starting", b"Session", b"-"})
NEEDLES = (b"net::ERR_",)
P = b"2026-10-02 09:00:01 "
AT = datetime(2026, 10, 2, 7, 0, 1, tzinfo=UTC)


class Chain:
    """Framing and joining together, from a place to resume."""

    def __init__(
        self, start: Resume | None = None, needles: tuple[bytes, ...] = (), *, vm_prefix: bool = False
    ) -> None:
        start = start or Resume(0, 1, ClockState())
        self.framer = Framer(start.offset, start.line)
        self.joiner = Joiner(WallClock(ZONE, start.clock), WANTED, needles, vm_prefix=vm_prefix)

    def feed(self, data: bytes) -> list[Record]:
        return self.joiner.feed(self.framer.feed(data))

    def end(self) -> list[Record]:
        return self.joiner.feed(self.framer.finish()) + self.joiner.flush()

    def resume(self) -> Resume:
        return self.joiner.resume(self.framer)


def records(data: bytes, needles: tuple[bytes, ...] = ()) -> list[Record]:
    """All records of a whole file."""
    chain = Chain(needles=needles)
    return chain.feed(data) + chain.end()


def tally(data: bytes, needles: tuple[bytes, ...] = ()) -> Tally:
    """What is counted in a whole file."""
    chain = Chain(needles=needles)
    chain.feed(data)
    chain.end()
    return chain.joiner.take_tally()


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"[CliGovernor] at cap=8; would evict", b"[CliGovernor]"),
        (b"[CCD CycleHealth] healthy cycle", b"[CCD CycleHealth]"),
        (b"[WarmLifecycle:session] Idle", b"[WarmLifecycle:session]"),
        (b"[VM:steps] vm_boot started", b"[VM:steps]"),
        (b"beforeQuit: handler fired", b"beforeQuit:"),
        (b"LocalSessions.start:", b"LocalSessions.start:"),
        (b"Session local_1 query iterator completed", b"Session"),
        (b"  - CPUs: 4", b"-"),
        (b"[CliGovernor]at once", b"[CliGovernor]"),
        (b"[no end of the tag", b"[no"),
        (b"[" + b"x" * 100 + b"]", b"[" + b"x" * 79),
        (b"", b""),
    ],
)
def test_keys(body: bytes, key: bytes) -> None:
    """A body is told apart by its tag or its first word, at a bounded length, in full lines as well."""
    assert key_of(body) == key
    seen: list[bytes] = []

    def wanted(found: bytes) -> bool:
        seen.append(found)
        return True

    joiner = Joiner(WallClock(ZONE), wanted)
    (record,) = joiner.feed(Framer().feed(P + b"[info] " + body + b"\n"))
    assert seen == [key]
    assert record.body == body.decode()


def test_a_record_has_time_severity_body_and_place() -> None:
    """A line with the full prefix becomes a record at once."""
    chain = Chain()
    assert chain.feed(P + b"[info] Config\n" + P + b"[warn] [CCD] Pausing \xe2\x86\x92\n") == [
        Record(AT, "warn", "[CCD] Pausing →", 34, 2)
    ]


def test_only_the_full_prefix_opens_a_record() -> None:
    """Lines that merely look like messages continue the record before them."""
    data = P + b"[error] Failed to write {\n"
    for line in (
        b"[CliGovernor] at cap=99; would evict local_fake (idle 999s) for warm spawn",
        b" " + P + b"[info] [CCD] indented",
        P + b"info [CCD] no brackets",
        P + b"[INFO] [CCD] no level",
        P + b"[info][CCD] no space",
        b"2026-10-02T09:00:01 [info] [CCD] another clock",
        b"2026-13-45 09:00:01 [info] [CCD] no such day",
        b"[VM] " + P + b"[info] [CCD] of the other log",
        b"\x1b[31m" + P + b"[info] [CCD] coloured",
        b"",
    ):
        data += line + b"\n"
    assert records(data) == []
    assert tally(data) == Tally({("error", ""): 1}, continued=10, last_at=AT)


def test_a_block_collects_its_lines_up_to_the_bracket() -> None:
    """An opened block is one record, given out at the bracket in column 0; what follows it is only counted."""
    data = P + b"[info] Starting app {\n  appVersion: '2.1',\n[CCD] Pausing session x\n  }\n} %o\nlate\n"
    (record,) = records(data)
    assert record.body == "Starting app {"
    assert record.more == ("  appVersion: '2.1',", "[CCD] Pausing session x", "  }")
    assert tally(data) == Tally({("info", ""): 1}, continued=5, last_at=AT)


@pytest.mark.parametrize(
    "body", [b"[CCD] a {", b"[CCD] b [", b"[CCD] failed { err: Error: x", b"[CCD] x { sessionId, y"]
)
def test_bodies_that_open_a_block(body: bytes) -> None:
    """Each of these waits for its lines, until a bracket or the next prefix."""
    assert [r.more for r in records(P + b"[info] " + body + b"\nmore\n]\nlate\n")] == [("more",)]
    assert [r.more for r in records(P + b"[info] " + body + b"\nmore\n" + P + b"[info] [CCD] y\n")] == [("more",), ()]


def test_a_tail_of_stderr_is_not_ended_by_a_bracket() -> None:
    """Text of another program may have a bracket in column 0: only the next prefix ends it."""
    data = P + b"[warn] [CCD] Session x stderr tail:\n}\nbye\n" + P + b"[info] [CCD] y\n"
    assert [r.more for r in records(data)] == [("}", "bye"), ()]


@pytest.mark.parametrize("body", [b"[CCD] { a: 1 }", b"[CCD] use { and }", b"[CCD] an open { only", b"[CCD] [x] y"])
def test_bodies_that_open_no_block(body: bytes) -> None:
    """A closed object and stray brackets make a record that waits for nothing."""
    chain = Chain()
    assert len(chain.feed(P + b"[info] " + body + b"\n")) == 1
    assert not chain.joiner.is_open


def test_blocks_have_bounds() -> None:
    """A block that never ends is given out at its bound of lines or bytes; the rest is only counted."""
    head = P + b"[info] Starting app {\n"
    (by_lines,) = Chain().feed(head + b"x\n" * (MAX_MORE_LINES + 50))
    assert len(by_lines.more) == MAX_MORE_LINES
    (by_bytes,) = Chain().feed(head + (b"y" * 1023 + b"\n") * 100)
    assert len(by_bytes.more) == -(-MAX_MORE_BYTES // 1023)
    assert tally(head + b"x\n" * (MAX_MORE_LINES + 50)).continued == MAX_MORE_LINES + 50


def test_flush_gives_out_what_waits() -> None:
    """An open record comes out when asked for, once."""
    chain = Chain()
    assert chain.feed(P + b"[info] Starting app {\n  a\n") == []
    assert chain.joiner.is_open
    assert chain.joiner.take_tally() == Tally(last_at=AT)
    assert [r.more for r in chain.joiner.flush()] == [("  a",)]
    assert chain.joiner.flush() == []
    assert chain.joiner.take_tally() == Tally({("info", ""): 1}, continued=1, last_at=AT)


def test_resume_is_the_start_of_what_waits() -> None:
    """The place to resume is the open record's start, else the half line's."""
    chain = Chain()
    chain.feed(P + b"[info] x\n" + P + b"[info] Starting app {\n  a\nhal")
    assert chain.resume()[:2] == (29, 2)
    chain.joiner.flush()
    assert chain.resume()[:2] == (29 + 42 + 4, 4)


def test_bytes_that_are_no_text() -> None:
    """Bad UTF-8 is replaced, mojibake stays, NUL and terminal escapes go."""
    (record,) = records(
        P + b"[info] [CCD] \x00 \xff \xc3\xa2 \x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]8;; \xc2\x9b1mx\x1b\n"
    )
    assert record.body == "[CCD]  \ufffd â red 8;; x"
    (coloured,) = records(P + b"[info] \x1b[32m[CCD]\x1b[0m go\n" * 1)
    assert coloured.body == "[CCD] go"
    assert records(P + "[info] [CCD] ΓåÆ ΓÇö\n".encode())[0].body == "[CCD] ΓåÆ ΓÇö"


def test_a_mark_of_encoding_at_the_start() -> None:
    """A byte order mark is passed over at the start of the file and nowhere else."""
    line = b"\xef\xbb\xbf" + P + b"[info] [CCD] x\n"
    assert [(r.body, r.offset) for r in records(line + line)] == [("[CCD] x", 0)]


def test_the_log_of_the_native_side() -> None:
    """There a tag may stand before the stamp, and the offset is that of the tag."""
    chain = Chain(vm_prefix=True)
    data = b"[VM] " + P + b"[info]   - CPUs: 4\n" + P + b"[info]   - Memory: 4GB\n"
    assert [(r.body, r.offset) for r in chain.feed(data)] == [("  - CPUs: 4", 0), ("  - Memory: 4GB", 44)]


def test_lines_before_any_record() -> None:
    """They are counted apart, until the first stamp; after a restart the clock remembers that there was one."""
    assert tally(b"half of a line\n\n" + P + b"[info] x\nmore\n") == Tally({("info", ""): 1}, 1, 2, 0, AT)
    later = Chain(Resume(10, 2, ClockState("2026-10-02 09:00:01")))
    later.feed(b"more\n")
    assert later.joiner.take_tally().continued == 1


def test_long_lines_are_counted_where_they_stand() -> None:
    """A line that was cut counts as such with a prefix, wanted or not, after one, and in a block."""
    long = b"x" * (MAX_LINE + 1)
    for data in (
        P + b"[info] " + long,
        P + b"[info] [CCD] " + long,
        P + b"[info] x\n" + long,
        P + b"[info] Starting app {\n" + long,
    ):
        counted = tally(data + b"\n")
        assert counted.cut == 1
    (record,) = records(P + b"[info] [CCD] " + long + b"\n")
    assert record.body.endswith(CUT_MARK.decode())


def test_needles_in_lines_that_nobody_reads() -> None:
    """A needle makes a record of its line, of its block, or of the error that it follows; others stay uncounted."""
    net = b"Error: net::ERR_FAILED"
    data = (
        P + b"[info] [Web] " + net + b"\n"
        + P + b"[warn] [Web] failed {\n  " + net + b"\n}\n"
        + P + b"[error] [Web] failed\n    at x\n    " + net + b"\n"
        + P + b"[info] [Web] fine\n    " + net + b"\n"
        + P + b"[error] [Web] other\n}\n"
        + P + b"[warn] [Web] other {\n}\n"
    )  # fmt: skip
    assert [(r.severity, r.more) for r in records(data, NEEDLES)] == [
        ("info", ()),
        ("warn", ("  Error: net::ERR_FAILED",)),
        ("error", ("    at x", "    Error: net::ERR_FAILED")),
    ]
    assert records(data) == []
    assert tally(data, NEEDLES) == tally(data)


def test_lines_that_look_like_a_limit_are_counted_with_their_record() -> None:
    """A look-alike counts wherever it stands; one in a block that waits counts once the block is over."""
    chain = Chain()
    chain.feed(b"429\n" + P + b"[info] [CCD] 429 and Rate Limit\n" + P + b"[info] Starting app {\n  status: 529,\n")
    assert chain.joiner.take_tally().look_alikes == 2
    chain.feed(b"  overloaded: true,\n")
    assert chain.joiner.take_tally().look_alikes == 0
    chain.feed(b"}\n")
    assert chain.joiner.take_tally().look_alikes == 2
    chain.feed(P + b"[info] Starting app {\n  429\n")
    assert (len(chain.end()), chain.joiner.take_tally().look_alikes) == (1, 1)


def test_variety_is_bounded() -> None:
    """Lines of ever new kinds are all counted while what is remembered of them stays bounded."""
    data = b"".join(P + b"[info] [%05d] x\n" % number for number in range(5000))
    chain = Chain()
    chain.feed(data)
    assert len(chain.joiner._kinds) <= 4096
    assert chain.joiner.take_tally().lines == 5000


def _line(second: int, rest: bytes) -> bytes:
    return f"{datetime(2026, 10, 25, 1, 50) + timedelta(seconds=second):%Y-%m-%d %H:%M:%S} ".encode() + rest  # noqa: DTZ001


RESTS = [
    b"[info] [CCD] Pausing session local_1 (idle_timeout)",
    b"[info] Starting app {",
    b"[warn] [CCD] Session x stderr tail:",
    b"[info] [EventLogging] Flushing events",
    b"[info] [EventLogging] Flushing events {",
    b"[info] [EventLogging] Flushing events to net::ERR_FAILED",
    b"[error] Failed to write {",
    b"[error] [Web] net::ERR_FAILED",
    b"[error] [CCD] failed { err: Error",
    b"[info]",
    b"[info] \x1b[31m[CCD]\x1b[0m go",
    b"[info] [remote-file] staged 3 files, 0 files-api 429s retried",
]
BARE = st.one_of(
    st.sampled_from(
        [b"}", b"} %o", b"]", b"  a: 1", b"[CCD] quoted", b"", b"\x00\xff", b"    at net::ERR_FAILED", b"\r", b"  529"]
    ),
    st.binary(max_size=60).map(lambda raw: raw.replace(b"\n", b" ")),
)
NO_TIMES = st.sampled_from([b"2026-10-25 04:61:00 " + RESTS[3], b"2026-10-25 99:00:00 " + RESTS[3]])


def _logs(prefixed: st.SearchStrategy[bytes], ends: list[bytes]) -> st.SearchStrategy[bytes]:
    lines = st.lists(st.tuples(st.one_of(prefixed, BARE, NO_TIMES), st.sampled_from(ends)), max_size=25)
    return lines.map(lambda found: b"".join(raw + end for raw, end in found))


# About the change of the clocks, and in an hour of which each line's time can be told by itself.
LOGS = _logs(st.builds(_line, st.integers(0, 6000), st.sampled_from(RESTS)), [b"\n", b"\r\n"])
PLAIN_LOGS = _logs(
    st.builds(_line, st.integers(7800, 9900), st.sampled_from([*RESTS[:6], RESTS[3] + MAX_LINE * b"x"])), [b"\n"]
)


@given(LOGS, st.lists(st.integers(0, 3000), max_size=10), st.sampled_from([(), NEEDLES]))
def test_cuts_do_not_matter(data: bytes, cuts: list[int], needles: tuple[bytes, ...]) -> None:
    """Whole, byte by byte and at random cuts the same records and counts come out."""
    for edges in (sorted(cut % (len(data) + 1) for cut in cuts), range(len(data) + 1)):
        chain = Chain(needles=needles)
        places = [0, *edges, len(data)]
        found = [r for start, end in pairwise(places) for r in chain.feed(data[start:end])]
        assert found + chain.end() == records(data, needles)
        assert chain.joiner.take_tally() == tally(data, needles)


@given(st.one_of(LOGS, PLAIN_LOGS), st.sampled_from([(), NEEDLES]))
def test_a_run_is_what_its_lines_are_one_by_one(data: bytes, needles: tuple[bytes, ...]) -> None:
    """Once a file's kinds are known the same comes out of a run at once and of each of its lines."""
    learned = b"".join(_line(7200, rest) + b"\n" for rest in RESTS) + b"[info] nothing\n"
    whole, single = Chain(needles=needles), Chain(needles=needles)
    for chain in (whole, single):
        chain.feed(learned)
        chain.joiner.take_tally()
    found = [record for line in data.splitlines(keepends=True) for record in single.feed(line)]
    assert whole.feed(data) == found
    assert whole.resume() == single.resume()
    assert whole.end() == single.end()
    assert whole.joiner.take_tally() == single.joiner.take_tally()


def test_a_clock_that_has_seen_no_time_is_started_in_its_place() -> None:
    """Lines behind a prefix that tells no time belong to no record, those behind the first real one to that."""
    chain = Chain()
    chain.feed(b"2026-10-25 04:61:00 " + RESTS[3] + b"\n")
    chain.feed(b"no\n" + P + RESTS[3] + b"\nyes\n" + P + RESTS[3] + b"\n")
    counted = chain.joiner.take_tally()
    assert (counted.unprefixed, counted.continued, counted.lines) == (2, 1, 5)


def test_a_block_ends_before_lines_that_are_passed_over() -> None:
    """What waits for its lines is over with the next prefix, though nobody looks at that line by itself."""
    chain = Chain()
    chain.feed(P + RESTS[3] + b"\n")
    found = chain.feed(P + RESTS[2] + b"\n  a\n" + P + RESTS[3] + b"\n  b\n" + P + RESTS[3] + b"\n")
    assert [record.more for record in found] == [("  a",)]


def test_a_cut_line_among_those_that_are_passed_over_is_counted() -> None:
    """A line that was too long is told even where nobody reads its kind."""
    chain, short = Chain(), P + RESTS[3] + b"\n"
    chain.feed(short)
    chain.feed(short + P + RESTS[3] + MAX_LINE * b"x" + b"\n" + short)
    assert (chain.joiner.take_tally().cut, chain.framer.cut) == (1, 1)


def test_a_needle_deep_in_an_ordinary_block_is_found() -> None:
    """A block that nobody asked for becomes a record for a word deep within it, in a run that is passed over else."""
    chain = Chain(needles=NEEDLES)
    noise = b"".join(P + b"[info] [EventLogging] Flushing\n" for _ in range(300))
    block = P + b"[info] [EventLogging] Flushing {\n" + b"  a: 1\n" * 150 + b"  at net::ERR_FAILED\n}\n"
    found = chain.feed(noise + block + noise + block.replace(b"net::", b"") + noise)
    assert [(record.line, len(record.more)) for record in found] == [(301, 151)]
    assert chain.joiner.take_tally().lines == 900 + 2 * 153


@given(LOGS, st.integers(0, 3000), st.sampled_from([(), NEEDLES]))
def test_a_restart_anywhere_loses_and_doubles_nothing(data: bytes, cut: int, needles: tuple[bytes, ...]) -> None:
    """What was given out before a stop and what comes after resuming are together what one pass gives."""
    before = Chain(needles=needles)
    first = before.feed(data[: cut % (len(data) + 1)])
    counted = before.joiner.take_tally()
    after = Chain(before.resume(), needles)
    second = after.feed(data[before.resume().offset :]) + after.end()
    assert first + second == records(data, needles)
    assert counted + after.joiner.take_tally() == tally(data, needles)


@given(st.binary(max_size=400), st.booleans())
def test_no_bytes_raise(data: bytes, vm_prefix: bool) -> None:
    """Whatever a log holds, joining gives records or nothing and counts every line."""
    chain = Chain(needles=NEEDLES, vm_prefix=vm_prefix)
    chain.feed(P + b"[info] [CCD] " + data)
    chain.end()
    assert chain.joiner.take_tally().lines == (P + data).count(b"\n") + (not data.endswith(b"\n"))


def test_characters_that_mislead_go() -> None:
    """What turns the direction of writing, rings the bell or moves the cursor is not in a body; a tab is."""
    hidden = "\u202egpj.exe\u202c \u2066x\u2069 \x07\x08bell\ttab \u200dkept"
    assert plain_text(hidden.encode()) == "gpj.exe x bell\ttab \u200dkept"
