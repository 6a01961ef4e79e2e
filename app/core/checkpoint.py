"""How far a source has been read, and whether a file on disk is still that source.

Names say nothing: a log is renamed when it is full. Device and inode say most of it, but an inode is given to another
file once the first one is gone, and a copy that was put back has a new one. So two short hashes decide: of the first
bytes, and of those just before the place that was reached.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from app.core.wallclock import ClockState

HEAD_BYTES = 1024
TAIL_BYTES = 256

Family: TypeAlias = Literal[
    "main.log", "cowork_vm_node.log", "cowork_vm_swift.log", "cowork-service.log", "coworkd.log", "coworkd-user.log"
]  # fmt: skip
OWN_CLOCK: frozenset[Family] = frozenset({"coworkd.log", "coworkd-user.log"})
"""Logs written inside the VM's guest, perhaps by its own clock: their lines are counted, their times not believed."""

Verdict: TypeAlias = Literal["continue", "rotated", "truncated", "rewritten"]


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the system says of a file: bytes, nanoseconds since 1970, and its identity."""

    size: int
    mtime_ns: int
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Hash of the first ``head_length`` bytes (at most `HEAD_BYTES`), and of the `TAIL_BYTES` before the offset."""

    head: str = ""
    head_length: int = 0
    tail: str = ""

    @classmethod
    def of(cls, head: bytes, tail: bytes, offset: int) -> Fingerprint:
        """The fingerprint at ``offset``; ``head`` starts the file, ``tail`` ends at the offset. Longer ones are cut."""
        head = head[: min(HEAD_BYTES, offset)]
        return cls(_hash(head), len(head), _hash(tail[-TAIL_BYTES:]))

    def matches(self, head: bytes, tail: bytes) -> bool:
        """Whether these are the same bytes; ``head`` may be longer, and so may ``tail`` in front."""
        known = head[: self.head_length]
        return len(known) == self.head_length and _hash(known) == self.head and _hash(tail[-TAIL_BYTES:]) == self.tail


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where to read on: ``offset`` is the next unread byte, ``line`` the number (from 1) of the line that it starts.

    ``source`` is the id of the source, the same over renames and restarts. ``clock`` reads the stamps that follow.
    """

    source: str
    family: Family
    path: str
    device: int
    inode: int
    fingerprint: Fingerprint = field(default_factory=Fingerprint)
    offset: int = 0
    line: int = 1
    clock: ClockState = field(default_factory=ClockState)


def judge(checkpoint: Checkpoint, facts: FileFacts, head: bytes, tail: bytes) -> Verdict:
    """What became of the source of ``checkpoint``, seen from one file.

    ``head`` is the start of the file, ``tail`` the bytes before the checkpoint's offset, as far as the file has them.
    ``continue``: the file is this source, grown or not, perhaps under another inode. ``truncated``: the same file was
    made shorter than what was read. ``rewritten``: the same file holds something else now. ``rotated``: another file.
    """
    same_file = (facts.device, facts.inode) == (checkpoint.device, checkpoint.inode)
    if checkpoint.offset == 0:
        return "continue" if same_file else "rotated"
    if facts.size >= checkpoint.offset and checkpoint.fingerprint.matches(head, tail):
        return "continue"
    if not same_file:
        return "rotated"
    return "truncated" if facts.size < checkpoint.offset else "rewritten"


def source_id(family: Family, first_line: bytes, inode: int, generation: int = 0) -> str:
    """The id of a source: 16 hex digits from what does not change while the file lives.

    The first line carries the second at which the file began, the inode tells two files apart that began alike. One
    file that was emptied and began again alike within its second gets another ``generation``.
    """
    return _hash(b"\0".join((family.encode(), first_line, str(inode).encode(), str(generation).encode())))


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
