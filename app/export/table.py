"""Rows as CSV and values as JSON, made for who opens them: a person with a spreadsheet, and a program."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Cell: TypeAlias = str | int | None

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula; the wide ones are read so in Japanese."""
MARK = "\ufeff"
"""Spreadsheets take a CSV without this mark for the old encoding of their country; programs are given JSON."""


def csv_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A table as RFC 4180 has it, in UTF-8 with its mark. No cell is a formula, whatever its text."""
    written = io.StringIO(newline="")
    table = csv.writer(written, lineterminator="\r\n")
    table.writerow(columns)
    table.writerows([defused(cell) for cell in row] for row in rows)
    return (MARK + written.getvalue()).encode()


def defused(cell: Cell) -> Cell:
    """The cell; a text that a spreadsheet would run gets an apostrophe before it. Numbers stay numbers."""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULAS):
        return f"'{cell}"
    return cell


def json_of(value: Any) -> bytes:
    """A value as JSON in UTF-8, to be read by people as well."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
