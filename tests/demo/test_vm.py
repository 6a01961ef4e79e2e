"""The VM's start in both of its logs."""

from app.demo import vm
from app.demo.world import VM_NODE, VM_SWIFT
from tests.demo.worlds import bodies, pass_time, quiet_world, said


def test_a_start_goes_through_its_steps_and_is_ready() -> None:
    """Each step starts and completes, the guest answers, the VM is up."""
    world = quiet_world()
    vm.boot(world)
    begun = world.vm
    lines = pass_time(world, 10)

    assert begun == "booting"
    assert world.vm == "ready"
    for step in (*vm.STEPS, vm.CONNECT):
        assert f"[VM:steps] {step} started" in lines
        assert any(line.startswith(f"[VM:steps] {step} completed (") for line in lines)
    assert any(line.startswith("[VM:start] Startup complete, total time: ") for line in lines)


def test_only_macos_has_the_native_log() -> None:
    """Windows adds a step of its own instead."""
    files = {}
    for platform in ("darwin", "win32"):
        world = quiet_world(platform=platform)
        vm.boot(world)
        lines = world.advance(world.now)
        files[platform] = {line.file for line in lines}
        plan9 = any("add_plan9_shares" in body for body in bodies(lines))

        assert plan9 == (platform == "win32")
    assert files == {"darwin": {VM_NODE, VM_SWIFT}, "win32": {VM_NODE}}


def test_a_stalled_start_waits_a_minute_fails_and_is_tried_again() -> None:
    """The app polls the guest, gives up after sixty seconds and starts over minutes later."""
    world = quiet_world(vm_stall=1.0)
    vm.boot(world)
    waiting = pass_time(world, 59)
    early = world.vm
    failed = pass_time(world, 1)
    late = world.vm
    again = pass_time(world, 300)

    assert (early, late) == ("booting", "stalled")
    assert sum("Still waiting for guest connection" in line for line in waiting) == 5
    assert "[VM:start] Connection timeout, last completed step: vm_boot" in failed
    assert any(line.startswith("[VM:start] Beginning startup") for line in again)


def test_the_heartbeat_needs_a_ready_vm() -> None:
    """A VM that is not up writes none."""
    world = quiet_world()
    vm.heartbeat(world)
    before = said(world)
    world.vm = "ready"
    vm.heartbeat(world)

    assert before == []
    assert said(world)[0] == "[startVM] VM already connected"


def test_the_app_takes_its_vm_down() -> None:
    """One line of the quit says so."""
    world = quiet_world()
    world.vm = "ready"
    vm.shut_down(world)

    assert world.vm == "down"
    assert said(world) == ["Successfully run onQuitCleanup: cowork-vm-shutdown"]
