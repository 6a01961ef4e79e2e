"""Bringing a database to the newest schema. Imported only when that is needed: Alembic costs about 0.15 s."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def known_versions(migrations: Path) -> frozenset[str]:
    """Every revision that the scripts of this installation can start from."""
    scripts = ScriptDirectory.from_config(alembic_config(migrations))
    return frozenset(script.revision for script in scripts.walk_revisions())


def upgrade(connection: Connection, migrations: Path) -> None:
    """Bring the database to the newest revision, within the connection's transaction."""
    config = alembic_config(migrations)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def alembic_config(migrations: Path) -> Config:
    """Alembic's settings for the scripts in ``migrations``, without any file of settings."""
    config = Config()
    # The parser of these settings takes % for a reference; a folder may have one in its name.
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    return config
