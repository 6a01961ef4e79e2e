"""The file for a bug report holds nothing that names anybody."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import pytest

from app.doctor.bundle import SHAPES, write_bundle
from app.doctor.findings import Fact, Finding
from app.errors import WrongUsage

FACTS: dict[str, Fact] = {
    "bytes": 5,
    "state": "sound",
    "python": "3.11.7",
    "path": "Users/somebody",
    "name": "Secret Plan",
    "held": True,
}


def read(path: Path) -> dict[str, str]:
    """The files within."""
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def test_facts_go_in_and_sentences_do_not(tmp_path: Path) -> None:
    """Numbers and words of ours are told; a text that we do not write ourselves is hidden."""
    write_bundle(tmp_path / "b.zip", "1.2", [Finding("x", "note", "in /home/somebody", "see /home", FACTS)], [])

    files = read(tmp_path / "b.zip")
    assert json.loads(files["report.json"]) == {
        "seatwatch": "1.2",
        "findings": [{"topic": "x", "level": "note", "facts": {**FACTS, "path": "hidden", "name": "hidden"}}],
    }
    assert "somebody" not in "".join(files.values())


def test_shapes_that_become_equal_are_counted_together(tmp_path: Path) -> None:
    """Two titles in one kind of line are one shape; there are never more than so many."""
    many = [("[CCD] Pausing Anna", 3), ("[CCD] Pausing Bert", 2)] + [
        (f"{'[CCD] ' * n}Pausing", 1) for n in range(2, 200)
    ]
    write_bundle(tmp_path / "b.zip", "1.2", [], many)

    shapes = json.loads(read(tmp_path / "b.zip")["shapes.json"])
    assert shapes[0] == {"shape": "[CCD] Pausing <word>", "lines": 5}
    assert len(shapes) == SHAPES


def test_the_file_is_its_owners_and_tells_no_time(tmp_path: Path) -> None:
    """Mode 0600; the entries carry one fixed date and no owner."""
    write_bundle(tmp_path / "b.zip", "1.2", [], [])

    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        assert {entry.date_time for entry in bundle.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.extra for entry in bundle.infolist()} == {b""}


@pytest.mark.parametrize("place", ["there.zip", "nowhere/b.zip"])
def test_nothing_is_overwritten(place: str, tmp_path: Path) -> None:
    """A file that is there stays as it is; a folder that is not is not made."""
    (tmp_path / "there.zip").write_text("precious")

    with pytest.raises(WrongUsage, match="does not exist yet"):
        write_bundle(tmp_path / place, "1.2", [], [])

    assert (tmp_path / "there.zip").read_text() == "precious"
    assert [one.name for one in tmp_path.iterdir()] == ["there.zip"]
