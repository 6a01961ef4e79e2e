"""The database file: made private, judged before it is used, set aside when it is damaged."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from app.errors import DatabaseDamaged, DatabaseHeld, DatabaseNewer, DatabaseUnusable
from app.settings import resource_dir
from app.storage import database as module
from app.storage import migrate
from app.storage.database import Database, open_database
from app.storage.schema import HEAD


def open_at(path: Path) -> Database:
    """The database at a path, with the migrations of this checkout."""
    return open_database(path, resource_dir("migrations"))


def make(path: Path) -> None:
    """Make a database and close it."""
    open_at(path).close()


def spoil(path: Path) -> None:
    """Overwrite a page in the middle of the file, where a table lies."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def run(database: Database, *statements: str) -> None:
    """Run the statements in one write transaction."""
    with database.writing() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A place for a database in a folder that does not exist yet."""
    return tmp_path / "data" / "seatwatch.sqlite"


def test_folder_and_files_are_private(path: Path) -> None:
    """The folder is for its owner alone, and so are the file, its journals and its lock."""
    database = open_at(path)
    with database.writing() as connection:
        connection.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    folder = stat.S_IMODE(path.parent.stat().st_mode)
    database.close()

    assert folder == 0o700
    assert set(modes.values()) == {0o600}
    assert set(modes) >= {"seatwatch.sqlite", "seatwatch.sqlite-wal", "seatwatch.sqlite-lock"}


def test_pragmas(path: Path) -> None:
    """Readers do not wait for the writer, and references are checked."""
    database = open_at(path)
    with database.reading() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]
    database.close()

    assert values == ["wal", 1, 1, 5000]


def test_write_takes_the_lock_at_its_beginning(path: Path) -> None:
    """A write transaction holds SQLite's write lock before its first statement."""
    database = open_at(path)
    other = sqlite3.connect(path, timeout=0, isolation_level=None)
    with database.writing(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.close()
    database.close()


def test_second_opening_is_refused(path: Path) -> None:
    """A database has one Seatwatch; the second one is told, also when it comes by another name of the file."""
    first = open_at(path)
    link = path.with_name("other.sqlite")
    link.symlink_to(path)

    for name in (path, link):
        with pytest.raises(DatabaseHeld):
            open_at(name)
    first.close()

    make(link)
    assert not link.with_name("other.sqlite-lock").exists()


def test_newer_schema_is_left_alone(path: Path) -> None:
    """A database of a newer version is refused, not a byte of it changed, and is free afterwards."""
    make(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    before = path.read_bytes()

    for _ in range(2):
        with pytest.raises(DatabaseNewer) as caught:
            open_at(path)

    assert (caught.value.found, caught.value.known) == ("9999", HEAD)
    assert path.read_bytes() == before


def test_older_schema_is_brought_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of an older revision that the scripts know goes through the migrations."""
    make(path)
    seen: list[Path] = []
    monkeypatch.setattr(module, "HEAD", "a newer one")
    monkeypatch.setattr(migrate, "upgrade", lambda _connection, place: seen.append(place))

    make(path)

    assert seen == [resource_dir("migrations")]


def test_database_of_another_program_is_left_alone(path: Path) -> None:
    """A healthy database that is not ours is refused and keeps its content."""
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE letters (id INTEGER)")
    connection.close()

    with pytest.raises(DatabaseUnusable, match="another program"):
        open_at(path)

    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("letters",)]
    connection.close()


@pytest.mark.parametrize("content", [b"this was never a database" * 100, b"SQLite format 3\0" + b"\xff" * 8192])
def test_damaged_file_is_set_aside(path: Path, content: bytes) -> None:
    """A file that is no database any more is kept under another name, and a new one takes its place."""
    path.parent.mkdir()
    path.write_bytes(content)

    database = open_at(path)
    with database.reading() as connection:
        tables = connection.execute(text("SELECT count(*) FROM sources")).scalar()
    database.close()

    assert database.set_aside is not None
    assert database.set_aside.name.startswith("seatwatch-damaged-")
    assert database.set_aside.read_bytes() == content
    assert tables == 0


def test_damage_within_is_found_at_the_start(path: Path) -> None:
    """A file with a sound beginning and spoilt pages is found out before it is used."""
    make(path)
    spoil(path)

    database = open_at(path)
    database.close()

    assert database.set_aside is not None


def test_sound_database_is_not_set_aside(path: Path) -> None:
    """Opening a sound database again changes nothing about it."""
    make(path)
    again = open_at(path)
    again.close()

    assert again.set_aside is None
    assert sorted(file.name for file in path.parent.iterdir()) == ["seatwatch.sqlite", "seatwatch.sqlite-lock"]


def test_damage_met_in_use_is_told_and_mended_at_the_next_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage that the start did not look for is told when it is met; the next start sets the file aside."""
    make(path)
    spoil(path)
    monkeypatch.setattr(module, "CHECKED_BYTES", 0)
    monkeypatch.setattr(module, "schema_version", lambda _connection: HEAD)
    database = open_at(path)

    with pytest.raises(DatabaseDamaged), database.reading() as connection:
        connection.exec_driver_sql("SELECT * FROM events").all()
    database.close()
    monkeypatch.undo()

    again = open_at(path)
    again.close()
    assert again.set_aside is not None
    assert not path.with_name("seatwatch.sqlite-damaged").exists()


def test_a_letter_is_not_renamed(tmp_path: Path) -> None:
    """A slip in a setting that names somebody's file does not move that file."""
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear reader, " * 200, "utf-8")

    with pytest.raises(DatabaseUnusable, match="not a SQLite database"):
        open_at(letter)

    assert letter.read_text("utf-8").startswith("Dear reader")


@pytest.mark.parametrize("place", ["file/seatwatch.sqlite", "folder", "circle"])
def test_impossible_place_is_told(tmp_path: Path, place: str) -> None:
    """A folder in the way, a file where a folder should be and a link to itself are told as a matter of the setting."""
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "file").write_text("x", "utf-8")
    (tmp_path / "folder").mkdir()

    with pytest.raises(DatabaseUnusable) as caught:
        open_at(tmp_path / place)

    assert "--db" in caught.value.todo


def test_read_only_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be written is told with the system's own words."""

    def refuse(*_args: object, **_options: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(DatabaseUnusable, match="Permission denied"):
        open_at(tmp_path / "seatwatch.sqlite")


def test_failure_of_a_statement_is_told_and_undone(path: Path) -> None:
    """What SQLite refuses is told, and the transaction around it has done nothing."""
    database = open_at(path)
    statements = ("INSERT INTO meta VALUES ('a', 'b')", "INSERT INTO nowhere VALUES (1)")
    with pytest.raises(DatabaseUnusable):
        run(database, *statements)

    with database.reading() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM meta").scalar()
    database.close()
    database.close()

    assert left == 0


def test_full_disk_is_told(path: Path) -> None:
    """A database that cannot grow any more is told as such."""
    database = open_at(path)
    with pytest.raises(DatabaseUnusable, match="full"):
        run(database, "PRAGMA max_page_count = 1", "INSERT INTO meta VALUES ('a', hex(zeroblob(1000000)))")
    database.close()


def test_fifty_openings_leave_nothing_open(path: Path) -> None:
    """Opening and closing again and again leaks no file handle."""
    make(path)
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(50):
        make(path)

    assert len(list(Path("/dev/fd").iterdir())) == before
