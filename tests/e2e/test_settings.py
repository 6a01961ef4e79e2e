"""The settings page in a browser: a change is there after a reload and a restart, in a file that keeps its comments."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.served import AppLog, Served
from tests.e2e.test_accessibility import AXE, RUN

pytestmark = pytest.mark.e2e

WRITTEN = """# my own words
home_line = "v6plus"  # at home

notify_to = ["json://user:hunter2@127.0.0.1:9/"]  # the secret one
"""


@pytest.fixture
def config() -> Path:
    """A config.toml with comments, where the server looks for it."""
    from app.settings import config_file  # noqa: PLC0415  the folder is the test's own only by now

    path = config_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(WRITTEN, "utf-8")
    return path


@pytest.fixture
def served(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server that reads this file; a variable decides the first range."""
    monkeypatch.setenv("SEATWATCH_RANGE", "6h")
    log = AppLog(tmp_path / "logs")
    log.start()
    log.close()
    server = Served(log.folder, tmp_path / "seatwatch.sqlite", flags=("--no-probes",))
    server.start()
    yield server
    server.kill()
    config.unlink()


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The settings page; whatever its console complains of, but the refusal that a test asks for, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", color_scheme="light")
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if "422" not in said.text else None)
    opened.goto(f"{served.address}/settings")
    yield opened
    context.close()
    assert complaints == []


def test_a_change_stays(page: Page, served: Served, config: Path) -> None:
    """Saved by mouse and keyboard, seen at once, there after a reload and a restart; the file keeps its comments."""
    expect(page.get_by_label("Stretch of time at first")).to_be_disabled()
    expect(page.get_by_text("Set by SEATWATCH_RANGE")).to_be_visible()
    page.get_by_role("button", name="Light").click()  # a choice of this browser's own, made earlier
    page.get_by_role("combobox", name="Colours").select_option("dark")
    page.get_by_label("A session was closed").check()
    page.get_by_label("From", exact=True).fill("22:00")
    page.get_by_label("Until", exact=True).fill("07:00")
    page.get_by_role("textbox", name="Number of ports").fill("300")
    expect(page.get_by_role("radio", name="A number of ports")).to_be_checked()
    page.get_by_role("textbox", name="Number of ports").press("Enter")
    expect(page.locator("#saved")).to_be_visible()

    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(13, 16, 20)"
    served.stop()
    served.start()
    page.goto(f"{served.address}/settings")
    expect(page.get_by_role("combobox", name="Colours")).to_have_value("dark")
    expect(page.get_by_label("A session was closed")).to_be_checked()
    expect(page.get_by_role("textbox", name="Number of ports")).to_have_value("300")
    page.goto(served.address)
    assert page.evaluate(ground) == "rgb(13, 16, 20)"
    expect(page.locator('[data-range="6h"]')).to_have_attribute("aria-current", "true")

    expected = WRITTEN.replace('"v6plus"', '"300"')
    written = config.read_text("utf-8")
    assert written.startswith(expected)
    assert {'theme = "dark"', 'notify = ["evicted"]', 'quiet_hours = "22:00-07:00"'} == set(
        written.removeprefix(expected).split("\n")
    ) - {""}
    if os.name == "posix":
        assert config.stat().st_mode & 0o777 == 0o600


def test_an_error_names_its_field(page: Page, config: Path) -> None:
    """The message stands at the field, what was typed is still there, nothing was saved, and axe finds no fault."""
    page.get_by_role("textbox", name="Number of ports").fill("70000")
    page.get_by_label("Tell it on the desktop").uncheck()
    page.get_by_label("Add addresses").fill("nosuchservice://hunter3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#problems")).to_contain_text("Home line")
    line = page.locator("#home_line fieldset")

    expect(line).to_have_attribute("aria-invalid", "true")
    expect(line).to_have_attribute("aria-describedby", "home_line-origin home_line-error")
    expect(page.locator("#notify_to-error")).to_contain_text("no address of a service that is known")
    expect(page.get_by_role("textbox", name="Number of ports")).to_have_value("70000")
    expect(page.get_by_label("Tell it on the desktop")).not_to_be_checked()
    assert "hunter" not in page.content()
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(AXE.read_text("utf-8"))
        assert page.evaluate(RUN) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert config.read_text("utf-8") == WRITTEN
