"""The tables: names of constraints, and the indexes that the queries need."""

from __future__ import annotations

from typing import Any

from app.storage.tables import EventRow, Table


def test_every_constraint_has_a_name() -> None:
    """SQLite cannot alter a constraint without a name, so none goes without."""
    tables = Table.metadata.sorted_tables
    nameless = [table.name for table in tables for constraint in table.constraints if not constraint.name]

    assert len(tables) == 5
    assert nameless == []


def test_events_are_known_by_their_place() -> None:
    """The identity of an event is its source and offset; the pages' queries have their indexes."""
    table = Table.metadata.tables["events"]

    assert "uq_events_source_id_offset" in {constraint.name for constraint in table.constraints}
    assert {index.name for index in table.indexes} == {"ix_events_at", "ix_events_session_at", "ix_events_kind_at"}


def test_rows_are_not_validated() -> None:
    """Whoever makes a row is responsible for its types: the class itself takes anything."""
    values: dict[str, Any] = {"offset": "not a number"}

    assert vars(EventRow(**values))["offset"] == "not a number"
