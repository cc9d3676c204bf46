"""Figures of the sandbox alone, all from one run on one machine."""

from __future__ import annotations

import concurrent.futures
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from judge.catalog.package import ProblemPackage, read_folder
from sandbox.calls import Call
from sandbox.client import Client, running_server
from sandbox.host import Template
from sandbox.layers import Layers
from sandbox.policy import Profile
from sandbox.protocol import Job, Outcome, Package, Started
from sandbox.wire import Channel
from tests.stack import descendants

ROOT = Path(__file__).resolve().parents[2]
MOCO = ROOT / "problems" / "moco"
REPEATS = 40
ROUNDS = 5
JOBS_AT_ONCE = 4

CLOCK_CHECK = """
from sandbox.checks import check

@check("Sleeps", section="a")
def test_sleeps(solution):
    solution.sleep()
"""


def figures(layers: Layers) -> dict[str, float | None]:
    """Every `sandbox.*` figure, medians where a thing was done many times."""
    package = read_folder(MOCO)
    submission = package.files["reference.py"]
    setup_ms = statistics.median(_setup_times(layers))
    with running_server(None, "--jobs", str(JOBS_AT_ONCE)) as client:
        judge(client, package, submission)  # makes the checker template
        _cold()
        # In turns, because the speed of a shared machine changes from one minute to the next.
        rounds = [_round(client, package, submission) for _ in range(ROUNDS)]
        throughput = _throughput(client, package, submission)
        unique_mb = _unique_mb(client)
        slowness = client.ping()["slowness"]
    return {
        "machine.slowness": slowness,
        "sandbox.setup_ms": setup_ms,
        "sandbox.job_ms": statistics.median(job for job, _, _ in rounds),
        "sandbox.cold_ratio": statistics.median(cold / job for job, cold, _ in rounds),
        "sandbox.warm_ratio": statistics.median(job / warm for job, _, warm in rounds),
        "sandbox.throughput_per_s": throughput,
        "sandbox.unique_mb_per_job": unique_mb,
    }


def _round(client: Client, package: ProblemPackage, submission: str) -> tuple[float, float, float]:
    """Milliseconds of a job, of the same checks cold, and of the same warm and without a sandbox."""
    job = _median(lambda: judge(client, package, submission), REPEATS // ROUNDS)
    return job, _median(_cold, 1), _warm_ms()


def judge(client: Client, package: ProblemPackage, submission: str) -> None:
    """Judges once and insists on an accepted verdict: a figure of anything else would mean nothing."""
    for event in client.judge(Job("bench", submission, package.for_judging(), package.limits)):
        if isinstance(event, Outcome) and event.verdict != "accepted":
            raise RuntimeError(f"the reference was judged {event.verdict}: {event.message}")


def _median(action: Callable[[], object], repeats: int) -> float:
    """Milliseconds of one action."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def _setup_times(layers: Layers) -> Iterator[float]:
    """From asking for a jail to the first line of the submission in it, which notes the time."""
    template = Template(layers)
    template.start()
    submission = "import time\nSTARTED = time.monotonic()\ndef started():\n    return STARTED\n"
    setup = {"source": submission, "supplied": {}, "functions": ["started"], "threads": 1}
    call = Call.make("started", (), {})
    for _ in range(REPEATS):
        ours, theirs = socket.socketpair()
        with ours, theirs, Path(os.devnull).open("w") as output:
            start = time.monotonic()
            jail = template.fork(
                Profile.SOLUTION, memory_mb=512, cpu_seconds=10, peer=theirs.fileno(), output=output.fileno()
            )
            theirs.close()
            channel = Channel(ours.fileno())
            channel.send(setup)
            channel.receive()
            channel.send(call.request, call.block)
            yield (call.read(*channel.receive()).value - start) * 1e3
            jail.close()
    template.stop()


def _throughput(client: Client, package: ProblemPackage, submission: str) -> float:
    """Accepted submissions a second, with as many judged at once as the server allows."""
    count = 15 * JOBS_AT_ONCE
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(JOBS_AT_ONCE) as pool:
        for done in [pool.submit(judge, client, package, submission) for _ in range(count)]:
            done.result()
    return count / (time.perf_counter() - start)


def _unique_mb(client: Client) -> float | None:
    """Memory of the processes of one job in flight that they share with no other process. It needs root to be read."""
    if os.geteuid() != 0:
        return None
    functions = {"sleep": "None"}
    package = Package("bench", "1", functions, {"test_clock.py": CLOCK_CHECK}, {})
    submission = "import time\nimport torch\nx = torch.ones(1, requires_grad=True)\n(2 * x).sum().backward()\n"
    submission += "def sleep():\n    time.sleep(0.6)\n"
    for _ in client.judge(Job("warm", submission, package)):
        pass  # the checker template stays; it belongs to the package, not to a job
    time.sleep(1)  # until the next jail is prepared
    before = _jailed(client)
    found: float | None = None
    for event in client.judge(Job("measured", submission, package)):
        if isinstance(event, Started):
            time.sleep(0.3)
            # The jail that waits for the next job is there with and without one.
            found = sum(_jailed(client).values()) - sum(before.values())
    return found


def _jailed(client: Client) -> dict[int, float]:
    """The processes that the template forked, with their private MiB."""
    return {pid: _private_mb(pid) for pid in descendants(client.ping()["template_pid"])}


def _private_mb(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return sum(int(kb) for kb in re.findall(r"^Private_\w+:\s+(\d+) kB", text, re.M)) / 1024


def _warm_ms() -> float:
    """The bare checks in a warm process, measured in one of its own: torch must have one thread from the start."""
    command = [sys.executable, "-m", "tools.bench.warm"]
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    result = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return float(result.stdout.splitlines()[-1])


def _cold() -> None:
    """The same checks as other graders run them: a new process, `python -m pytest`."""
    environment = os.environ | {
        "BENCH_PACKAGE": str(MOCO),
        "BENCH_SUBMISSION": str(MOCO / "reference.py"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(MOCO / "checks")]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-c",
        os.devnull,
        "--rootdir",
        str(MOCO),
        "-p",
        "tools.bench.plain",
    ]
    command += ["-p", "no:cacheprovider", "--noconftest", str(MOCO / "checks")]
    result = subprocess.run(command, env=environment, cwd=MOCO, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"the cold run failed:\n{result.stdout[-3000:]}{result.stderr[-2000:]}")
