"""What is new in a place that lists things: the items that changed, came and went; all others need not be sent again.

A place is known by what a page was sent in it. Where more than its items changed it has no step and is sent whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.web.timeline_views import MarksView
from app.web.views import Added, HappenedView, Item, NextView, StepView

Start: TypeAlias = tuple[str, str]
"""Where the first item of a list goes: the selector of an element that stays, and htmx's name for the side of it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A view as its lists, each with its `Start`; ``template`` is that of one item.

    ``texts`` are those of elements that are always there, by their selectors; ``rest`` is all else.
    """

    template: str
    lists: tuple[tuple[Start, Sequence[Item]], ...]
    texts: Mapping[str, str]
    rest: object


def _listing(view: object) -> Listing | None:
    match view:
        case HappenedView():
            # The header stays: htmx finds all targets before it swaps the first.
            there = (("#happened > header", "afterend"), view.rows)
            return Listing("event", (there,), {"#happened > header > .aside": view.summary}, view.empty)
        case NextView():
            lists = (("#queue", "afterbegin"), view.rows), (("#kept", "afterbegin"), view.kept)
            texts = {"#next > header > .aside": view.record, "#record > p": view.details}
            texts |= {"#queue-more": view.more, "#kept-more": view.more_kept}
            return Listing("next_row", lists, texts, (view.empty, bool(view.details)))
        case MarksView():
            return Listing("glyph", (((f"#marks-{view.row}", "afterbegin"), view.glyphs),), {}, view.row)
        case _:
            return None


def step(before: object, now: object) -> StepView | None:
    """What makes the view ``before`` the view ``now`` in the same place; None where it is no less than all of it.

    Items come, go and change where they stand, but do not change places: that would be all of the list.
    """
    old, new = _listing(before), _listing(now)
    if old is None or new is None or old.template != new.template or old.rest != new.rest:
        return None
    changed: list[Item] = []
    gone: list[str] = []
    added: list[Added] = []
    for (start, now_there), (_start, were_there) in zip(new.lists, old.lists, strict=True):
        were = {one.id: one for one in were_there}
        are = {one.id: one for one in now_there}
        stay = [one for one in were if one in are]
        # Two items of one name would be one for the page: it could not tell which of them is meant.
        if len(were) < len(were_there) or len(are) < len(now_there) or stay != [one for one in are if one in were]:
            return None
        changed += [one for one in now_there if one.id in were and one != were[one.id]]
        gone += [one for one in were if one not in are]
        added += _added(start, now_there, were)
    fresh = [one.id for run in added for one in run.items]
    if len(changed) + len(fresh) >= sum(len(there) for _start, there in new.lists) or set(gone) & set(fresh):
        return None
    texts = tuple((place, text) for place, text in new.texts.items() if text != old.texts[place])
    return StepView(new.template, texts, tuple(gone), tuple(changed), tuple(added))


def _added(start: Start, items: Sequence[Item], known: Mapping[str, object]) -> list[Added]:
    """The items that are not ``known``, each run of them with the one that it follows."""
    found: list[Added] = []
    target, side = start
    run: list[Item] = []
    for one in [*items, None]:
        if one is not None and one.id not in known:
            run.append(one)
            continue
        if run:
            found.append(Added(target, side, tuple(run)))
            run = []
        if one is not None:
            target, side = f"#{one.id}", "afterend"
    return found
