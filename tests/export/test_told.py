"""Which happenings are news."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

from app.core.history import MarkKind
from app.export.told import LOOK_BACK, TOLD, News
from tests.web.scenes import NOW, ago, mark


def test_each_is_told_once() -> None:
    """The same mark in the next look is no news, another one is; what nobody asked for is never told."""
    news, closed, other = News(ago(hours=1)), mark("evicted_for_seat", 1, 5), mark("put_off", 0.5, 6)

    assert list(news.pick([closed, mark("app_started", 1)], NOW)) == [closed]
    assert list(news.pick([closed, other], NOW + timedelta(seconds=5))) == [other]


def test_a_restart_repeats_nothing() -> None:
    """What happened before the beginning, or too long ago, is not told."""
    news = News(ago(seconds=30))

    assert list(news.pick([mark("evicted_for_seat", 1), mark("evicted_for_seat", 10)], NOW)) == []
    assert news.since(NOW + timedelta(hours=1)) == NOW + timedelta(hours=1) - LOOK_BACK


def test_what_is_remembered_is_bounded() -> None:
    """After a while a mark is too old to be told, and is forgotten."""
    news = News(ago(hours=1))
    list(news.pick([mark("put_off", 1, n) for n in range(5)], NOW))

    assert list(news.pick([mark("put_off", 1, n) for n in range(5)], NOW + timedelta(minutes=5))) == []
    assert news._seen == {}


def test_kinds_are_those_of_the_history() -> None:
    """Every kind exists, and has a severity that is one and a sentence."""
    assert set(TOLD) <= set(get_args(MarkKind))
    assert {severity for severity, _sentence in TOLD.values()} <= {"info", "warn", "error"}
    assert all(sentence.endswith(".") for _severity, sentence in TOLD.values())
