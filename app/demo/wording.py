"""The texts of the log lines, as data. ``{sid}`` is a session's id; a text may run over several lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """What the app's builds word differently: how an idle session is timed and paused, and the sweep's last line."""

    idle_scope: str = "[WarmLifecycle:session]"
    paused_idle: str = "[CCD] Pausing session {sid} (idle_timeout)"
    pressure: str = (
        "[CliGovernor] memory pressure ({level}): would evict {victims} idle session(s), {effective} effective"
    )
    cleanup_block: bool = True
    lifecycle_init: tuple[str, ...] = (
        "[WarmLifecycle:cowork] Initialized (arm=always)",
        "[WarmLifecycle:session] Initialized (arm=when-hidden)",
    )


NEW = Wording()
OLD = Wording(
    idle_scope="[IdleManager:session]",
    paused_idle="[CCD] Pausing session {sid} due to idle",
    cleanup_block=False,
    lifecycle_init=("[IdleManager:session] Initialized (arm=when-hidden)",),
)
SWEEPING = Wording(pressure="[CliGovernor] memory pressure ({level}): evicting {closed} of {idle} idle session(s)")
"""The real-eviction era's last line. Only its ``<n> of <m> idle session(s)`` is on record."""

# The app itself
STARTING_APP = (
    "Starting app {{\n  appVersion: '{version}',\n  isPackaged: true,\n  platform: '{platform}',\n  arch: '{arch}',\n"
    "  nodeVersion: '24.18.1'\n}}"
)
PREVIOUS_QUIT = (
    "[quit-cleanup] previous quit: {{\n  for_update: {for_update},\n  duration_ms: {took},\n"
    "  handlers: [ 'cowork-vm-shutdown', 'pty-host', [length]: 2 ]\n}}"
)
INITIALIZED = "[CCD] Initialized with version {cli}"
MANAGER = "[LocalSessionManager] Initialization succeeded — accountId={account}, orgId={org}, existingSessions={n}"
VERSION_CHANGED = "[updater] Version changed since last launch: {old} → {new}"
REMOVING_OLD = "[CCD] Removing old version: {cli}"
REWARMED = "[CCD] Relaunch auto-resume: ran — warmed {warmed} of {eligible} eligible ({marked} marked)"
UPDATE_FOUND = "[updater] Found an update, downloading"
UPDATE_READY = "Update downloaded and ready to install {{ releaseName: 'Claude {version}' }}"
STEALTH = "[stealth-update] Triggering stealth update after idle timeout"
STEALTH_NAVIGATION = "[stealth-relaunch] Saved navigation history (3 entries)"
STEALTH_RESTORED = "[stealth-relaunch] Restoring navigation (3 entries)"
STOP_BEFORE_UPDATE = "Session stop before update took {ms}ms"
UPDATE_QUIT = "beforeQuitForUpdate handler fired, going down for update"
WINDOWS_ENDING = "Windows session ending (close-app) - quitting the app"
KILLING_PTY = "[CCD] Killing {n} PTY process tree(s) on quit"
STOPPING_ACTIVE = "[CCD] Stopping {n} active session(s) on quit"
BEFORE_QUIT = "beforeQuit: handler fired, going down"
CLEANUP_RUN = "Successfully run onQuitCleanup: {name}"
CLEANUP_DONE = "Successully ran all onQuitCleanup handlers, marking readyForQuit"
WILL_QUIT = "willQuit: handler is ready for quit, so quitting"
TICK = "[ScheduledTasks] tick {n}"
MEMORY = (
    "[process-memory] trigger={trigger} tree_rss_sum={rss}MB tree_footprint_sum={footprint}MB electron(9)={electron}MB "
    "children({k})={children}MB top=[electron_renderer:{p0}:889MB electron_main:{p1}:580MB child:{p2}:381MB "
    "child:{p3}:376MB child:{p4}:332MB] sys_free={free}MB/{total}MB sys_free_raw={raw}MB"
)
STALL = "[event-loop-stall] main process blocked for {ms}ms (task ipc={ms}ms, cumulative {sum}ms, rss {rss}MB)"

