"""The hostile corpus: `hostile/<expected>/<family>_<name>.py`, each a whole submission for the package of `packages`.

Each file says in its first line what it tries, and in its second what holds it:

    # held by: Landlock 4, seccomp

Every layer of that list stops the attack alone (a number is the first version of Landlock that does). *Resource limits*
go with the server's watch over time and output. *Separate processes* are no layer that could be missing: the submission
shares no process, file or memory with what judges it. A third line may say why the attack is not tried where nothing
holds it.

The folder is the verdict that is expected; or `denied`: the attack comes to nothing and the submission, otherwise
right, is accepted (`square` raises "ESCAPED: ..." if the attack succeeds, and prints "denied: ..." if not); or
`stopped`: one of several ends, whichever limit is met first.
"""

from __future__ import annotations

import dataclasses
import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from sandbox.client import Client
from sandbox.layers import Layer, Layers
from sandbox.protocol import Limits
from sandbox.tests.canary import Canary, survivors
from sandbox.tests.packages import PACKAGE, RIGHT, Judged, judge

HOSTILE = Path(__file__).parent / "hostile"
SEPARATE = "separate processes"
FAMILIES = {
    "files": "Files",
    "processes": "Processes",
    "kernel": "Kernel interfaces",
    "network": "Network",
    "resources": "Resources",
    "forging": "Verdict forging",
}
HOLDERS = (*(str(layer) for layer in Layer if layer not in (Layer.USER_NAMESPACE, Layer.UTS_NAMESPACE)), SEPARATE)
ENDS = {"runtime_error", "time_limit", "memory_limit", "output_limit", "sandbox_violation"}

AT_ONCE = 3
"""Attacks that are judged at the same time, beside an honest submission."""

_QUICK = Limits(check_seconds=0.7, total_seconds=6.0, memory_mb=256, output_kb=16)
_PATIENT = Limits(check_seconds=15.0, total_seconds=40.0, memory_mb=256, output_kb=16)
_LIMITS = {
    "time_limit": _QUICK,
    "stopped": dataclasses.replace(_QUICK, check_seconds=3.0),
}
_LITTLE_TIME = dataclasses.replace(_QUICK, total_seconds=1.2)


@dataclasses.dataclass(frozen=True)
class Attack:
    """One hostile file."""

    path: Path
    expected: str
    family: str
    tries: str
    holders: dict[str, int]
    """What stops it alone: the name of a layer (or `SEPARATE`) -> the version of Landlock that it takes, else 0."""
    not_in_the_open: str
    """Why it is not tried where nothing stops it; empty if it is."""

    @property
    def name(self) -> str:
        return f"{self.expected}/{self.path.stem}"

    @property
    def limits(self) -> Limits:
        if self.path.stem == "resources_little_by_little":
            return _LITTLE_TIME
        return _LIMITS.get(self.expected, _PATIENT)

    def text(self, places: dict[str, str]) -> str:
        """The submission, with the places of a canary in it."""
        return re.sub(r"\{([A-Z_]{5,})\}", lambda match: places[match[1]], self.path.read_text())

    def stopped_alone_by(self, layer: Layer, layers: Layers) -> bool:
        """Whether its file says that `layer`, as this host has it, stops it."""
        if layer not in self.holders or layer not in layers:
            return False
        return layer is not Layer.LANDLOCK or layers.landlock_abi >= self.holders[layer]

    def held(self, layers: Layers) -> bool:
        """Whether anything holds it where only `layers` are used."""
        return SEPARATE in self.holders or any(self.stopped_alone_by(layer, layers) for layer in Layer)


def _read(path: Path) -> Attack:
    lines = path.read_text().splitlines()
    held = lines[1].removeprefix("# held by: ").split(", ")
    holders = {}
    for holder in held:
        name, _, version = holder.rpartition(" ") if holder[-1].isdigit() else (holder, "", "0")
        if name not in HOLDERS:
            raise ValueError(f"{path}: {name!r} is none of {HOLDERS}")
        holders[name] = int(version)
    reason = lines[2].removeprefix("# not tried in the open: ") if lines[2].startswith("# not") else ""
    return Attack(path, path.parent.name, path.stem.split("_")[0], lines[0].strip('"'), holders, reason)


