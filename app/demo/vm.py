"""The Cowork VM: its start step by step in both of its logs, a start that stalls, its end."""

from __future__ import annotations

from functools import partial

from app.demo import wording
from app.demo.world import VM_NODE, VM_SWIFT, Severity, World

STEPS = (
    "download_and_sdk_prepare", "load_swift_api", "stop_existing_vm", "create_network", "create_vm_config", "vm_boot",
)  # fmt: skip
CONNECT = "guest_vsock_connect"
GIVE_UP = 60
"""After so many seconds without an answer of the guest the app gives the start up."""


def boot(world: World) -> None:
    """The VM is started; mostly it is ready within seconds, now and then its guest does not answer."""
    world.vm = "booting"
    bundle = "C:\\Users\\someone\\vm_bundles" if world.config.platform == "win32" else "/Users/someone/vm_bundles"
    _node(world, f"[VM:start] Beginning startup, bundlePath={bundle}/claudevm.bundle")
    _node(world, "[VM:start] memory=4GB tier=flat")
    for step in STEPS:
        _step(world, step)
    _node(world, f"[VM:steps] {CONNECT} started")
    if world.chance(world.config.vm_stall):
        for elapsed in range(10, GIVE_UP, 10):
            world.after(elapsed, partial(_still_waiting, world, elapsed))
        world.after(GIVE_UP, lambda: _fail(world))
        return
    took = world.rng.randint(900, 7000)
    world.after(took / 1000, lambda: _ready(world, took))


def shut_down(world: World) -> None:
    """The app stops its VM on the way out."""
    world.say(wording.CLEANUP_RUN.format(name="cowork-vm-shutdown"))
    world.vm = "down"


def heartbeat(world: World) -> None:
    """What a turn in the VM leaves in the VM's log."""
    if world.vm == "ready":
        _node(world, "[startVM] VM already connected")
        _node(world, "[vmOneShot] Running: bash [3 arg(s)] as someone")


def _step(world: World, step: str) -> None:
    _node(world, f"[VM:steps] {step} started")
    _swift(world, f"VM startup step: {step} started")
    if step == "create_vm_config":
        for row in ("Configuration created:", "  - CPUs: 4", "  - Memory: 4GB", "  - Boot: EFI (GRUB)"):
            _swift(world, row)
    _node(world, f"[VM:steps] {step} completed ({world.rng.randint(0, 240)}ms)")
    _swift(world, f"VM startup step: {step} completed")
    if step == "load_swift_api" and world.config.platform == "win32":
        _step(world, "add_plan9_shares")


def _ready(world: World, took: int) -> None:
    world.vm = "ready"
    _node(world, f"[VM:steps] {CONNECT} completed ({took}ms)")
    _node(world, "[VM] Network status: CONNECTED")
    _node(world, "[VM] API reachability: REACHABLE")
    _node(world, f"[VM:start] Startup complete, total time: {took + 310}ms")
    _swift(world, "Linux VM started successfully")
    _swift(world, "Guest: Ubuntu 22.04.5 LTS")
    world.after(world.rng.randint(40, 90), lambda: _keep_alive(world))


def _keep_alive(world: World) -> None:
    if world.vm == "ready":
        _node(world, world.rng.choice(("[Keepalive] ping ok", "[postConnect] done", "[KernelBugMonitor] State reset")))
        world.after(world.rng.randint(120, 400), lambda: _keep_alive(world))


def _still_waiting(world: World, elapsed: int) -> None:
    polls = elapsed * 4
    _node(world, f"[VM:start] Still waiting for guest connection... {elapsed * 1000 + 7}ms elapsed, {polls} polls")


def _fail(world: World) -> None:
    world.vm = "stalled"
    _node(world, "[VM:start] Connection timeout, last completed step: vm_boot", "error")
    stack = "\n    at VmManager.start (app.asar/index.js:2:31)\n    at async startVM (app.asar/index.js:9:12)"
    _node(world, f"[VM:start] Startup failed: Error: VM connection timeout after 60 seconds{stack}", "error")
    _node(world, "Dispatching startup error: VM connection timeout after 60 seconds", "error")
    world.after(world.rng.randint(180, 300), lambda: boot(world))


def _node(world: World, text: str, severity: Severity = "info") -> None:
    world.say(text, severity, VM_NODE)


def _swift(world: World, text: str) -> None:
    """macOS alone has this log."""
    if world.config.platform == "darwin":
        world.say(text, "info", VM_SWIFT)