# Sessions
START = "LocalSessions.start:"
STARTING = "Starting local session {sid} in {cwd}"
RESUMING = "Resuming session {sid} in {cwd}"
MAPPING = "Mapping internal session {sid} to CLI session {cli}"
SEND = "LocalSessions.sendMessage: sessionId={sid}, messageLength={n}"
SENDING = "Sending message to session {sid}"
FOCUS = "[CCD] LocalSessions.setFocusedSession: sessionId={sid}"
ARM = "{scope} Starting idle timeout for {sid}: 900s"
REACHED = "{scope} Idle timeout reached, disconnecting {sid}"
DECLINED = "{scope} Session {sid} has declined 8 consecutive idle pauses — its process is not being reaped"
SKIP_REMOTE = "[CCD] Skipping pause for session {sid} - remote control is active ({bridge} bridge)"
SKIP_TASKS = "[CCD] Skipping pause for session {sid} - {n} active background task(s)"
PAUSED_BY_GOVERNOR = "[CCD] Pausing session {sid} (governor_evict)"
QUERY_COMPLETED = "Session {sid} query iterator completed"
WARM_INTENT = "[WarmLifecycle:session] Warming up session {sid}"
WARMING = "[CCD] Warming session {sid}"
WARMED = "[CCD] Session {sid} warmed successfully in {ms}ms"
WARM_SKIPPED = "[CCD] Skipping warm for {sid} — workspace no longer trusted"
TORN_DOWN = "[CCD] Session {sid} torn down with {n} live background task(s) — settling as stopped (exited)"
STOPPING = "Stopping session {sid}"
ARCHIVE = "LocalSessions.archive: sessionId={sid}"
ARCHIVED = "Archived session {sid}"
REMOTE_VERDICT = "[rcAutoEnable] verdict: enable=true source=preference trigger=session-start"
REMOTE_ENABLING = "Enabling remote control for session {sid}"
REMOTE_ENABLED = "Remote control enabled: https://claude.ai/code/session_{token}"
REMOTE_STATE = "[remote-control] bridge_state: connected"
WORKFLOW = "[CCD] Session {sid} workflow {id} {what}"
RETITLED = "Updated session {sid}: {{ title: '<redacted>', titleSource: 'tool' }}"

# Turns
TIMING = (
    "[CCD start-timing] {sid} preflight={a}ms worktree=0ms mcp={b}ms query=22ms enqueue=1ms init={c}ms "
    "first_assistant={d}ms | ccd_overhead={a}ms total_to_init={e}ms total_to_assistant={total}ms cache_hit={hit} "
    "worktree=false mcp_count=3 online=true"
)
HEALTHY = "[CCD CycleHealth] healthy cycle for {sid} ({s}s, hadFirstResponse=true)"
UNHEALTHY = "[CCD CycleHealth] unhealthy cycle for {sid} ({s}s, hadFirstResponse={had}, reason={reason})"
API_ERROR = "[CCD CycleHealth] {sid} api_error (success): {text}"
CLI_ERROR = "[CCD CycleHealth] {sid} cli_execution_error (error_during_execution): Claude Code process {how}"
QUERY_ERROR = "Session {sid} query error: Claude Code process {how}"
TIMED_OUT = (
    "[CCD] Session {sid} timed out after {s}s of inactivity (hadFirstResponse={had}, last_message_type=assistant, "
    "last_tool_name=Bash, seconds_since_stderr=never)"
)
STDERR_TAIL = (
    "[CCD] Session {sid} stderr tail:\n"
    "[CliGovernor] memory pressure (critical): would evict 9 idle session(s), 99 effective\n"
    "    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)"
)
ASKED = "Emitted tool permission request {request} for {tool} in session {sid}"
ANSWERED = "Received permission response for {request}: once (tool: {tool})"
USAGE_LIMITS = (
    "You've hit your session limit · resets 11:30pm ({zone})",
    "You've hit your weekly limit · resets 5pm ({zone})",
    "You're out of extra usage · resets 5pm ({zone})",
)
OVERLOADS = (
    "API Error: 529 Overloaded. Try again in a moment.",
    "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited",
)

# The governor
WOULD_EVICT = "[CliGovernor] at cap={cap}; would evict {sid} (idle {s}s) for {trigger} spawn"
EVICTING = "[CliGovernor] at cap={cap}; evicting {sid} (idle {s}s) for warm spawn"
YIELDING = "[CliGovernor] at cap; yielding warm spawn"
PRESSURE_EVICTING = "[CliGovernor] pressure evicting {sid} (idle {s}s)"
TRANSITION = "Memory pressure transition: {level}"

# Cowork
LIFECYCLE = "[Lifecycle] Session {sid}: {old} → {new}"
SUCCEEDED = "[Result] Turn succeeded for session {sid}"
STOP_HOOK = "[Stop hook] Query completed for session {sid}"
SCHEDULED = "[ScheduledTasks] Spawning new session for scheduled task {id}"
QUEUED = "[Dispatch] Queued notification for cold parent {sid} (child {child} completed)"
DRAINED = "[Dispatch] Drained 1 queued notification(s) for {sid}"
