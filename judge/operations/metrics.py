"""The figures in the form that Prometheus reads."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from judge.operations.figures import BOUNDS, Counted, Queue, Verifications
from judge.operations.models import Worker
from sandbox.protocol import Verdict


class _Judging(Collector):
    def __init__(self) -> None:
        self._counted = Counted()

    def collect(self) -> Iterator[Metric]:
        yield from self._queue()
        yield from self._judgements()
        yield from _verifications()
        yield from _workers()

    def _queue(self) -> Iterator[Metric]:
        queue = Queue.now()
        yield GaugeMetricFamily("paperjudge_queue_length", "Submissions that wait.", queue.waiting)
        yield GaugeMetricFamily(
            "paperjudge_queue_oldest_seconds", "How long the oldest has waited that is due.", queue.oldest_seconds
        )
        yield GaugeMetricFamily("paperjudge_running", "Submissions that a worker holds.", queue.running)

    def _judgements(self) -> Iterator[Metric]:
        judgements = self._counted.now()
        verdicts = CounterMetricFamily("paperjudge_judgements", "Finished submissions.", labels=["verdict"])
        for verdict in Verdict:
            verdicts.add_metric([verdict.value], judgements.verdicts[verdict.value])
        yield verdicts
        yield CounterMetricFamily(
            "paperjudge_retries", "Attempts at finished submissions after the first.", judgements.retries
        )
        stages = HistogramMetricFamily(
            "paperjudge_stage_seconds", "What finished submissions took, by stage.", labels=["stage"]
        )
        for stage, classes in judgements.stages.items():
            totals = [sum(classes.counts[: place + 1]) for place in range(len(classes.counts))]
            names = [*map(str, BOUNDS), "+Inf"]
            stages.add_metric([stage], list(zip(names, totals, strict=True)), classes.sum)
        yield stages


def _verifications() -> Iterator[Metric]:
    found = Verifications.now()
    states = GaugeMetricFamily("paperjudge_verifications", "Instructors' verifications, by state.", labels=["state"])
    for state, count in found.by_state.items():
        states.add_metric([state], count)
    yield states
    yield GaugeMetricFamily(
        "paperjudge_verifications_oldest_seconds", "How long the oldest has waited.", found.oldest_seconds
    )


def _workers() -> Iterator[Metric]:
    workers = list(Worker.objects.alive())
    alive = GaugeMetricFamily(
        "paperjudge_workers", "Workers that have just given a sign of life, by what they take.", labels=["takes"]
    )
    alive.add_metric(["submissions"], sum(worker.judges for worker in workers))
    alive.add_metric(["verifications"], sum(worker.verifies for worker in workers))
    yield alive
    reached = GaugeMetricFamily("paperjudge_sandbox_up", "Whether a worker reaches its sandbox.", labels=["worker"])
    gauges = {
        "running": GaugeMetricFamily("paperjudge_sandbox_running", "Jobs in the sandbox.", labels=["worker"]),
        "waiting": GaugeMetricFamily("paperjudge_sandbox_waiting", "Jobs in its line.", labels=["worker"]),
        "template_starts": GaugeMetricFamily(
            "paperjudge_sandbox_template_starts", "How often its template was started.", labels=["worker"]
        ),
    }
    memory = GaugeMetricFamily(
        "paperjudge_sandbox_template_bytes", "Memory of the runtime template.", labels=["worker"]
    )
    layers = GaugeMetricFamily("paperjudge_sandbox_layer", "Whether a layer is used.", labels=["worker", "layer"])
    protections = GaugeMetricFamily(
        "paperjudge_sandbox_protection", "By how many layers a protection is held.", labels=["worker", "protection"]
    )
    for worker in workers:
        reached.add_metric([worker.name], float(worker.sandbox is not None))
        said = worker.sandbox or {}
        for name, gauge in gauges.items():
            if name in said:
                gauge.add_metric([worker.name], said[name])
        if said.get("template_mb") is not None:
            memory.add_metric([worker.name], said["template_mb"] * 1024 * 1024)
        for layer in said.get("layers", []):
            layers.add_metric([worker.name, layer], 1)
        for layer in said.get("missing", {}):
            layers.add_metric([worker.name, layer], 0)
        for protection, by in said.get("protections", {}).items():
            protections.add_metric([worker.name, protection], len(by))
    yield from (reached, *gauges.values(), memory, layers, protections)


def new_registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(_Judging())
    return registry


_registry = new_registry()


def exposition() -> bytes:
    return generate_latest(_registry)
