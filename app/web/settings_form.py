"""The form of preferences: what its fields say, what of it is a change, and which field makes no sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from app.core.preferences import CHECKS, Preferences

Form: TypeAlias = Mapping[str, Sequence[str]]
BY_NUMBER = "number"
"""The choice of a home line by its number of ports."""
MOST_FIELDS = 200
LONGEST_SHOWN = 600
"""Of what was typed so much is shown again."""


@dataclass(frozen=True, slots=True)
class Values:
    """What the form shows: preferences in the parts that its inputs have. Addresses are never among them."""

    range: str
    language: str
    theme: str
    privacy: bool
    home_line: str
    home_ports: str
    notify: tuple[str, ...]
    notify_desktop: bool
    notify_titles: bool
    quiet_from: str
    quiet_until: str
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that was sent in: the ``changes`` it makes, the fields in ``wrong``, and the ``values`` to show again.

    ``added`` are addresses that are new; they are checked further by who knows services. ``gone``: a service that was
    to be taken out is there no more.
    """

    values: Values
    changes: Mapping[str, Any] = field(default_factory=dict)
    wrong: frozenset[str] = frozenset()
    added: tuple[str, ...] = ()
    gone: bool = False


def parsed(body: bytes) -> Form:
    """The fields of an urlencoded form. Raises `ValueError` when there are too many."""
    found: dict[str, list[str]] = {}
    for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS):
        found.setdefault(name, []).append(value)
    return found


def values_of(preferences: Preferences) -> Values:
    """What the form shows of what holds."""
    number = preferences.home_line.isdecimal()
    start, _dash, end = preferences.quiet_hours.partition("-")
    return Values(
        range=preferences.range,
        language=preferences.language,
        theme=preferences.theme,
        privacy=preferences.privacy,
        home_line=BY_NUMBER if number else preferences.home_line,
        home_ports=preferences.home_line if number else "",
        notify=preferences.notify,
        notify_desktop=preferences.notify_desktop,
        notify_titles=preferences.notify_titles,
        quiet_from=start,
        quiet_until=end,
    )


def filled(form: Form, preferences: Preferences, services: Mapping[str, str]) -> Filled:
    """What a form that was sent in means beside what holds; ``services`` are the addresses by their names in the form.

    A box that is not ticked sends nothing, so the form names in ``shown`` which fields it had: the others stay.
    """
    shown = [name for name in dict.fromkeys(form.get("shown", ())) if name in CHECKS]
    changes: dict[str, Any] = {}
    gone = "notify_to" in shown and any(one not in services for one in form.get("notify_to_drop", ()))
    wrong: set[str] = {"notify_to"} if gone else set()
    for name in shown:
        if name in wrong:
            continue
        try:
            value = CHECKS[name](_raw(name, form, preferences, services))
        except (ValueError, TypeError):
            wrong.add(name)
            continue
        if value != getattr(preferences, name):
            changes[name] = value
    added = tuple(one for one in changes.get("notify_to", ()) if one not in preferences.notify_to)
    return Filled(_shown_again(form, shown, preferences), changes, frozenset(wrong), added, gone)


def _raw(name: str, form: Form, preferences: Preferences, services: Mapping[str, str]) -> Any:
    """What the inputs of one field say together."""
    match name:
        case "notify":
            return list(form.get(name, ()))
        case "privacy" | "notify_desktop" | "notify_titles":
            return name in form
        case "home_line":
            chosen = _one(form, name)
            return _one(form, "home_ports") if chosen == BY_NUMBER else chosen
        case "quiet_hours":
            start, end = _one(form, "quiet_from").strip(), _one(form, "quiet_until").strip()
            return f"{start}-{end}" if start or end else ""
        case "notify_to":
            dropped = {services.get(one) for one in form.get("notify_to_drop", ())}
            kept = [one for one in preferences.notify_to if one not in dropped]
            return [*kept, *CHECKS["notify_to"](_one(form, "notify_to_new"))]
        case _:
            return _one(form, name)


def _one(form: Form, name: str) -> str:
    """The last value of a field, as browsers mean it; "" for none."""
    return (form.get(name) or ("",))[-1]


def _shown_again(form: Form, shown: Sequence[str], preferences: Preferences) -> Values:
    """What was typed, for the fields that the form had; an address is not shown again, for it may be a secret."""
    usual = values_of(preferences)
    typed: dict[str, Any] = {}
    for name in shown:
        match name:
            case "notify":
                typed[name] = tuple(form.get(name, ()))
            case "privacy" | "notify_desktop" | "notify_titles":
                typed[name] = name in form
            case "quiet_hours":
                typed["quiet_from"], typed["quiet_until"] = _brief(form, "quiet_from"), _brief(form, "quiet_until")
            case "home_line":
                typed["home_line"], typed["home_ports"] = _brief(form, name), _brief(form, "home_ports")
            case "notify_to":
                typed["dropped"] = tuple(form.get("notify_to_drop", ()))
            case _:
                typed[name] = _brief(form, name)
    parts = {name: getattr(usual, name) for name in Values.__slots__}
    return Values(**(parts | typed))


def _brief(form: Form, name: str) -> str:
    return _one(form, name)[:LONGEST_SHOWN]
