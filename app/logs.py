"""Seatwatch's own log: one JSON object a line, beside the database, for whoever has to find out what went wrong.

It tells what Seatwatch did and never what it read: no title, no line of the app's log, no path. So a message is a fixed
text of the code, its facts are numbers and single words, and of an exception its class and where it was raised are told
but not its text, which may quote what it stumbled over. The same holds for what libraries report.
"""

from __future__ import annotations

import json
import logging
import os
import re
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

OWN = "seatwatch"
"""Our own loggers are those of this name and below it."""
MOST_BYTES = 1_000_000
KEPT_FILES = 3
"""So many older files of `MOST_BYTES` each are kept beside the current one."""
MOST_FRAMES = 30
LONGEST_MESSAGE = 200
_WORD = re.compile(r"[\w.:+-]{1,60}", re.ASCII)
HIDDEN = "…"
"""Stands for a fact that is no number and no single word."""


def log_file(database: Path) -> Path:
    """Where the log of a database lies: the lock of the database keeps a second writer out of it too."""
    return database.with_name(f"{database.name}.log")


@contextmanager
def own_log(path: Path) -> Iterator[None]:
    """Write what is logged within the block to ``path``; a place that cannot be written costs the log, no more."""
    root, own = logging.getLogger(), logging.getLogger(OWN)
    level = own.level
    handler = PrivateFile(path, maxBytes=MOST_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True)
    handler.setFormatter(Lines())
    root.addHandler(handler)
    own.setLevel(logging.INFO)  # of libraries only warnings count: the watcher alone would tell of every change
    try:
        yield
    finally:
        own.setLevel(level)
        root.removeHandler(handler)
        handler.close()


class PrivateFile(RotatingFileHandler):
    """A rotating file that only its owner reads; it never disturbs who logs."""

    def _open(self) -> TextIOWrapper[Any]:
        return TextIOWrapper(open(self.baseFilename, "ab", opener=_private), encoding="utf-8")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Let it go: a full disk must not fill the terminal as well."""


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class Lines(logging.Formatter):
    """A record as one line of JSON. ``extra={"facts": {…}}`` adds facts; those of libraries are not told."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": _template(record.msg),
        }
        facts = getattr(record, "facts", None)
        if isinstance(facts, Mapping):
            line.update({str(name): _harmless(value) for name, value in facts.items() if name not in line})
        if isinstance(record.exc_info, tuple) and record.exc_info[1] is not None:
            line["error"] = described(record.exc_info[1])
        return json.dumps(line)


def described(error: BaseException) -> dict[str, Any]:
    """The class of an error and where it was raised, innermost last, and the same of its cause; never its text."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    told: dict[str, Any] = {"type": type(error).__name__, "where": _frames(error.__traceback__)}
    if cause is not None:
        told["cause"] = {"type": type(cause).__name__, "where": _frames(cause.__traceback__)}
    return told


def _frames(raised: TracebackType | None) -> list[str]:
    """``app.pipeline:run:120``: modules and no files, since paths name their owner."""
    frames = [
        (frame.f_globals.get("__name__", "?"), frame.f_code.co_name, line) for frame, line in traceback.walk_tb(raised)
    ]
    return [f"{module}:{name}:{line}" for module, name, line in frames[-MOST_FRAMES:]]


def _template(message: object) -> str:
    """The first line of the fixed part of a message: what is put into it may be anybody's text."""
    text = message if isinstance(message, str) else type(message).__name__
    return text.partition("\n")[0][:LONGEST_MESSAGE]


def _harmless(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    return text if _WORD.fullmatch(text) else HIDDEN
