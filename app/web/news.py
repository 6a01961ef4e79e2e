"""What is new of what happened: rows on top of those that a page has, which need not be sent again."""

from __future__ import annotations

from app.web.views import HappenedView, NewsView


def news(before: object, now: object) -> NewsView | None:
    """What makes the view ``before`` the view ``now``: another summary, rows on top, rows that go; None where more.

    Both are what a page has in the same place. A start that is put off once more is told in a row on top, and the one
    that told of the former goes. A time that says its day from midnight on changes a row where it stands.
    """
    if not isinstance(before, HappenedView) or not isinstance(now, HappenedView):
        return None
    stays = [row for row in before.rows if row in now.rows]
    fresh = now.rows[: len(now.rows) - len(stays)]
    # Two rows of one name would be one for the page: it could not tell which of them goes.
    renewed = {row.id for row in before.rows} & {row.id for row in fresh}
    if not stays or renewed or list(now.rows[len(fresh) :]) != stays:
        return None
    return NewsView(now.summary, fresh, tuple(row.id for row in before.rows if row not in stays))
