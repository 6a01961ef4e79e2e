"""What each system needs to run Seatwatch from login on: a file, and the commands that take it up and let it go.

macOS has a launchd agent, Linux a systemd user unit, Windows a scheduled task. All of them run as the user whose logs
are read and start it again when it fails, never more often than twice a minute. systemd leaves it alone when it ended
because of what it was told (exit 2, 3 or 4): a wrong setting does not become right by trying again.
"""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from xml.sax.saxutils import escape

Command: TypeAlias = tuple[str, ...]

LABEL = "local.seatwatch"
"""The agent's name at launchd; names under ``local.`` belong to nobody."""
UNIT = "seatwatch.service"
TASK = "Seatwatch"
ABOUT = "Seatwatch: seats, memory and closed sessions of the Claude desktop app"
RETRY_SECONDS = 30


@dataclass(frozen=True, slots=True)
class ServicePlan:
    """How one system keeps a program running.

    ``file`` gets the bytes ``content``. ``take_up`` must not fail; the others may, as when nothing is there to let go.
    What ``ask`` prints matches ``running`` while it runs. ``log`` says where its output is read.
    """

    kind: str
    file: Path
    content: bytes
    before: tuple[Command, ...]
    take_up: tuple[Command, ...]
    let_go: tuple[Command, ...]
    after: tuple[Command, ...]
    ask: Command
    running: str
    log: str


def plan_for(platform: str, home: Path, config: Path, program: Sequence[str], account: str) -> ServicePlan | None:
    """The plan for ``platform`` (as `sys.platform` says it), None where none is known.

    ``home`` is the user's home folder, ``config`` the folder of settings of all programs, ``program`` the command with
    its arguments, ``account`` the user's number on macOS and the user's full name on Windows.
    """
    match platform:
        case "darwin":
            return _launchd(home, program, account)
        case "linux":
            return _systemd(config, program)
        case "win32":
            return _task(config, program, account)
        case _:
            return None


def _launchd(home: Path, program: Sequence[str], user: str) -> ServicePlan:
    file, domain = home / "Library" / "LaunchAgents" / f"{LABEL}.plist", f"gui/{user}"
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(program),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": RETRY_SECONDS,
        "ProcessType": "Background",
        "WorkingDirectory": str(home),
    }
    out = ("/bin/launchctl", "bootout", f"{domain}/{LABEL}")
    return ServicePlan(
        kind="launchd agent",
        file=file,
        content=plistlib.dumps(agent, sort_keys=False),
        before=(out,),  # what was loaded keeps the old file's words until it is out
        take_up=(("/bin/launchctl", "bootstrap", domain, str(file)),),
        let_go=(out,),
        after=(),
        ask=("/bin/launchctl", "print", f"{domain}/{LABEL}"),
        running=r"state = running",
        log=f"launchctl print {domain}/{LABEL}",
    )


def _systemd(config: Path, program: Sequence[str]) -> ServicePlan:
    unit = f"""\
[Unit]
Description={ABOUT}

[Service]
Type=exec
ExecStart={" ".join(_unit_word(word) for word in program)}
WorkingDirectory=%h
Restart=on-failure
RestartSec={RETRY_SECONDS}
RestartPreventExitStatus=2 3 4
KillSignal=SIGINT
TimeoutStopSec=15
Nice=5
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""
    control = ("systemctl", "--user")
    return ServicePlan(
        kind="systemd user unit",
        file=config / "systemd" / "user" / UNIT,
        content=unit.encode(),
        before=(),
        # Enabling starts nothing that runs already, and restarting starts what does not.
        take_up=((*control, "daemon-reload"), (*control, "enable", UNIT), (*control, "restart", UNIT)),
        let_go=((*control, "disable", "--now", UNIT),),
        after=((*control, "daemon-reload"),),
        ask=(*control, "is-active", UNIT),
        running=r"^activ(e|ating)$",
        log=f"journalctl --user -u {UNIT}",
    )


def _unit_word(word: str) -> str:
    """A word of a unit's command line as systemd reads it back: quoted, with its own signs doubled."""
    quoted = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{quoted}"'


def _task(config: Path, program: Sequence[str], account: str) -> ServicePlan:
    file = config / "seatwatch" / "seatwatch-task.xml"
    command, *arguments = (escape(_windows_word(word) if n else word) for n, word in enumerate(program))
    user = escape(account)
    task = f"""\
<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>{ABOUT}</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled><UserId>{user}</UserId></LogonTrigger></Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>{user}</UserId><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec><Command>{command}</Command><Arguments>{" ".join(arguments)}</Arguments></Exec>
  </Actions>
</Task>
"""
    control = "schtasks.exe"
    return ServicePlan(
        kind="scheduled task",
        file=file,
        content=task.replace("\n", "\r\n").encode("utf-16"),
        before=((control, "/End", "/TN", TASK),),
        take_up=((control, "/Create", "/TN", TASK, "/XML", str(file), "/F"), (control, "/Run", "/TN", TASK)),
        let_go=((control, "/End", "/TN", TASK), (control, "/Delete", "/TN", TASK, "/F")),
        after=(),
        ask=(control, "/Query", "/TN", TASK, "/FO", "CSV", "/NH"),
        running='"(Running|実行中)"',
        log="the Task Scheduler, task Seatwatch",
    )


def _windows_word(word: str) -> str:
    """A word of a command line as Windows programs read it back; paths there have no quotes in them."""
    return f'"{word}"' if " " in word or not word else word
