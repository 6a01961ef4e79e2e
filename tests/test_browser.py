"""Finding the Chromium of the browser tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import browser as module
from tests.browser import find_chromium, main


def executable(place: Path) -> Path:
    """An empty program."""
    place.touch(0o755)
    return place


def test_named_browser_wins(tmp_path: Path) -> None:
    """SEATWATCH_CHROMIUM names the browser to use, whatever else there is."""
    named = executable(tmp_path / "my-browser")
    executable(tmp_path / "chromium")

    assert find_chromium({"SEATWATCH_CHROMIUM": str(named), "PATH": str(tmp_path)}) == str(named)


def test_first_known_name_is_found(tmp_path: Path) -> None:
    """Without a name the first of the known ones on the path is used."""
    executable(tmp_path / "google-chrome")
    chromium = executable(tmp_path / "chromium")

    assert find_chromium({"PATH": str(tmp_path)}) == str(chromium)


def test_named_browser_that_is_missing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A named browser that is not there is told with what to do; nothing else is tried."""
    monkeypatch.setenv("SEATWATCH_CHROMIUM", str(tmp_path / "nothing"))

    assert main() == 1
    assert "SEATWATCH_CHROMIUM names" in capsys.readouterr().err


def test_system_without_packages_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is found and nothing can be installed the reason is said."""
    monkeypatch.delenv("SEATWATCH_CHROMIUM", raising=False)
    monkeypatch.setattr(module, "APPS", ())
    monkeypatch.setenv("PATH", "")

    assert main() == 1
    assert "no apt-get" in capsys.readouterr().err


@pytest.mark.e2e
def test_browser_opens_a_page(browser: Browser) -> None:
    """The browser that was found can be driven."""
    page = browser.new_page()
    page.set_content("<title>Seats</title>")

    assert page.title() == "Seats"
    page.close()
