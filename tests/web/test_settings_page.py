"""``/settings``: what it shows, what it keeps, what it refuses and how it says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.preferences import CHECKS, Preferences
from app.errors import ConfigFault, ConfigUnusable, WrongUsage
from app.live import Delivery, Live
from app.web import build_web
from app.web.asked import Asked
from app.web.settings_desk import Desk
from tests.web.scenes import NOW, ROOT, ZONE, site, snapshot

OWN = {"Sec-Fetch-Site": "same-origin"}
PAGE = {**OWN, "Accept": "text/html"}
ADDRESS = "json://user:hunter2@made-up.example/"


@dataclass
class Office:
    """The page on a desk that keeps changes in a list."""

    preferences: Preferences = field(default_factory=Preferences)
    kept: list[Mapping[str, Any]] = field(default_factory=list)
    refusal: WrongUsage | None = None
    problem: str = ""
    tests: int = 0
    theme_from: str = "default"

    def __post_init__(self) -> None:
        self.live = Live(snapshot(), self.preferences)
        self.desk = Desk(self.live, {"theme": self.theme_from}, keep=self.keep, test=self.test, problem_of=self.look)
        self.app = FastAPI()
        other = site()
        build_web(
            self.app, live=self.live, zone=ZONE, templates_dir=ROOT / "templates", static_dir=ROOT / "static",
            clock=lambda: NOW, asked=Asked(other.told, other.census), desk=self.desk,
        )  # fmt: skip

    def keep(self, changes: Mapping[str, Any]) -> None:
        """Keep, or refuse to."""
        if self.refusal is not None:
            raise self.refusal
        self.kept.append(dict(changes))

    async def test(self) -> tuple[Delivery, ...]:
        """Count, and say that the desktop is not there."""
        self.tests += 1
        told = (Delivery("desktop", NOW, "no_desktop"),)
        self.live.publish(replace(self.live.current, version=self.live.current.version + 1, deliveries=told))
        return told

    async def look(self, _address: str) -> str:
        """What is wrong with any address."""
        return self.problem

    def client(self) -> TestClient:
        """A browser's stand-in."""
        return TestClient(self.app, base_url="http://127.0.0.1", follow_redirects=False)


@pytest.fixture
def office() -> Office:
    """An office in which nothing was preferred yet."""
    return Office()


def test_the_page_has_every_preference() -> None:
    """Each preference can be changed there, and none of an address is shown."""
    office = Office(Preferences(notify_to=(ADDRESS,)))
    answer = office.client().get("/settings", headers=PAGE)

    assert answer.status_code == 200
    assert [name for name in CHECKS if f'value="{name}"' not in answer.text] == []
    assert "json://…" in answer.text
    assert "hunter2" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_a_change_is_kept_and_seen(office: Office) -> None:
    """The answer leads back to the page, which says that it is saved and shows the new value."""
    browser = office.client()
    answer = browser.post("/settings", data={"shown": ["theme", "range"], "theme": "dark", "range": "6h"}, headers=PAGE)
    shown = browser.get(answer.headers["location"], headers=PAGE).text

    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?saved=1")
    assert office.kept == [{"theme": "dark", "range": "6h"}]
    assert 'id="saved"' in shown
    assert '<option value="6h" selected>' in shown
    assert "from config.toml" in shown


def test_it_holds_on_every_page(office: Office) -> None:
    """The first range, the colours and the language are what was chosen, for who has not chosen otherwise."""
    browser = office.client()
    browser.post(
        "/settings",
        data={"shown": ["theme", "range", "language"], "theme": "dark", "range": "6h", "language": "ja"},
        headers=PAGE,
    )
    page, own = browser.get("/").text, browser.get("/?range=1h&lang=en").text

    assert '<html lang="ja" data-usual-theme="dark">' in page
    assert 'data-range="6h" aria-current="true"' in page
    assert '<html lang="en"' in own
    assert 'data-range="1h" aria-current="true"' in own


def test_a_new_language_wins_over_an_old_choice(office: Office) -> None:
    """Who changes the language here sees it here: the browser's earlier choice is taken back."""
    answer = office.client().post("/settings", data={"shown": "language", "language": "ja"}, headers=PAGE)

    assert "seatwatch_lang=" in answer.headers["set-cookie"]
    assert "Max-Age=0" in answer.headers["set-cookie"]


def test_an_error_stands_at_its_field(office: Office) -> None:
    """Nothing is kept, the field is named, and what was typed in the others is still there."""
    answer = office.client().post(
        "/settings",
        data={"shown": ["home_line", "quiet_hours", "theme"], "home_line": "number", "home_ports": "7000000",
              "quiet_from": "22:00", "quiet_until": "07:00", "theme": "dark"},
        headers=PAGE,
    )  # fmt: skip

    assert (answer.status_code, office.kept) == (422, [])
    assert 'id="home_line-error"' in answer.text
    assert 'href="#home_line"' in answer.text
    assert 'value="7000000"' in answer.text
    assert 'value="22:00"' in answer.text
    assert '<option value="dark" selected>' in answer.text


def test_programs_get_a_document(office: Office) -> None:
    """A program that sends the form is told the fields by name."""
    answer = office.client().post("/settings", data={"shown": "theme", "theme": "<pink>"}, headers=OWN)

    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert list(answer.json()["errors"]) == ["theme"]
    assert "Colours" in answer.json()["detail"]


def test_what_was_typed_is_only_text(office: Office) -> None:
    """A hostile value is shown again as text."""
    answer = office.client().post(
        "/settings",
        data={"shown": "home_line", "home_line": "number", "home_ports": '"><script>alert(1)'},
        headers=PAGE,
    )

    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)" in answer.text


