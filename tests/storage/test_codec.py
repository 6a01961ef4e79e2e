"""Events to rows and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta, timezone
from typing import get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.events import EVENT_TYPES, BaseEvent, Event, EvictionForeseen, TurnEnded, UsageLimited
from app.storage import codec
from app.storage.codec import decode, encode, from_micros, to_micros

AT = datetime(2026, 10, 2, 4, 41, 30, 123456, tzinfo=UTC)
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=9)), timezone(timedelta(hours=-8))])
INSTANTS = st.integers(0, 7_000_000_000_000_000).flatmap(lambda micros: ZONES.map(from_micros(micros).astimezone))


def events_of(kind: type[Event]) -> st.SearchStrategy[Event]:
    """Any event of a class; its instants have any zone, its other fields anything that their types allow."""
    hints = get_type_hints(kind)
    instants = {name: INSTANTS for name, hint in hints.items() if hint is datetime}
    optional = {name: st.none() | INSTANTS for name, hint in hints.items() if hint == datetime | None}
    return st.builds(kind, **instants, **optional)


EVENTS: st.SearchStrategy[Event] = st.sampled_from(list(EVENT_TYPES.values())).flatmap(events_of)


@given(EVENTS)
def test_every_event_comes_back_as_it_went(event: Event) -> None:
    """Whatever an event of any class holds, decoding what was encoded gives an equal one."""
    row = encode(event)

    assert decode(row.kind, row.at, row.session, row.payload) == event


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_every_class_has_a_codec(kind: str) -> None:
    """No class of events is without a way into the store; its payload is a JSON object without the columns."""

    @given(events_of(EVENT_TYPES[kind]))
    @settings(max_examples=5)
    def check(event: Event) -> None:
        names = {field.name for field in fields(event)}
        assert set(json.loads(encode(event).payload)) == names - {"at", "session"}

    check()


def test_row_of_an_event() -> None:
    """Kind, instant and session are columns, the rest is JSON."""
    row = encode(EvictionForeseen(AT, "local_1", 8, 842, "warm"))

    assert (row.kind, row.at, row.session) == ("EvictionForeseen", 1790916090123456, "local_1")
    assert row.payload == '{"cap":8,"idle_seconds":842,"trigger":"warm"}'


def test_instant_of_another_zone_is_kept_in_utc() -> None:
    """A time eight hours behind UTC is the same instant afterwards, in UTC."""
    there = AT.astimezone(timezone(timedelta(hours=-8)))

    back = from_micros(to_micros(there))

    assert back == there
    assert back.utcoffset() == timedelta(0)
    assert back.hour == 4


def test_instant_within_the_payload() -> None:
    """Instants other than the event's own are kept to the microsecond too."""
    event = UsageLimited(AT, "local_1", "11:30pm", AT + timedelta(hours=3))
    row = encode(event)

    assert json.loads(row.payload)["resets_at"] == to_micros(AT) + 3 * 3_600_000_000
    assert decode(row.kind, row.at, row.session, row.payload) == event


def test_naive_time_is_refused() -> None:
    """A time without a zone is no instant."""
    with pytest.raises(TypeError):
        to_micros(datetime(2026, 10, 2))  # noqa: DTZ001  this is the test's subject


def test_missing_optional_field_is_none() -> None:
    """A row from before a class grew an optional field is read with None in it."""
    assert decode("TurnEnded", to_micros(AT), "local_1", '{"seconds":4}') == TurnEnded(AT, "local_1", 4, None)


@pytest.mark.parametrize(
    ("kind", "at", "payload"),
    [
        ("SomethingNewHappened", 0, "{}"),
        ("EvictionForeseen", 0, '{"cap":8}'),
        ("EvictionForeseen", 0, "{"),
        ("EvictionForeseen", 0, "[]"),
        ("UsageLimited", 0, '{"resets_at":"soon"}'),
        ("UsageLimited", 0, '{"resets_at":9999999999999999999999}'),
        ("TurnBegan", 2**63 - 1, "{}"),
    ],
)
def test_row_that_cannot_be_read_is_none(kind: str, at: int, payload: str) -> None:
    """An unknown kind, a lacking field, damaged JSON and an impossible instant are None, not a crash."""
    assert decode(kind, at, "local_1", payload) is None


def test_tuple_comes_back_as_a_tuple(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON has lists only; a field that is a tuple is one again."""
    types: dict[str, type[BaseEvent]] = {"Listed": Listed}
    monkeypatch.setattr(codec, "EVENT_TYPES", types)
    back: BaseEvent | None = decode("Listed", to_micros(AT), None, '{"names":["a","b"]}')

    assert back == Listed(AT, ("a", "b"))


def test_field_of_an_unknown_type_is_found_at_once() -> None:
    """A class with a field that has no way into JSON is a programming error, told at the first use."""
    with pytest.raises(TypeError, match="no way to store"):
        codec._to_json(dict[str, int])


@dataclass(frozen=True, slots=True)
class Listed(BaseEvent):
    """An event with a tuple."""

    names: tuple[str, ...]
