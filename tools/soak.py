"""Judges thousands of submissions and looks at what is left over: `make soak`, or `python -m tools.soak --jobs 10000`.

Right, wrong, crashing, hanging and forbidden submissions go through one server, several at once. Every one must end as
the same one did the first time, and at the end nothing may be held that was not held before: descriptors, processes,
zombies, shared memory, temporary files, mounts.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import sys
import time
from pathlib import Path

from sandbox.client import Client, running_server
from sandbox.protocol import Limits
from sandbox.tests.packages import RIGHT, judge, with_body

AT_ONCE = 4
SETTLE_SECONDS = 20.0
LIMITS = Limits(check_seconds=0.2, total_seconds=2.0, memory_mb=256, output_kb=16)

# How often each comes, in a hundred: what is slow by its nature is rare.
SAMPLES: dict[str, tuple[int, str]] = {
    "right": (50, RIGHT),
    "wrong": (20, with_body("next", "return value + 2")),
    "not Python": (8, "def square(x:\n"),
    "raises": (8, with_body("square", "raise ValueError(x)")),
    "exits": (5, with_body("next", "import os\nos._exit(3)")),
    "crashes": (3, with_body("next", "import ctypes\nctypes.string_at(0)")),
    "forbidden call": (3, with_body("next", "import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)")),
    "prints": (2, with_body("next", "while True: print('x' * 99)")),
    "hangs": (1, with_body("next", "while True: pass")),
}


@dataclasses.dataclass(frozen=True)
class Holdings:
    """What a server and its template hold."""

    server_descriptors: int
    template_descriptors: int
    processes: int
    zombies: int
    shared_memory: int
    temporary: int
    mounts: int


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--jobs", type=int, default=10_000, help="submissions to judge (default: %(default)s)")
    options = parser.parse_args()
    with running_server(None, "--jobs", str(AT_ONCE)) as client:
        expected = {name: _statuses(client, text) for name, (_, text) in SAMPLES.items()}
        before = _settled(client)
        started = time.monotonic()
        differing = _judge_all(client, options.jobs, expected)
        seconds = time.monotonic() - started
        after = _settled(client, before)
    print(f"{options.jobs} jobs in {seconds:.0f} s; {differing} ended otherwise than the same one before")
    print(f"before: {before}\nafter:  {after}")
    good = not differing and before == after
    print(f"{int(good)} passed, {int(not good)} failed")
    return 0 if good else 1


def _statuses(client: Client, text: str) -> tuple[str, ...]:
    judged = judge(client, text, limits=LIMITS)
    return (judged.outcome.verdict, judged.outcome.message, *(f"{r.status}: {r.message}" for r in judged.results))


def _judge_all(client: Client, jobs: int, expected: dict[str, tuple[str, ...]]) -> int:
    order = [name for name, (share, _) in SAMPLES.items() for _ in range(share)]
    counted: collections.Counter[str] = collections.Counter()

    def one(number: int) -> bool:
        name = order[number * 37 % len(order)]  # 37 has no factor in common with 100: every name in its share, mixed
        found = _statuses(client, SAMPLES[name][1])
        counted[name] += 1
        if found != expected[name]:
            print(f"{name}, job {number}:\n  before {expected[name]}\n  now    {found}", file=sys.stderr)
        if (number + 1) % 1000 == 0:
            print(f"{number + 1} jobs ...", flush=True)
        return found != expected[name]

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(pool.map(one, range(jobs)))


def _settled(client: Client, wanted: Holdings | None = None) -> Holdings:
    """What is held once nothing runs; if `wanted` is given, as soon as it is that, or after a while."""
    end = time.monotonic() + SETTLE_SECONDS
    while True:
        time.sleep(0.2)
        found = _holdings(client)
        if time.monotonic() > end or (found == wanted if wanted else time.monotonic() > end - SETTLE_SECONDS + 2):
            return found


def _holdings(client: Client) -> Holdings:
    template = client.ping()["template_pid"]
    server = int(Path(f"/proc/{template}/stat").read_text().rsplit(")", 1)[1].split()[1])
    states = [_state(pid) for pid in _tree(server)]
    return Holdings(
        server_descriptors=_count(f"/proc/{server}/fd"),
        template_descriptors=_count(f"/proc/{template}/fd"),
        processes=len(states),
        zombies=states.count("Z"),
        shared_memory=_count("/dev/shm"),
        temporary=_count("/tmp", "sandbox-*"),
        mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
    )


def _count(folder: str, pattern: str = "*") -> int:
    return len(list(Path(folder).glob(pattern)))


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "gone"


def _tree(root: int) -> list[int]:
    found = [root]
    for pid in found:
        try:
            found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return found


if __name__ == "__main__":
    sys.exit(main())
