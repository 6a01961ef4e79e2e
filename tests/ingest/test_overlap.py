"""Rows that stand in two files, counted once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.ingest.overlap import Overlap, overlap


def found(older: bytes, newer: bytes) -> Overlap:
    """The overlap of two whole files."""
    return overlap(older, newer, older_is_whole=True)


def test_the_longest_block_counts() -> None:
    """The block at the end of the one and the start of the other is found, not a shorter one within it."""
    assert found(b"a\nb\nc\nb\nc\n", b"b\nc\nd\n") == Overlap(4, 2)
    assert found(b"x\na\nb\na\nb\n", b"a\nb\na\nb\nnew\n") == Overlap(8, 4)
    assert found(b"a\nb\n", b"a\nb\n") == Overlap(4, 2)


def test_one_row_is_no_block() -> None:
    """A single equal row may be two facts."""
    assert found(b"a\nb\n", b"b\nc\n") == Overlap()


def test_bytes_must_be_equal_and_adjacent() -> None:
    """Another line end, a gap, or a block elsewhere is no overlap."""
    assert found(b"a\nb\n", b"a\r\nb\r\n") == Overlap()
    assert found(b"a\nb\nc\n", b"a\nb\n") == Overlap()
    assert found(b"a\nb\n", b"x\na\nb\n") == Overlap()


def test_half_rows() -> None:
    """A half row ends the older file as a row; in the newer file it may still grow and does not count."""
    assert found(b"a\nb\nc", b"a\nb\nc\nd\n") == Overlap(6, 3)
    assert found(b"a\nb\nc\n", b"a\nb\nc") == Overlap()
    assert found(b"", b"a\n") == Overlap()
    assert found(b"a\n", b"") == Overlap()


def test_a_row_that_was_cut_by_looking_does_not_count() -> None:
    """When not all of the older file was looked at, its first piece is no row."""
    assert overlap(b"a\nb\n", b"a\nb\nc\n", older_is_whole=False) == Overlap()
    assert overlap(b"xa\na\nb\n", b"a\nb\nc\n", older_is_whole=False) == Overlap(4, 2)


@given(
    st.lists(st.sampled_from([b"a", b"b", b""]), max_size=12), st.lists(st.sampled_from([b"a", b"b", b""]), max_size=12)
)
def test_against_trying_all(older: list[bytes], newer: list[bytes]) -> None:
    """The same comes out as from trying every length."""
    rows = max(n for n in range(min(len(older), len(newer)) + 1) if older[len(older) - n :] == newer[:n])
    result = found(b"".join(row + b"\n" for row in older), b"".join(row + b"\n" for row in newer))
    assert result.rows == (rows if rows >= 2 else 0)
