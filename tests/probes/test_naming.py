"""What a process is, by its name, its path and the first of its arguments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.probes.naming import MACHINES, PACKAGES, Known, kind_of, owner_by_traces
from app.probes.system import LONGEST_NAME, Birth

MAC = "/Applications/Claude.app/Contents"
MAC_DATA = "/Users/someone/Library/Application Support/Claude"
STORE = "C:\\Program Files\\WindowsApps\\Claude_1.2.3.0_x64__0a1b2c3d4e5f6\\app\\Claude.exe"
ELECTRON = "/usr/lib/electron/electron"
SCRIPT = "/usr/lib/node_modules"


def known(name: str, exe: str = "", *argv: str) -> tuple[str, str]:
    """The kind and the shown name of a process."""
    found = kind_of(Birth(40, 4.0, 1, name, exe, argv))
    assert (found.pid, found.created) == (40, 4.0)
    return found.kind, found.name


@pytest.mark.parametrize(
    ("name", "exe", "argv", "kind"),
    [
        ("Claude", f"{MAC}/MacOS/Claude", [], "app"),
        ("Claude", "", [], "app"),
        ("Claude Helper", f"{MAC}/Frameworks/Claude Helper.app/Contents/MacOS/Claude Helper", [], "helper"),
        ("Claude Helper (GPU)", "", [], "helper"),
        ("claude.exe", "C:\\Users\\someone\\AppData\\Local\\AnthropicClaude\\app-1.0\\claude.exe", [], "app"),
        ("Claude.exe", STORE, [], "app"),
        ("Claude.exe", STORE, [STORE, "--type=renderer"], "helper"),
        ("claude-desktop", "/usr/lib/claude-desktop/claude-desktop", [], "app"),
        ("claude-desktop", "", ["claude-desktop", "--type=zygote"], "helper"),
        ("electron", ELECTRON, [ELECTRON, "/usr/lib/claude-desktop/app.asar"], "app"),
        ("electron", ELECTRON, [ELECTRON, "--type=renderer", "--app-path=/usr/lib/claude-desktop/app.asar"], "helper"),
        ("electron", ELECTRON, [ELECTRON, "--type=gpu-process"], "electron"),
        ("chrome_crashpad_handler", f"{MAC}/Helpers/chrome_crashpad_handler", [], "crashpad"),
    ],
)
def test_the_app_is_known_on_each_system(name: str, exe: str, argv: list[str], kind: str) -> None:
    """The app's main process and its helpers are told apart, wherever it is installed."""
    assert known(name, exe, *argv)[0] == kind


@pytest.mark.parametrize(
    ("name", "exe", "argv", "kind"),
    [
        ("claude", f"{MAC_DATA}/claude-code/2.1.286/claude.app/Contents/MacOS/claude", [], "hosted_cli"),
        ("claude.exe", "C:\\Users\\a\\AppData\\Roaming\\Claude\\claude-code\\2.1.286\\claude.exe", [], "hosted_cli"),
        ("claude", "/home/someone/.config/Claude/claude-code/2.1.286/claude", [], "hosted_cli"),
        ("claude", "/home/someone/.local/bin/claude", [], "cli"),
        ("claude", "", ["claude"], "cli"),
        ("2.1.286", "/home/someone/.local/share/claude/versions/2.1.286", ["claude"], "cli"),
        ("node", "/usr/bin/node", ["node", f"{SCRIPT}/@anthropic-ai/claude-code/cli.js"], "cli"),
        ("node", "/usr/bin/node", ["node", "--max-old-space-size=8192", "/usr/local/bin/claude"], "cli"),
        ("claude", "/home/someone/.vscode/extensions/anthropic.claude-code-2.1/native/claude", [], "cli"),
    ],
)  # fmt: skip
def test_the_command_line_is_not_the_app(name: str, exe: str, argv: list[str], kind: str) -> None:
    """What shares the app's name is told from it by its path; what lies in the app's folder is the app's own."""
    assert known(name, exe, *argv)[0] == kind


@pytest.mark.parametrize(
    ("name", "argv", "label"),
    [
        ("codex", [], "Codex"),
        ("codex.exe", [], "Codex"),
        ("gemini", [], "Gemini CLI"),
        ("node", ["node", f"{SCRIPT}/@google/gemini-cli/dist/index.js", "--yolo"], "Gemini CLI"),
        ("python3.12", ["python3.12", "/home/someone/.local/bin/aider", "--model", "x"], "Aider"),
        ("bun", ["bun", "C:\\work\\node_modules\\opencode-ai\\bin.js"], "OpenCode"),
    ],
)
def test_other_agents_have_their_names(name: str, argv: list[str], label: str) -> None:
    """Agents of other makers are known by their command, or by the package that a runtime runs."""
    assert known(name, "/usr/bin/x", *argv) == ("agent", label)