ATTACKS = tuple(_read(path) for path in sorted(HOSTILE.glob("*/*.py")))


def complaints(attack: Attack, judged: Judged) -> list[str]:
    """What is not as the attack's folder says; empty when all is well."""
    found = []
    statuses, verdict = set(judged.statuses.values()), str(judged.outcome.verdict)
    shown = [judged.outcome.message, judged.outcome.printed]
    for result in judged.results:
        shown += [result.message, result.printed, str(result.details)]
    said = "\n".join(shown)
    if "ESCAPED" in said:
        found.append(said[said.index("ESCAPED") :][:300])
    if marks := set(
        re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", said)
    ):
        found.append(f"the report holds {sorted(map(ascii, marks))}")
    allowed = (
        {"accepted"} if attack.expected == "denied" else ENDS if attack.expected == "stopped" else {attack.expected}
    )
    if verdict not in allowed:
        lines = [f"{result.id}: {result.status} {result.message[:200]}" for result in judged.results]
        found.append("\n".join([f"the verdict is {verdict}: {judged.outcome.message[:300]}", *lines]))
    elif not judged.outcome.message:
        costs = {"wrong_answer": "failed"}.get(verdict, verdict)
        if others := statuses - {"passed", "not_run", costs}:
            found.append(f"checks ended with {sorted(others)}")
    if attack.expected == "denied" and "denied:" not in said:
        found.append("the attack did not say that it was tried")
    if {result.id for result in judged.results} != {"value", "gradient", "unchanged", "next", "refuses", "copies"}:
        found.append(f"results came for {list(judged.statuses)}")
    return found


@dataclasses.dataclass(frozen=True)
class Span:
    """What became of one submission, and from when to when it was judged."""

    start: float
    end: float
    complaints: list[str]


class Attacks:
    """Judges attacks, a few at once. What became of each, its complaints also those of the canary while it ran."""

    def __init__(self, client: Client, attacks: Sequence[Attack], canary: Canary, pool: ThreadPoolExecutor) -> None:
        self._client = client
        self._canary = canary
        self._lock = threading.Lock()
        self.spans = {attack.name: pool.submit(self._judge, attack) for attack in attacks}

    def _judge(self, attack: Attack) -> Span:
        places = self._canary.places(self._client.path)
        start = time.monotonic()
        judged = judge(self._client, attack.text(places), PACKAGE, attack.limits)
        end = time.monotonic()
        with self._lock:
            outside = self._canary.complaints() + survivors(places["SURVIVOR"])
        return Span(start, end, complaints(attack, judged) + outside)


def judge_honest(client: Client) -> Span:
    """An honest submission, with time enough for a busy machine."""
    start = time.monotonic()
    judged = judge(client, RIGHT, PACKAGE, _PATIENT)
    right = judged.outcome.verdict == "accepted" and set(judged.statuses.values()) == {"passed"}
    return Span(start, time.monotonic(), [] if right else [f"{judged.outcome} {judged.statuses}"])


class Barrage:
    """Attacks, and beside them one honest submission after the other, until it is closed."""

    def __init__(self, client: Client, attacks: Sequence[Attack], canary: Canary) -> None:
        self._client = client
        self._changed = threading.Condition()
        self._honest: list[Span] = []
        self._closed = False
        self._pool = ThreadPoolExecutor(AT_ONCE + 1)
        self._beside = self._pool.submit(self._judge_honest)
        self._attacks = Attacks(client, attacks, canary, self._pool)

    def __enter__(self) -> Barrage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._pool.shutdown(cancel_futures=True)

    def result(self, attack: Attack) -> Span:
        return self._attacks.spans[attack.name].result()

    def honest(self, span: Span) -> list[Span]:
        """The honest submissions that were judged at the same time, and the first that began afterwards."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._beside.done() or any(other.start > span.end for other in self._honest[-1:])
            )
            beside = [other for other in self._honest if other.start < span.end and other.end > span.start]
            return beside + [other for other in self._honest if other.start > span.end][:1]

    def _judge_honest(self) -> None:
        try:
            while not self._closed:
                span = judge_honest(self._client)
                with self._changed:
                    self._honest.append(span)
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._changed.notify_all()
