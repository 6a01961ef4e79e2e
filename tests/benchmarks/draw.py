"""What it costs to draw a day of forty sessions: ``python -m tests.benchmarks.draw``.

The day is far busier than a real one (a change every two minutes in every lane). Printed are the milliseconds of the
geometry and of the markup, and the size of
the markup; the ratio is to folding the text of the same markup once, which is what handling so many bytes costs here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from app.web.looks import Look
from app.web.rendering import Renderer
from app.web.timeline import timeline
from tests.web.scenes import NOW, ROOT, ZONE
from tests.web.test_timeline import a_day_of

ROUNDS = 30


def milliseconds(work: Callable[[], object]) -> float:
    """The median of thirty rounds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1000)
    return median(taken)


def measure(sessions: int) -> tuple[float, float, str, str]:
    """Milliseconds of the geometry and of the markup of so many sessions' day, the markup, and what is drawn."""
    current, history = a_day_of(sessions)
    renderer = Renderer(ROOT / "templates", lambda path: path)
    view = timeline(Look(history, current, NOW, ZONE, {}))[0]
    drawn = milliseconds(lambda: timeline(Look(history, current, NOW, ZONE, {})))
    rendered = milliseconds(lambda: renderer.fragment("timeline", view))
    return (
        drawn,
        rendered,
        renderer.fragment("timeline", view),
        f"{len(history.spans):,} spans, {len(history.marks):,} marks",
    )


def main() -> None:
    """Draw, render, print."""
    drawn, rendered, markup, what = measure(40)
    handled = milliseconds(markup.casefold)
    print(what)
    print(f"geometry {drawn:.1f} ms, markup {rendered:.1f} ms, {len(markup.encode()) / 1000:.1f} KB")
    print(f"ratio {(drawn + rendered) / handled:.0f}")


if __name__ == "__main__":
    main()
