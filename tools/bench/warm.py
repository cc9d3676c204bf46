"""Prints how many milliseconds the bare checks of Momentum Contrast take in a warm process without any sandbox."""

import statistics
import time

from judge.catalog.package import read_folder
from tools.bench.plain import Warm
from tools.bench.sandbox import MOCO, REPEATS

if __name__ == "__main__":
    package = read_folder(MOCO)
    warm = Warm(package.for_judging())
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        warm.run(package.files["reference.py"])
        times.append((time.perf_counter() - start) * 1e3)
    print(statistics.median(times))
