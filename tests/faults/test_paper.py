"""The paper on faults names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs/reliability.md").read_text("utf-8"))))


@pytest.mark.parametrize(("path", "name"), NAMED, ids=[name or path for path, name in NAMED])
def test_what_the_paper_names_exists(path: str, name: str) -> None:
    """A test that is renamed or gone would leave a claim without its proof."""
    assert f"def {name}" in (ROOT / path).read_text("utf-8")
