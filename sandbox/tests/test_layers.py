"""Layers switched off: what the others still stop, what each stops alone, and that the server refuses to go without.

The whole corpus runs with all layers in `test_hostile`. Here only attacks that must come to nothing run (`denied` and
`sandbox_violation`): what a submission uses up, or what it returns, meets the same limits and the same checker
whichever layers there are. `PAPERJUDGE_HOSTILE_EVERYWHERE=1` runs everything in the reduced configurations too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandbox.client import Client, running_server
from sandbox.layers import HELD_BY, NAMESPACES, Layer, Layers, Protection, needs, probe
from sandbox.tests.canary import PROJECT, Canary
from sandbox.tests.corpus import AT_ONCE, ATTACKS, SEPARATE, Attack, Attacks, judge_honest
from sandbox.tests.packages import PACKAGE, judge

EVERYWHERE = os.environ.get("PAPERJUDGE_HOSTILE_EVERYWHERE") == "1"
HOST = probe()
ALL = Layers(frozenset(Layer), {}, 7)

Folder = Callable[[str], Path]


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return tmp_path_factory.mktemp


def failures(client: Client, attacks: Sequence[Attack], folder: Path) -> dict[str, list[str]]:
    """Judges attacks, and an honest submission when they are over; what went wrong, by name."""
    with Canary(folder) as canary, ThreadPoolExecutor(AT_ONCE) as pool:
        spans = {name: span.result() for name, span in Attacks(client, attacks, canary, pool).spans.items()}
    spans["an honest submission"] = judge_honest(client)
    return {name: span.complaints for name, span in spans.items() if span.complaints}


def switched_off(layers: Iterable[Layer]) -> list[str]:
    return ["--without", ",".join(sorted(set(layers) & HOST.held))]


@pytest.mark.parametrize("off", [Layer.LANDLOCK, Layer.SECCOMP, Layer.USER_NAMESPACE])
def test_the_others_hold_without_one(off: Layer, folder: Folder) -> None:
    """Without the user namespace there is no other namespace either."""
    layers = HOST.without([off])
    assert not layers.open_protections(), f"this host has too few layers for this test: {HOST.missing}"
    chosen = [attack for attack in ATTACKS if attack.held(layers)]
    if not EVERYWHERE:
        chosen = [attack for attack in chosen if attack.expected in ("denied", "sandbox_violation")]
    with running_server(None, *switched_off([off])) as client:
        assert set(client.ping()["layers"]) == {str(layer) for layer in layers.held}
        assert failures(client, chosen, folder("canary")) == {}


ALONE = [layer for layer in Layer if layer in HOST and any(str(layer) in attack.holders for attack in ATTACKS)]


@pytest.mark.parametrize("layer", [layer for layer in ALONE if layer is not Layer.RLIMITS])
def test_a_layer_stops_alone_what_it_claims(layer: Layer, folder: Folder) -> None:
    kept = {layer, Layer.RLIMITS} | ({Layer.USER_NAMESPACE} if layer in NAMESPACES else set())
    off = set(Layer) - kept
    layers = HOST.without(off)
    chosen = [attack for attack in ATTACKS if attack.stopped_alone_by(layer, layers)]
    with running_server(None, *switched_off(off), "--accept-unprotected") as client:
        assert set(client.ping()["layers"]) == kept
        assert failures(client, chosen, folder("canary")) == {}


SLOW = {"time_limit", "memory_limit", "output_limit", "stopped"}


def test_limits_and_separate_processes_need_no_layer(folder: Folder) -> None:
    held = {SEPARATE, str(Layer.RLIMITS)}
    chosen = [attack for attack in ATTACKS if held & set(attack.holders) and not attack.not_in_the_open]
    if not EVERYWHERE:
        chosen = [attack for attack in chosen if attack.expected not in SLOW]
    with running_server(None, *switched_off(set(Layer) - {Layer.RLIMITS}), "--accept-unprotected") as client:
        assert failures(client, chosen, folder("canary")) == {}


def test_attacks_succeed_where_nothing_stops_them(folder: Folder) -> None:
    """Or else it would mean nothing that they fail elsewhere. Each has a canary of its own, which it does harm."""
    needing = [attack for attack in ATTACKS if not {SEPARATE, str(Layer.RLIMITS)} & set(attack.holders)]
    chosen = [attack for attack in needing if attack.expected == "denied" and not attack.not_in_the_open]
    with running_server(None, *switched_off(set(Layer) - {Layer.RLIMITS}), "--accept-unprotected") as client:
        tame = [attack.name for attack in chosen if not succeeds(client, attack, folder("canary"))]
    assert len(chosen) > 60
    assert tame == []


def succeeds(client: Client, attack: Attack, folder: Path) -> bool:
    with Canary(folder) as canary:
        judged = judge(client, attack.text(canary.places(client.path)), PACKAGE, attack.limits)
        return any("ESCAPED" in result.message for result in judged.results) or canary.complaints() != []


@pytest.mark.parametrize(
    ("off", "opened"),
    [
        ("Landlock, mount namespace", {Protection.FILES}),
        ("seccomp, mount namespace", {Protection.FILES, Protection.NETWORK}),
        ("seccomp, network namespace", {Protection.NETWORK}),
        ("seccomp, PID namespace", {Protection.PROCESSES}),
        ("seccomp, IPC namespace", {Protection.PROCESSES}),
        ("seccomp, user namespace", {Protection.FILES, Protection.NETWORK, Protection.PROCESSES}),
        ("Landlock, user namespace", {Protection.FILES}),
        ("resource limits", {Protection.RESOURCES}),
    ],
)
def test_the_server_refuses_to_leave_a_protection_open(off: str, opened: set[Protection], tmp_path: Path) -> None:
    layers = ALL.without([Layer(name.strip()) for name in off.split(",")])
    assert set(layers.open_protections()) == opened
    command = [sys.executable, "-m", "sandbox", "serve", "--socket", str(tmp_path / "socket"), "--without", off]
    refused = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    for protection in opened:
        assert f"OPEN  {protection}: needs " in refused.stderr
    assert "The sandbox refuses to start here: nothing protects " in refused.stderr
    assert not (tmp_path / "socket").exists()


def test_an_unknown_layer_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sandbox", "serve", "--socket", str(tmp_path / "socket"), "--without", "hope"]
    refused = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "'hope' is not a valid Layer; the layers are user namespace," in refused.stderr


def test_one_layer_of_each_protection_is_enough() -> None:
    for protection, layers in HELD_BY.items():
        for layer in layers:
            kept = {layer, *needs(protection, layer)}
            assert layer in ALL.without(set(Layer) - kept - {Layer.USER_NAMESPACE}).protections()[protection]
