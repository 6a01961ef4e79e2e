"""The census as what JSON can carry."""

from __future__ import annotations

import json
from datetime import timedelta, timezone

from app.core.counted import (
    Census,
    Checks,
    Difference,
    Differences,
    Disagreement,
    GovernorLines,
    Limits,
    PressureLines,
    Share,
    UnknownShape,
    Victim,
)
from app.core.state import Score
from tests.core.helpers import NOON, after

FOUND = Census(
    lines=10,
    severities=(Share("info", 8, 0.8),),
    scopes=(Share("", 8, 0.8),),
    continued=1,
    unprefixed=1,
    cut=0,
    governor=GovernorLines(3, 0.3, {"evicting": 2}, 1),
    pressure=(PressureLines("os", "warning", 2),),
    put_off={"warm": 1, "user": 0},
    victims=(Victim("s0", "Report", 4, 1),),
    named_sessions=1,
    limits=Limits(1, 2, 3, 4),
    shapes=(UnknownShape("[CliGovernor] new <n>", 2, "f1", 7, NOON, after(60)),),
    more_shapes=5,
    checks=Checks(2, 1, (Disagreement(NOON, "quit_line", 3, 2, "f2", 9),)),
    scores={"2.1": Score(5, 4, 5)},
    disagreements=Differences(2, 0, (Difference(NOON, "memory", 1900, 9000),)),
)


def test_plain_census() -> None:
    """Everything that was counted is there by name, times in the zone, sources by name where one is known."""
    plain = FOUND.as_plain(timezone(timedelta(hours=9)), {"f1": "main.log"})

    assert json.loads(json.dumps(plain)) == {
        "lines": 10,
        "severities": [{"name": "info", "lines": 8, "share": 0.8}],
        "scopes": [{"name": "", "lines": 8, "share": 0.8}],
        "continued": 1,
        "unprefixed": 1,
        "cut": 0,
        "governor": {"lines": 3, "share": 0.3, "shapes": {"evicting": 2, "other": 1}},
        "pressure": [{"source": "os", "level": "warning", "lines": 2}],
        "put_off": {"warm": 1, "user": 0},
        "victims": [{"session": "s0", "title": "Report", "named": 4, "closed": 1}],
        "named_sessions": 1,
        "limits": {"usage": 1, "overload": 2, "sign_in": 3, "look_alikes": 4},
        "unrecognized": {
            "shapes": [
                {
                    "shape": "[CliGovernor] new <n>",
                    "lines": 2,
                    "source": "main.log",
                    "line": 7,
                    "first_at": "2026-10-02T21:00:00+09:00",
                    "last_at": "2026-10-02T21:01:00+09:00",
                }
            ],
            "more": 5,
        },
        "checks": {
            "agreed": 2,
            "disagreed": 1,
            "disagreements": [
                {"at": "2026-10-02T21:00:00+09:00", "by": "quit_line", "log": 3, "ours": 2, "source": "f2", "line": 9}
            ],
        },
        "scores": {"2.1": {"named": 5, "first": 4, "first_three": 5}},
        "disagreements": {
            "memory": 2,
            "processes": 0,
            "newest": [{"at": "2026-10-02T21:00:00+09:00", "what": "memory", "log": 1900, "host": 9000}],
        },
    }


def test_plain_census_without_names() -> None:
    """Without names a source is given by its id, and times are UTC."""
    first = FOUND.as_plain()["unrecognized"]["shapes"][0]

    assert (first["source"], first["first_at"]) == ("f1", "2026-10-02T12:00:00+00:00")
