"""How wide words are and where lines break: a picture has no browser to ask. Pure.

The widths are those of Inter; characters of Japanese are as wide as high. They tell where a line ends and whether a
name fits, so a few percent are near enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from app.web.views import Part

Line = tuple[Part, ...]

# Thousandths of the size for the characters from the blank to the tilde, in Inter's regular weight.
_ADVANCES = (
    281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646, 593, 620,
    566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269, 571, 672, 565, 903,
    753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471, 456, 323, 562, 612, 571, 612,
    583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426,
    333, 426, 662,
)  # fmt: skip
BOLD = 1.04
"""So much wider is the bold weight, about."""
_OTHER = 620
UNBROKEN = 24
"""A title of so many characters stays on one line."""
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0003ffff]"
)
_NOT_FIRST = frozenset("、。，．・：；？！）］｝」』】〉》ー々ゃゅょっぁぃぅぇぉャュョッァィゥェォ%％,.)")
"""What does not begin a line in Japanese."""
_STOPS = frozenset("、。！？」")
LEAST_LINE = 0.55
"""A line in Japanese ends after a stop where it is at least so full, as a share of the room."""
_NOT_LAST = frozenset("（［｛「『【〈《(")
_WORD = re.compile(r"\s+|[^\s]")


def wide(character: str) -> bool:
    """Whether a character is as wide as it is high."""
    return _WIDE.match(character) is not None


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide the text is at this size, in the unit of the size."""
    total = 0
    for character in text:
        place = ord(character) - 32
        if 0 <= place < len(_ADVANCES):
            total += _ADVANCES[place]
        else:
            total += 1000 if wide(character) else _OTHER
    return total * size / 1000 * (BOLD if bold else 1)


def cut(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """The text, ended with an ellipsis where the room ends."""
    if width(text, size, bold=bold) <= room:
        return text
    while text and width(f"{text}…", size, bold=bold) > room:
        text = text[:-1].rstrip()
    return f"{text}…"


def wrapped(parts: Iterable[Part], size: float, room: float, most: int) -> tuple[Line, ...]:
    """The parts in lines no wider than ``room``, at most ``most`` of them; the last one ends with an ellipsis then."""
    lines: list[list[Part]] = [[]]
    for piece in _unbroken(parts):
        if lines[-1] and _wide_as([*lines[-1], Part(piece.text.rstrip(), piece.strong)], size) > room:
            lines.append(_carried_over(lines[-1], piece, size, room))
        text = piece.text if lines[-1] else piece.text.lstrip()
        if text:
            lines[-1].append(Part(text, piece.strong))
    kept = [_joined(line) for line in lines[:most]]
    if len(lines) > most:
        kept[-1] = _shortened(kept[-1], size, room)
    return tuple(line for line in kept if line)


def _wide_as(line: Iterable[Part], size: float) -> float:
    return sum(width(part.text, size, bold=part.strong) for part in line)


def _carried_over(line: list[Part], piece: Part, size: float, room: float) -> list[Part]:
    """What goes over to the next line along with ``piece``: in Japanese all that follows a stop near the line's end.

    Any character may end a line there, but one that ends within a word is read twice.
    """
    if not (wide(line[-1].text[-1]) and wide(piece.text[0])):
        return []
    for n in range(len(line), 0, -1):
        if line[n - 1].text[-1] in _STOPS and _wide_as(line[:n], size) >= LEAST_LINE * room:
            over = line[n:]
            del line[n:]
            return over
    return []


def _unbroken(parts: Iterable[Part]) -> Iterator[Part]:
    """Pieces between which a line may break: words with the blank before them, and single characters of Japanese."""
    for part in parts:
        if part.strong and 0 < len(part.text) <= UNBROKEN:
            yield part
            continue
        held = ""
        for match in _WORD.finditer(part.text):
            text = match.group()
            if held and (text.isspace() or _may_break(held[-1], text)):
                yield Part(held, part.strong)
                held = ""
            held += " " if text.isspace() else text
        if held:
            yield Part(held, part.strong)


def _may_break(before: str, after: str) -> bool:
    if after in _NOT_FIRST or before in _NOT_LAST or before == " ":
        return False
    return wide(before) or wide(after)


def _joined(line: Iterable[Part]) -> Line:
    """Neighbours of one weight as one part."""
    found: list[Part] = []
    for part in line:
        if found and found[-1].strong == part.strong:
            found[-1] = Part(found[-1].text + part.text, part.strong)
        else:
            found.append(part)
    return tuple(found)


def _shortened(line: Line, size: float, room: float) -> Line:
    """The line with an ellipsis at its end."""
    *before, last = line
    left = room - sum(width(part.text, size, bold=part.strong) for part in before)
    return (*before, Part(cut(f"{last.text}……", size, left, bold=last.strong).rstrip("…") + "…", last.strong))
