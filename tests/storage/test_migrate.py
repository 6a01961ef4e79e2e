"""Migrations: up, down and up again, and nothing that the tables have and the migrations lack."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.pool import StaticPool

from app.settings import resource_dir
from app.storage.migrate import alembic_config, known_versions, upgrade
from app.storage.schema import HEAD

ROOT = Path(__file__).parents[2]


def tables(connection: Connection) -> set[str]:
    """The names of all tables but Alembic's own."""
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def test_up_down_up() -> None:
    """Every migration can be undone and done again."""
    config = alembic_config(resource_dir("migrations"))
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        first = tables(connection)
        command.downgrade(config, "base")
        emptied = tables(connection)
        command.upgrade(config, "head")
        second = tables(connection)
    engine.dispose()

    assert first == second == {"sources", "events", "line_counts", "meta", "samples"}
    assert emptied == set()


def test_what_was_kept_outlives_a_new_revision() -> None:
    """A database of the first revision keeps its rows; what was not counted then is 0."""
    config = alembic_config(resource_dir("migrations"))
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        kept = ("s", "main.log", "main.log", "1", "2", "", 0, "", 9, 2, "", "", 1, 2, 3, 4)
        connection.exec_driver_sql("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", kept)
        command.upgrade(config, "head")
        row = connection.exec_driver_sql("SELECT continued, unprefixed, cut, last_at, look_alikes FROM sources").one()
        command.downgrade(config, "0001")
        left = connection.exec_driver_sql("SELECT * FROM sources").one()
    engine.dispose()

    assert tuple(row) == (1, 2, 3, 4, 0)
    assert (len(left), left[0], left[-1]) == (16, "s", 4)


def test_migrations_make_what_the_tables_say() -> None:
    """``alembic check`` finds nothing to add, with the settings of pyproject.toml and no database at all."""
    said = io.StringIO()

    command.check(Config(toml_file=ROOT / "pyproject.toml", stdout=said))

    assert "No new upgrade operations" in said.getvalue()


def test_newest_revision_is_known() -> None:
    """The scripts of this checkout know the newest revision."""
    assert HEAD in known_versions(resource_dir("migrations"))


def test_folder_with_a_percent_sign(tmp_path: Path) -> None:
    """A folder's name may have a percent sign, which Alembic's settings would take for a reference."""
    place = tmp_path / "100%(sure)s"
    shutil.copytree(resource_dir("migrations"), place)
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        upgrade(connection, place)
        found = tables(connection)
    engine.dispose()

    assert "events" in found
