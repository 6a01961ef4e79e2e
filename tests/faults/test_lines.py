"""Masses of lines and very long ones, written by another process while Seatwatch follows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.lines import MAX_LINE
from app.core.reducer import fold
from app.core.state import State
from app.core.tally import Tally
from tests.faults.schedule import CHECKOUT, NIGHTLY
from tests.faults.truth import judge
from tests.faults.writer import Segment
from tests.following import Followed

BURST = 100_000 if NIGHTLY else 10_000
LONG = 64 * 1024 * 1024 if NIGHTLY else 1024 * 1024
SCRIPTS: dict[str, list[list[Any]]] = {
    "a burst": [["lines", 3], ["burst", BURST], ["lines", 3]],
    "a long line": [["lines", 3], ["long", LONG], ["lines", 3]],
    "a long line, then a rotation": [["long", LONG], ["rotate"], ["lines", 3], ["long", MAX_LINE], ["lines", 1]],
    "odd bytes": [["odd", "nul"], ["odd", "utf8"], ["lines", 9, True], ["odd", "escape"], ["half", 9], ["pause", 50]],
    "twice rotated": [["lines", 50], ["rotate", 2], ["lines", 50], ["rotate", 3], ["lines", 1]],
    "emptied": [["lines", 50], ["pause", 100], ["truncate"], ["lines", 9], ["truncate"], ["lines", 50]],
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_each_line_is_kept_once(script: list[list[Any]], tmp_path: Path) -> None:
    """However many or long they are, and whatever is in them; each line is counted once as well."""
    logs, acts, told = tmp_path / "logs", tmp_path / "script", tmp_path / "written"
    logs.mkdir()
    acts.write_text(json.dumps(script))
    followed = Followed(logs, tmp_path / "seatwatch.sqlite")
    followed.catch_up()
    command = [sys.executable, "-m", "tests.faults.writer", str(logs), str(acts), str(told)]
    with subprocess.Popen(command, cwd=CHECKOUT) as writer:
        while writer.poll() is None:
            followed.look()
    followed.settle()
    segments = [Segment(**one) for one in json.loads(told.read_text())]
    verdict = judge(segments, followed.stored())
    tally = sum(followed.store.tallies().values(), Tally())
    written = sum(segment.text.count("\n") for segment in segments)
    state = followed.state
    followed.close()

    assert writer.returncode == 0
    assert verdict.faultless, str(verdict)
    assert state == fold(State(), verdict.expected)
    assert tally.lines == written or (script[2] == ["truncate"] and tally.lines < written)
