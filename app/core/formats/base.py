"""What a format is, and how its match becomes an event."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TypeAlias

from app.core.events import Event
from app.core.records import Record

Reader: TypeAlias = Callable[[re.Match[str], Record], Event | None]

SESSION = r"(?P<session>local_[0-9A-Za-z_-]+)"
"""A session's id as the app prints it: ``local_<uuid>``, ``local_ditto_<uuid>``."""
CLOUD = r"(?P<session>(?:cse|rcw)[-_][0-9A-Za-z]+)"
"""The id of a session in the cloud, or its guest user's name."""
ARROW = r"\s+\S{1,6}\s+"
"""An arrow or dash, which a wrongly decoded log shows as up to three other characters."""


LARGEST = 10**9
"""No number of the log is taken for more: in seconds that is 31 years, and both times and stores can hold it."""


def whole(digits: str) -> int:
    """The number that ``digits`` (with a sign or not) write. Hostile ones of any length give `LARGEST` at most."""
    text = digits.lstrip("+-")
    value = min(int(text), LARGEST) if len(text) <= 18 else LARGEST
    return -value if digits.startswith("-") else value


@dataclass(frozen=True, slots=True)
class Format:
    """One shape of a line.

    ``pattern`` is matched at the start of a record's body; what follows the match is free, since the app's tails
    change. Its first word or tag (`head_of`) must be literal: formats are found by it. ``make`` is the event class
    whose fields the named groups fill, a function for what that cannot say, or None for a line that is known and
    says nothing about seats. ``samples`` are bodies of real shape, continuation lines included.
    """

    name: str
    pattern: str
    make: type[Event] | Reader | None
    samples: tuple[str, ...]
    fixed: Mapping[str, object] = field(default_factory=dict)


def head_of(body: str) -> str:
    """The word or tag by which a body's formats are found: ``[CCD CycleHealth]``, ``Session``, ``beforeQuit``."""
    if body.startswith("["):
        return body[: body.find("]") + 1]
    for end, character in enumerate(body):
        if character in " :":
            return body[:end]
    return body


def reader_of(one: Format) -> Reader:
    """The function that makes the event of a match, put together once for each format."""
    if one.make is None:
        return lambda match, record: None
    if not isinstance(one.make, type):
        return one.make
    kind: Callable[..., Event] = one.make
    numbers = {f.name for f in fields(one.make) if "int" in str(f.type)}
    groups = list(re.compile(one.pattern).groupindex)
    rest = {f.name: None for f in fields(one.make) if f.name != "at" and f.name not in groups} | dict(one.fixed)

    def read(match: re.Match[str], record: Record) -> Event:
        values: dict[str, object] = {}
        for name in groups:
            text = match[name]
            values[name] = whole(text) if name in numbers and text is not None else text
        return kind(at=record.at, **values, **rest)

    return read
