"""The measures in Prometheus' own text, made anew at each scrape in a registry of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
    StateSetMetricFamily,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from app.export.measures import MEASURES, Facts, Measure, Sample


class Measured(Collector):
    """Gives the families of `MEASURES` for ``facts``; a measure that nothing is known of is left out."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def collect(self) -> Iterator[Metric]:
        """The families, in the order of the table."""
        for measure in MEASURES:
            samples = list(measure.look(self._facts))
            if samples:
                yield _family(measure, samples)


def exposition(facts: Facts, accept: str) -> tuple[bytes, str]:
    """The text and its media type: OpenMetrics where the ``Accept`` header asks for it, else the older form."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Measured(facts))
    encode, media_type = choose_encoder(accept)
    return encode(registry), media_type


def _family(measure: Measure, samples: Iterable[Sample]) -> Metric:
    name = f"seatwatch_{measure.name}"
    match measure.sort:
        case "states":
            return StateSetMetricFamily(name, measure.help, {label: bool(value) for (label,), value in samples})
        case "info":
            info = InfoMetricFamily(name, measure.help, labels=())
            for labels, _value in samples:
                info.add_metric((), dict(zip(measure.labels, labels, strict=True)))
            return info
        case "counter" | "gauge":
            make = CounterMetricFamily if measure.sort == "counter" else GaugeMetricFamily
            family = make(name, measure.help, labels=measure.labels, unit=measure.unit)
            for labels, value in samples:
                family.add_metric(labels, value)
            return family
