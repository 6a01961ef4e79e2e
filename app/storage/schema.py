"""The schema's version, and the schema of a new database, without Alembic: what every start needs but an upgrade's.

Alembic takes about 0.15 s to import, SQLModel as long: only a new database needs its tables. Tests keep what is made
here equal to what the migrations make.
"""

from __future__ import annotations

from sqlalchemy import Connection, inspect

HEAD = "0003"
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


def create(connection: Connection) -> None:
    """Make all tables in an empty database, and mark it as one of the newest revision."""
    from app.storage.tables import Table  # noqa: PLC0415

    Table.metadata.create_all(connection)
    # The same table that Alembic would make: it reads and alters this row from the first upgrade on.
    connection.exec_driver_sql(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
        "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
    )
    connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (HEAD,))
