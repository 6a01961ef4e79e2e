"""Which file in the folder is which source: by inode, then by fingerprint, never by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from app.core.checkpoint import HEAD_BYTES, TAIL_BYTES, judge
from app.ingest.files import FoundFile, open_log, read_at
from app.ingest.source import Followed

Peek = Callable[[FoundFile, int], "tuple[bytes, bytes]"]
"""The first bytes of a file, and those before an offset of it. Raises OSError."""


@dataclass(slots=True)
class Matches:
    """What the files of one family are.

    ``known`` maps the place of a file in the list to its source. ``copies`` are places of files that hold what another
    file holds already. ``replaced`` are sources whose file holds something else now, ``absent`` those without a file.
    ``unreadable`` maps the place of a file to why it cannot be read.
    """

    known: dict[int, Followed] = field(default_factory=dict)
    copies: set[int] = field(default_factory=set)
    replaced: list[Followed] = field(default_factory=list)
    absent: list[Followed] = field(default_factory=list)
    unreadable: dict[int, str] = field(default_factory=dict)


def peek(file: FoundFile, offset: int) -> tuple[bytes, bytes]:
    """The first `HEAD_BYTES` of ``file``, and the `TAIL_BYTES` before ``offset``. Raises OSError."""
    with open_log(file) as handle:
        before = max(0, offset - TAIL_BYTES)
        return read_at(handle, 0, HEAD_BYTES), read_at(handle, before, offset - before)


def match(files: Sequence[FoundFile], sources: Iterable[Followed], look: Peek = peek) -> Matches:
    """Match the ``files`` of one family with the ``sources`` known so far."""
    found = Matches()
    left = list(sources)
    changed = _match_by_inode(found, files, left, look)
    _match_by_content(found, files, left, look)
    found.replaced = [source for source in left if source in changed]
    found.absent = [source for source in left if source not in changed]
    return found


def _match_by_inode(found: Matches, files: Sequence[FoundFile], left: list[Followed], look: Peek) -> list[Followed]:
    """Match what still lies where it lay; the sources whose file holds something else now are returned."""
    changed = []
    for place, file in enumerate(files):
        here = [s for s in left if (s.mark.device, s.mark.inode) == file.identity]
        # Former holders of the inode are asked last: the file that did not change since is not even opened.
        for source in sorted(here, key=lambda s: s.seen != file):
            try:
                same = _is_same(file, source, look)
            except OSError as error:
                # Nothing can be said about the content, so the inode speaks for the source.
                found.unreadable[place] = reason(error)
                same = True
            if same:
                found.known[place] = source
                left.remove(source)
                break
            changed.append(source)
    return changed


def _match_by_content(found: Matches, files: Sequence[FoundFile], left: list[Followed], look: Peek) -> None:
    """Files under an inode that is new to us: a source that was put back, a copy of one, or something new.

    A log that was copied and then emptied goes on in the copy. Content decides only where it holds a whole line: files
    of one minute begin with the same bytes.
    """
    known = list(found.known.values())
    for place, file in enumerate(files):
        if place in found.known:
            continue
        try:
            source = next((s for s in left if _is_known_by_content(file, s, look)), None)
            if source is not None:
                found.known[place] = source
                left.remove(source)
            elif any(_same_content(file, s, look) for s in known):
                found.copies.add(place)
        except OSError as error:
            found.unreadable[place] = reason(error)


def _is_same(file: FoundFile, source: Followed, look: Peek) -> bool:
    """Whether ``file``, which lies where ``source`` lay, is it; it then knows the bytes that proved it."""
    if source.seen == file:
        return True
    head, tail = look(file, source.mark.offset)
    if judge(source.mark, file.facts, head, tail) != "continue":
        return False
    source.recognize(head, tail)
    return True


def _is_known_by_content(file: FoundFile, source: Followed, look: Peek) -> bool:
    """Whether ``file``, wherever it lies, is ``source``; it then knows the bytes that proved it."""
    same = _same_content(file, source, look)
    if same is not None:
        source.recognize(*same)
    return same is not None


def _same_content(file: FoundFile, source: Followed, look: Peek) -> tuple[bytes, bytes] | None:
    """The bytes that tell that ``file`` holds all that was read of ``source``, a line at least; None otherwise."""
    if not source.mark.offset:
        return None
    head, tail = look(file, source.mark.offset)
    known = source.mark.fingerprint.head_length
    telling = known >= HEAD_BYTES or b"\n" in head[:known]
    return (head, tail) if telling and judge(source.mark, file.facts, head, tail) == "continue" else None


def reason(error: OSError) -> str:
    """What the system says of ``error``, in its words."""
    return error.strerror or type(error).__name__
