"""Trouble as a text that remembers what it was made of."""

from __future__ import annotations

import json

from app.core.trouble import Trouble


def test_trouble_is_its_english_sentence() -> None:
    """Whoever knows nothing of kinds compares, joins and writes it as any text."""
    one = Trouble.of("folder_unreadable", "The log folder /a cannot be read: gone.", place="/a", reason="gone")

    assert one == "The log folder /a cannot be read: gone."
    assert json.dumps([one]) == '["The log folder /a cannot be read: gone."]'
    assert (one.kind, dict(one.values)) == ("folder_unreadable", {"place": "/a", "reason": "gone"})
