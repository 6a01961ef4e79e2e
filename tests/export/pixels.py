"""A PNG as its chunks and its pixels, read with the standard library alone, so that all that was written is seen."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from dataclasses import dataclass

Pixel = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Png:
    """A PNG of eight bits a channel: its chunks in order, and its pixels as rows of bytes, ``channels`` to each."""

    chunks: tuple[tuple[str, bytes], ...]
    width: int
    height: int
    channels: int
    rows: tuple[bytes, ...]

    def at(self, x: float, y: float) -> Pixel:
        """The colour at a place."""
        start = int(x) * self.channels
        red, green, blue = self.rows[int(y)][start : start + 3]
        return red, green, blue

    def colours(self, left: float, top: float, right: float, bottom: float) -> Counter[Pixel]:
        """How often each colour stands within a box."""
        return Counter(self.at(x, y) for y in range(int(top), int(bottom)) for x in range(int(left), int(right)))


def read_png(data: bytes) -> Png:
    """The PNG, its filters undone."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks: list[tuple[str, bytes]] = []
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        chunks.append((kind.decode("ascii"), body))
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (depth, colour in (2, 6)) == (8, True)
    channels = 4 if colour == 6 else 3
    raw = zlib.decompress(b"".join(body for kind, body in chunks if kind == "IDAT"))
    return Png(tuple(chunks), width, height, channels, tuple(_unfiltered(raw, width * channels, channels)))


def _unfiltered(raw: bytes, stride: int, channels: int) -> list[bytes]:
    rows: list[bytes] = []
    before = bytes(stride)
    for start in range(0, len(raw), stride + 1):
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        if kind:
            _undo(kind, line, before, channels)
        before = bytes(line)
        rows.append(before)
    return rows


def _undo(kind: int, line: bytearray, above: bytes, channels: int) -> None:
    for n in range(len(line)):
        left = line[n - channels] if n >= channels else 0
        corner = above[n - channels] if n >= channels else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = above[n]
        elif kind == 3:
            add = (left + above[n]) // 2
        else:
            guess = left + above[n] - corner
            distances = (abs(guess - left), abs(guess - above[n]), abs(guess - corner))
            add = (left, above[n], corner)[distances.index(min(distances))]
        line[n] = (line[n] + add) & 0xFF


def colour(text: str) -> Pixel:
    """``#0d1014`` as a pixel."""
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue
