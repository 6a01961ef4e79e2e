"""A step of a list: what came, went or changed is sent, and everything else stays where it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.rendering import Renderer
from app.web.steps import step
from app.web.timeline_views import Glyph, MarksView
from app.web.views import AnnounceView, HappenedRow, HappenedView, Item, NextRow, NextView, Part
from tests.web.scenes import ROOT


def row(number: int, why: str = "why") -> HappenedRow:
    """The row of the thing that happened as the ``number``th."""
    time, line = f"12:00:{number:02}", f"main.log:{number}"
    return HappenedRow(f"h{number}", time, "", "app", (Part(f"thing {number}"),), why, line, "", "/why")


def view(*numbers: int) -> HappenedView:
    """These, newest first."""
    return HappenedView(f"{len(numbers)} things", tuple(row(number) for number in numbers), "")


def queue(rows: Sequence[int], kept: Sequence[int] = (), place: str = "1st", more: str = "") -> NextView:
    """A queue of these, each at the ``place``, and those that are passed over."""
    listed = tuple(NextRow(f"q{n}", place, f"Session {n}", "note", 1, first=False, elapsed="1:00") for n in rows)
    passed = tuple(NextRow(f"k{n}", "–", f"Session {n}", "note", 1, first=False, elapsed="1:00") for n in kept)
    return NextView("right 1 of 2 times", "by version", listed, passed, "", more)


def marks(*numbers: int, name: str = "3") -> MarksView:
    """The marks of one row."""
    return MarksView(name, tuple(Glyph(f"m{n}", "evicted", float(n), 10, f"mark {n}") for n in numbers))


@pytest.mark.parametrize(
    ("before", "now", "added", "gone"),
    [
        pytest.param((3, 2, 1), (4, 3, 2, 1), {"#happened > header": [4]}, [], id="one more"),
        pytest.param((3, 2, 1), (4, 3, 2), {"#happened > header": [4]}, ["h1"], id="one for one"),
        pytest.param((3, 2, 1), (5, 4, 3), {"#happened > header": [5, 4]}, ["h2", "h1"], id="two for two"),
        pytest.param((3, 2, 1), (4, 2, 1), {"#happened > header": [4]}, ["h3"], id="told once more"),
        pytest.param((4, 3, 2, 1), (5, 4, 2), {"#happened > header": [5]}, ["h3", "h1"], id="from the middle"),
        pytest.param((3, 1), (3, 2, 1), {"#h3": [2]}, [], id="one between"),
        pytest.param((4, 1), (6, 5, 4, 3, 2, 1), None, [], id="more than half, yet not all"),
        pytest.param((3, 2), (3, 2, 1), {"#h2": [1]}, [], id="one at the end"),
        pytest.param((3, 2, 1), (3, 2), {}, ["h1"], id="too old"),
        pytest.param((3, 2, 1), (3, 2, 1), {}, [], id="nothing"),
    ],
)
def test_rows_come_and_go(
    before: tuple[int, ...], now: tuple[int, ...], added: dict[str, list[int]] | None, gone: list[str]
) -> None:
    """The new ones with what they follow, and the names of those that have no room any more."""
    taken = step(view(*before), view(*now))

    assert taken is not None
    if added is not None:
        assert {run.target: list(run.items) for run in taken.added} == {
            target: [row(number) for number in numbers] for target, numbers in added.items()
        }
    assert list(taken.gone) == gone
    assert taken.changed == ()
    told = (("#happened > header > .aside", view(*now).summary),)
    assert taken.texts == (told if len(before) != len(now) else ())


@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param(view(), view(1), id="the first"),
        pytest.param(view(3, 2, 1), view(6, 5, 4), id="all new"),
        pytest.param(view(3, 2, 1), view(2, 3, 1), id="another order"),
        pytest.param(view(2, 2, 1), view(3, 2, 1), id="one name twice"),
        pytest.param(view(2, 1), view(3, 3, 2, 1), id="one name twice by now"),
        pytest.param(view(1), view(), id="none any more"),
        pytest.param(view(1), replace(view(1), empty="a sentence"), id="a sentence"),
        pytest.param(queue([1, 2]), replace(queue([1, 2]), details=""), id="no record any more"),
        pytest.param(queue([1, 2, 3]), queue([1, 2, 3], place="2nd"), id="all changed"),
        pytest.param(marks(1, 2), marks(1, 2, name="4"), id="another row"),
        pytest.param(view(1, 2), queue([1, 2]), id="another list"),
        pytest.param(None, view(1), id="nothing was sent yet"),
        pytest.param(AnnounceView("a"), AnnounceView("b"), id="no list"),
    ],
)
def test_anything_else_is_sent_whole(before: object, now: object) -> None:
    """Where another thing than items changed, where they changed places, and where a step is all of the list."""
    assert step(before, now) is None


@pytest.mark.parametrize("place", [0, 1])
def test_a_row_that_says_something_else_changes_where_it_stands(place: int) -> None:
    """From midnight on times say their day, and a title may be learned late."""
    rows = [row(3), row(2), row(1)]
    rows[place] = row(3 - place, "something else")

    taken = step(view(3, 2, 1), HappenedView("3 things", tuple(rows), ""))

    assert taken is not None
    assert taken.changed == (rows[place],)
    assert (taken.texts, taken.gone, taken.added) == ((), (), ())


def test_what_counts_on_by_itself_is_no_change() -> None:
    """The clock of a row in the queue goes on in the page."""
    now = queue([1, 2])
    taken = step(queue([1, 2]), replace(now, rows=tuple(replace(one, elapsed="1:02") for one in now.rows)))

    assert taken is not None
    assert (taken.changed, taken.added, taken.gone, taken.texts) == ((), (), (), ())


def test_the_queue_and_who_is_passed_over_are_two_lists() -> None:
    """Who is protected from now on leaves the one and comes to the other; the note below is a text."""
    taken = step(queue([1, 2, 3], [4]), queue([1, 3], [2, 4], more="and 2 more"))

    assert taken is not None
    assert taken.gone == ("q2",)
    assert [(run.target, run.side, [one.id for one in run.items]) for run in taken.added] == [
        ("#kept", "afterbegin", ["k2"])
    ]
    assert taken.texts == (("#queue-more", "and 2 more"),)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (view(3, 2, 1), HappenedView("news", (row(5), row(3), row(2, "<b>")), "")),
        (queue([1, 2, 3], [4]), queue([1, 3], [2, 4], more="and 2 more")),
        (marks(1, 2, 3), marks(1, 3, 4, 5)),
    ],
    ids=["happened", "queue", "marks"],
)
def test_a_step_is_made_of_the_markup_of_its_items(before: object, now: object) -> None:
    """What is sent for an item is what stands for it in the whole place, and every target is in what the page has."""
    renderer = Renderer(ROOT / "templates", str)
    template = {HappenedView: "happened", NextView: "next", MarksView: "marks"}[type(now)]
    taken = step(before, now)
    assert taken is not None
    told, whole, was = (renderer.fragment(*one) for one in (("step", taken), (template, now), (template, before)))

    parts = re.findall(r'<hx-partial hx-target="(.+?)" hx-swap="(\w+)[^"]*">(.*?)</hx-partial>', told, re.S)
    assert len(parts) == len(taken.texts) + len(taken.gone) + len(taken.changed) + len(taken.added)
    for target, how, markup in parts:
        name = target.removeprefix("#").partition(" ")[0]
        assert name in {"happened", "next"} or f'id="{name}"' in was
        if how not in {"textContent", "delete"}:
            assert markup.strip() in whole


ORDERED = st.lists(st.integers(0, 9), unique=True, max_size=8).map(sorted)


@given(ORDERED, ORDERED, st.sets(st.integers(0, 9)))
def test_steps_lead_from_one_list_to_the_other(before: list[int], now: list[int], changed: set[int]) -> None:
    """Whatever comes, goes and changes at once: who takes the step has the new list."""
    new = tuple(replace(one, title="other") if int(one.id[1:]) in changed else one for one in marks(*now).glyphs)
    taken = step(marks(*before), MarksView("3", new))
    if taken is None:
        assert set(before).isdisjoint(set(now) - changed)
        return
    page: dict[str, Item] = {one.id: one for one in marks(*before).glyphs if one.id not in taken.gone}
    page |= {one.id: one for one in taken.changed}
    order = list(page)
    for run in taken.added:
        at = 0 if run.target == "#marks-3" else order.index(run.target[1:]) + 1
        order[at:at] = [one.id for one in run.items]
        page |= {one.id: one for one in run.items}

    assert [page[name] for name in order] == list(new)
    assert {run.target for run in taken.added} <= {f"#m{n}" for n in before if n in now} | {"#marks-3"}
