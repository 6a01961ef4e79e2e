"""The form of preferences: what was typed, what of it is a change, and what makes no sense."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.preferences import CHECKS, Preferences
from app.web.settings_form import MOST_FIELDS, filled, parsed, values_of

HELD = Preferences(
    privacy=True,
    notify=("evicted",),
    notify_to=("json://one", "json://two"),
    quiet_hours="22:00-07:00",
    home_line="300",
)


SERVICES = {"first": "json://one", "second": "json://two"}


def sent(*fields: tuple[str, str]) -> Any:
    """A form of these fields, as a browser sends it."""
    return filled(parsed(urlencode(fields).encode()), HELD, SERVICES)


def test_what_is_shown_and_sent_back_is_no_change() -> None:
    """A form that is saved as it was shown changes nothing."""
    values = values_of(HELD)
    form = sent(
        *(("shown", name) for name in CHECKS), ("range", values.range), ("language", values.language),
        ("theme", values.theme), ("privacy", "1"), ("home_line", values.home_line), ("home_ports", values.home_ports),
        ("notify", "evicted"), ("notify_desktop", "1"), ("quiet_from", values.quiet_from),
        ("quiet_until", values.quiet_until), ("notify_to_new", ""),
    )  # fmt: skip

    assert (form.changes, form.wrong, form.values) == ({}, frozenset(), values)


@pytest.mark.parametrize(
    ("fields", "changes"),
    [
        ([("shown", "privacy")], {"privacy": False}),
        ([("shown", "notify")], {"notify": ()}),
        ([("shown", "notify"), ("notify", "critical"), ("notify", "evicted")], {"notify": ("evicted", "critical")}),
        ([("shown", "home_line"), ("home_line", "ocn"), ("home_ports", "300")], {"home_line": "ocn"}),
        ([("shown", "home_line"), ("home_line", "number"), ("home_ports", " 1,008 ")], {"home_line": "1008"}),
        ([("shown", "quiet_hours"), ("quiet_from", ""), ("quiet_until", "")], {"quiet_hours": ""}),
        ([("shown", "notify_to"), ("notify_to_drop", "first")], {"notify_to": ("json://two",)}),
        (
            [("shown", "notify_to"), ("notify_to_new", "ntfy://made-up/topic\r\njson://two\r\n")],
            {"notify_to": ("json://one", "json://two", "ntfy://made-up/topic")},
        ),
        ([("theme", "dark"), ("privacy", "")], {}),  # a field that the form did not have stays
        ([("shown", "port"), ("port", "1"), ("shown", "__class__")], {}),  # what is no preference is none here either
    ],
)
def test_changes(fields: list[tuple[str, str]], changes: dict[str, Any]) -> None:
    """Only what differs from what holds is a change."""
    form = sent(*fields)

    assert (dict(form.changes), form.wrong) == (changes, frozenset())


@pytest.mark.parametrize(
    ("fields", "wrong", "shown"),
    [
        ([("shown", "theme"), ("theme", "pink")], "theme", {"theme": "pink"}),
        ([("shown", "range")], "range", {"range": ""}),
        (
            [("shown", "home_line"), ("home_line", "number"), ("home_ports", "many")],
            "home_line",
            {"home_ports": "many"},
        ),
        (
            [("shown", "quiet_hours"), ("quiet_from", "22:00")],
            "quiet_hours",
            {"quiet_from": "22:00", "quiet_until": ""},
        ),
        ([("shown", "notify"), ("notify", "all")], "notify", {"notify": ("all",)}),
        ([("shown", "notify_to"), ("notify_to_new", "secret word")], "notify_to", {"dropped": ()}),
        ([("shown", "language"), ("language", "x" * 9000)], "language", {"language": "x" * 600}),
    ],
)
def test_what_makes_no_sense_is_named_and_shown_again(
    fields: list[tuple[str, str]], wrong: str, shown: dict[str, Any]
) -> None:
    """The field is named, what was typed is kept for the form, and an address is never shown again."""
    form = sent(*fields)

    assert (form.wrong, form.changes) == ({wrong}, {})
    assert {name: getattr(form.values, name) for name in shown} == shown
    assert "secret" not in repr(form.values)


def test_a_service_that_is_gone_is_told() -> None:
    """One that another tab took out is not another one that moved to its place: nothing is changed."""
    form = sent(("shown", "notify_to"), ("notify_to_drop", "second"), ("notify_to_drop", "third"))

    assert (form.gone, form.wrong, form.changes) == (True, {"notify_to"}, {})
    assert not sent(("notify_to_drop", "third")).gone  # a form without the field takes nothing out


def test_new_addresses_are_told_apart() -> None:
    """Those that are there already need no look by who knows services."""
    form = sent(("shown", "notify_to"), ("notify_to_new", "json://two\njson://three"))

    assert form.added == ("json://three",)


def test_too_many_fields_are_refused() -> None:
    """No browser sends so many."""
    with pytest.raises(ValueError, match="fields"):
        parsed(b"&".join(b"shown=a" for _ in range(MOST_FIELDS + 1)))


@given(
    st.lists(
        st.tuples(st.sampled_from(["shown", *CHECKS, "home_ports", "quiet_from", "notify_to_new"]), st.text()),
        max_size=12,
    )
)
def test_any_form_is_understood(fields: list[tuple[str, str]]) -> None:
    """Whatever is sent, the answer is changes that pass their checks, and names of fields."""
    form = filled(parsed(urlencode(fields, errors="replace").encode()), HELD, SERVICES)

    assert form.wrong <= set(CHECKS)
    for name, value in form.changes.items():
        assert CHECKS[name](value) == value
