"""What of a log line may leave this machine: its shape, in words that logs are known to use.

`app.core.parser.shape_of` replaces ids, paths, quoted texts and numbers. What is left may still be somebody's title, so
every word that no known shape of a line has becomes ``<word>``: the place of the unknown is told, and not what stood
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import get_args

from app.core.parser import Family, parser_for, shape_of

MARKS = frozenset({"id", "path", "text", "n"})
"""What `shape_of` puts in place of what it takes out, within angle brackets."""
_TOKEN = re.compile(r"<(?:id|path|text|n)>|\w+", re.UNICODE)
_WORD = re.compile(r"[A-Za-z]{2,}")
_PLAIN = frozenset(" []():;,.=/%_<>-+*!?{}|→'\"")
"""What may stand between words as it is."""


@cache
def log_words() -> frozenset[str]:
    """The words of the known shapes, in lower case."""
    parsers = [parser_for(family) for family in get_args(Family)]
    starts = [start for parser in parsers for start in parser.must_know]
    texts = [shape_of(sample) for parser in parsers for one in parser.formats for sample in one.samples]
    return frozenset(word.lower() for text in (*texts, *starts) for word in _WORD.findall(text))


def redacted_shape(shape: str, names: Iterable[str] = ()) -> str:
    """The shape with every word that is none of `log_words` replaced, and every sign that is no plain one.

    ``names`` are titles and other names that are known on this machine: they go even where their words are common ones.
    """
    for name in sorted(filter(None, names), key=len, reverse=True):
        shape = re.sub(re.escape(name), "<text>", shape, flags=re.IGNORECASE)
    told, at = [], 0
    for token in _TOKEN.finditer(shape):
        told.append(_between(shape[at : token.start()]))
        told.append(_told(token[0]))
        at = token.end()
    told.append(_between(shape[at:]))
    return "".join(told)


def _told(token: str) -> str:
    if token[0] == "<":
        return token
    if len(token) == 1 and token.isascii():
        return token  # a unit: seconds, hours
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|_+|.", token)
    known = all(part.lower() in log_words() or part.strip("_") == "" for part in parts)
    return token if known or token.lower() in log_words() else "<word>"


def _between(text: str) -> str:
    return "".join(char if char in _PLAIN else "?" for char in text)
