"""Measures this machine in one run: `make bench`. A table, and the same in var/bench.json.

Machines differ and are shared, so the figures to trust are the ratios: two things measured in one run on one machine.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from sandbox.layers import probe
from tools.bench.sandbox import ROOT

TARGETS = {
    "machine.slowness": "1 is a common laptop",
    "sandbox.setup_ms": "at most 20",
    "sandbox.job_ms": "at most 100",
    "sandbox.cold_ratio": "at least 20",
    "sandbox.warm_ratio": "at most 5",
    "sandbox.throughput_per_s": "at least 15",
    "sandbox.unique_mb_per_job": "at most 50",
    "web.click_to_report_ms": "at most 500",
    "worker.mb": "at most 120",
}


def main() -> None:
    layers = probe()  # before anything here starts a thread
    from tools.bench import sandbox, web

    load = os.getloadavg()[0]
    figures = sandbox.figures(layers) | web.figures()
    path = ROOT / "var" / "bench.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(figures, indent=2) + "\n")
    print(f"{os.cpu_count()} cores; load when it began: {load:.1f}")
    for name, value in figures.items():
        shown = "not measured here" if value is None else f"{value:.1f}"
        print(f"  {name:28} {shown:>18}   {TARGETS[name]}")
    print(f"Written to {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")


if __name__ == "__main__":
    main()
