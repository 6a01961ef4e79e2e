"""How the costs grow: ``python -m tests.benchmarks.growth``, which draws four small plots into ``docs/growth.svg``.

The size of the logs against the seconds until all is known; sessions against the milliseconds in which their day is
drawn; open pages against the milliseconds until the last one is told; events in the store against those of ``/census``.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from math import floor, log10
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import ask, draw, pages, reading
from tests.benchmarks.logs import written

OUT = Path(__file__).parents[2] / "docs" / "growth.svg"
WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 20, 44, 42


class Plot(NamedTuple):
    """Points of a measured line, and what its axes say."""

    title: str
    across: str
    up: str
    points: Sequence[tuple[float, float]]


def measured() -> list[Plot]:
    """Measure all four; takes some minutes."""
    by_size = []
    for megabytes in (5, 10, 25, 50):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "logs"
            written(folder, megabytes * 1_000_000)
            by_size.append((float(megabytes), min(reading.ours(folder)["seconds"] for _ in range(2))))
    by_sessions = [(float(number), sum(draw.measure(number)[:2])) for number in (8, 16, 40, 80)]
    by_pages = [(float(number), pages.measure(number).last) for number in (1, 25, 50, 100)]
    by_events = [(count / 1e6, ask.measure(count).census) for count in (100_000, 500_000, 1_000_000, 2_000_000)]
    return [
        Plot("Reading a folder for the first time", "MB of logs", "seconds", by_size),
        Plot("Drawing a busy day", "sessions", "milliseconds", by_sessions),
        Plot("An update, to the last of the open pages", "pages", "milliseconds", by_pages),
        Plot("Asking for the census", "million events in the store", "milliseconds", by_events),
    ]


def _step(highest: float) -> float:
    """The distance of the lines behind a plot: 1, 2 or 5 of some power of ten, so that there are three to six."""
    power = 10.0 ** floor(log10(highest))
    return next(step for step in (power / 5, power / 2, power, power * 2) if highest / step <= 6)


def _behind(highest: float) -> str:
    """The lines behind a plot, with what they stand for."""
    step, inner = _step(highest), HEIGHT - TOP - BOTTOM
    heights = [(n * step, round(TOP + inner * (1 - n * step / highest), 1)) for n in range(int(highest / step) + 1)]
    return "".join(
        f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}"/><text x="{LEFT - 7}" y="{y + 4}" text-anchor="end">{value:g}</text>'
        for value, y in heights
    )


def _anchor(x: float) -> str:
    """Where a label is held so that it stays within its plot."""
    return "start" if x < LEFT + 12 else "end" if x > WIDTH - 60 else "middle"


def drawn(plot: Plot, left: int, top: int) -> str:
    """One plot, from 0 to a little beyond its largest values."""
    widest, highest = plot.points[-1][0], max(up for _, up in plot.points) * 1.15

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return (
            round(LEFT + (WIDTH - LEFT - RIGHT) * point[0] / widest, 1),
            round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - point[1] / highest), 1),
        )

    places = [(*place(point), *point) for point in plot.points]
    line = " ".join(f"{x},{y}" for x, y, *_ in places)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3.5"/>' for x, y, *_ in places)
    values = "".join(
        f'<text x="{x}" y="{y - 10}" text-anchor="{_anchor(x)}">{value:.3g}</text>' for x, y, _, value in places
    )
    ticks = "".join(
        f'<text x="{x}" y="{HEIGHT - 24}" text-anchor="{_anchor(x)}">{much:g}</text>' for x, _, much, _ in places
    )
    return (
        f'<g transform="translate({left} {top})"><text class="title" x="{LEFT}" y="18">{plot.title}</text>'
        f'<text x="{LEFT}" y="33">{plot.up}</text><g class="behind">{_behind(highest)}</g>'
        f'<polyline points="{line}"/>{dots}<g class="value">{values}</g>{ticks}'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 7}" text-anchor="middle">{plot.across}</text></g>'
    )


def picture(plots: Sequence[Plot]) -> str:
    """All plots, two in a row, on a ground of their own: documents are read in the light and in the dark."""
    body = "".join(drawn(plot, place % 2 * WIDTH, place // 2 * HEIGHT) for place, plot in enumerate(plots))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {2 * HEIGHT}" font-family="sans-serif">'
        "<style>text{font-size:11px;fill:#5f6a76}.title{font-size:13px;font-weight:600;fill:#1a1e23}"
        ".value text{fill:#1a1e23;font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:3px}"
        ".behind path{fill:none;stroke:#e4e7ea}.behind path:first-child{stroke:#9aa3ad}"
        "polyline{fill:none;stroke:#138a78;stroke-width:2}circle{fill:#138a78;stroke:#fff}</style>"
        f'<rect width="100%" height="100%" fill="#fff"/>{body}</svg>\n'
    )


def main() -> None:
    """Measure, print, draw."""
    plots = measured()
    for plot in plots:
        told = ", ".join(f"{x:g} {plot.across}: {y:.3g}" for x, y in plot.points)
        print(f"{plot.title} ({plot.up}): {told}")
        first, last = plot.points[0], plot.points[-1]
        print(
            f"  ratio of the ends: {last[0] / first[0]:.0f} times as much costs {last[1] / first[1]:.1f} times as much"
        )
    OUT.write_text(picture(plots), "utf-8")
    print(f"drawn into {OUT.relative_to(OUT.parents[1])}", file=sys.stderr)


if __name__ == "__main__":
    main()
