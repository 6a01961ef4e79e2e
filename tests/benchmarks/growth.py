"""How the costs grow: ``python -m tests.benchmarks.growth``, which draws four small plots into ``docs/growth.svg``.

The size of the logs against the seconds until all is known; sessions against the milliseconds in which their day is
drawn; open pages against the milliseconds until the last one is told; events in the store against those of ``/census``.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import ask, draw, pages, reading
from tests.benchmarks.logs import written

OUT = Path(__file__).parents[2] / "docs" / "growth.svg"
WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 40, 40


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
    by_pages = [(float(number), pages.measure(number).last) for number in (1, 10, 50, 100)]
    by_events = [(count / 1e6, ask.measure(count).census) for count in (50_000, 250_000, 1_000_000, 2_000_000)]
    return [
        Plot("Reading a folder for the first time", "MB of logs", "seconds", by_size),
        Plot("Drawing a busy day", "sessions", "milliseconds", by_sessions),
        Plot("An update, to the last of the open pages", "pages", "milliseconds", by_pages),
        Plot("Asking for the census", "million events in the store", "milliseconds", by_events),
    ]


def drawn(plot: Plot, left: int, top: int) -> str:
    """One plot, from 0 to a little beyond its largest values."""
    widest, highest = (max(point[axis] for point in plot.points) for axis in (0, 1))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return (
            round(LEFT + inner_width * point[0] / widest, 1),
            round(TOP + inner_height * (1 - point[1] / (highest * 1.1)), 1),
        )

    places = [place(point) for point in plot.points]
    line = " ".join(f"{x},{y}" for x, y in places)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3.5"/>' for x, y in places)
    values = "".join(
        f'<text x="{x}" y="{y - 9}" text-anchor="{"end" if x > WIDTH - 60 else "middle"}">{point[1]:.3g}</text>'
        for (x, y), point in zip(places, plot.points, strict=True)
    )
    ticks = "".join(
        f'<text x="{x}" y="{HEIGHT - 22}" text-anchor="middle">{point[0]:g}</text>'
        for (x, _), point in zip(places, plot.points, strict=True)
    )
    return (
        f'<g transform="translate({left} {top})"><text class="title" x="{LEFT}" y="18">{plot.title}</text>'
        f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
        f'<polyline points="{line}"/>{dots}<g class="value">{values}</g><g class="tick">{ticks}'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{plot.across}</text>'
        f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">{plot.up}</text></g></g>'
    )


def picture(plots: Sequence[Plot]) -> str:
    """All plots, two in a row, on a ground of their own: documents are read in the light and in the dark."""
    body = "".join(drawn(plot, place % 2 * WIDTH, place // 2 * HEIGHT) for place, plot in enumerate(plots))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {2 * HEIGHT}" font-family="sans-serif">'
        "<style>text{font-size:11px;fill:#5f6a76}.title{font-size:13px;font-weight:600;fill:#1a1e23}"
        ".value text{fill:#1a1e23}.axis{fill:none;stroke:#9aa3ad}polyline{fill:none;stroke:#138a78;stroke-width:2}"
        f'circle{{fill:#138a78}}</style><rect width="100%" height="100%" fill="#fff"/>{body}</svg>\n'
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
