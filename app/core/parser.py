"""Records to events. Total: any record gives an event or None, nothing raises.

A record's formats are found by the first word or tag of its body, so a record costs one look-up and a few matches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from app.core.checkpoint import Family
from app.core.events import Event, NetworkFailed, Unrecognized, VmDiskFilled
from app.core.formats import cowork_service_log, coworkd_log, main_log, vm_node_log, vm_swift_log
from app.core.formats.base import Format, Reader, head_of, reader_of
from app.core.records import Record

NEEDLES: tuple[bytes, ...] = (b"net::ERR_", b"No space left on device", b"ENOSPC")
"""What makes a record of any scope worth reading: these stand deep in stacks and tool results."""

_NETWORK = re.compile(r"net::(ERR_[A-Z_]+)")
_DISK_FULL = (("useradd failed", "No space left on device"), ("ENOSPC", "/sessions/"))
"""Pairs of words that stand in this order; a pattern for them would take quadratic time on a hostile text."""

_SHAPES = (
    (re.compile(r"(local|cse|session)_[0-9A-Za-z_-]+"), "<id>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27,}"), "<id>"),
    (re.compile(r"(?:/|[A-Z]:\\)\S+"), "<path>"),
    (re.compile(r"'[^']*'|\"[^\"]*\""), "<text>"),
    (re.compile(r"\d+"), "<n>"),
)
SHAPE_LENGTH = 160
"""Where a shape is cut: enough to tell shapes apart, too short to hold a conversation."""


def shape_of(body: str) -> str:
    """The body with ids, paths, quoted texts and numbers replaced, so that equal shapes count together."""
    for pattern, stand_in in _SHAPES:
        body = pattern.sub(stand_in, body)
    return body[:SHAPE_LENGTH]


_FAMILIES: dict[Family, tuple[tuple[Format, ...], tuple[str, ...]]] = {
    "main.log": (main_log.FORMATS, main_log.MUST_KNOW),
    "cowork_vm_node.log": (vm_node_log.FORMATS, vm_node_log.MUST_KNOW),
    "cowork_vm_swift.log": (vm_swift_log.FORMATS, vm_swift_log.MUST_KNOW),
    "cowork-service.log": (cowork_service_log.FORMATS, cowork_service_log.MUST_KNOW),
    "coworkd.log": (coworkd_log.FORMATS, coworkd_log.MUST_KNOW),
    "coworkd-user.log": (coworkd_log.FORMATS, coworkd_log.MUST_KNOW),
}


@dataclass(frozen=True, slots=True)
class Parser:
    """Reads the records of one family of log files."""

    family: Family
    formats: tuple[Format, ...]
    must_know: tuple[str, ...]
    _by_head: dict[str, list[tuple[re.Pattern[str], Reader]]] = field(default_factory=dict, repr=False)
    _telling: set[str] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        for one in self.formats:
            entry = (re.compile(one.pattern), reader_of(one))
            for head in dict.fromkeys(head_of(sample.lstrip()) for sample in one.samples):
                self._by_head.setdefault(head, []).append(entry)
                if one.make is not None:
                    self._telling.add(head)

    @property
    def heads(self) -> frozenset[str]:
        """The first words and tags that some format of this family begins with."""
        return frozenset(self._by_head)

    def wants(self, key: bytes) -> bool:
        """Whether lines of this key (`app.core.records.key_of`) can say anything, known shape or not.

        A head of which every shape is silent need not be decoded: its lines are counted as all others are.
        """
        head = head_of(key.decode("utf-8", "replace"))
        return head in self._telling or head.startswith(_first_words(self.must_know))

    def parse(self, record: Record) -> Event | None:
        """The event of a record; None when it says nothing about seats, sessions, memory, the VM or the network."""
        for pattern, read in self._by_head.get(head_of(record.body.lstrip()), ()):
            match = pattern.match(record.body)
            if match is not None:
                return read(match, record)
        if not self._telling:
            return None  # a log of which nothing may be taken, by whatever clock it is written
        if record.body.startswith(self.must_know) and self.must_know:
            return Unrecognized(record.at, shape_of(record.body))
        return _in_the_depths(record)


@cache
def _first_words(starts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(start.split(" ")[0] for start in starts)


def _in_the_depths(record: Record) -> Event | None:
    """What only a part of a record tells, in whatever scope it stands."""
    text = "\n".join((record.body, *record.more))
    if any(first in text and then in text.partition(first)[2] for first, then in _DISK_FULL):
        return VmDiskFilled(record.at)
    found = _NETWORK.search(text)
    return NetworkFailed(record.at, found[1]) if found else None


@cache
def parser_for(family: Family) -> Parser:
    """The parser of a family of log files, put together once."""
    formats, must_know = _FAMILIES[family]
    return Parser(family, formats, must_know)


__all__ = ["NEEDLES", "SHAPE_LENGTH", "Family", "Parser", "parser_for", "shape_of"]
