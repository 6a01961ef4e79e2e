"""In which language the page speaks, and that what it was given to say arrives there."""

from __future__ import annotations

import pytest

from app.web.language import COOKIE, LANGUAGES, accept, catalogue, choose, remembered, speaking, spoken
from app.web.words import _, n_
from tests.web.scenes import client


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7", "ja"),
        ("en-GB,en;q=0.9,ja;q=0.8", "en"),
        ("de-DE,de;q=0.9,ja;q=0.5,en;q=0.3", "ja"),
        ("de,fr;q=0.9", "en"),
        ("en;q=0.4, ja;q=0.6", "ja"),
        ("JA-jp", "ja"),
        ("*", "en"),
        ("ja;q=0.5, *;q=0.9", "en"),
        ("ja;q=0", "en"),
        ("ja;q=0, de", "en"),
        ("ja;q=2", "en"),
        ("ja;q=nan", "en"),
        ("ja;q=x, en;q=0.1", "en"),
        ("ja;level=1", "en"),
        (";;;,,,q=1;=", "en"),
        ("jam, jab", "en"),
        ("de," * 20 + "ja", "en"),
        ("x" * 100_000, "en"),
    ],
)
def test_the_browsers_wish(header: str, language: str) -> None:
    """The best liked language of ours; what cannot be read, or comes too late in a long list, decides nothing."""
    assert accept(header) == language


@pytest.mark.parametrize(
    ("asked", "kept", "accepted", "language"),
    [
        (None, None, None, "en"),
        (None, None, "ja", "ja"),
        (None, "en", "ja", "en"),
        (None, "ja", "en", "ja"),
        ("en", "ja", "ja", "en"),
        ("ja", "en", "en", "ja"),
        ("fr", "ja", "en", "ja"),
        ("", "", "ja", "ja"),
        ("<script>", "../../etc", "en", "en"),
    ],
)
def test_who_decides(asked: str | None, kept: str | None, accepted: str | None, language: str) -> None:
    """First the address, then the reader's choice, then the browser; what names no language of ours is passed over."""
    assert choose(asked, kept, accepted) == language


@pytest.mark.parametrize(("preferred", "language"), [("ja", "ja"), ("auto", "en"), (None, "en")])
def test_the_settings_come_before_the_browser(preferred: str | None, language: str) -> None:
    """A language that the settings prefer is spoken to who has chosen none; ``auto`` leaves it to the browser."""
    assert choose(None, None, "en", preferred) == language
    assert choose(None, "en", "ja", preferred) == "en"
    assert choose("en", None, "ja", preferred) == "en"


def test_a_block_speaks_and_then_is_silent() -> None:
    """Inside the block everything is said in its language, also after an inner one; outside as before."""
    with speaking("ja"):
        with speaking("en"):
            inner = _("working")
        outer = (spoken(), _("working"), n_("{n} minute", "{n} minutes", 14))

    assert (inner, outer, spoken()) == ("working", ("ja", "作業中", "14分"), "en")


def test_an_error_ends_the_block() -> None:
    """What fails in one language does not make the next page speak it."""
    with pytest.raises(ValueError, match="x"), speaking("ja"):
        raise ValueError("x")

    assert spoken() == "en"


def test_what_was_said_is_remembered_in_each_language() -> None:
    """A language is never answered in another's words, and the same question is put once."""
    asked: list[tuple[str, int]] = []

    @remembered
    def say(what: str, times: int = 1) -> str:
        asked.append((what, times))
        return f"{spoken()} {what} {times}"

    for _turn in range(3):
        for language in LANGUAGES:
            with speaking(language):
                assert say("a") == f"{language} a 1"
                assert say("a", times=2) == f"{language} a 2"

    assert asked == [("a", 1), ("a", 2)] * len(LANGUAGES)


def test_every_language_has_its_catalogue() -> None:
    """Each language of the switch can be spoken, and is read once."""
    assert {language: catalogue(language).info()["language"] for language in LANGUAGES} == {"en": "en", "ja": "ja"}
    assert catalogue("ja") is catalogue("ja")


@pytest.mark.parametrize(
    ("address", "cookie", "header", "language"),
    [
        ("/", None, "ja", "ja"),
        ("/", "ja", "en", "ja"),
        ("/?lang=en", "ja", "ja", "en"),
        ("/?lang=tlh", None, "ja", "ja"),
        ("/", '"><script>', "en", "en"),
    ],
)
def test_the_page_speaks_it(address: str, cookie: str | None, header: str, language: str) -> None:
    """The page, its ``lang``, its headers and its stream agree."""
    with client() as browser:
        headers = {"Accept-Language": header} | ({"Cookie": f"{COOKIE}={cookie}"} if cookie else {})
        answer = browser.get(address, headers=headers)

    assert answer.headers["content-language"] == language
    assert answer.headers["vary"] == "Accept-Language, Cookie, Accept-Encoding"
    assert f'<html lang="{language}">' in answer.text
    assert f"/stream?range=2h&amp;lang={language}" in answer.text
    assert ("残り1席。" in answer.text) is (language == "ja")


def test_faults_speak_it_too() -> None:
    """A page that is not there says so in the reader's language; programs are answered in English."""
    with client() as browser:
        page = browser.get("/nowhere", headers={"Accept": "text/html", "Accept-Language": "ja"})
        data = browser.get("/nowhere", headers={"Accept-Language": "ja"})

    assert "このアドレスには何もありません" in page.text
    assert data.json()["detail"].startswith("There is nothing at this address.")
