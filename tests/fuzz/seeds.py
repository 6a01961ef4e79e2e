"""What a fuzzer begins with: one input for each known shape of a line, and the words that shapes are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.core.formats.base import Format
from app.core.parser import NEEDLES, parser_for
from tests.fuzz.chain import FAMILIES, STAMP

CORPUS = Path(__file__).parent / "corpus"
"""Inputs that once broke something, or reach what no other does. They are run by the test suite and stay."""
FORMATS: tuple[tuple[Format, ...], ...] = tuple(parser_for(family).formats for family in FAMILIES)
BODIES = 144
"""A first byte with its highest bit set that means the first family and zone."""


def seeds() -> Iterator[bytes]:
    """The samples of every format as inputs of `tests.fuzz.chain.Case`, each family's together at the end."""
    for number, formats in enumerate(FORMATS):
        samples = [sample.encode() for one in formats for sample in one.samples]
        for sample in samples:
            yield bytes([number, 128]) + STAMP + sample + b"\n"
        yield bytes([BODIES + number, 77]) + b"\n".join(samples)


def words() -> list[bytes]:
    """Beginnings, tags and words of the known shapes: a dictionary for a fuzzer that would never guess them."""
    found = set(NEEDLES) | {
        STAMP,
        b"2026-10-25 02:30:00 [error] ",
        b"\x1b[31m",
        b"local_00000000-0000-4000-8000-000000000001",
    }
    for family, formats in zip(FAMILIES, FORMATS, strict=True):
        found |= {head.encode() for head in parser_for(family).heads}
        for one in formats:
            found |= {word.encode() for word in re.findall(r"[\w./:-]{3,30}", " ".join(one.samples))}
    return sorted(found)


def dictionary() -> str:
    """The words in the form that libFuzzer reads."""
    return "".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in words() if word)
