"""The schema's version, read without Alembic: all that a start needs when the database is up to date."""

from __future__ import annotations

from sqlalchemy import Connection, inspect

HEAD = "0001"
"""The newest revision under migrations/versions; a test keeps it equal."""


class ForeignDatabase(Exception):
    """The file is a healthy SQLite database of another program."""


def schema_version(connection: Connection) -> str | None:
    """The revision of the database, None for an empty one. `ForeignDatabase` when its tables are not ours."""
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not tables.issuperset({"alembic_version", "sources", "events"}):
        raise ForeignDatabase
    version: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if version is None:
        raise ForeignDatabase
    return version
