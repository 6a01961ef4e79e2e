"""The wheel, installed where nothing else of the project is: it serves the page from what it carries with it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest

from app.demo.writer import DemoWriter
from tests.e2e.served import Served, until

ROOT = Path(__file__).parents[1]
WATCH = """\
import os, sys
def note(event, args, places={places!r}, told={told!r}):
    if event == "open" and isinstance(args[0], str) and args[0].startswith(places[0]):
        if not args[0].startswith(places[1]) and not args[0].startswith(told):
            handle = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, args[0].encode() + b"\\n")
            os.close(handle)
sys.addaudithook(note)
"""


def run(*command: str | Path) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (found,) = folder.glob("seatwatch-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it; the libraries come from the one that runs the tests.

    Each file of the checkout that is opened in it is written down in ``opened``, beside the environment.
    """
    place = tmp_path_factory.mktemp("installed")
    home = place / "env"
    run(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", python]
    run(*map(str, pip), "install", "--no-deps", "--no-index", wheel)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    # A line of a path: the folder is looked into, and its own .pth, which would lead to the checkout, is not read.
    (packages / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\nimport watch_the_checkout\n")
    watch = WATCH.format(places=(f"{ROOT}{os.sep}", sys.prefix), told=str(place / "opened"))
    (packages / "watch_the_checkout.py").write_text(watch)
    return home


def test_wheel_carries_what_it_serves(wheel: Path) -> None:
    """Every template, every file of the page, every migration and both catalogues are in it, and no test."""
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())

    for folder in ("templates", "static", "migrations"):
        files = [one for one in (ROOT / folder).rglob("*") if one.is_file() and "__pycache__" not in one.parts]
        assert files
        assert {f"app/_resources/{one.relative_to(ROOT).as_posix()}" for one in files} - names == set()
    assert {f"app/web/locale/{lang}/LC_MESSAGES/seatwatch.mo" for lang in ("en", "ja")} <= names
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


def test_wheel_runs_on_its_own(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From another folder it makes its database, serves the page with its styles, and opens no file of the checkout."""
    monkeypatch.chdir(tmp_path)
    with DemoWriter(tmp_path / "logs", 8, history=timedelta(minutes=10)):
        served = Served(tmp_path / "logs", tmp_path / "own.sqlite", program=(str(installed / "bin" / "seatwatch"),))
        try:
            served.start()
            until(lambda: bool(served.state()["sessions"]), "the end of reading")
            with urlopen(f"{served.address}/", timeout=10) as answer:  # noqa: S310 - our own server on loopback
                page = answer.read().decode()
            style = page.split('rel="stylesheet" href="', 1)[1].split('"', 1)[0]
            with urlopen(f"{served.address}{style}", timeout=10) as answer:  # noqa: S310 - our own server on loopback
                assert b"--ink" in answer.read()
            served.stop()
        finally:
            served.kill()

    assert 'id="seats"' in page
    assert (tmp_path / "own.sqlite").is_file()
    assert not (installed.parent / "opened").exists(), (installed.parent / "opened").read_text()


def test_watching_would_find_an_opened_file(installed: Path) -> None:
    """A file of the checkout that is opened there is written down, so the test above could fail."""
    told = installed.parent / "opened"

    run(installed / "bin" / "python", "-c", f"open({str(ROOT / 'README.md')!r}).close()")

    assert told.read_text().splitlines() == [str(ROOT / "README.md")]
    told.unlink()


@pytest.mark.parametrize(("shell", "sign"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --")])
def test_completion_is_printed_for_a_shell(installed: Path, shell: str, sign: str) -> None:
    """Each shell gets a script of its own, and asking it for commands gives ours."""
    command = installed / "bin" / "seatwatch"

    def asked(**env: str) -> str:
        return subprocess.run([command], capture_output=True, text=True, check=False, env={**os.environ, **env}).stdout

    script = asked(_SEATWATCH_COMPLETE=f"source_{shell}")

    assert sign in script
    assert "seatwatch" in script
    words = {"COMP_WORDS": "seatwatch ser", "COMP_CWORD": "1"}
    args = {"_TYPER_COMPLETE_ARGS": "seatwatch ser", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert {"serve", "service"} <= set(
        asked(_SEATWATCH_COMPLETE=f"complete_{shell}", **words, **args).replace('"', " ").split()
    )
