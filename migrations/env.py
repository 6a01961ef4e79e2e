"""How Alembic reaches the database.

Seatwatch passes an open connection when it migrates at start. On the command line there is none: ``alembic check`` and
``alembic revision --autogenerate`` then work on an empty database in memory that is first brought to the newest
revision, so they need no database and touch nobody's.
"""

from __future__ import annotations

from alembic import context
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from app.storage.tables import Table


def build(connection: Connection) -> None:
    """Run every revision, oldest first, on an empty database.

    Not by ``command.upgrade``: a command within a command takes away the context that the outer one works in.
    """
    scripts = ScriptDirectory.from_config(context.config)
    migration = MigrationContext.configure(connection, opts={"target_metadata": Table.metadata})
    with Operations.context(migration):
        for revision in reversed(list(scripts.walk_revisions())):
            revision.module.upgrade()
    migration.stamp(scripts, "head")


def run(connection: Connection) -> None:
    """Do what the command asks for, in one transaction."""
    context.configure(connection=connection, target_metadata=Table.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


def run_in_memory() -> None:
    """Do it on a database of its own."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.connect() as connection:
        build(connection)
        connection.commit()
        run(connection)
    engine.dispose()


given: Connection | None = context.config.attributes.get("connection")
if given is None:
    run_in_memory()
else:
    run(given)
