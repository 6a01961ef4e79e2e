"""Tables and JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.export.table import FORMULAS, MARK, csv_of, defused, json_of

CELLS = st.one_of(st.none(), st.integers(), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))


def read(data: bytes) -> list[list[str]]:
    """The rows, as a spreadsheet reads them."""
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_a_table() -> None:
    """A row of names, then rows as they are: quotes where they are needed, lines that end as RFC 4180 has it."""
    data = csv_of(("time", "what", "n"), [("12:00", 'said "no", left', 3), ("12:01", "席", None)])

    assert data.decode() == f'{MARK}time,what,n\r\n12:00,"said ""no"", left",3\r\n12:01,席,\r\n'


@pytest.mark.parametrize("start", FORMULAS)
def test_no_cell_is_a_formula(start: str) -> None:
    """A text that begins like a formula gets an apostrophe before it, blanks in front of it or not."""
    assert defused(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"
    assert defused(f"  {start}1") == f"'  {start}1"


def test_numbers_and_words_stay() -> None:
    """A number below zero is no formula, and a dash within words is none."""
    assert [defused(cell) for cell in (-3, None, "a-b", "")] == [-3, None, "a-b", ""]


@given(st.lists(st.tuples(CELLS, CELLS), max_size=8))
def test_whatever_is_in_a_cell(rows: list[tuple[str | int | None, str | int | None]]) -> None:
    """Every table is read back with its rows and columns, and no text in it begins like a formula."""
    found = read(csv_of(("a", "b"), rows))

    assert len(found) == len(rows) + 1
    for row, given_row in zip(found[1:], rows, strict=True):
        for cell, given_cell in zip(row, given_row, strict=True):
            assert cell == ("" if given_cell is None else str(defused(given_cell)))
            assert not (isinstance(given_cell, str) and cell.lstrip(" ").startswith(FORMULAS))


def test_json() -> None:
    """JSON is UTF-8 that people can read, and ends with a line end."""
    data = json_of({"what": "席", "n": 1})

    assert json.loads(data) == {"what": "席", "n": 1}
    assert "席" in data.decode()
    assert data.endswith(b"\n")
