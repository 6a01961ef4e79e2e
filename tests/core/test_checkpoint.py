"""What became of a source, judged from a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.checkpoint import Checkpoint, FileFacts, Fingerprint, Verdict, judge, source_id

DATA = b"".join(b"2026-10-02 09:00:%02d [info] line %d\n" % (n % 60, n) for n in range(100))


def at(offset: int, inode: int = 7) -> Checkpoint:
    """A checkpoint in `DATA`."""
    fingerprint = Fingerprint.of(DATA, DATA[:offset], offset)
    return Checkpoint("id", "main.log", "main.log", 1, inode, fingerprint, offset, 1)


def verdict(checkpoint: Checkpoint, data: bytes, inode: int = 7) -> Verdict:
    """The judgement of a file that holds ``data``."""
    facts = FileFacts(len(data), 0, 1, inode)
    return judge(checkpoint, facts, data[:1024], data[: checkpoint.offset][-256:])


@pytest.mark.parametrize("offset", [1, 30, 255, 256, 1023, 1024, 1025, len(DATA)])
def test_the_same_file_goes_on(offset: int) -> None:
    """The file as it was, grown, or under a new inode is the same source."""
    assert verdict(at(offset), DATA) == "continue"
    assert verdict(at(offset), DATA + b"more\n") == "continue"
    assert verdict(at(offset), DATA, inode=8) == "continue"


def test_emptied() -> None:
    """The same file, shorter than what was read, was truncated."""
    assert verdict(at(2000), DATA[:1999]) == "truncated"
    assert verdict(at(2000), b"") == "truncated"


def test_rewritten() -> None:
    """The same file with other bytes before the offset was rewritten, whether the start or the end of them differs."""
    assert verdict(at(2000), b"X" + DATA[1:]) == "rewritten"
    assert verdict(at(2000), DATA[:1999] + b"X" + DATA[2000:]) == "rewritten"


def test_another_file() -> None:
    """Other bytes under another inode are another file."""
    assert verdict(at(2000), b"X" + DATA[1:], inode=8) == "rotated"
    assert verdict(at(2000), DATA[:1999], inode=8) == "rotated"


def test_nothing_read_yet() -> None:
    """Before the first byte only the inode can tell."""
    assert verdict(at(0), b"whatever") == "continue"
    assert verdict(at(0), b"whatever", inode=8) == "rotated"


def test_ids_of_sources() -> None:
    """The id stays with the content and differs by family, first line, inode and generation."""
    first = source_id("main.log", b"one", 7)
    assert first == source_id("main.log", b"one", 7)
    others = {
        source_id("cowork_vm_node.log", b"one", 7),
        source_id("main.log", b"two", 7),
        source_id("main.log", b"one", 8),
        source_id("main.log", b"one", 7, generation=1),
    }
    assert len({first, *others}) == 5
    assert len(first) == 16


def test_fingerprints_take_at_most_what_was_read() -> None:
    """A checkpoint near the start is known by what lies before it alone."""
    assert at(10).fingerprint.head_length == 10
    assert replace(at(10), path="main1.log").fingerprint == at(10).fingerprint
