"""Every line of a long and varied story against the shapes that are on record."""

import re
from collections import Counter

import pytest

from app.demo.cases import random_config
from tests.demo.worlds import bodies, told

SID = r"local_(?:ditto_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
IDLE = r"\[(?:WarmLifecycle|IdleManager):session\]"

SHAPES: dict[str, tuple[str, ...]] = {
    "[CliGovernor]": (
        rf"\[CliGovernor\] at cap=\d+; would evict {SID} \(idle \d+s\) for (?:warm|user) spawn",
        rf"\[CliGovernor\] at cap=\d+; evicting {SID} \(idle \d+s\) for warm spawn",
        r"\[CliGovernor\] at cap; yielding warm spawn",
        rf"\[CliGovernor\] pressure evicting {SID} \(idle \d+s\)",
        r"\[CliGovernor\] memory pressure \((?:warning|critical)\): would evict \d+ idle session\(s\), \d+ effective",
        r"\[CliGovernor\] memory pressure \((?:warning|critical)\): evicting \d+ of \d+ idle session\(s\)",
    ),
    "[CCD]": (
        rf"\[CCD\] Pausing session {SID} (?:\((?:idle_timeout|governor_evict)\)|due to idle)",
        rf"\[CCD\] Warming session {SID}",
        rf"\[CCD\] Session {SID} warmed successfully in \d+ms",
        rf"\[CCD\] Skipping warm for {SID} — .+",
        rf"\[CCD\] Skipping pause for session {SID} - remote control is active \((?:startup-policy|explicit) bridge\)",
        rf"\[CCD\] Skipping pause for session {SID} - \d+ active background task\(s\)",
        rf"\[CCD\] Session {SID} torn down with \d+ live background task\(s\) — settling as stopped \(exited\)",
        rf"\[CCD\] Session {SID} timed out after \d+s of inactivity \(hadFirstResponse=\w+, last_message_type=.+\)",
        rf"\[CCD\] Session {SID} stderr tail:\n(?:.*\n)*.*",
        rf"\[CCD\] Session {SID} workflow wf_[0-9a-f]+ (?:started|ended)",
        rf"\[CCD\] LocalSessions\.setFocusedSession: sessionId=(?:{SID}|null)",
        r"\[CCD\] Stopping \d+ active session\(s\) on quit",
        r"\[CCD\] Killing \d+ PTY process tree\(s\) on quit",
        r"\[CCD\] Relaunch auto-resume: ran — warmed \d+ of \d+ eligible \(\d+ marked\)",
        r"\[CCD\] (?:Initialized with version|Removing old version:) [\d.]+",
    ),
    "[CCD CycleHealth]": (
        rf"\[CCD CycleHealth\] healthy cycle for {SID} \(\d+s, hadFirstResponse=(?:true|false)\)",
        rf"\[CCD CycleHealth\] unhealthy cycle for {SID} \(\d+s, hadFirstResponse=(?:true|false), reason=\w+\)",
        rf"\[CCD CycleHealth\] {SID} (?:api_error|cli_execution_error) \(\w+\): .+",
    ),
    "[CCD start-timing]": (
        rf"\[CCD start-timing\] {SID} preflight=\d+ms .+ \| ccd_overhead=\d+ms total_to_init=\d+ms "
        r"total_to_assistant=\d+ms cache_hit=(?:true|false) worktree=(?:true|false) mcp_count=\d+.*",
    ),
    "[WarmLifecycle:session]": (
        rf"{IDLE} Starting idle timeout for {SID}: 900s",
        rf"{IDLE} Idle timeout reached, disconnecting {SID}",
        rf"{IDLE} Session {SID} has declined 8 consecutive idle pauses — its process is not being reaped",
        rf"{IDLE} Warming up session {SID}",
        rf"{IDLE} Initialized \(arm=when-hidden\)",
    ),
    "Starting": (
        rf"Starting local session {SID} in \S+",
        r"Starting app \{\n  appVersion: '[\d.]+',\n  isPackaged: true,\n  platform: '\w+',\n  arch: '\w+',\n.*\n\}",
    ),
    "Session": (
        rf"Session {SID} query iterator completed",
        rf"Session {SID} query error: Claude Code process (?:exited with code \d+|terminated by signal SIGKILL)",
        r"Session stop before update took \d+ms",
    ),
    "LocalSessions.sendMessage:": (rf"LocalSessions\.sendMessage: sessionId={SID}, messageLength=\d+",),
    "Resuming": (rf"Resuming session {SID} in \S+",),
    "Mapping": (rf"Mapping internal session {SID} to CLI session {UUID}",),
    "Sending": (rf"Sending message to session {SID}",),
    "Emitted": (rf"Emitted tool permission request {UUID} for \w+ in session {SID}",),
    "Received": (rf"Received permission response for {UUID}: once \(tool: \w+\)",),
    "Memory": (r"Memory pressure transition: (?:normal|warning|critical)",),
    "[process-memory]": (
        r"\[process-memory\] trigger=(?:interval|stall) tree_rss_sum=\d+MB tree_footprint_sum=\d+MB "
        r"electron\(9\)=\d+MB children\(\d+\)=\d+MB top=\[(?:\w+:\d+:\d+MB ?){5}\] "
        r"sys_free=\d+MB/\d+MB sys_free_raw=\d+MB",
    ),
    "[VM:steps]": (r"\[VM:steps\] [a-z0-9_]+ (?:started|completed \(\d+ms\))",),
    "[Lifecycle]": (rf"\[Lifecycle\] Session {SID}: \w+ → \w+",),
    "Enabling": (rf"Enabling remote control for session {SID}",),
}
SHAPES["[IdleManager:session]"] = SHAPES["[WarmLifecycle:session]"]
STAMP = re.compile(r"(?:\[VM\] )?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[(?:info|warn|error)\] .+", re.DOTALL)


@pytest.mark.parametrize("block", range(4))
def test_every_line_that_is_read_has_a_shape_on_record(block: int) -> None:
    """No line of a read scope is worded in a way that nobody ever saw."""
    seen: Counter[str] = Counter()
    for seed in range(block * 5, block * 5 + 5):
        config = random_config(seed)
        _, lines = told(config, seed, 180)
        assert all(STAMP.fullmatch(line.text) for line in lines)
        for body in bodies(lines):
            head = body.partition("]")[0] + "]" if body.startswith("[") else body.split()[0]
            shapes = SHAPES.get(head, ())
            seen[head] += 1

            text = body.replace("\r\n", "\n")
            assert not shapes or any(re.fullmatch(shape, text) for shape in shapes), text
    assert {"[CliGovernor]", "[CCD]", "Starting", "[process-memory]", "Mapping"} <= set(seen)
