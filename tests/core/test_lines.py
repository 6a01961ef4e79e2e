"""Framing: chunks of any cut to whole lines with their offsets."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.core.lines import CUT_MARK, MAX_LINE, Framer, Line, Run, is_cut

PIECES = st.lists(
    st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"\x00", b"\xff\xfe", "→".encode(), b"\x1b[31m", b"2026-10-02 "]),
    max_size=40,
)


def frame(data: bytes, cuts: list[int]) -> tuple[list[Line], Framer]:
    """All lines of ``data`` fed in pieces that end at ``cuts``."""
    framer = Framer()
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    lines = [line for start, end in pairwise(edges) for line in framer.feed(data[start:end])]
    return lines, framer


@given(PIECES, st.lists(st.integers(0, 500), max_size=12))
def test_cuts_do_not_matter(pieces: list[bytes], cuts: list[int]) -> None:
    """Whole, byte by byte and at random cuts the same lines come out."""
    data = b"".join(pieces)
    whole, framer = frame(data, [])
    assert frame(data, cuts)[0] == whole
    assert frame(data, list(range(len(data))))[0] == whole
    assert whole + framer.finish() == [
        Line(sum(len(raw) + 1 for raw in data.split(b"\n")[:place]), place + 1, raw.removesuffix(b"\r"))
        for place, raw in enumerate(data.split(b"\n"))
        if raw or place < data.count(b"\n")
    ]


def test_half_line_waits() -> None:
    """Half a line is not given out, and the place to resume is its start."""
    framer = Framer(100, 7)
    assert framer.feed(b"one\nhal") == [Line(100, 7, b"one")]
    assert framer.feed(b"f") == []
    assert (framer.offset, framer.number, framer.half) == (104, 8, 4)
    assert framer.feed(b" line\r\n") == [Line(104, 8, b"half line")]
    assert framer.half == 0


def test_finish_gives_the_half_line_once() -> None:
    """A file that is over has its half line given out, after which nothing is left."""
    framer = Framer()
    framer.feed(b"a\nb\r")
    assert framer.finish() == [Line(2, 2, b"b")]
    assert framer.finish() == []
    assert (framer.offset, framer.number) == (4, 3)


def test_only_one_carriage_return_goes() -> None:
    """Of several carriage returns before the line end only the last belongs to it."""
    framer = Framer()
    assert framer.feed(b"a\r\r\nb\rc\n") == [Line(0, 1, b"a\r"), Line(4, 2, b"b\rc")]


@given(st.sampled_from([-2, -1, 0, 1, 2, MAX_LINE]), st.sampled_from([b"\n", b"\r\n"]), st.integers(1, 3 * MAX_LINE))
def test_long_lines_are_cut_at_the_bound(more: int, end: bytes, cut: int) -> None:
    """A line over the bound is kept up to it, marked and counted; the lines after it have their true offsets."""
    data = b"x" * (MAX_LINE + more) + end + b"next\n"
    framer = Framer()
    lines = framer.feed(data[:cut]) + framer.feed(data[cut:])
    assert [line.raw for line in lines][1:] == [b"next"]
    assert lines[1].offset == MAX_LINE + more + len(end)
    assert is_cut(lines[0].raw) is (more > 0)
    assert framer.cut == (more > 0)
    assert lines[0].raw.removesuffix(CUT_MARK) == b"x" * min(MAX_LINE, MAX_LINE + more)


def test_a_huge_line_takes_no_memory() -> None:
    """A line of 64 MiB is passed over in pieces: what is held stays at the bound, the offset is right."""
    framer = Framer()
    for _ in range(64):
        assert framer.feed(b"y" * 1024 * 1024) == []
        assert len(framer._held) <= MAX_LINE + 1
    assert framer.half == 64 * 1024 * 1024
    (first, second) = framer.feed(b"\nz\n")
    assert len(first.raw) == MAX_LINE + len(CUT_MARK)
    assert second == Line(64 * 1024 * 1024 + 1, 2, b"z")


def test_an_ellipsis_of_its_own_is_no_cut() -> None:
    """Only a long line that ends with the mark counts as cut."""
    assert not is_cut("and so on…".encode())


def test_a_run_is_its_lines() -> None:
    """Columns and lines say the same, for no line too."""
    lines = Framer().feed(b"a\nbc\nd\n")
    assert Run.of(lines) == Run([0, 1, 3], 1, [b"a", b"bc", b"d"], 2)
    assert Run.of([]) == Run([], 1, [], 0)
    assert Framer(5, 2).frame(b"half") == Run([5], 2, [], 0)


def test_a_run_in_two_parts_is_the_same_lines() -> None:
    """Cut in two, each line keeps its number and its place in the file."""
    run = Framer(100, 7).frame(b"a\nbc\nd\n")
    first, rest = run.split(1)
    assert (first.raws, first.number, first.start(0)) == ([b"a"], 7, 100)
    assert (rest.raws, rest.number) == ([b"bc", b"d"], 8)
    assert [rest.start(place) for place in range(3)] == [102, 105, 107]
