"""The catalogues say everything the page can say, in both languages, and nothing else."""

from __future__ import annotations

import ast
import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from app.web.language import LANGUAGES
from tests.messages import ROOT, as_mo, found, kept, path_of, strings

DOORS = {"_": 1, "p_": 2, "n_": 2}
FIXES = "run `make messages`, and say in the po file what is missing"


def messages(catalog: Catalog) -> dict[tuple[str, str], Message]:
    """Every message by its id and context."""
    return {(str(one.id), one.context or ""): one for one in catalog if one.id}


def placeholders(text: str) -> list[str]:
    """The ``{names}`` in a message."""
    return sorted(re.findall(r"\{[^{}]*\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_missing_and_nothing_unused(language: str) -> None:
    """Each message of the code and the templates is in the catalogue, and each of the catalogue is said somewhere."""
    said, known = messages(found()), messages(kept(language))

    assert sorted(said.keys() - known.keys()) == [], FIXES
    assert sorted(known.keys() - said.keys()) == [], FIXES


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated_for_certain(language: str) -> None:
    """No translation is empty, and none is a guess that nobody has looked at."""
    known = messages(kept(language))

    assert [key for key, one in known.items() if not all(strings(one))] == [], FIXES
    assert [key for key, one in known.items() if one.fuzzy] == [], FIXES
    assert not kept(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_the_same(language: str) -> None:
    """A translation fills in what the message fills in: else a sentence would lose its title, or fail."""
    wrong = [
        key
        for key, one in messages(kept(language)).items()
        for text in strings(one)
        if placeholders(text) != placeholders(one.id if isinstance(one.id, str) else one.id[1])
    ]

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_their_language(language: str) -> None:
    """English has two, Japanese one."""
    catalog = kept(language)
    forms = {len(strings(one)) for one in messages(catalog).values() if one.pluralizable}

    assert forms == {catalog.num_plurals} == {2 if language == "en" else 1}


def test_english_is_what_the_messages_say() -> None:
    """The message itself is the English text."""
    assert [one.id for one in messages(kept("en")).values() if one.string != one.id] == []


def test_japanese_is_japanese() -> None:
    """What is the same in both languages are names and forms, which are counted here."""
    same = {key[0] for key, one in messages(kept("ja")).items() if strings(one)[0] == one.id}

    assert same == {"Cowork VM", "Cowork VM {size}", "Claude {size}", "Claude {version}", "VM"}


def contents(compiled: bytes) -> dict[object, str]:
    """What a compiled catalogue says, without its header, in which the version of Babel stands."""
    catalog: dict[object, str] = vars(GNUTranslations(BytesIO(compiled)))["_catalog"]
    return {key: text for key, text in catalog.items() if key != ""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_read_is_what_is_written(language: str) -> None:
    """The compiled catalogue in the package is that of the written one."""
    read = contents(path_of(language, "mo").read_bytes())

    assert read == contents(as_mo(kept(language))), FIXES
    assert len(read) > 200


def calls(path: Path) -> list[tuple[ast.Call, bool]]:
    """Each call of a door in a module, and whether it is inside of a function."""
    tree = ast.parse(path.read_text("utf-8"))
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    return [
        (node, id(node) in inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DOORS
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "app" / "web").glob("*.py")), ids=lambda path: path.stem)
def test_messages_are_said_when_and_as_they_can_be_found(path: Path) -> None:
    """A message is a constant, or it would not be found; and it is said in a function, when the language is known."""
    found_here = calls(path)
    constant = [
        all(isinstance(argument, ast.Constant) for argument in call.args[: DOORS[call.func.id]])
        for call, _inside in found_here
        if isinstance(call.func, ast.Name)
    ]

    assert all(constant)
    assert all(inside for _call, inside in found_here)


def test_templates_say_no_words_past_the_catalogue() -> None:
    """Text between tags is a message, a value, or one of the few names that are alike everywhere."""
    alike = {"Seatwatch", "?", "t", "i", "Tab", "Esc", "–", "/", "·"}
    for path in (ROOT / "templates").rglob("*.html"):
        code = r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|<svg.*?</svg>|<style>.*?</style>"
        bare = re.sub(code, "", path.read_text("utf-8"), flags=re.S)
        texts = {text.strip() for text in re.findall(r">([^<>]+)<", bare)} - {""}
        assert texts <= alike, path.name
