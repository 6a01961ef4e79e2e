"""What a process is, by its name, its path and the first of its arguments: values in, values out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.probes.system import Birth, tidy

Kind: TypeAlias = Literal[
    "app", "helper", "electron", "crashpad",
    "cli", "hosted_cli", "agent",
    "cowork_vm", "vm", "shared_vm", "windows_vm",
    "",
]  # fmt: skip
"""The app's main process, a helper of its own, one of any Electron program, its crash reporter (which leaves its parent
on purpose); the ``claude`` command line, one that lies in the app's own folder, another agent; Cowork's VM, another VM,
a VM of a kind that several programs use (whose it is must be found out, on Windows by what else runs); nothing."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of a process: never its path or its arguments."""

    pid: int
    created: float
    name: str
    kind: Kind


AGENTS = {
    "codex": "Codex", "gemini": "Gemini CLI", "opencode": "OpenCode", "aider": "Aider",
    "cursor-agent": "Cursor Agent", "copilot": "Copilot CLI", "qwen": "Qwen Code"
}  # fmt: skip
"""Agents of the command line by the names of their commands."""
PACKAGES = {
    "@anthropic-ai/claude-code": "claude", "@openai/codex": "codex", "@google/gemini-cli": "gemini",
    "opencode-ai": "opencode", "@github/copilot": "copilot", "@qwen-code/qwen-code": "qwen"
}  # fmt: skip
"""The same where a runtime runs them, by the package in the path of the script."""
RUNTIMES = frozenset({"node", "nodejs", "bun", "deno", "python", "python3", "uv"})

MACHINES = {
    "com.docker.virtualization": "Docker Desktop", "com.docker.hyperkit": "Docker Desktop",
    "com.docker.krun": "Docker Desktop", "orbstack helper": "OrbStack", "vfkit": "Podman", "krunkit": "Podman",
    "qemulauncher": "UTM", "prl_vm_app": "Parallels", "vmware-vmx": "VMware", "virtualboxvm": "VirtualBox",
    "vboxheadless": "VirtualBox", "vmmemwsl": "WSL 2", "firecracker": "Firecracker",
    "cloud-hypervisor": "Cloud Hypervisor"
}  # fmt: skip
"""Virtual machines by the process that holds the guest's memory."""
DISKS = {
    "com.docker.docker": "Docker Desktop", "docker.raw": "Docker Desktop", ".docker/desktop": "Docker Desktop",
    "/docker.app/": "Docker Desktop", "orbstack": "OrbStack", "colima": "Colima", "/_lima/": "Lima", "/.lima/": "Lima",
    "/limactl": "Lima", "containers/podman": "Podman", "podman-machine": "Podman", "com.utmapp": "UTM",
    ".utm/": "UTM", "/utm.app/": "UTM", "/virtualbuddy": "VirtualBuddy", "/.tart/": "Tart", "/tart": "Tart"
}  # fmt: skip
"""Whose machine it is, by a part of the path of its disk or of the program that stands for it. Colima keeps Lima's
folders within its own, so it comes first."""
_COWORK = re.compile(r"/claude[^/]*/vm_bundles/|/claudevm\.bundle/|/claude\.app/contents/")
_SHARED = {
    "com.apple.virtualization.virtualmachine": "Virtualization.framework", "qemu": "QEMU", "crosvm": "crosvm"
}  # fmt: skip


def kind_of(birth: Birth) -> Known:
    """What a process is, with a name that can be shown."""
    name = birth.name.casefold().removesuffix(".exe")
    exe = birth.exe.replace("\\", "/")
    kind: Kind
    label = tidy(birth.name.removesuffix(".exe"))
    if agent := _agent(name, exe, birth.argv):
        kind, label = _claude(exe, birth) if agent == "claude" else ("agent", AGENTS[agent])
    elif name in MACHINES:
        kind, label = "vm", MACHINES[name]
    elif name.startswith("vmmem"):
        kind, label = ("cowork_vm", "Cowork VM") if "claude" in name or "cowork" in name else ("windows_vm", "Hyper-V")
    elif shared := _SHARED.get("qemu" if name.startswith(("qemu-system-", "qemu-kvm")) else name):
        kind, label = owner_by_traces(birth.argv) or ("shared_vm", shared)
    elif "crashpad" in name:
        kind = "crashpad" if _of_the_app(exe) else ""
    elif name == "claude-desktop" or name.startswith("claude helper"):
        kind, label = _part_of_app(birth)
    elif name == "electron":
        kind, label = _electron(birth)
    else:
        kind = ""
    return Known(birth.pid, birth.created, label, kind)


def owner_by_traces(traces: Sequence[str]) -> tuple[Kind, str] | None:
    """Whose virtual machine it is by its disk, its arguments or who stands for it; None when they say nothing."""
    paths = "\n".join(traces).casefold().replace("\\", "/")
    if _COWORK.search(paths):
        return "cowork_vm", "Cowork VM"
    return next((("vm", owner) for part, owner in DISKS.items() if part in paths), None)


def _agent(name: str, exe: str, argv: tuple[str, ...]) -> str | None:
    """The command of the agent that a process is: by its own name, or by the script that its runtime runs."""
    if name == "claude" or name in AGENTS:
        return name
    if "/claude/versions/" in exe.casefold():
        return "claude"  # the command line's own installer names the program by its version
    if name not in RUNTIMES and not name.startswith("python3."):
        return None
    # The script is among the first arguments; what follows is the user's.
    for word in argv[:4]:
        path = word.replace("\\", "/")
        for package, command in PACKAGES.items():
            if f"/{package}/" in path:
                return command
        if (last := path.rpartition("/")[2].removesuffix(".js")) in AGENTS or last == "claude":
            return last
    return None


def _claude(exe: str, birth: Birth) -> tuple[Kind, str]:
    """Who is called ``claude``: the app on macOS and Windows, or the command line. Only the path tells them apart."""
    low = exe.casefold()
    if "/claude-code/" in low and "node_modules" not in low:
        return "hosted_cli", "claude"
    if _of_the_app(exe) or (not exe and birth.name.startswith("Claude")):
        return _part_of_app(birth)
    return "cli", "Claude Code"


def _of_the_app(exe: str) -> bool:
    low = exe.casefold()
    return any(part in low for part in ("/claude.app/contents/", "/anthropicclaude/", "/windowsapps/claude_")) or (
        "/claude-desktop/" in low or low.endswith("/claude-desktop")
    )


def _part_of_app(birth: Birth) -> tuple[Kind, str]:
    helper = "helper" in birth.name.casefold() or any(word.startswith("--type=") for word in birth.argv[:8])
    return ("helper" if helper else "app"), "Claude"


def _electron(birth: Birth) -> tuple[Kind, str]:
    """On Linux the app may run under a bare Electron, told by the bundle that it runs. Helpers need not name it."""
    if any("claude" in word.casefold() and ".asar" in word for word in birth.argv[:8]):
        return _part_of_app(birth)
    return ("electron" if any(word.startswith("--type=") for word in birth.argv[:8]) else ""), birth.name
