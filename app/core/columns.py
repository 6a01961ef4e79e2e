"""Many small values of one kind as a few long columns, which is how a history is saved.

Pickle keeps a list beside each value that it reads until all is read: thirty thousand spans leave holes in memory as
large as they are themselves, and the system does not get them back. Columns leave none, and equal values become one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any, Generic, TypeVar

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NEVER = -(2**63)
"""Stands for None in a column of instants: no datetime is as far off."""


@dataclass(frozen=True, slots=True)
class Columns(Generic[T]):
    """The columns of ``count`` values of ``kind``, a dataclass; a column of instants is bytes (microseconds, UTC)."""

    kind: type[T] | None
    count: int
    columns: tuple[bytes | list[Any], ...]

    @classmethod
    def of(cls, values: Sequence[T]) -> Columns[T]:
        """The columns of ``values``, which are all of the same dataclass."""
        if not values:
            return cls(None, 0, ())
        kind: Any = type(values[0])
        same: dict[Any, Any] = {}
        names = [field.name for field in fields(kind)]
        return cls(kind, len(values), tuple(_column(list(map(attrgetter(name), values)), same) for name in names))

    def values(self, instants: dict[int, datetime]) -> list[T]:
        """The values again. ``instants`` are those read so far: where one span ends and the next begins is one."""
        if self.kind is None:
            return []
        return list(map(self.kind, *(_read(column, instants) for column in self.columns)))


def _column(values: list[Any], same: dict[Any, Any]) -> bytes | list[Any]:
    if any(isinstance(value, datetime) for value in values):
        return array("q", (NEVER if at is None else (at - EPOCH) // MICROSECOND for at in values)).tobytes()
    return [same.setdefault(value, value) for value in values]


def _read(column: bytes | list[Any], instants: dict[int, datetime]) -> Iterator[Any]:
    if isinstance(column, list):
        return iter(column)
    return (instants.get(at) or _instant(at, instants) for at in array("q", column))


def _instant(at: int, instants: dict[int, datetime]) -> datetime | None:
    return None if at == NEVER else instants.setdefault(at, EPOCH + at * MICROSECOND)
