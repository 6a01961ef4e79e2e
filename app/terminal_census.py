"""What the command line prints of the census for people, as Rich tables. Log text and titles are hostile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.core.counted import Census, Checks, GovernorShape, Share, UnknownShape, Victim

SHAPE_WORDS: Mapping[GovernorShape, str] = {
    "would_evict_warm": "would evict, for a warm start",
    "would_evict_user": "would evict, for the user",
    "would_evict_untold": "would evict, start not told",
    "evicting": "evicting to make room",
    "pressure_evicting": "evicting to free memory",
    "yielding": "start put off",
    "pressure_warning": "memory warning",
    "pressure_critical": "memory critical",
}
SOURCE_WORDS = {"governor": "governor", "os": "operating system"}
CHECK_WORDS = {"pressure_line": "memory line", "quit_line": "line at quit"}
SHOWN = 12
"""Rows of a long table; the rest is summed up in its last row."""
SHAPE_WIDTH = 24
"""So wide a shape stays readable; the times beside it wrap first."""


def print_census(
    found: Census,
    zone: tzinfo = UTC,
    names: Mapping[str, str] | None = None,
    console: Console | None = None,
) -> None:
    """What the log is made of; times in ``zone``, sources by ``names`` (by id) where it has them.

    A table without rows is left out.
    """
    out = console or Console()
    known = names or {}
    out.print(_lines(found))
    for table in (
        _shares("Lines by scope", found.scopes),
        _governor(found),
        _victims(found.victims, found.named_sessions),
        _shapes(found, zone, known),
        _checks(found.checks, zone, known),
        _scores(found),
    ):
        if table.row_count:
            out.print(table)


def safe(text: str) -> str:
    """``text`` as it is shown: no markup, no terminal escapes, no other character that cannot be seen."""
    return escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text))


def _lines(found: Census) -> Table:
    limits, checks = found.limits, found.checks
    severities = ", ".join(f"{safe(one.name)} {one.lines:,}" for one in found.severities)
    rows: dict[str, str] = {
        "lines": f"{found.lines:,}",
        "by severity": severities or "none",
        "continuation, without prefix, cut": f"{found.continued:,}, {found.unprefixed:,}, {found.cut:,}",
        "starts put off (warm, user)": f"{found.put_off['warm']:,}, {found.put_off['user']:,}",
        "usage limit, overload, sign-in": f"{limits.usage:,}, {limits.overload:,}, {limits.sign_in:,}",
        "look like a limit, are none": f"{limits.look_alikes:,}",
        "the app's own count agreed": f"{checks.agreed:,} of {checks.agreed + checks.disagreed:,} times",
    }
    for one in found.pressure:
        rows[f"memory {one.level}, by the {SOURCE_WORDS[one.source]}"] = f"{one.lines:,}"
    table = Table(title="Census", title_justify="left", show_header=False)
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _table(title: str, words: Iterable[str], numbers: Iterable[str]) -> Table:
    """A table whose ``words`` columns come first and fold, and whose ``numbers`` stand to the right."""
    table = Table(title=title, title_justify="left")
    for name in words:
        table.add_column(name, overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def _shares(title: str, shares: tuple[Share, ...]) -> Table:
    table = _table(title, ["scope"], ["lines", "share"])
    for one in shares[:SHOWN]:
        table.add_row(safe(one.name) or "(no tag)", f"{one.lines:,}", f"{one.share:.1%}")
    if rest := shares[SHOWN:]:
        lines, share = sum(one.lines for one in rest), sum(one.share for one in rest)
        table.add_row(f"({len(rest)} more)", f"{lines:,}", f"{share:.1%}")
    return table


def _governor(found: Census) -> Table:
    governor = found.governor
    table = _table(f"The governor's lines: {governor.lines:,}, {governor.share:.1%} of all", ["shape"], ["lines"])
    for shape, lines in governor.shapes.items():
        if lines:
            table.add_row(SHAPE_WORDS[shape], f"{lines:,}")
    if governor.other:
        table.add_row("other", f"{governor.other:,}")
    return table


def _victims(victims: tuple[Victim, ...], all_of_them: int) -> Table:
    table = _table(f"Most named, of {all_of_them:,} sessions", ["session"], ["named", "really closed"])
    for one in victims[:SHOWN]:
        table.add_row(safe(one.title or one.session), f"{one.named:,}", f"{one.closed:,}")
    return table


def _shapes(found: Census, zone: tzinfo, names: Mapping[str, str]) -> Table:
    table = _table("Lines not recognised", ["shape", "first at", "seen"], ["lines"])
    table.columns[0].min_width = SHAPE_WIDTH
    for one in found.shapes[:SHOWN]:
        table.add_row(safe(one.shape), _place(one.source, one.line, names), _seen(one, zone), f"{one.lines:,}")
    more = sum(one.lines for one in found.shapes[SHOWN:]) + found.more_shapes
    if more:
        table.add_row("(other shapes)", "", "", f"{more:,}")
    return table


def _seen(one: UnknownShape, zone: tzinfo) -> str:
    first, last = _moment(one.first_at, zone), _moment(one.last_at, zone)
    return first if first == last else f"{first} to {last}"


def _checks(checks: Checks, zone: tzinfo, names: Mapping[str, str]) -> Table:
    table = _table("Where the app's own count differs", ["at", "said by", "line"], ["the log", "ours"])
    for one in checks.disagreements[-SHOWN:]:
        where = _place(one.source, one.line, names)
        table.add_row(_moment(one.at, zone), CHECK_WORDS[one.by], where, str(one.log), str(one.ours))
    return table


def _scores(found: Census) -> Table:
    table = _table("Our ranking, by version of the app", ["version"], ["named", "our first", "in our first three"])
    for version, one in found.scores.items():
        table.add_row(safe(version) or "(unknown)", f"{one.named:,}", f"{one.first:,}", f"{one.first_three:,}")
    return table


def _place(source: str, line: int, names: Mapping[str, str]) -> str:
    return f"{safe(names.get(source, source))}:{line}"


def _moment(when: datetime, zone: tzinfo) -> str:
    return f"{when.astimezone(zone):%Y-%m-%d %H:%M:%S}"
