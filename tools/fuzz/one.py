"""Fuzzes one parser in this process until its cases or seconds are used up."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["sandbox", "json"]):
    from sandbox.tests import parsers


def main() -> None:
    name, cases, seconds, findings = sys.argv[1:]
    with tempfile.TemporaryDirectory() as corpus:
        for place, seed in enumerate(parsers.seeds(name)):
            (Path(corpus) / str(place)).write_bytes(seed)
        limits = [f"-runs={cases}", f"-max_total_time={seconds}", "-max_len=4096"]
        atheris.Setup(
            [sys.argv[0], *limits, "-timeout=20", "-rss_limit_mb=4096", f"-artifact_prefix={findings}/{name}-", corpus],
            lambda data: parsers.run(name, data),
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main()
