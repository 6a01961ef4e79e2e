"""What all tests share: folders of their own, a browser for those that need one, and an order that lets both work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from tests.browser import find_chromium
from tests.following import Followed, log_folder

# A deadline per example would fail on a busy machine; the time limit of the whole test stays.
settings.register_profile("seatwatch", deadline=None)
settings.load_profile("seatwatch")

# No sandbox: tests run as root in containers. The rest: one page, and nothing that asks for the network by itself.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests last: Playwright keeps an event loop running in this thread, beside which asyncio.run fails."""
    items.sort(key=lambda item: "browser" in getattr(item, "fixturenames", ()))


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the settings, the logs or the database of whoever runs it."""
    home = tmp_path_factory.getbasetemp() / "home"
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home / name.lower()))
    # Those of OpenTelemetry too: a collector that somebody named for their own programs is not to be sent ours.
    for name in [name for name in os.environ if name.startswith(("SEATWATCH_", "OTEL_"))]:
        if name != "SEATWATCH_CHROMIUM":
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for the whole run; each test opens a context of its own in it."""
    path = find_chromium()
    assert path is not None, "no Chromium: run `make browser`"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with a ``main.log`` of one session."""
    return log_folder(tmp_path)


@pytest.fixture
def followed(logs: Path, tmp_path: Path) -> Iterator[Followed]:
    """A pipeline on that folder."""
    one = Followed(logs, tmp_path / "seatwatch.sqlite")
    yield one
    one.close()
