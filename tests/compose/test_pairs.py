"""Two more machines: a worker and a sandbox each, on a private network from which PostgreSQL and Redis are reached."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from judge.tests import halving
from tests.compose.stack import Stack, docker
from tests.learner import Learner
from tests.stack import ROOT

RIGHT = "def halve(x):\n    return x / 2\n"
PUBLISH = (
    "import json, sys; from judge.catalog.models import Problem; from judge.catalog.package import parse;"
    "Problem.publish(parse('halving', json.load(sys.stdin)))"
)


@pytest.fixture(scope="module")
def pairs(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Stack]]:
    """Two compose projects from `pair.yml`. The site's own worker is stopped; its sandbox stays for the verifier."""
    secrets = tmp_path_factory.mktemp("secrets")
    for name in ("database", "broker"):
        (secrets / name).write_text(stack.execute("web", "cat", f"/run/paperjudge-secrets/{name}"))
    secrets.chmod(0o755)
    stack.run("stop", "worker")
    found = [
        Stack(
            base=ROOT / "tools" / "compose" / "pair.yml", project=f"paperjudge-{name}", PAPERJUDGE_SECRETS=str(secrets)
        )
        for name in ("one", "two")
    ]
    try:
        for pair in found:
            pair.run("up", "--no-start", "--build")
            network = f"{pair.project}_default"
            for service in ("postgres", "redis"):
                docker("network", "connect", "--alias", service, network, stack.containers(service)[0])
            pair.run("up", "--detach")
        yield found
    finally:
        for pair in found:
            for service in ("postgres", "redis"):
                containers = stack.containers(service)
                docker("network", "disconnect", "--force", f"{pair.project}_default", *containers, check=False)
            pair.run("down", "--volumes", check=False)
        stack.run("start", "worker")


def test_both_pairs_judge_what_one_site_takes(stack: Stack, pairs: list[Stack], url: str) -> None:
    stack.execute("web", "python", "manage.py", "shell", "--no-imports", "--command", PUBLISH, text=_package())
    learners = [Learner(url) for _ in range(6)]
    runs = [
        (learner, learner.hand_in(f"{RIGHT}# {number}\n", problem="halving"))
        for learner in learners
        for number in range(3)
    ]

    assert {learner.verdict(run) for learner, run in runs} == {"accepted"}
    for pair in pairs:
        assert '"event": "judged"' in pair.run("logs", "--no-color", "worker")
    readiness = json.loads(learners[0].get("readyz"))
    assert set(readiness.values()) == {"ok"}
    metrics = learners[0].get("metrics").decode()
    assert 'paperjudge_workers{takes="submissions"} 2.0' in metrics
    assert 'paperjudge_workers{takes="verifications"} 1.0' in metrics


def test_a_pair_that_is_cut_off_leaves_its_work_to_the_other(stack: Stack, pairs: list[Stack], url: str) -> None:
    learner = Learner(url)
    slow = f"import time\n\ntime.sleep(1.5)\n\n\n{RIGHT}"
    runs = [learner.hand_in(f"{slow}# {number}\n", problem="halving") for number in range(3)]
    for service in ("postgres", "redis"):
        docker("network", "disconnect", f"{pairs[0].project}_default", stack.containers(service)[0])

    assert {str(learner.finished(run, 180)["verdict"]) for run in runs} == {"accepted"}


def _package() -> str:
    """A problem that is in no image: a worker has it from the database."""
    return json.dumps(halving.FILES)
