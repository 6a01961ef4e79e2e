"""The settings page in words: choices, origins, errors, and nothing of an address but its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.ports import HOME_LINES
from app.core.preferences import CHECKS, KINDS, Preferences
from app.errors import UNDELIVERED
from app.live import Delivery, Live
from app.web.language import speaking
from app.web.settings_desk import Desk
from app.web.settings_form import values_of
from app.web.settings_views import SettingsView, deliveries_view, error_words, settings_view
from tests.web.scenes import HOSTILE, NOW, ZONE, snapshot

HELD = Preferences(home_line="v6plus", notify=("evicted",), notify_to=("json://user:secret@made-up/", "ntfy://secret"))


def view(preferences: Preferences = HELD, language: str = "en", **fields: object) -> SettingsView:
    """The page for these preferences."""
    desk = Desk(Live(snapshot(), preferences), {"theme": "SEATWATCH_THEME", "range": "config.toml"})
    with speaking(language):
        return settings_view(desk, values_of(preferences), NOW, ZONE, **fields)  # type: ignore[arg-type]


def test_every_preference_has_its_field() -> None:
    """Each has a name, and says where its value came from."""
    fields = view().fields

    assert list(fields) == list(CHECKS)
    assert (fields["theme"].fixed, fields["theme"].origin) == (
        True, "Set by SEATWATCH_THEME, which wins over the file. Change it there.",
    )  # fmt: skip
    assert (fields["range"].fixed, fields["range"].origin) == (False, "from config.toml")
    assert (fields["notify"].fixed, fields["notify"].origin) == (False, "default")


def test_choices_are_complete() -> None:
    """Every kind and every line can be chosen, the one that holds is, and each line says what it means for ports."""
    fields = view().fields
    lines = {one.value: one for one in fields["home_line"].options}

    assert [one.value for one in fields["notify"].options] == list(KINDS)
    assert [one.value for one in fields["notify"].options if one.chosen] == ["evicted"]
    assert set(lines) == {one.key for one in HOME_LINES} | {"number"}
    assert [one.value for one in lines.values() if one.chosen] == ["v6plus"]
    assert lines["v6plus"].note.startswith("240 ports")
    assert lines["ocn"].note.startswith("1,008 ports")
    assert "not published" in lines["transix"].note


def test_a_number_is_chosen_as_a_number() -> None:
    """A line that was given by its number of ports is shown as that."""
    shown = view(replace(HELD, home_line="300"))

    assert shown.values.home_ports == "300"
    assert [one.value for one in shown.fields["home_line"].options if one.chosen] == ["number"]


def test_addresses_are_never_shown() -> None:
    """Nothing on the page holds more of an address than its scheme."""
    shown = view()

    assert [one.label for one in shown.addresses] == ["json://…", "ntfy://…"]
    assert "secret" not in repr(shown)


def test_services_of_one_kind_are_counted() -> None:
    """Two that look alike without their secrets have numbers, in the order in which they were added."""
    shown = view(replace(HELD, notify_to=("ntfy://a", "json://b", "ntfy://c")))

    assert [one.label for one in shown.addresses] == ["ntfy://… (1)", "json://…", "ntfy://… (2)"]
    assert len({one.name for one in shown.addresses}) == 3


@pytest.mark.parametrize("language", ["en", "ja"])
def test_errors_name_their_field(language: str) -> None:
    """An error stands at its field, and the page lists the fields that have one."""
    with speaking(language):
        errors = {name: error_words(name) for name in ("theme", "privacy")}
    shown = view(language=language, errors=errors)

    assert [name for name, _label in shown.problems] == ["theme", "privacy"]
    assert shown.fields["theme"].error == errors["theme"]
    assert "theme-error" in shown.fields["theme"].described


@pytest.mark.parametrize("name", CHECKS)
def test_every_field_can_be_wrong(name: str) -> None:
    """There is a sentence for each field."""
    assert error_words(name).endswith(".")


def test_how_deliveries_fare() -> None:
    """Every reason has its words, and a place whose name is hostile is only text."""
    told = [
        Delivery("desktop", NOW),
        *(Delivery("json://…", NOW, reason) for reason in UNDELIVERED),
        Delivery(HOSTILE, NOW),
    ]
    shown = deliveries_view(told, NOW, ZONE)

    assert (shown[0].place, shown[0].said, shown[0].failed) == ("This machine", "It arrived.", False)
    assert all(one.failed and one.said for one in shown[1:-1])
    assert "\x1b" not in shown[-1].place
