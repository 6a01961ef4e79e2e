"""The schema's version, and the schema that a new database gets without Alembic."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from app.settings import resource_dir
from app.storage.migrate import alembic_config, upgrade
from app.storage.schema import HEAD, ForeignDatabase, create, schema_version


@pytest.fixture
def connection() -> Iterator[Connection]:
    """A connection to an empty database in memory."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def schema_of(connection: Connection) -> set[tuple[str, str]]:
    """Name and statement of everything in the database, blanks made equal, clauses in one order."""
    rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").all()
    return {
        (name, ",".join(sorted(re.sub(r"[\s()]+", " ", sql).replace(" ,", ",").replace(", ", ",").strip().split(","))))
        for name, sql in rows
    }


def test_head_is_the_newest_revision() -> None:
    """The constant that spares the import of Alembic names the newest script, and there is one line of scripts."""
    scripts = ScriptDirectory.from_config(alembic_config(resource_dir("migrations")))

    assert scripts.get_heads() == [HEAD]


def test_empty_database_has_no_version(connection: Connection) -> None:
    """A database without tables has no version yet."""
    assert schema_version(connection) is None


def test_new_database_is_of_the_newest_version(connection: Connection) -> None:
    """A database made here says which revision it is of."""
    create(connection)

    assert schema_version(connection) == HEAD


def test_new_database_equals_a_migrated_one(connection: Connection) -> None:
    """Making the tables at once and running all migrations give the same schema."""
    create(connection)
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as other:
        upgrade(other, resource_dir("migrations"))
        migrated = schema_of(other)
    engine.dispose()

    assert migrated == schema_of(connection)


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE letters (id INTEGER)", "CREATE TABLE alembic_version (version_num TEXT)"],
)
def test_tables_of_another_program_are_told(connection: Connection, statement: str) -> None:
    """A database with other tables than ours is not ours."""
    connection.exec_driver_sql(statement)

    with pytest.raises(ForeignDatabase):
        schema_version(connection)


def test_our_tables_without_a_version_are_not_trusted(connection: Connection) -> None:
    """A database that has lost its version is not taken for one of ours."""
    create(connection)
    connection.exec_driver_sql("DELETE FROM alembic_version")

    with pytest.raises(ForeignDatabase):
        schema_version(connection)