@pytest.mark.parametrize(
    ("problem", "said"), [("bad_address", "no address of a service"), ("no_apprise", "pip install")]
)
def test_an_address_is_looked_at_first(problem: str, said: str) -> None:
    """An address that cannot be sent to is told at its field, and not shown again."""
    office = Office(problem=problem)
    answer = office.client().post("/settings", data={"shown": "notify_to", "notify_to_new": ADDRESS}, headers=PAGE)

    assert (answer.status_code, office.kept) == (422, [])
    assert said in answer.text
    assert "hunter2" not in answer.text


def test_two_tabs_take_out_two_services() -> None:
    """Both were opened with the whole list: each takes out what it named, and who names one that is gone is told."""
    office = Office(Preferences(notify_to=("json://one", "ntfy://two", "slack://three")))
    browser = office.client()
    one, two, _three = office.desk.services()
    answers = [
        browser.post("/settings", data={"shown": "notify_to", "notify_to_drop": name}, headers=PAGE)
        for name in (one, two, one)
    ]

    assert [answer.status_code for answer in answers] == [303, 303, 422]
    assert office.live.preferences.notify_to == ("slack://three",)
    assert "is not in the list any more" in answers[-1].text
    assert "Take out slack://…" in answers[-1].text


@pytest.mark.parametrize(
    ("fault", "line", "english", "japanese"),
    [
        ("unreadable", None, "cannot be read: permission denied", "読めません"),
        ("malformed", 3, "cannot be understood at line 3", "3行目"),
        ("malformed", None, "cannot be understood. Correct", "解釈できません"),
        ("unwritable", None, "cannot be written: permission denied", "書き込めません"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_in_the_readers_language(
    office: Office, fault: ConfigFault, line: int | None, english: str, japanese: str
) -> None:
    """Whatever is wrong with config.toml, no English sentence stands on the Japanese page."""
    office.refusal = ConfigUnusable(fault, "config.toml", "Permission denied", line)
    form = {"shown": "theme", "theme": "dark"}
    page = office.client().post("/settings", data=form, headers=PAGE)
    other = office.client().post("/settings?lang=ja", data=form, headers=PAGE)

    assert english in page.text
    assert japanese in other.text
    assert "cannot" not in other.text


def test_what_cannot_be_kept_is_told(office: Office) -> None:
    """When the file cannot be written, the page says what, why and what to do, and nothing has changed."""
    office.refusal = WrongUsage("config.toml cannot be written.", "It is read-only.", "Make it writable.")
    browser = office.client()
    page = browser.post("/settings", data={"shown": "theme", "theme": "dark"}, headers=PAGE)
    told = browser.post("/settings", data={"shown": "theme", "theme": "dark"}, headers=OWN)

    assert (page.status_code, told.status_code) == (503, 503)
    assert "It is read-only." in page.text
    assert "Make it writable." in told.json()["detail"]
    assert office.live.preferences.theme == "auto"


def test_a_variable_wins() -> None:
    """A field that a variable decides cannot be changed here, and says who decides it."""
    office = Office(theme_from="SEATWATCH_THEME")
    browser = office.client()
    browser.post("/settings", data={"shown": "theme", "theme": "dark"}, headers=PAGE)
    page = browser.get("/settings", headers=PAGE).text

    assert office.kept == []
    assert "Set by SEATWATCH_THEME" in page
    assert 'name="shown" value="theme"' not in page


@pytest.mark.parametrize(
    "headers",
    [{}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}, {**OWN, "Origin": "http://evil.example"}],
)
@pytest.mark.parametrize("path", ["/settings", "/settings/test"])
def test_only_our_own_page_may_write(office: Office, path: str, headers: dict[str, str]) -> None:
    """A form of another site changes nothing and sends nothing."""
    answer = office.client().post(path, data={"shown": "theme", "theme": "dark"}, headers=headers)

    assert (answer.status_code, office.kept, office.tests) == (403, [], 0)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "application/json", 415),
        (b"shown=" + b"a" * 70_000, "application/x-www-form-urlencoded", 413),
        (b"&".join([b"shown=a"] * 300), "application/x-www-form-urlencoded", 413),
        (b"\xff\x00%ZZ&==&shown=%ff", "application/x-www-form-urlencoded; charset=x", 303),
    ],
)
def test_what_is_no_form_of_ours(office: Office, body: bytes, kind: str, status: int) -> None:
    """Other kinds of content and endless ones are refused; nonsense that is a form changes nothing."""
    answer = office.client().post("/settings", content=body, headers={**OWN, "Content-Type": kind})

    assert (answer.status_code, office.kept) == (status, [])


def test_the_footer_tells_what_leaves_the_machine(office: Office) -> None:
    """It says that nothing is sent, and once services are told something, that this is all."""
    browser = office.client()
    before = [browser.get(path).text for path in ("/", "/settings")]
    office.live.preferences = Preferences(notify=("evicted",), notify_to=(ADDRESS,))
    after = [browser.get(path).text for path in ("/", "/settings")]

    assert ["nothing anywhere" in page for page in (*before, *after)] == [True, True, False, False]
    assert all("notifications to your services, and nothing else" in page for page in after)


def test_the_button_says_how_it_fared(office: Office) -> None:
    """A test is sent once, and the page then says for each place what became of it; so does every page's strip."""
    browser = office.client()
    answer = browser.post("/settings/test?lang=ja", headers=PAGE)
    page = browser.get("/settings?tested=1", headers=PAGE).text

    assert (office.tests, answer.headers["location"]) == (1, "/settings?tested=1&lang=ja")
    assert "No notification service answers on this machine" in page
    assert "A notification could not be delivered." in browser.get("/").text
