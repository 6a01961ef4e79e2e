"""What is new of what happened: rows on top of those that a page has, which need not be sent again."""

from __future__ import annotations

from app.web.views import HappenedRow, HappenedView, NewsView


def news(before: object, now: object) -> NewsView | None:
    """What makes the view ``before`` the view ``now``; None where that takes more than rows on top and rows that go.

    Both are what a page has in the same place. A time that says its day from midnight on changes a row, as does one
    that tells how often a thing came.
    """
    if not isinstance(before, HappenedView) or not isinstance(now, HappenedView) or not before.rows:
        return None
    stays = next((now.rows[new:] for new in range(1, len(now.rows)) if _begins(before.rows, now.rows[new:])), None)
    if stays is None:
        return None
    fresh = now.rows[: len(now.rows) - len(stays)]
    return NewsView(now.summary, fresh, tuple(row.id for row in before.rows[len(stays) :]))


def _begins(rows: tuple[HappenedRow, ...], with_these: tuple[HappenedRow, ...]) -> bool:
    return rows[: len(with_these)] == with_these
