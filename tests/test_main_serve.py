"""``serve``: what a person is told at the start, what is opened, and what ends it."""

from __future__ import annotations

import threading
import webbrowser
from contextlib import ExitStack
from pathlib import Path

import pytest

from app import main
from app.errors import DatabaseDamaged, PortTaken
from app.main import Parts, serve
from app.server import listen
from tests.composed import log_folder, settings


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log folder with one session."""
    return log_folder(tmp_path)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Parts]:
    """What `serve` puts together; it comes to its end at once."""
    made: list[Parts] = []

    def remember(parts: Parts) -> Parts:
        made.append(parts)
        return parts

    monkeypatch.setattr(main, "create_app", remember)
    monkeypatch.setattr(main, "run", lambda _app, _listener, _end: None)
    return made


def test_serve_says_what_it_reads_and_where_it_is(
    logs: Path, tmp_path: Path, served: list[Parts], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two lines: the folder, and the address that a person opens."""
    serve(settings(tmp_path, logs=logs))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Reading {logs}"
    assert lines[1].startswith("Seatwatch ")
    assert " is at http://127.0.0.1:" in lines[1]
    assert "Ctrl-C ends it" in lines[1]
    assert len(served) == 1


def test_serve_says_where_it_looked_in_vain(
    tmp_path: Path, served: list[Parts], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each place on a line of its own, and that nothing on the page is real."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    serve(settings(tmp_path))

    out = capsys.readouterr().out
    assert "No logs of the Claude desktop app were found. Looked in:\n  " in out
    assert all(f"  {place}\n" in out for place in served[0].live.current.looked_in)
    assert "Showing demo data: nothing on the page is real." in out


def test_an_address_of_ipv6_is_put_in_brackets(
    logs: Path, tmp_path: Path, served: list[Parts], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser understands it no other way."""

    class Listener(ExitStack):
        def getsockname(self) -> tuple[str, int, int, int]:
            return ("::1", 8585, 0, 0)

    monkeypatch.setattr(main, "listen", lambda _host, _port: Listener())
    serve(settings(tmp_path, logs=logs))

    assert "is at http://[::1]:8585 " in capsys.readouterr().out
    assert served


@pytest.mark.parametrize("no_open", [True, False])
def test_a_browser_opens_unless_it_is_not_to(
    no_open: bool, logs: Path, tmp_path: Path, served: list[Parts], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given the address of the page, once."""
    opened: list[str] = []
    asked = threading.Event()

    def browse(address: str) -> None:
        opened.append(address)
        asked.set()

    monkeypatch.setattr(webbrowser, "open", browse)

    serve(settings(tmp_path, logs=logs, no_open=no_open or None))

    if no_open:
        assert opened == []
    else:
        assert asked.wait(10)
        assert opened[0].startswith("http://127.0.0.1:")
    assert served


def test_the_address_with_the_token_is_shown_and_not_opened(
    logs: Path, tmp_path: Path, served: list[Parts], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other people on the machine would see it among a browser's arguments."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    serve(settings(tmp_path, logs=logs, token="t" * 43, no_open=False))

    assert len(served) == 1
    assert f"/?token={'t' * 43}  (Ctrl-C" in capsys.readouterr().out
    assert opened == []


def test_a_taken_port_ends_it_before_anything_is_made(logs: Path, tmp_path: Path) -> None:
    """No database is opened for nothing."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortTaken):
            serve(settings(tmp_path, logs=logs, port=port))

    assert not (tmp_path / "seatwatch.sqlite").exists()


def test_what_broke_the_pipeline_ends_the_command(
    logs: Path, tmp_path: Path, served: list[Parts], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause reaches whoever started Seatwatch, once the server is down."""
    broken = DatabaseDamaged("seatwatch.sqlite", "malformed")

    def break_it(_app: object, _listener: object, _end: object) -> None:
        served[0].pipeline.failure = broken

    monkeypatch.setattr(main, "run", break_it)

    with pytest.raises(DatabaseDamaged):
        serve(settings(tmp_path, logs=logs))
