"""Installing, asking for and removing the service, with a system that writes down what it was told to run."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.errors import WrongUsage
from app.service import Service, own_command, plan_here, run_command, unseen
from app.service_files import Command, ServicePlan, plan_for
from tests.commands import ended


@dataclass
class System:
    """Answers each command with a code and a text, by its third word; remembers all of them."""

    answers: dict[str, tuple[int, str]] = field(default_factory=dict)
    ran: list[Command] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)

    def __call__(self, command: Command) -> tuple[int, str]:
        self.ran.append(command)
        return self.answers.get(command[min(2, len(command) - 1)], (0, ""))


@pytest.fixture
def plan(tmp_path: Path) -> ServicePlan:
    """A plan for Linux in a folder of its own."""
    found = plan_for("linux", tmp_path, tmp_path / "config", ("/opt/seatwatch", "serve"), "1000")
    assert found is not None
    return found


def test_installing_twice_is_the_same_as_once(plan: ServicePlan) -> None:
    """The second time the file is left as it is, and the same commands run."""
    first, again = System(), System()
    said: list[str] = []

    Service(plan, said.append, first).install()
    Service(plan, said.append, again).install()

    assert plan.file.read_bytes() == plan.content
    assert first.ran == again.ran == list(plan.take_up)
    assert [line for line in said if line.startswith(("Wrote", str(plan.file)))] == [
        f"Wrote {plan.file} (systemd user unit).",
        f"{plan.file} is as it should be.",
    ]


def test_dry_run_says_all_and_does_nothing(plan: ServicePlan) -> None:
    """The file's text and every command are printed; no file is written, no command runs."""
    system = System()
    said: list[str] = []

    Service(plan, said.append, system, dry_run=True).install()
    Service(plan, said.append, system, dry_run=True).remove()

    text = "\n".join(said)
    assert (system.ran, plan.file.exists()) == ([], False)
    assert 'ExecStart="/opt/seatwatch" "serve"' in text
    assert "Would run: systemctl --user enable seatwatch.service" in text
    assert "Would run: systemctl --user disable --now seatwatch.service" in text


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_dry_run_shows_every_systems_file(tmp_path: Path, platform: str) -> None:
    """Whatever the encoding of the file is, a person can read it."""
    said: list[str] = []
    plan = plan_for(platform, tmp_path, tmp_path, ("seatwatch", "serve"), "501")
    assert plan is not None

    Service(plan, said.append, System(), dry_run=True).install()

    assert "<string>serve</string>" in said[1] or "<Arguments>serve</Arguments>" in said[1]


def test_what_was_not_there_may_fail_to_go(tmp_path: Path) -> None:
    """launchd complains when it is to let go what it never had; installing goes on."""
    plan = plan_for("darwin", tmp_path, tmp_path, ("seatwatch", "serve"), "501")
    assert plan is not None
    system = System({"gui/501/local.seatwatch": (113, "Could not find service")})

    Service(plan, print, system).install()

    assert [one[1] for one in system.ran] == ["bootout", "bootstrap"]


def test_removing_lets_go_and_removes_the_file(plan: ServicePlan) -> None:
    """The file goes, the system is told; a second time there is nothing to do."""
    system = System()
    said: list[str] = []
    Service(plan, said.append, system).install()
    system.ran.clear()

    Service(plan, said.append, system).remove()
    Service(plan, said.append, system).remove()

    assert not plan.file.exists()
    assert system.ran == [*plan.let_go, *plan.after]
    assert "nothing to remove" in said[-1]


@pytest.mark.parametrize(
    ("answer", "word"), [((0, "active"), ", running"), ((3, "inactive"), "not running"), ((1, "failed"), "not running")]
)
def test_status_is_the_systems_word(plan: ServicePlan, answer: tuple[int, str], word: str) -> None:
    """Installed and running, installed and not, with where to read why."""
    said: list[str] = []
    Service(plan, said.append, System()).install()
    said.clear()

    Service(plan, said.append, System({"is-active": answer})).status()

    assert word in said[0]
    assert any("journalctl" in line for line in said) == (word == "not running")


