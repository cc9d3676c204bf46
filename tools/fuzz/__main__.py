"""Coverage-guided fuzzing of every parser of the sandbox: `make fuzz`, or `python -m tools.fuzz --cases 100000`.

Each parser runs in a process of its own, since the fuzzer ends it. A finding is printed with its input, which is kept
under var/fuzz; put it into sandbox/tests/test_fuzz.py before it is mended.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from sandbox.tests.parsers import PARSERS

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000, help="cases of each parser (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=600, help="the longest that one parser may take")
    parser.add_argument("parsers", nargs="*", help=f"which of {', '.join(PARSERS)} (default: all)")
    options = parser.parse_args()
    findings = ROOT / "var" / "fuzz"
    findings.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in options.parsers or PARSERS:
        command = [
            sys.executable,
            "-m",
            "tools.fuzz.one",
            name,
            str(options.cases),
            str(options.seconds),
            str(findings),
        ]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        done = [line for line in result.stderr.splitlines() if line.startswith(("Done", "stat::number_of_executed"))]
        if result.returncode:
            failed += 1
            print(f"{name}: FOUND\n{result.stdout[-2000:]}{result.stderr[-6000:]}")
        else:
            print(f"{name}: {' '.join(done) or 'nothing found'}")
    print(f"{len(options.parsers or PARSERS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
