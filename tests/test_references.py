"""The reference is what the code says today."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from app.checks import HINTS, MEANINGS
from app.settings import NAMES
from tests.references import FOLDER, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_is_current(name: str) -> None:
    """What `make reference` would write is what is there."""
    assert (FOLDER / name).read_text("utf-8") == PAGES[name](), "run `make reference`"


def test_every_setting_has_its_words() -> None:
    """Each setting says what it is for and what it may be, and no other is described."""
    assert set(MEANINGS) == set(HINTS) == set(NAMES)


def test_commands_and_their_flags_are_told() -> None:
    """Commands of commands too, with their options and what they mean."""
    page = PAGES["cli.md"]()

    assert {"serve", "inspect", "why", "service install"} <= set(re.findall(r"^## seatwatch (.+)$", page, re.MULTILINE))
    assert "| `--dry-run` | Print the file and the commands, and do nothing. |" in page
    assert "| `LOGDIR` | The log folder. |" in page.replace("[LOGDIR]", "LOGDIR")


def test_rows_have_as_many_cells_as_their_head() -> None:
    """No text breaks a table."""
    for name, page in PAGES.items():
        for before, row in pairwise(page().splitlines()):
            cells = [len(re.findall(r"(?<!\\)\|", one)) for one in (before, row)]
            assert 0 in cells or cells[0] == cells[1], (name, row)
