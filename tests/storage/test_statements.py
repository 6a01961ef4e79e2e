"""The SQL of the store: values are never part of the text, and pages of events go through an index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from app.storage.schema import create
from app.storage.statements import LIFE, REPLAY, select_events

NOTHING: dict[str, Any] = {"start": None, "end": None, "session": None, "kinds": None, "before": None, "limit": 5}


@pytest.fixture
def connection() -> Iterator[Connection]:
    """A connection to an empty store in memory."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        create(connection)
        yield connection
    engine.dispose()


def test_no_condition() -> None:
    """Without conditions the newest events are asked for."""
    sql, values = select_events(**NOTHING)

    assert sql.endswith("WHERE TRUE ORDER BY at DESC, id DESC LIMIT ?")
    assert values == (5,)


def test_values_stay_out_of_the_text() -> None:
    """What a request says is bound, never written into the statement."""
    hostile = "'; DROP TABLE events; --"

    sql, values = select_events(**{**NOTHING, "session": hostile, "kinds": [hostile]})

    assert "DROP" not in sql
    assert hostile in values


@pytest.mark.parametrize(
    ("conditions", "index"),
    [
        ({}, "ix_events_at"),
        ({"start": 0, "end": 9}, "ix_events_at"),
        ({"session": "local_1"}, "ix_events_session_at"),
        ({"session": "local_1", "start": 0}, "ix_events_session_at"),
        ({"session": "local_1", "kinds": ["TurnEnded", "SessionPaused"]}, "ix_events_session_at"),
        ({"session": "local_1", "before": 7}, "ix_events_session_at"),
        ({"kinds": ["TurnEnded"]}, "ix_events_kind_at"),
        ({"kinds": ["TurnEnded"], "start": 0, "before": 7}, "ix_events_kind_at"),
    ],
)
def test_page_is_read_through_an_index(connection: Connection, conditions: dict[str, Any], index: str) -> None:
    """With millions of events a page must not walk them all, nor sort them."""
    sql, values = select_events(**{**NOTHING, **conditions})

    plan = " ".join(str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values).all())

    assert index in plan
    assert "TEMP B-TREE" not in plan


def test_page_of_several_kinds_sorts_no_more_than_their_pages(connection: Connection) -> None:
    """Each kind gives one page through the index; what is sorted is these pages, not all events of the kinds."""
    sql, values = select_events(**{**NOTHING, "kinds": ["SessionPaused", "TurnEnded"], "start": 3, "before": 7})

    plan = " ".join(str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values).all())

    assert plan.count("ix_events_kind_at") == 2
    assert values.count(NOTHING["limit"]) == 3
    assert "SCAN events" not in plan


def test_life_of_a_session_is_read_from_an_index_alone(connection: Connection) -> None:
    """However much was said of a session, its row is never looked at."""
    plan = " ".join(str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {LIFE}", ("x",)).all())

    assert "COVERING INDEX ix_events_session_at" in plan


def test_replay_walks_the_table_in_its_own_order(connection: Connection) -> None:
    """A replay sorts nothing: events come in the order in which they lie."""
    plan = " ".join(str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {REPLAY}", (0, 0, 9)).all())

    assert "INTEGER PRIMARY KEY" in plan
    assert "TEMP B-TREE" not in plan
