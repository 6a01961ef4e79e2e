"""Advice as what JSON can carry."""

from __future__ import annotations

import json
from datetime import timedelta, timezone

from app.core.advised import AnswerWaiting, UsageLimit, to_plain
from tests.core.helpers import NOON


def test_plain_advice_has_its_kind_and_its_fields() -> None:
    """The kind, the sessions and the numbers are kept under their names."""
    plain = to_plain(AnswerWaiting(("s0", "s1"), 700))

    assert json.loads(json.dumps(plain)) == plain == {"kind": "answer", "sessions": ["s0", "s1"], "seconds": 700}


def test_plain_advice_writes_times_in_the_zone() -> None:
    """An instant is written with the offset of the zone that is asked for."""
    plain = to_plain(UsageLimit(NOON, 60, "9pm"), timezone(timedelta(hours=9)))

    assert plain == {"kind": "usage_limit", "until": "2026-10-02T21:00:00+09:00", "seconds": 60, "resets": "9pm"}
