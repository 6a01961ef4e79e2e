"""The tables. They do not validate: rows are made from typed events and checkpoints only, in `app.storage.store`."""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import ForeignKey, Index, MetaData, Text, UniqueConstraint
from sqlmodel import Field, SQLModel


class Table(SQLModel):
    """The base of all tables: named constraints, since SQLite cannot alter a constraint that has no name."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class SourceRow(Table, table=True):
    """A followed log file and how far it has been read: this row is the checkpoint.

    ``device`` and ``inode`` are text: some file systems number their files beyond what SQLite's integers hold. The last
    five are the tally of the file but for the counts in `LineCountRow`; ``last_at`` in microseconds.
    """

    __tablename__ = "sources"

    id: str = Field(primary_key=True, sa_type=Text)
    family: str = Field(sa_type=Text)
    path: str = Field(sa_type=Text)
    device: str = Field(sa_type=Text)
    inode: str = Field(sa_type=Text)
    head: str = Field(sa_type=Text)
    head_length: int
    tail: str = Field(sa_type=Text)
    offset: int
    line: int
    clock_last: str = Field(sa_type=Text)
    clock_repeating: str = Field(sa_type=Text)
    continued: int
    unprefixed: int
    cut: int
    last_at: int | None
    look_alikes: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class EventRow(Table, table=True):
    """One event. ``at`` in microseconds since 1970-01-01 UTC; ``id`` rises in the order in which events were folded."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("source_id", "offset"),
        Index(None, "at"),
        Index(None, "session", "at"),
        Index(None, "kind", "at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    source_id: str = Field(sa_type=Text, sa_column_args=(ForeignKey("sources.id"),))
    offset: int
    line: int
    at: int
    kind: str = Field(sa_type=Text)
    session: str | None = Field(default=None, sa_type=Text)
    payload: str = Field(sa_type=Text)
    text: str = Field(sa_type=Text)


class LineCountRow(Table, table=True):
    """How many lines of a severity and a scope a source has had."""

    __tablename__ = "line_counts"

    source_id: str = Field(primary_key=True, sa_type=Text, sa_column_args=(ForeignKey("sources.id"),))
    severity: str = Field(primary_key=True, sa_type=Text)
    scope: str = Field(primary_key=True, sa_type=Text)
    count: int


class SampleRow(Table, table=True):
    """What the probes saw at ``at`` (microseconds), or over the ``step`` seconds that begin there: a `Point`."""

    __tablename__ = "samples"
    __table_args__ = {"sqlite_with_rowid": False}

    step: int = Field(primary_key=True)
    at: int = Field(primary_key=True)
    total_mb: int | None
    available_mb: int | None
    available_low_mb: int | None
    swap_mb: int | None
    compressed_mb: int | None
    claude_mb: int | None
    cowork_mb: int | None
    others_mb: int | None
    processes: int | None
    ports: int | None
    ports_high: int | None
    ports_claude: int | None


class MetaRow(Table, table=True):
    """A fact about the database itself."""

    __tablename__ = "meta"

    key: str = Field(primary_key=True, sa_type=Text)
    value: str = Field(sa_type=Text)
