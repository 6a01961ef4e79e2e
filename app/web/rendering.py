"""Jinja for the page: everything is escaped, a missing name is an error, and templates see views only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from app.web.language import LANGUAGES, spoken
from app.web.words import _, p_, short_forms


class StaticUrls:
    """Addresses of static files that change with their content, so that browsers may keep them for good."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, str] = {}

    def fingerprint(self, path: str) -> str:
        """The first eight hex digits of the file's hash. Raises `OSError` when there is no such file."""
        if path not in self._known:
            self._known[path] = hashlib.sha256((self._folder / path).read_bytes()).hexdigest()[:8]
        return self._known[path]

    def url(self, path: str) -> str:
        """``/static/app.css?v=1a2b3c4d``; vendored files carry their version in their name already."""
        if path.startswith("vendor/"):
            return f"/static/{path}"
        return f"/static/{path}?v={self.fingerprint(path)}"


def counting(message: str, name: str, how: str, at: int, text: str) -> Markup:
    """``message`` with ``{name}`` as a length of time that the page's script counts on from the instant ``at``.

    ``how`` is its way of counting: ``ago``, ``clock`` or ``left``; ``text`` is what it says until then.
    """
    return _set_in(message, name, Markup('<span data-{}="{}">{}</span>').format(how, at, text))


def strong(message: str, name: str, text: str) -> Markup:
    """``message`` with ``{name}`` set apart."""
    return _set_in(message, name, Markup("<b>{}</b>").format(text))


def _set_in(message: str, name: str, markup: Markup) -> Markup:
    before, _name, after = message.partition(f"{{{name}}}")
    return escape(before) + markup + escape(after)


class Renderer:
    """Renders pages and fragments.

    ``usual_theme`` tells the colours for readers who have not chosen any, ``sends`` who is told anything: ``services``,
    or (also) a ``collector`` of numbers; "" for nobody.
    """

    def __init__(
        self,
        templates: Path,
        static_url: Callable[[str], str],
        usual_theme: Callable[[], str] = lambda: "auto",
        sends: Callable[[], str] = lambda: "",
    ) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals.update(
            _=_,
            p_=p_,
            static_url=static_url,
            usual_theme=usual_theme,
            sends=sends,
            spoken=spoken,
            languages=LANGUAGES,
            short_forms=short_forms,
        )
        self._environment.filters.update(counting=counting, strong=strong)

    def fragment(self, template: str, view: object) -> Markup:
        """``fragments/_<template>.html`` with ``view``. Markup, because the environment escaped what is in it."""
        html = self._environment.get_template(f"fragments/_{template}.html").render(view=view)
        return Markup(html)  # noqa: S704  # rendered by the escaping environment above

    def page(self, template: str, context: Mapping[str, Any]) -> str:
        """A whole page."""
        return self._environment.get_template(template).render(context)
