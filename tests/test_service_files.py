"""Files for launchd, systemd and the Task Scheduler, read by those that know them."""

from __future__ import annotations

import configparser
import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from app.service_files import LABEL, UNIT, ServicePlan, plan_for

HOME = Path("/home/someone")
CONFIG = HOME / ".config"
PROGRAM = (sys.executable, "-P", "-m", "app", "serve", "--no-open")


def plan(platform: str, program: tuple[str, ...] = PROGRAM, account: str = "501") -> ServicePlan:
    """The plan of a system."""
    found = plan_for(platform, HOME, CONFIG, program, account)
    assert found is not None
    return found


def test_agent_is_a_property_list() -> None:
    """launchd starts it at login, again when it failed, and as the user's own agent."""
    found = plan("darwin", ("/Users/someone/My Tools/seatwatch", "serve"))
    agent = plistlib.loads(found.content)

    assert found.file == HOME / "Library/LaunchAgents/local.seatwatch.plist"
    assert agent["Label"] == LABEL == found.file.stem
    assert agent["ProgramArguments"] == ["/Users/someone/My Tools/seatwatch", "serve"]
    assert (agent["RunAtLoad"], agent["KeepAlive"]) == (True, {"SuccessfulExit": False})
    assert found.take_up == (("/bin/launchctl", "bootstrap", "gui/501", str(found.file)),)


def test_unit_is_one_by_its_own_rules(tmp_path: Path) -> None:
    """It restarts after failures, not after wrong settings; where systemd is, it finds nothing amiss in it."""
    found = plan("linux")
    unit = configparser.RawConfigParser()
    unit.read_string(found.content.decode())

    assert found.file == CONFIG / "systemd/user" / UNIT
    assert unit["Service"]["RestartPreventExitStatus"] == "2 3 4"
    assert unit["Install"]["WantedBy"] == "default.target"
    if (tool := shutil.which("systemd-analyze")) is not None:
        file = tmp_path / UNIT
        file.write_bytes(found.content)
        env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}  # it asks for one, and a container has none
        checked = subprocess.run([tool, "verify", "--user", file], capture_output=True, text=True, check=False, env=env)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_signs_of_a_unit_stay_what_they_are() -> None:
    """Spaces, quotes and the signs that systemd replaces are none in a path."""
    found = plan("linux", ('/opt/a b/%h "$x"\\seatwatch', "serve"))

    assert 'ExecStart="/opt/a b/%%h \\"$$x\\"\\\\seatwatch" "serve"' in found.content.decode()


def test_task_is_xml_for_this_user_alone() -> None:
    """It runs at this user's logon, without more rights and without an end, whatever the path has in it."""
    found = plan("win32", (r"C:\Tools & More\pythonw.exe", "-m", "app", r"--db=C:\My Data\s.sqlite"), r"DESK\some<one")
    task = ElementTree.fromstring(found.content.decode("utf-16"))  # noqa: S314 - made by ourselves
    spaces = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}

    def text(path: str) -> str | None:
        return task.findtext("/".join(f"t:{part}" for part in path.split("/")), None, spaces)

    assert found.content.startswith(b"\xff\xfe")  # as its first line says and schtasks wants it
    assert text("Triggers/LogonTrigger/UserId") == text("Principals/Principal/UserId") == r"DESK\some<one"
    assert text("Principals/Principal/RunLevel") == "LeastPrivilege"
    assert text("Settings/ExecutionTimeLimit") == "PT0S"
    assert text("Actions/Exec/Command") == r"C:\Tools & More\pythonw.exe"
    assert text("Actions/Exec/Arguments") == r'-m app "--db=C:\My Data\s.sqlite"'


def test_other_systems_have_none() -> None:
    """What is not known is not guessed at."""
    assert plan_for("sunos5", HOME, CONFIG, PROGRAM, "501") is None
