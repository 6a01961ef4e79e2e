"""What is so, from the simulation's own variables: the measure that a reader of the log is held against."""

from __future__ import annotations

from datetime import UTC
from typing import Any, TypeAlias

from app.demo import memory
from app.demo.world import Session, World

Truth: TypeAlias = dict[str, Any]


def truth_of(world: World) -> Truth:
    """The state at the world's present moment, in the shape of the golden cases' expected.json.

    ``ranking`` and ``idle`` hold every idle, unprotected seat holder. A session's ``why`` tells how it stopped last,
    None if it never did or if its user stopped it. ``evicts_for_real`` is what the log can have shown so far.
    """
    queue = world.candidates()
    counts = world.counts
    closed = counts["evicted_cap"] + counts["evicted_pressure"]
    spoken = closed + counts["put_off"] + sum(counts[key] for key in SPOKEN)
    return {
        "at": world.now.astimezone(UTC).isoformat(),
        "tz": world.config.zone,
        "cap": world.config.cap,
        "version": world.version,
        "seats": world.effective(),
        "pressure": memory.level_now(world),
        "evicts_for_real": True if closed else False if spoken else None,
        "named": len(world.namings),
        "ranking": [session.id for session in queue],
        "idle": {session.id: world.idle_seconds(session) for session in queue},
        "sessions": {session.id: _session(session) for session in world.sessions.values()},
        "counts": {
            "would_evict": {"warm": counts["would_evict_warm"], "user": counts["would_evict_user"]},
            "put_off": counts["put_off"],
            "evicted": {"cap": counts["evicted_cap"], "pressure": counts["evicted_pressure"]},
            "paused_idle": counts["paused_idle"],
            "pressure_lines": {"warning": counts["pressure_warning"], "critical": counts["pressure_critical"]},
            "rate_limited": counts["rate_limited"],
            "overloaded": counts["overloaded"],
        },
        "vm": world.vm,
    }


SPOKEN = ("would_evict_warm", "would_evict_user", "pressure_warning", "pressure_critical")


def _session(session: Session) -> Truth:
    return {
        "kind": session.kind,
        "holds_seat": session.holds_seat,
        "phase": session.phase,
        "protected": sorted(session.holds) if session.alive else [],
        "why": session.why,
    }
