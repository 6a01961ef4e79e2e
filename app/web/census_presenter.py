"""From what was counted to what the page of the census shows. Pure; no markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from app.core.counted import Census, Checks, Difference, Differences, GovernorShape, Share, UnknownShape
from app.core.events import Observed, Unrecognized
from app.core.state import State
from app.web.census_views import CensusView, CheckRow, ScoreRow, ShapeRow, ShareRow, VictimRow
from app.web.lines import LineView, line_view, place
from app.web.links import session_href
from app.web.titles import plain, title_by_id
from app.web.views import Row
from app.web.words import _, gigabytes, level_word, listed, n_, number, told_when

MOST_SCOPES = 14
MOST_SHAPES = 12
MOST_CHECKS = 12
MOST_VICTIMS = 8
LONGEST_NAME = 60
LONGEST_SHAPE = 300


@dataclass(frozen=True, slots=True)
class Counted:
    """What the page is made of: the census, and ``samples``, the newest lines of unknown shapes, newest first.

    ``names`` are the sources' file names by id; ``state`` knows the sessions' titles.
    """

    census: Census
    names: Mapping[str, str]
    samples: Sequence[Observed]
    state: State
    now: datetime
    zone: tzinfo

    when = told_when

    def where(self, source: str, line: int) -> str:
        """Where a line stands."""
        return place(self.names.get(source, source), line)


def census_view(counted: Counted) -> CensusView:
    """Everything on the page."""
    found = counted.census
    unknown = sum(one.lines for one in found.shapes) + found.more_shapes
    scopes = found.scopes[:MOST_SCOPES]
    return CensusView(
        lead=_("{lines}. The governor wrote {share} of them.").format(
            lines=n_("{n} line read", "{n} lines read", found.lines), share=percent(found.governor.share)
        ),
        small=_small(found, unknown),
        empty="" if found.lines else _("No line has been read yet."),
        severities=_shares(found.severities),
        scopes=_shares(scopes),
        more_scopes=_more(found.scopes[len(scopes) :]),
        oddities=_oddities(found),
        governor=listed(
            (n_("{n} line", "{n} lines", found.governor.lines), _("{share} of all").format(
                share=percent(found.governor.share)))
        ),
        governor_rows=_governor(found),
        victims=_victims(counted),
        more_victims=_hidden(found.named_sessions - min(len(found.victims), MOST_VICTIMS)),
        limits=_limits(found),
        shapes=_shapes(counted),
        more_shapes=_unlisted(found),
        checks=_checks(found.checks),
        differing=_differing(counted),
        host=tuple(_host(one, counted) for one in found.disagreements.newest[-MOST_CHECKS:][::-1]),
        more_host=_more_host(found.disagreements),
        scores=_scores(found),
    )  # fmt: skip


def percent(share: float) -> str:
    """A share from 0 to 1, in percent; what is too small to be seen is not called nothing."""
    return _("under 0.1 %") if 0 < share < 0.001 else f"{share * 100:.1f} %"


def _small(found: Census, unknown: int) -> str:
    if not unknown:
        return _("Every line of a scope that must be understood was understood.")
    return n_(
        "{n} line is of a shape that is not known; it is kept, counted and never guessed at.",
        "{n} lines are of shapes that are not known; they are kept, counted and never guessed at.",
        unknown,
    )


def _shares(shares: Iterable[Share]) -> tuple[ShareRow, ...]:
    rows = list(shares)
    most = max((one.lines for one in rows), default=0) or 1
    return tuple(
        ShareRow(
            plain(one.name, LONGEST_NAME) or _("(no tag)"),
            number(one.lines),
            percent(one.share),
            round(100 * one.lines / most, 2),
        )
        for one in rows
    )


def _more(rest: Sequence[Share]) -> str:
    if not rest:
        return ""
    lines = n_("{n} line", "{n} lines", sum(one.lines for one in rest))
    return _("{more} with {lines}").format(more=n_("and {n} more scope", "and {n} more scopes", len(rest)), lines=lines)


def _hidden(rows: int) -> str:
    return n_("and {n} more session", "and {n} more sessions", rows) if rows > 0 else ""


def _oddities(found: Census) -> tuple[Row, ...]:
    """Lines that are no records of their own."""
    return (
        Row(_("Continuation lines"), number(found.continued)),
        Row(_("Lines before any record"), number(found.unprefixed)),
        Row(_("Lines cut for their length"), number(found.cut), "next" if found.cut else "plain"),
    )


def _governor(found: Census) -> tuple[ShareRow, ...]:
    words: dict[GovernorShape, str] = {
        "would_evict_warm": _("named, for a warm start; nothing closed"),
        "would_evict_user": _("named, for a start by the user; nothing closed"),
        "would_evict_untold": _("named, start not told; nothing closed"),
        "evicting": _("closed to make room"),
        "pressure_evicting": _("closed to free memory"),
        "yielding": _("starts put off"),
        "pressure_warning": _("memory pressure: {level}").format(level=level_word("warning")),
        "pressure_critical": _("memory pressure: {level}").format(level=level_word("critical")),
    }
    governor = found.governor
    counts = [(words[shape], lines) for shape, lines in governor.shapes.items() if lines]
    counts += [(_("other lines"), governor.other)] if governor.other else []
    return _shares(Share(name, lines, lines / (governor.lines or 1)) for name, lines in counts)


def _victims(counted: Counted) -> tuple[VictimRow, ...]:
    return tuple(
        VictimRow(
            title_by_id(counted.state, one.session), session_href(one.session), number(one.named), number(one.closed)
        )
        for one in counted.census.victims[:MOST_VICTIMS]
    )


def _limits(found: Census) -> tuple[Row, ...]:
    limits = found.limits
    return (
        Row(_("The account's usage limit"), number(limits.usage), "next" if limits.usage else "plain"),
        Row(_("The service overloaded"), number(limits.overload), "next" if limits.overload else "plain"),
        Row(_("Sign-in lost"), number(limits.sign_in), "next" if limits.sign_in else "plain"),
        Row(_("Look like a limit and are none"), number(limits.look_alikes)),
    )


def _shapes(counted: Counted) -> tuple[ShapeRow, ...]:
    samples = {
        one.event.shape: line_view(one, counted.names, counted.now, counted.zone)
        for one in reversed(counted.samples)
        if isinstance(one.event, Unrecognized)
    }
    return tuple(_shape(one, samples, counted) for one in counted.census.shapes[:MOST_SHAPES])


def _shape(one: UnknownShape, samples: Mapping[str, LineView], counted: Counted) -> ShapeRow:
    first, last = counted.when(one.first_at), counted.when(one.last_at)
    return ShapeRow(
        shape=plain(one.shape, LONGEST_SHAPE),
        lines=number(one.lines),
        where=counted.where(one.source, one.line),
        seen=first if first == last else _("{start} to {end}").format(start=first, end=last),
        sample=samples.get(one.shape),
    )


def _unlisted(found: Census) -> str:
    lines = sum(one.lines for one in found.shapes[MOST_SHAPES:]) + found.more_shapes
    return n_("and {n} line of other shapes", "and {n} lines of other shapes", lines) if lines else ""


def _checks(checks: Checks) -> str:
    asked = checks.agreed + checks.disagreed
    if not asked:
        return _("The app's log has not given its own number of live sessions yet.")
    return _("The app's own number of live sessions and ours agreed {agreed} of {asked} times.").format(
        agreed=number(checks.agreed), asked=number(asked)
    )


def _differing(counted: Counted) -> tuple[CheckRow, ...]:
    by = {"pressure_line": _("at a memory line"), "quit_line": _("at a quit")}
    return tuple(
        CheckRow(
            counted.when(one.at), by[one.by], number(one.log), number(one.ours), counted.where(one.source, one.line)
        )
        for one in counted.census.checks.disagreements[-MOST_CHECKS:][::-1]
    )


def _host(one: Difference, counted: Counted) -> CheckRow:
    if one.what == "memory":
        return CheckRow(counted.when(one.at), _("free memory"), gigabytes(one.log), gigabytes(one.host), where="")
    return CheckRow(counted.when(one.at), _("live sessions"), number(one.log), number(one.host), where="")


def _more_host(found: Differences) -> str:
    hidden = found.memory + found.processes - min(len(found.newest), MOST_CHECKS)
    return n_("and {n} earlier time", "and {n} earlier times", hidden) if hidden > 0 else ""


def _scores(found: Census) -> tuple[ScoreRow, ...]:
    return tuple(
        ScoreRow(
            plain(version, LONGEST_NAME) or _("of unknown version"),
            number(one.named),
            _ratio(one.first, one.named),
            _ratio(one.first_three, one.named),
        )
        for version, one in found.scores.items()
    )


def _ratio(part: int, whole: int) -> str:
    return f"{number(part)} ({percent(part / whole)})" if whole else number(part)
