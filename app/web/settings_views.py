"""The settings page in words: its fields, their choices, where each value came from, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from app.core.ports import HOME_LINES, HomeLine
from app.core.preferences import CHECKS, CRITICAL, EVICTED, FIRST_TO_GO, LANGUAGES, PORTS, RANGES, VM_STALLED, masked
from app.live import Delivery
from app.web.language import LANGUAGES as SPOKEN
from app.web.ranges import range_name
from app.web.settings_desk import Desk
from app.web.settings_form import BY_NUMBER, Values
from app.web.telling import failure_words, place_words
from app.web.titles import plain
from app.web.words import _, moment, n_


@dataclass(frozen=True, slots=True)
class OptionView:
    """One choice: its ``value``, what it is called, what it means, and whether it is chosen."""

    value: str
    label: str
    note: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field: where its value came from, whether that forbids a change, and what is wrong with it, "" for nothing."""

    name: str
    label: str
    origin: str
    fixed: bool
    error: str
    options: tuple[OptionView, ...] = ()

    @property
    def described(self) -> str:
        """The ids of what describes its input."""
        return f"{self.name}-origin {self.name}-error" if self.error else f"{self.name}-origin"


@dataclass(frozen=True, slots=True)
class AddressView:
    """A service that is told: its name in the form, its address without secrets, and whether it is to be taken out."""

    name: str
    label: str
    dropped: bool


