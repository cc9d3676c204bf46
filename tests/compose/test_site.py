"""From a clean checkout to a judged submission with one command, and what may never be in the file."""

from __future__ import annotations

import re
import ssl
import subprocess
import time

from tests.compose.stack import Stack, answers, docker
from tests.learner import Learner
from tests.stack import ROOT, free_port

SERVICES = ("web", "worker", "verifier", "sandbox", "redis", "postgres")


def test_a_learner_signs_up_and_is_judged(stack: Stack, url: str, reference: str) -> None:
    learner = Learner(url)

    state = learner.finished(learner.hand_in(reference))
    assert (state["verdict"], state["sentence"], state["attempt"]) == ("accepted", "Solved", 1)
    assert state["total"] > 50

    notes = learner.get("problems/moco/notes/").decode()
    assert 'data-lab="' in notes

    wrong = reference.replace("def moco_loss(", "def renamed(", 1)
    assert learner.verdict(learner.hand_in(wrong)) == "runtime_error"


def test_the_first_administrator_signs_in_with_the_password_that_setup_printed(stack: Stack, url: str) -> None:
    printed = stack.run("logs", "--no-color", "setup")
    password = re.findall(r"Administrator's password: (\S+)", printed)[0]

    learner = Learner(url)
    learner.post_form("accounts/sign-out/", {}).close()
    learner.get("accounts/sign-in/")
    learner.post_form("accounts/sign-in/", {"username": "administrator", "password": password}).close()
    assert b"administrator" in learner.get("/admin/")


def test_secrets_are_made_here_and_are_neither_in_the_file_nor_in_the_environment(stack: Stack) -> None:
    file = (ROOT / "docker-compose.yml").read_text()
    names = ("postgres-password", "redis-password", "secret-key")
    secrets = [stack.execute("web", "cat", f"/run/paperjudge-secrets/{name}").strip() for name in names]

    assert len(set(secrets)) == 3
    assert all(len(secret) >= 64 for secret in secrets)
    for service in SERVICES:
        configuration = str(stack.inspect(service)["Config"])
        assert not any(secret in configuration for secret in secrets), service
    assert re.findall(r"(?i)\b\w*(?:password|secret_key)\b: *\S+", file) == []


def test_the_database_and_the_broker_refuse_who_has_no_password(stack: Stack) -> None:
    said = stack.execute("redis", "redis-cli", "-h", "redis", "ping", check=False)
    assert "NOAUTH" in said

    tries = "import psycopg; psycopg.connect('postgresql://paperjudge:postgres@postgres/paperjudge', connect_timeout=5)"
    said = stack.execute("web", "python", "-c", f"try:\n    {tries}\nexcept Exception as e: print(e)")
    assert "password authentication failed" in said


def test_what_is_stored_outlives_down_and_up(stack: Stack, url: str, reference: str) -> None:
    learner = Learner(url)
    state_url = learner.hand_in(reference)
    assert learner.verdict(state_url) == "accepted"
    key = stack.execute("web", "cat", "/run/paperjudge-secrets/secret-key")

    stack.run("down")
    stack.run("up", "--detach")
    stack.wait_until_healthy("web", "sandbox")

    assert stack.execute("web", "cat", "/run/paperjudge-secrets/secret-key") == key
    assert learner.verdict(state_url) == "accepted"
    assert learner.verdict(learner.hand_in(reference)) == "accepted"


def test_a_site_that_is_stopped_as_a_whole_first_ends_what_it_judges(stack: Stack, url: str, reference: str) -> None:
    learner = Learner(url)
    state_url = running(learner, reference)

    stack.run("stop")

    codes = {service: stack.inspect(service)["State"]["ExitCode"] for service in SERVICES}
    assert codes == {**dict.fromkeys(SERVICES, 0), "web": codes["web"]}
    assert codes["web"] in (0, 143)
    stack.run("up", "--detach")
    stack.wait_until_healthy("web", "sandbox")
    state = learner.state(state_url)
    assert (state["state"], state["verdict"], state["attempt"]) == ("finished", "accepted", 1)


def test_a_worker_that_is_told_to_stop_while_it_starts_stops(stack: Stack) -> None:
    stack.run("restart", "worker")

    began = time.monotonic()
    stack.run("stop", "worker")
    took = time.monotonic() - began

    stack.run("start", "worker")
    assert took < 60, "the engine had to kill it"


def test_a_worker_that_is_told_to_stop_finishes_what_it_judges(stack: Stack, url: str, reference: str) -> None:
    learner = Learner(url)
    state_url = running(learner, reference)

    stack.run("stop", "worker")

    state = learner.state(state_url)
    assert (state["state"], state["verdict"], state["attempt"]) == ("finished", "accepted", 1)
    stack.run("start", "worker")


def test_containers_that_are_killed_lose_nothing(stack: Stack, url: str, reference: str) -> None:
    learner = Learner(url)
    for service in ("sandbox", "worker", "redis"):
        state_url = learner.hand_in(reference)
        for container in stack.containers(service):
            docker("kill", "--signal", "KILL", container)
        stack.run("up", "--detach", "--no-recreate")
        assert learner.finished(state_url, 120)["verdict"] == "accepted", service


def test_images_hold_no_compiler_no_cuda_and_no_pip(stack: Stack) -> None:
    for service in ("web", "sandbox"):
        look = "import shutil; print([n for n in ('gcc', 'cc', 'c++', 'clang', 'node', 'nvcc') if shutil.which(n)])"
        assert stack.execute(service, "python", "-c", look) == "[]\n"
        names = "import importlib.metadata as m; print(*sorted(d.metadata['Name'].lower() for d in m.distributions()))"
        packages = set(stack.execute(service, "/opt/venv/bin/python", "-I", "-c", names).split())
        assert not {name for name in packages if name.startswith(("nvidia", "cuda", "triton", "pip", "setuptools"))}
        assert ("torch" in packages, "django" in packages) == (service == "sandbox", service == "web")


def test_with_the_profile_tls_the_site_is_reached_over_https(stack: Stack, port: int, reference: str) -> None:
    plain_port, tls_port = free_port(), free_port()
    stack.environment.update(
        PAPERJUDGE_HTTPS="1", PAPERJUDGE_HTTP_PORT=str(plain_port), PAPERJUDGE_HTTPS_PORT=str(tls_port)
    )
    try:
        stack.run("--profile", "tls", "up", "--detach")
        stack.wait_until_healthy("web")
        answers(f"http://127.0.0.1:{port}/healthz")
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        learner = Learner(f"https://localhost:{tls_port}/", trust)
        assert all(cookie.secure for cookie in learner.cookies)
        assert learner.verdict(learner.hand_in(reference)) == "accepted"
        answer = learner.opener.open(learner.url)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        outside = subprocess.run(
            ["curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", f"{learner.url}metrics"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert outside.stdout == "404"
    finally:
        for name in ("PAPERJUDGE_HTTPS", "PAPERJUDGE_HTTP_PORT", "PAPERJUDGE_HTTPS_PORT"):
            del stack.environment[name]
        stack.run("--profile", "tls", "rm", "--force", "--stop", "caddy")
        stack.run("up", "--detach")
        stack.wait_until_healthy("web")


def running(learner: Learner, reference: str) -> str:
    """A submission that takes some seconds, and has just been taken."""
    slow = reference.replace("def moco_loss(", "import time\n\ntime.sleep(4)\n\n\ndef moco_loss(", 1)
    state_url = learner.hand_in(slow)
    while learner.state(state_url)["state"] == "queued":
        time.sleep(0.05)
    return state_url
