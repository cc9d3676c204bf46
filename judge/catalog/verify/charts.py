"""Whether the charts of a package can be drawn: the checks follow the runs, and the runs have the states."""

from collections.abc import Iterator

from judge.catalog.charts import kept_run
from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint
from judge.catalog.verify.jobs import Judged


def assess_charts(package: ProblemPackage, reference: Judged) -> Iterator[Complaint]:
    """Complaints of the runs and charts in problem.toml, after a run of the reference."""
    results = {result.id: result for result in reference.results}
    for run in package.runs:
        kept = kept_run(results[run.check].details) if run.check in results else None
        if kept is None:
            what = f"the check {run.check} of [[runs]] keeps no run"
            remedy = "follow the whole experiment there: Trajectory(states, names).follow(solution)"
            yield Complaint("problem.toml", what, remedy, run.line)
            continue
        shapes = {state["name"]: state["shape"] for state in kept["states"]}
        for chart in package.charts:
            if unfit := chart.unfit(shapes):
                reason, remedy = unfit
                yield Complaint("problem.toml", f"the chart {chart.title!r} {reason}", remedy, chart.line)