@dataclass(frozen=True, slots=True)
class DeliveryView:
    """How the newest notification fared at a place."""

    place: str
    time: str
    said: str
    failed: bool


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The whole page. ``problems`` are fields in error, as (name, message); ``trouble`` is what else went wrong."""

    fields: Mapping[str, FieldView]
    values: Values
    addresses: tuple[AddressView, ...]
    deliveries: tuple[DeliveryView, ...]
    file: str
    problems: tuple[tuple[str, str], ...] = ()
    trouble: str = ""
    saved: bool = False
    tested: bool = False


def settings_view(
    desk: Desk,
    values: Values,
    at: datetime,
    zone: tzinfo,
    errors: Mapping[str, str] | None = None,
    *,
    trouble: str = "",
    saved: bool = False,
    tested: bool = False,
) -> SettingsView:
    """The page as it is shown with these values, and these ``errors`` by the name of their field."""
    found = errors or {}
    options = _options(values)
    labels = field_labels()
    fields = {
        name: FieldView(
            name, labels[name], _origin(desk, name), desk.fixed(name), found.get(name, ""), options.get(name, ())
        )
        for name in CHECKS
    }
    return SettingsView(
        fields=fields,
        values=values,
        addresses=_addresses(desk, values),
        deliveries=deliveries_view(desk.live.current.deliveries, at, zone),
        file=plain(desk.shown_file, 300),
        problems=tuple((name, fields[name].label) for name in CHECKS if name in found),
        trouble=trouble,
        saved=saved,
        tested=tested,
    )


def field_labels() -> dict[str, str]:
    """What each preference is called."""
    return {
        "range": _("Stretch of time at first"),
        "language": _("Language"),
        "theme": _("Colours"),
        "privacy": _("Privacy on the wall"),
        "home_line": _("Home line"),
        "notify": _("Tell me when"),
        "notify_desktop": _("On this machine"),
        "notify_to": _("Services"),
        "notify_titles": _("Titles for services"),
        "quiet_hours": _("Quiet hours"),
    }


def error_words(name: str) -> str:
    """What is wrong with a field, and what it should be."""
    said = {
        "range": _("This is none of the stretches of time. Choose one of the list."),
        "language": _("This is none of the languages. Choose one of the list."),
        "theme": _("These are none of the colours. Choose one of the list."),
        "home_line": _(
            "A line's number of ports is a whole number from 1 to 65,535. Give one, or choose a line by name."
        ),
        "notify": _("One of these is nothing that can be told. Choose from the list."),
        "notify_to": _(
            "At most ten addresses, one on a line, each such as ntfy://ntfy.example/topic. Type the new ones again: "
            "they are not shown, since they may hold passwords."
        ),
        "quiet_hours": _("Give both times, such as 22:00 and 07:00, and let them differ; or leave both empty."),
    }
    return said.get(name, _("This is neither on nor off."))


def gone_words() -> str:
    """That a service which was to be taken out is there no more."""
    return _(
        "A service that was to be taken out is not in the list any more: another page has changed it, or Seatwatch was "
        "started anew. Nothing was saved. Here is the list as it is now."
    )


def _addresses(desk: Desk, values: Values) -> tuple[AddressView, ...]:
    """The services of now. Several of one kind are counted, for nothing else of an address may be shown."""
    services = desk.services()
    kinds, seen = Counter(masked(one) for one in services.values()), Counter[str]()
    found = []
    for name, address in services.items():
        label = masked(address)
        seen[label] += 1
        if kinds[label] > 1:
            label = f"{label} ({seen[label]})"
        found.append(AddressView(name, label, name in values.dropped))
    return tuple(found)


def deliveries_view(deliveries: Iterable[Delivery], at: datetime, zone: tzinfo) -> tuple[DeliveryView, ...]:
    """How the newest notification fared at each place."""
    return tuple(
        DeliveryView(
            place_words(one.place),
            moment(one.at, at, zone, seconds=True),
            failure_words(one.failure) if one.failure else _("It arrived."),
            bool(one.failure),
        )
        for one in deliveries
    )


def _origin(desk: Desk, name: str) -> str:
    """Where a value came from, in words."""
    origin = desk.origin(name)
    if desk.fixed(name):
        return _("Set by {origin}, which wins over the file. Change it there.").format(origin=plain(origin, 60))
    return _("default") if origin == "default" else _("from config.toml")


def _options(values: Values) -> dict[str, tuple[OptionView, ...]]:
    languages = {"auto": _("As the browser asks"), **SPOKEN, "en": "English"}
    themes = {"auto": _("As the system asks"), "light": _("Light"), "dark": _("Dark")}
    return {
        "range": tuple(OptionView(one, range_name(one), "", one == values.range) for one in RANGES),
        "language": tuple(OptionView(one, languages[one], "", one == values.language) for one in LANGUAGES),
        "theme": tuple(OptionView(one, label, "", one == values.theme) for one, label in themes.items()),
        "notify": tuple(
            OptionView(kind, label, note, kind in values.notify) for kind, (label, note) in _kinds().items()
        ),
        "home_line": (
            *(OptionView(one.key, _line(one), _line_note(one), one.key == values.home_line) for one in _lines()),
            OptionView(
                BY_NUMBER,
                _("A number of ports"),
                _("As your provider or router tells it."),
                values.home_line == BY_NUMBER,
            ),
        ),
    }


def _kinds() -> dict[str, tuple[str, str]]:
    """What can be told, and when exactly it is."""
    return {
        FIRST_TO_GO: (
            _("A session is first to go"),
            _("When all seats are taken or memory is short, and it has been first for ten seconds."),
        ),
        EVICTED: (
            _("A session was closed"),
            _("By the app, for a seat or for memory. Several at once are one message."),
        ),
        CRITICAL: (_("Memory pressure is critical"), _("Again only after five calm minutes.")),
        VM_STALLED: (_("The VM's start has stalled"), _("When a step of it takes longer than a minute.")),
        PORTS: (_("Ports run out"), _("When more than 85 % of the home line's ports are in use.")),
    }


def _lines() -> list[HomeLine]:
    """Every line, the one that is none first: it is what holds unless somebody knows better."""
    return sorted(HOME_LINES, key=lambda line: line.kind != "none")


def _line(line: HomeLine) -> str:
    return _("None, or not known") if line.kind == "none" else line.name


def _line_note(line: HomeLine) -> str:
    """What a line means for ports, and its budget."""
    match line.kind:
        case "map_e":
            ports = n_("{n} port", "{n} ports", line.budget or 0)
            return _("{ports}: MAP-E, one IPv4 address shared among many homes.").format(ports=ports)
        case "ds_lite":
            return _("DS-Lite: how many ports a home gets is not published. Give a number if you know it.")
        case "pppoe":
            return _("An IPv4 address of your own: only the router limits connections.")
        case _:
            return _("Ports are shown and compared with nothing.")
