"""main.log: every shape, gathered from the areas it speaks of."""

from __future__ import annotations

from app.core.formats import main_app, main_governor, main_known, main_limit, main_session, main_turn

FORMATS = (
    main_governor.FORMATS
    + main_session.FORMATS
    + main_turn.FORMATS
    + main_limit.FORMATS
    + main_app.FORMATS
    + main_known.FORMATS
)

MUST_KNOW = ("[CliGovernor]", "[WarmLifecycle", "[CCD] Pausing")
"""Beginnings of lines that say something about seats: an unknown shape among them is `Unrecognized`, never dropped."""
