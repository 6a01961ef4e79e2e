"""``seatwatch service``: Seatwatch from each login on, by the means of the system; nothing of ours stays behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from app.errors import WrongUsage
from app.given import PREFIX
from app.service_files import Command, ServicePlan, plan_for

Runner: TypeAlias = Callable[[Command], tuple[int, str]]
"""Runs a command of the system: how it ended, and what it printed. `OSError` when it is not there."""

PATIENCE_SECONDS = 30.0
TRIES = 3


def run_command(command: Command) -> tuple[int, str]:
    """The `Runner` of a real system."""
    done = subprocess.run(  # noqa: S603 - commands of `app.service_files`, with no part from outside
        command, capture_output=True, check=False, timeout=PATIENCE_SECONDS, stdin=subprocess.DEVNULL
    )
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace").strip()


def own_command(executable: Path = Path(sys.executable)) -> tuple[str, ...]:
    """How this installation is started without a terminal: by its script, else by its Python.

    ``-P``: a folder named like this package, where the service happens to start, is not taken for it.
    """
    windowless = executable.with_name("pythonw.exe")
    if windowless.is_file():  # Windows opens a console window for any other program
        return (str(windowless), "-P", "-m", "app", "serve", "--no-open")
    script = shutil.which("seatwatch", path=str(executable.parent))
    return (script, "serve", "--no-open") if script else (str(executable), "-P", "-m", "app", "serve", "--no-open")


def plan_here(config: Path, run: Runner = run_command, platform: str = sys.platform) -> ServicePlan:
    """The plan for this machine; ``config`` is the folder of settings of all programs. Raises `WrongUsage`."""
    account = _run(run, ("whoami.exe",))[1] if platform == "win32" else str(os.getuid())
    plan = plan_for(platform, Path.home(), config, own_command(), account)
    if plan is None:
        raise WrongUsage(
            "This system has no service that Seatwatch knows.",
            f"It is {platform}; known are macOS (launchd), Linux (systemd) and Windows (scheduled tasks).",
            "Let what starts programs here run: seatwatch serve --no-open",
        )
    return plan


@dataclass(frozen=True, slots=True)
class Service:
    """Does what a plan says. ``say`` gets each step as a sentence; with ``dry_run`` nothing but that happens.

    ``wait`` lets seconds pass: launchd is done with letting go only some time after its command has ended, and until
    then takes up nothing.
    """

    plan: ServicePlan
    say: Callable[[str], object]
    run: Runner = run_command
    dry_run: bool = False
    wait: Callable[[float], object] = time.sleep

    def install(self) -> None:
        """Write the file and let the system take it up; done twice it is the same as once. Raises `WrongUsage`."""
        plan = self.plan
        if self.dry_run:
            self.say(f"Would write {plan.file} ({plan.kind}):\n")
            self.say(plan.content.decode("utf-16" if plan.content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"))
        elif _content_of(plan.file) == plan.content:
            self.say(f"{plan.file} is as it should be.")
        else:
            _write(plan.file, plan.content)
            self.say(f"Wrote {plan.file} ({plan.kind}).")
        self._all(plan.before, may_fail=True)
        self._all(plan.take_up)
        if not self.dry_run:
            self.say("Seatwatch runs now, and from each login on: http://127.0.0.1:8585 unless you set otherwise.")
            self.say(f"What it prints is read by: {plan.log}")

    def remove(self) -> None:
        """Let the system let it go and remove the file. The database and the settings stay. Raises `WrongUsage`."""
        plan = self.plan
        if _content_of(plan.file) is None and not self.dry_run:
            self.say(f"There is no {plan.file}, so there is nothing to remove.")
            return
        self._all(plan.let_go, may_fail=True)
        if self.dry_run:
            self.say(f"Would remove {plan.file}")
        else:
            plan.file.unlink(missing_ok=True)
            self.say(f"Removed {plan.file}. The database and the settings stay.")
        self._all(plan.after, may_fail=True)

    def status(self) -> None:
        """Say whether it is installed and whether it runs."""
        plan = self.plan
        found = _content_of(plan.file)
        if found is None:
            self.say(f"Not installed: there is no {plan.file}.")
            return
        _code, told = _run(self.run, plan.ask, may_fail=True)
        runs = re.search(plan.running, told, re.MULTILINE) is not None
        self.say(f"Installed as a {plan.kind}, {'running' if runs else 'not running'}: {plan.file}")
        if found != plan.content:
            self.say("The file is not what this Seatwatch would write: run `seatwatch service install` again.")
        if not runs:
            self.say(f"Why is read by: {plan.log}; `seatwatch doctor` looks at what it needs.")

    def _all(self, commands: Iterable[Command], *, may_fail: bool = False) -> None:
        for command in commands:
            if self.dry_run:
                self.say(f"Would run: {' '.join(command)}")
            else:
                code = self._try(command, may_fail=may_fail)
                self.say(f"Ran: {' '.join(command)}{'' if code == 0 else '  (there was nothing to do, or it failed)'}")

    def _try(self, command: Command, *, may_fail: bool) -> int:
        for _ in range(0 if may_fail else TRIES - 1):
            code, _told = _run(self.run, command, may_fail=True)
            if code == 0:
                return code
            self.wait(1.0)
        return _run(self.run, command, may_fail=may_fail)[0]


def unseen(origins: Mapping[str, str]) -> Sequence[str]:
    """The variables by which settings were given: a service has an environment of its own and sees none of them."""
    return sorted({origin for origin in origins.values() if origin.startswith(PREFIX)})


def _run(run: Runner, command: Command, *, may_fail: bool = False) -> tuple[int, str]:
    try:
        code, told = run(command)
    except (OSError, subprocess.TimeoutExpired) as error:
        code, told = -1, str(error)
    if code != 0 and not may_fail:
        raise WrongUsage(
            "The system did not take the service.",
            f"{' '.join(command)} says: {told or f'exit code {code}'}.",
            "Run it where you are logged in at the desktop; --dry-run shows the file and the commands to run by hand.",
        )
    return code, told


def _content_of(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _write(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise WrongUsage(
            f"{file} cannot be written.",
            f"The system says: {error.strerror or error}.",
            "Make its folder writable for you; --dry-run shows what it is to hold.",
        ) from error
