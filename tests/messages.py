"""Makes the catalogues in ``app/web/locale``: ``make messages``. Looks for messages, keeps translations, compiles.

English is the language of the messages themselves, so its catalogue fills itself. What Japanese lacks is left empty
for a translator; the tests then fail until somebody has said it.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from app.web.language import LANGUAGES, LOCALE

ROOT = Path(__file__).parent.parent
KEYWORDS = {"_": None, "n_": (1, 2), "p_": ((1, "c"), 2)}
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
OPTIONS = {"**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
HEAD = "# The words of the page. `make messages` keeps this file; only the msgstr lines are written by hand.\n"


def found() -> Catalog:
    """Every message in the code and the templates."""
    catalog = Catalog(charset="utf-8")
    for place in ("app/web", "templates"):
        for name, _line, message, _comments, context in extract_from_dir(
            ROOT / place, METHODS, OPTIONS, keywords=KEYWORDS
        ):
            catalog.add(message, locations=[(f"{place}/{name}", 0)], context=context)
    return catalog


def path_of(language: str, kind: str) -> Path:
    """The ``po`` or ``mo`` file of a language."""
    return LOCALE / language / "LC_MESSAGES" / f"seatwatch.{kind}"


def kept(language: str) -> Catalog:
    """The catalogue as it is kept."""
    with path_of(language, "po").open("rb") as file:
        catalog = read_po(file, locale=language, charset="utf-8")
    # Babel would put the present time into what is compiled.
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    return catalog


def updated(language: str, template: Catalog) -> Catalog:
    """The messages of today with the translations there are; nothing guessed, nothing that is said no more."""
    old = kept(language) if path_of(language, "po").exists() else Catalog(locale=language)
    new = Catalog(
        locale=language, header_comment=HEAD.strip(), project="Seatwatch", version="1", charset="utf-8", fuzzy=False
    )
    for message in sorted(cast("list[Message]", [m for m in template if m.id]), key=_key):
        known = old.get(message.id, message.context)
        text = message.id if language == "en" else known.string if known is not None else ""
        if isinstance(text, str) != isinstance(message.id, str):  # it has become a plural, or is one no more
            text = ""
        new.add(message.id, text, locations=_places(message), context=message.context)
    return new


def _key(message: Message) -> tuple[str, str]:
    one = message.id if isinstance(message.id, str) else message.id[0]
    return one, message.context or ""


def _places(message: Message) -> list[tuple[str, int]]:
    return sorted({(name, 0) for name, _line in message.locations})


def as_po(catalog: Catalog) -> bytes:
    """The text of a ``po`` file: without dates and line numbers, which change without anything being said anew."""
    out = BytesIO()
    write_po(out, catalog, width=120, omit_header=False, include_lineno=False, sort_output=False)
    lines = out.getvalue().decode().splitlines(keepends=True)
    dated = tuple(
        f'"{one}' for one in ("POT-", "PO-Revision", "Generated-By", "Last-Translator", "Report-", "Language-Team")
    )
    return "".join(line for line in lines if not line.startswith(dated)).encode()


def as_mo(catalog: Catalog) -> bytes:
    """What the program reads."""
    out = BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def main() -> int:
    """Write all catalogues; 1 when a message has no translation."""
    template, empty = found(), 0
    for language in LANGUAGES:
        catalog = updated(language, template)
        path_of(language, "po").parent.mkdir(parents=True, exist_ok=True)
        path_of(language, "po").write_bytes(as_po(catalog))
        path_of(language, "mo").write_bytes(as_mo(kept(language)))
        missing = [message for message in catalog if message.id and not all(strings(message))]
        for message in missing:
            sys.stderr.write(f"{path_of(language, 'po').relative_to(ROOT)}: no translation of {message.id!r}\n")
        empty += len(missing)
    return 1 if empty else 0


def strings(message: Message) -> tuple[str, ...]:
    """Every form of a message's translation."""
    return tuple(message.string) if isinstance(message.string, list | tuple) else (message.string or "",)


if __name__ == "__main__":
    sys.exit(main())
