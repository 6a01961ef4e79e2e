"""Lines that look like a rate limit to whoever greps for one: the number 429 or 529, or the words, in any case.

Most of them are none (``sys_free_raw=429MB``, ``0 files-api 429s retried``). They are looked for in whole chunks: a
search of each line by itself would cost as much as reading it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# The two digits that both numbers end in lead the pattern: a search is quick by its literal beginning only. Not within
# an id, a version or a longer number.
_NUMBER = re.compile(rb"29(?<=[45]29)(?<![\w.-]\d29)(?!\d)")
_LIMIT = re.compile(rb"limit(?:(?<=rate limit)| reached)")
_OVERLOADED = b"overloaded"


def look_alikes(blob: bytes) -> list[int]:
    """The places, from 0, of the lines of ``blob`` that look like a limit; lines are separated by a line feed."""
    return places_of(_alike(blob), blob)


def looks_alike(text: str) -> bool:
    """Whether this one line looks like a limit."""
    return bool(_alike(text.encode("utf-8", "replace")))


def places_of(hits: Iterable[int], blob: bytes) -> list[int]:
    """The places of the lines of ``blob`` that have ``hits``, which are offsets in order; each place once."""
    found: list[int] = []
    place = seen = 0
    for hit in hits:
        place += blob.count(b"\n", seen, hit)
        seen = hit
        if not found or found[-1] != place:
            found.append(place)
    return found


def hits_of(blob: bytes, words: Iterable[bytes]) -> list[int]:
    """Where one of ``words`` stands in ``blob``, in order."""
    hits: list[int] = []
    for word in words:
        at = blob.find(word)
        while at >= 0:
            hits.append(at)
            at = blob.find(word, at + len(word))
    hits.sort()
    return hits


def _alike(blob: bytes) -> list[int]:
    """Where something stands that looks like a limit, in order."""
    lowered = blob.lower()
    hits = [match.start() for match in _NUMBER.finditer(blob)]
    hits += [match.start() for match in _LIMIT.finditer(lowered)]
    hits += hits_of(lowered, (_OVERLOADED,))
    hits.sort()
    return hits
