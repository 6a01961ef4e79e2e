"""Seatwatch keeps to itself: it talks to nobody, writes nowhere but in its own folders, and lets nobody else read them.

It runs as a process of its own whose every connection and every written file is written down (`audit/sitecustomize`).
"""

from __future__ import annotations

import ipaddress
import json
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.e2e.served import SESSION, AppLog, Served, until
from tests.test_papers import routes

AUDIT = Path(__file__).parent / "audit"
OWN = "own"
"""The one folder in which the run may write: the platform's folders lie in it by the test's variables."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a whole run left: its home, and the rights of the files beside its database, while it ran and after."""

    home: Path
    folder: Path
    running: dict[str, int]
    after: dict[str, int]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A Seatwatch that follows an app while every page of it is asked for once, from its start to its end."""
    home = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patch:
        set_up(home, patch)
        log = AppLog(home / "logs")
        log.start()
        log.begin(1, "alpha")
        served = Served(log.folder, home / OWN / "data" / "seatwatch.sqlite")
        served.start()
        try:
            until(lambda: served.state()["seats"]["taken"] == 1, "the session")
            for path in sorted(routes()):
                ask(served.address, path)
            log.begin(2, "beta")
            until(lambda: served.state()["seats"]["taken"] == 2, "the second session")
            running = rights(served.database.parent)
            served.stop()
        finally:
            served.kill()
            log.close()
    return Run(home, served.database.parent, running, rights(served.database.parent))


def set_up(home: Path, patch: pytest.MonkeyPatch) -> None:
    """A home of its own, in which every folder of the platform lies in `OWN`; the audit begins with the process."""
    patch.setenv("HOME", str(home / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        patch.setenv(name, str(home / OWN / name.lower()))
    patch.setenv("TMPDIR", str(home / "tmp"))
    patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    patch.setenv("PYTHONPATH", str(AUDIT))
    patch.setenv("AUDIT_FILE", str(home / "audit"))
    for name in ("home", "tmp"):
        (home / name).mkdir()
    (home / "home" / "letter.txt").write_text("precious")


def rights(folder: Path) -> dict[str, int]:
    """The mode of each file."""
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}


def ask(address: str, path: str) -> None:
    """Ask for an address of the page as a browser does; of a stream, read the beginning."""
    path = path.replace("{id}", SESSION.format(1)).replace("{file}", "seatwatch.png")
    try:
        with urlopen(Request(address + path, headers={"Accept": "text/html"}), timeout=20) as answer:  # noqa: S310
            answer.readline() if path == "/stream" else answer.read()
    except HTTPError as refused:
        refused.close()
        if refused.code >= 500:
            raise


def audited(home: Path, *events: str) -> list[list[str]]:
    """What was written down of these events."""
    found = [json.loads(line) for line in (home / "audit").read_text("utf-8").splitlines()]
    return [one for one in found if one[0] in events]


def is_here(told: str) -> bool:
    """Whether what a socket was told is this machine: a loopback address, or a path of a local socket."""
    host = told.strip("()").split(",")[0].strip("'")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in {"localhost", "None"}


def test_it_talks_to_nobody(run: Run) -> None:
    """No connection leaves this machine and no name is asked for, whatever page is looked at."""
    sent = audited(run.home, "socket.connect", "socket.sendto", "socket.sendmsg")
    asked = audited(run.home, "socket.getaddrinfo", "socket.gethostbyname")

    assert [one for one in sent if not is_here(one[1])] == []
    assert [one for one in asked if not is_here(one[1])] == []
    assert audited(run.home, "open")  # the hook was there


def test_it_writes_in_its_own_folders_only(run: Run) -> None:
    """Files that are written, made, renamed or removed lie in its folders, and the rest of the home is untouched."""
    home = run.home
    own, spared = str(home / OWN), ("/dev/null", str(home / "audit"))
    changes = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.chmod", "sqlite3.connect")
    found = audited(home, "open", *changes)

    assert [one for one in found if not one[1].removeprefix("file:").startswith((own, *spared))] == []
    assert [one.name for one in (home / "home").rglob("*")] == ["letter.txt"]
    assert list((home / "tmp").iterdir()) == []
    assert sorted(one.name for one in home.iterdir()) == ["audit", "home", "logs", OWN, "tmp"]


def test_it_starts_no_other_program(run: Run) -> None:
    """On this system nothing is asked of commands, so nothing of ours stands among their arguments."""
    assert audited(run.home, "subprocess.Popen", "os.exec", "os.posix_spawn") == []


def test_nobody_else_reads_what_it_keeps(run: Run) -> None:
    """The folder has mode 0700 and every file in it 0600, while it runs and after."""
    assert stat.S_IMODE(run.folder.stat().st_mode) == 0o700
    assert {name for name, mode in {**run.running, **run.after}.items() if mode != 0o600} == set()
    names = {"seatwatch.sqlite", "seatwatch.sqlite-wal", "seatwatch.sqlite-shm", "seatwatch.sqlite-lock"}
    assert names | {"seatwatch.sqlite.log"} <= set(run.running)
