"""A look at a database changes nothing and says what it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from app.settings import resource_dir
from app.storage.examined import DatabaseFacts, examine_database, is_held
from app.storage.schema import HEAD
from app.storage.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of ours at rest."""
    found = tmp_path / "seatwatch.sqlite"
    Store.open(found, resource_dir("migrations")).close()
    return found


def content(folder: Path) -> dict[str, bytes]:
    """Every file and what is in it."""
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def test_a_sound_one(path: Path) -> None:
    """Its version, its size, how many events; the folder is as before."""
    before = content(path.parent)

    found = examine_database(path)

    assert found == DatabaseFacts("sound", path.stat().st_size, HEAD, 0)
    assert content(path.parent) == before


def test_one_in_use(path: Path) -> None:
    """Who runs is seen, not disturbed."""
    with Store.open(path, resource_dir("migrations")) as store:
        found = examine_database(path)
        store.keep_fact("still", "mine")

    assert (found.state, found.held) == ("sound", True)
    assert not is_held(path)


@pytest.mark.parametrize(("version", "state"), [("0001", "older"), ("9999", "newer")])
def test_other_versions(version: str, state: str, path: Path) -> None:
    """Older ones are brought up to date by a start, newer ones are left alone."""
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = ?", (version,))
    database.close()

    assert (examine_database(path).state, examine_database(path).version) == (state, version)


def test_what_is_none_of_ours(tmp_path: Path) -> None:
    """Nothing there, an empty file, another program's, no database at all, a folder."""
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE other (id)")
    database.close()
    (tmp_path / "letter.txt").write_bytes(b"Dear somebody, " * 500)
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "folder.sqlite").mkdir()

    states = {
        name: examine_database(tmp_path / name).state
        for name in ("missing.sqlite", "empty.sqlite", "other.sqlite", "letter.txt", "folder.sqlite")
    }

    assert states == {
        "missing.sqlite": "missing", "empty.sqlite": "sound", "other.sqlite": "foreign", "letter.txt": "damaged",
        "folder.sqlite": "unreadable",
    }  # fmt: skip


def test_damage_within(path: Path) -> None:
    """Pages that were overwritten are found, and those set aside earlier are counted."""
    data = bytearray(path.read_bytes())
    data[4096:12_288] = b"\xff" * 8192
    path.write_bytes(data)
    path.with_name("seatwatch-damaged-20260101T000000000000.sqlite").touch()

    found = examine_database(path)

    assert (found.state, found.aside) == ("damaged", 1)
