"""What cannot be read or kept, as a sentence that a page can also say in another language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

TroubleKind: TypeAlias = Literal[
    "folder_unreadable", "file_unreadable", "not_stored", "made_anew", "not_made_anew", "stopped"
]


class Trouble(str):
    """The sentence in English, which is what logs, programs and commands are given; a text like any other.

    ``kind`` and ``values`` are what it was made of, for who says it otherwise: ``place`` (a path), ``reason`` (the
    words of the system or of SQLite), ``aside`` (where a damaged database is kept, "" where it is not).
    """

    __slots__ = ("kind", "values")
    kind: TroubleKind
    values: Mapping[str, str]

    @classmethod
    def of(cls, kind: TroubleKind, sentence: str, **values: str) -> Trouble:
        """A trouble that ``sentence`` says in English."""
        made = cls(sentence)
        made.kind = kind
        made.values = MappingProxyType(values)
        return made