@pytest.mark.parametrize(
    ("name", "exe", "argv"),
    [
        ("node", "/usr/bin/node", ["node", "server.js", "a", "b", f"{SCRIPT}/@openai/codex/bin/codex.js"]),
        ("node", "/usr/bin/node", []),
        ("vim", "/usr/bin/vim", ["vim", "/home/someone/claude"]),
        ("electron", ELECTRON, [ELECTRON, "/usr/lib/other/app.asar"]),
        ("chrome_crashpad_handler", "/opt/google/chrome/chrome_crashpad_handler", []),
        ("bash", "/bin/bash", ["bash", "-c", "claude"]),
        ("claudette", "/usr/bin/claudette", []),
    ],
)
def test_everything_else_is_nobody_here(name: str, exe: str, argv: list[str]) -> None:
    """What merely mentions an agent, or only looks alike, is none."""
    assert known(name, exe, *argv)[0] == ""


@pytest.mark.parametrize("name", sorted(MACHINES))
def test_machines_are_known_by_the_process_that_holds_them(name: str) -> None:
    """Each program for virtual machines is told by name, whatever the case and with Windows' ending."""
    assert known(f"{name.upper()}.exe") == ("vm", MACHINES[name])


@pytest.mark.parametrize(
    ("name", "argv", "found"),
    [
        ("com.apple.Virtualization.VirtualMachine", [], ("shared_vm", "Virtualization.framework")),
        ("qemu-system-x86_64", ["qemu-system-x86_64", "-m", "4096"], ("shared_vm", "QEMU")),
        ("qemu-system-aarch64", ["q", "-drive", "file=/home/someone/.lima/default/disk"], ("vm", "Lima")),
        ("qemu-system-x86_64", ["q", "-hda", "/home/a/.config/Claude/vm_bundles/x/r.img"], ("cowork_vm", "Cowork VM")),
        ("qemu-kvm", [], ("shared_vm", "QEMU")),
        ("qemu-img", [], ("", "qemu-img")),
        ("crosvm", [], ("shared_vm", "crosvm")),
        ("vmmem", [], ("windows_vm", "Hyper-V")),
        ("vmmemWSL", [], ("vm", "WSL 2")),
        ("vmmemClaude", [], ("cowork_vm", "Cowork VM")),
    ],
)
def test_machines_that_several_programs_use(name: str, argv: list[str], found: tuple[str, str]) -> None:
    """Where the arguments name the disk they tell whose it is; otherwise somebody has to find out."""
    assert known(name, "", *argv) == found


@pytest.mark.parametrize(
    ("traces", "owner"),
    [
        (["/Users/a/Library/Application Support/Claude/vm_bundles/claudevm.bundle/rootfs.img"], "Cowork VM"),
        (["/Users/a/Library/Application Support/Claude-Work/vm_bundles/x.img"], "Cowork VM"),
        (["C:\\Users\\a\\AppData\\Roaming\\Claude\\vm_bundles\\claudevm.bundle\\rootfs.vhdx"], "Cowork VM"),
        ([f"{MAC}/MacOS/Claude"], "Cowork VM"),
        (["/Users/a/Library/Containers/com.docker.docker/Data/vms/0/data/Docker.raw"], "Docker Desktop"),
        (["/Users/a/.colima/_lima/colima/diffdisk"], "Colima"),
        (["/Users/a/.lima/default/diffdisk"], "Lima"),
        (["/Users/a/Library/Containers/com.utmapp.UTM/Data/Documents/x.utm/Data/d.qcow2"], "UTM"),
        (["/Users/a/.local/share/containers/podman/machine/applehv/x.raw"], "Podman"),
    ],
)
def test_owner_is_told_by_disk_or_program(traces: list[str], owner: str) -> None:
    """The path of a machine's disk, or of the program that stands for it, tells whose machine it is."""
    found = owner_by_traces(["/dev/null", *traces])

    assert found is not None
    assert found[1] == owner
    assert found[0] == ("cowork_vm" if owner == "Cowork VM" else "vm")


@pytest.mark.parametrize("traces", [[], ["/dev/kvm"], ["/home/claude/disk.img"], ["/home/a/start/disk.img"]])
def test_owner_is_not_guessed(traces: list[str]) -> None:
    """A path that says nothing says nothing."""
    assert owner_by_traces(traces) is None


@given(name=st.text(max_size=200), exe=st.text(max_size=200), argv=st.lists(st.text(max_size=80), max_size=6))
def test_hostile_processes_have_a_name_that_can_be_shown(name: str, exe: str, argv: list[str]) -> None:
    """Whatever a process calls itself, its shown name is short and printable, and no argument is kept."""
    found = kind_of(Birth(1, 1.0, 0, name, exe, tuple(argv)))

    assert found == Known(1, 1.0, found.name, found.kind)
    assert len(found.name) <= LONGEST_NAME
    assert found.name.isprintable()


def test_packages_lead_to_known_commands() -> None:
    """Each package stands for the command line of Claude or for an agent that has a name."""
    assert {kind_of(Birth(1, 1.0, 0, "node", "", ("node", f"/x/{one}/cli.js"))).kind for one in PACKAGES} == {
        "cli", "agent"
    }  # fmt: skip