def test_status_tells_what_is_missing_or_old(plan: ServicePlan) -> None:
    """No file: not installed. Another file than this version would write: install again."""
    said: list[str] = []

    Service(plan, said.append, System()).status()
    plan.file.parent.mkdir(parents=True)
    plan.file.write_text("[Service]\n")
    Service(plan, said.append, System({"is-active": (0, "active")})).status()

    assert said[0].startswith("Not installed")
    assert "install` again" in said[-1]


def test_a_system_that_refuses_is_told_in_words(plan: ServicePlan) -> None:
    """What ran, what it said, and what to do."""
    system = System({"daemon-reload": (1, "Failed to connect to bus")})

    with pytest.raises(WrongUsage, match=r"daemon-reload says: Failed to connect to bus\..*--dry-run"):
        Service(plan, print, system, wait=system.waited.append).install()
    assert system.waited == [1.0, 1.0]


def test_a_command_that_is_not_there_is_told_in_words(plan: ServicePlan) -> None:
    """A Linux without systemd."""

    def nothing(_command: Command) -> tuple[int, str]:
        raise FileNotFoundError(2, "No such file or directory")

    with pytest.raises(WrongUsage, match="No such file"):
        Service(plan, print, nothing, wait=float).install()


def test_a_folder_that_is_a_file_is_told_in_words(plan: ServicePlan, tmp_path: Path) -> None:
    """Nothing is run when the file cannot be written."""
    (tmp_path / "config").write_text("in the way")
    system = System()

    with pytest.raises(WrongUsage, match="cannot be written"):
        Service(plan, print, system).install()
    assert system.ran == []


def test_a_system_without_services_is_told(tmp_path: Path) -> None:
    """Where nothing is known there is a command to run by other means."""
    with pytest.raises(WrongUsage, match="seatwatch serve --no-open"):
        plan_here(tmp_path, System(), "sunos5")


def test_windows_is_asked_who_the_user_is(tmp_path: Path) -> None:
    """A task at logon needs the full name of whose logon."""
    plan = plan_here(tmp_path, System({"whoami.exe": (0, r"desk\someone")}), "win32")

    assert r"<UserId>desk\someone</UserId>" in plan.content.decode("utf-16")


def test_own_command_is_the_installed_one(tmp_path: Path) -> None:
    """The script beside this Python, else the package itself, never one from the folder it happens to start in."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    assert own_command(python) == (str(python), "-P", "-m", "app", "serve", "--no-open")

    script = python.with_name("seatwatch")
    script.touch(mode=0o755)
    assert own_command(python) == (str(script), "serve", "--no-open")

    python.with_name("pythonw.exe").touch()
    assert own_command(python)[0].endswith("pythonw.exe")


def test_variables_that_a_service_would_miss_are_named() -> None:
    """What came from the terminal's variables, and nothing else."""
    origins = {"port": "SEATWATCH_PORT", "host": "--host", "tz": "default", "logs": "SEATWATCH_LOGS"}

    assert unseen(origins) == ["SEATWATCH_LOGS", "SEATWATCH_PORT"]


def test_a_service_without_a_window_has_nowhere_to_print() -> None:
    """Where a system gives a program no streams, what it prints is lost and nothing fails."""
    code = "import sys; sys.stdout = sys.stderr = None; sys.argv = ['seatwatch', '--version']; from app.cli import main"

    done = subprocess.run([sys.executable, "-c", f"{code}; main()"], capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_real_command_is_run() -> None:
    """Its exit code, and what it printed to either stream."""
    assert run_command(("sh", "-c", "echo out; echo err >&2; exit 3")) == (3, "out\nerr")


def test_command_line_shows_a_dry_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command names the file, the commands, and the variables that the service would not see."""
    monkeypatch.setattr("sys.platform", "linux")
    assert "OTEL_" not in ended("service", "install", "--dry-run").out
    monkeypatch.setenv("SEATWATCH_PORT", "9000")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")

    told = ended("service", "install", "--dry-run")

    assert told.code == 0
    assert "in SEATWATCH_PORT" in told.out
    assert "does not see OTEL_EXPORTER_OTLP_ENDPOINT" in told.out
    assert "systemctl --user enable seatwatch.service" in told.out
    assert ended("service", "status").out.startswith("Not installed")
    assert "nothing to remove" in ended("service", "remove").out
