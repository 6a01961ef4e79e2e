"""The file for a bug report: a zip of what was found, without anything that names a person, a machine or their work.

Only `Finding.facts` go in, each held once more to be a number or a single word of the kinds that we write ourselves,
and the shapes of lines that nobody knows, by `app.doctor.redacted`. Sentences, which have paths in them, stay here.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from app.doctor.findings import Fact, Finding
from app.doctor.redacted import redacted_shape
from app.errors import WrongUsage

SHAPES = 100
"""As many shapes go in, the commonest first."""
STAMP = (1980, 1, 1, 0, 0, 0)
"""The date of the files within: when a report was made is for its sender to tell."""
_FACT = re.compile(r"[a-z][a-z0-9_]{0,30}|\d+(?:[.\d]|a|b|rc|dev|post)*", re.ASCII)
ABOUT = """What Seatwatch found on a machine, for a bug report.

report.json   what was looked at, how it is, and numbers; no paths, titles, ids or names
shapes.json   log lines that this version does not know, as shapes: words that no known line has are <word>

Read both before you send them. Nothing else is in this file.
"""


def write_bundle(
    path: Path,
    version: str,
    findings: Sequence[Finding],
    shapes: Iterable[tuple[str, int]],
    names: Collection[str] = (),
) -> None:
    """Write the zip to ``path``, for its owner only. Raises `WrongUsage` when that is there or cannot be written.

    ``shapes`` are shapes of unknown lines with how many lines each has, the commonest first; ``names`` are
    titles and the like that are known to stand in them.
    """
    entries = {
        "README.txt": ABOUT,
        "report.json": json.dumps(_report(version, findings), indent=1),
        "shapes.json": json.dumps(_shapes(shapes, names), indent=1),
    }
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, text in entries.items():
                bundle.writestr(zipfile.ZipInfo(name, STAMP), text)
    except OSError as error:
        raise WrongUsage(
            f"The report {path} cannot be written.",
            f"The system says: {error.strerror or error}.",
            "Name a file that does not exist yet, in a folder that you may write to.",
        ) from error


def _report(version: str, findings: Sequence[Finding]) -> dict[str, Any]:
    told = [
        {"topic": one.topic, "level": one.level, "facts": {name: _fact(value) for name, value in one.facts.items()}}
        for one in findings
    ]
    return {"seatwatch": version, "findings": told}


def _shapes(shapes: Iterable[tuple[str, int]], names: Collection[str]) -> list[dict[str, Any]]:
    counted: dict[str, int] = {}
    for shape, lines in shapes:
        told = redacted_shape(shape, names)
        counted[told] = counted.get(told, 0) + lines
    return [{"shape": shape, "lines": lines} for shape, lines in list(counted.items())[:SHAPES]]


def _fact(value: Fact) -> Fact:
    """A fact that may be sent; any other text becomes "hidden"."""
    if isinstance(value, str):
        return value if _FACT.fullmatch(value) else "hidden"
    return value
