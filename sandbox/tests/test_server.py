"""The server as a service: queue, cancellation, a template that dies, requests that make no sense."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.client import Client, SandboxUnavailable, running_server
from sandbox.protocol import CheckFinished, Job, Outcome, Queued, Started
from sandbox.tests.packages import LIMITS, PACKAGE, RIGHT, judge, with_body
from sandbox.wire import MAX_EVENT_JSON, MessageReader, send_message

SLOW = with_body("square", "import time\ntime.sleep(1)\nreturn (x * x).sum()")


@pytest.fixture(scope="module")
def single() -> Iterator[Client]:
    """A server that judges one job at a time."""
    with running_server(None, "--jobs", "1") as client:
        yield client


def until(condition: str, client: Client, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not eval(condition, {}, client.ping()):
        assert time.monotonic() < end, f"{condition} did not come true: {client.ping()}"
        time.sleep(0.02)


def test_status_names_the_layers(sandbox_client: Client) -> None:
    status = sandbox_client.ping()
    assert status["ready"] is True
    assert "resource limits" in status["layers"]
    assert all(status["protections"].values())


def test_a_waiting_job_hears_its_place(single: Client) -> None:
    running = threading.Thread(target=judge, args=(single, SLOW))
    running.start()
    until("running == 1", single)
    events = list(single.judge(Job("second", RIGHT, PACKAGE, LIMITS)))
    running.join()
    assert events[0] == Queued(place=1)
    assert isinstance(events[1], Started)
    assert isinstance(events[-1], Outcome)
    assert events[-1].verdict == "accepted"


def test_owners_take_turns(single: Client) -> None:
    finished: list[str] = []

    def submit(owner: str) -> None:
        for _ in single.judge(Job(owner, RIGHT, PACKAGE, LIMITS, owner=owner)):
            pass
        finished.append(owner)

    blocker = threading.Thread(target=judge, args=(single, SLOW))
    blocker.start()
    until("running == 1", single)
    threads = []
    for waiting, owner in enumerate(["eager", "eager", "eager", "other"]):
        threads.append(threading.Thread(target=submit, args=(owner,)))
        threads[-1].start()
        until(f"waiting == {waiting + 1}", single)
    for thread in (blocker, *threads):
        thread.join()
    assert finished.index("other") == 1


def test_a_job_whose_client_goes_away_is_cancelled(single: Client) -> None:
    loop = with_body("square", "while True: pass")
    events = single.judge(Job("abandoned", loop, PACKAGE, LIMITS))
    assert isinstance(next(events), Started)
    assert single.ping()["running"] == 1
    events.close()  # type: ignore[attr-defined]
    until("running == 0", single, seconds=1.0)


def test_a_waiting_job_whose_client_goes_away_leaves_the_queue(single: Client) -> None:
    running = threading.Thread(target=judge, args=(single, SLOW))
    running.start()
    until("running == 1", single)
    waiting = single.judge(Job("abandoned", RIGHT, PACKAGE, LIMITS))
    assert next(waiting) == Queued(place=1)
    waiting.close()  # type: ignore[attr-defined]
    until("waiting == 0", single)
    running.join()


def test_a_template_that_was_killed_is_started_again(single: Client) -> None:
    before = single.ping()["template_pid"]
    os.kill(before, signal.SIGKILL)
    assert judge(single, RIGHT).outcome.verdict == "accepted"
    assert single.ping()["template_pid"] != before


@pytest.mark.parametrize(("after", "verdict"), [(Started, "accepted"), (CheckFinished, "judge_error")])
def test_a_template_that_is_killed_during_a_job_is_our_fault(single: Client, after: type, verdict: str) -> None:
    """As long as no result was told, the server tries the job again by itself."""
    told: list[type] = []
    outcomes = []
    template = single.ping()["template_pid"]
    for event in single.judge(Job("unlucky", SLOW, PACKAGE, LIMITS)):
        if isinstance(event, after) and after not in told:
            os.kill(template, signal.SIGKILL)
        told.append(type(event))
        if isinstance(event, Outcome):
            outcomes.append(event.verdict)
    assert outcomes == [verdict]
    assert told.count(Started) == 1
    assert judge(single, RIGHT).outcome.verdict == "accepted"


@pytest.mark.parametrize(
    ("request_text", "complaint"),
    [
        ({"judge": 3}, "job must be an object"),
        ({"judge": {}}, "job lacks the field 'id'"),
        ({"judge": {"id": "a", "submission": "", "package": {}}}, "job.package lacks the field 'slug'"),
        ({"judge": {"id": "a", "nonsense": 1}}, "job has the unknown field 'nonsense'"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(sandbox_client: Client, request_text: object, complaint: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(sandbox_client.path))
        send_message(connection, request_text)
        answer = MessageReader(connection, MAX_EVENT_JSON).receive()
    assert answer["verdict"] == "judge_error"
    assert answer["message"] == f"The job is malformed: {complaint}"


@pytest.mark.parametrize("noise", [b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64])
def test_noise_from_a_client_harms_nobody(sandbox_client: Client, noise: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(sandbox_client.path))
        with contextlib.suppress(BrokenPipeError):
            connection.sendall(noise)
    assert judge(sandbox_client, RIGHT).outcome.verdict == "accepted"


def test_jobs_side_by_side_get_their_own_results(sandbox_client: Client) -> None:
    wrong = with_body("next", "return 0")
    verdicts: dict[int, str] = {}

    def submit(number: int) -> None:
        verdicts[number] = judge(sandbox_client, wrong if number % 2 else RIGHT).outcome.verdict

    threads = [threading.Thread(target=submit, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == {number: "wrong_answer" if number % 2 else "accepted" for number in range(12)}


def test_many_jobs_leave_nothing_behind(single: Client) -> None:
    """Descriptors and children of server and template, before and after a few dozen jobs of every kind."""
    server = _parent(single.ping()["template_pid"])
    samples = (RIGHT, with_body("next", "import os\nos._exit(1)"), "syntax error", with_body("copy", "return x"))
    for text in samples:
        judge(single, text)
    before = _settled(single, server)
    for _ in range(8):
        for text in samples:
            judge(single, text)
    assert _settled(single, server) == before


def _settled(client: Client, server: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """What server and template hold once it has not changed for a while: the next jail is prepared after an answer."""
    end, same, last = time.monotonic() + 20, 0, ((0, 0), (0, 0))
    while same < 10:
        assert time.monotonic() < end, last
        time.sleep(0.1)
        now = _holdings(server), _holdings(client.ping()["template_pid"])
        same = same + 1 if now == last else 0
        last = now
    return last


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def _holdings(pid: int) -> tuple[int, int]:
    """Open descriptors and children. A template hides its descriptors from everybody but root."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    try:
        descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    except PermissionError:
        descriptors = 0
    return descriptors, len(children)


@pytest.mark.parametrize("to", ["the server", "all its processes"])
def test_a_stopped_server_lets_its_job_finish(tmp_path: Path, to: str) -> None:
    path = tmp_path / "socket"
    command = [sys.executable, "-m", "sandbox", "serve", "--socket", str(path)]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        client = Client(path)
        end = time.monotonic() + 60
        while not path.exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        seen = []
        for event in client.judge(Job("last", SLOW, PACKAGE, LIMITS)):
            if isinstance(event, (CheckFinished, Outcome)):
                seen.append(event)
            if len(seen) == 1:  # from now on nobody may begin anew
                if to == "the server":
                    process.send_signal(signal.SIGTERM)
                else:
                    os.killpg(process.pid, signal.SIGTERM)
        assert len(seen) > 2
        assert isinstance(seen[-1], Outcome)
        assert seen[-1].verdict == "accepted"
        assert process.wait(20) == 0
        assert not path.exists()
        with pytest.raises(SandboxUnavailable, match="start one with `python -m sandbox serve"):
            client.ping()
    finally:
        process.kill()
        process.wait()


def test_the_server_ends_its_template_when_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    process = subprocess.Popen([sys.executable, "-m", "sandbox", "serve", "--socket", str(path)])
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    template = Client(path).ping()["template_pid"]
    process.kill()
    process.wait()
    while Path(f"/proc/{template}").exists():
        assert time.monotonic() < end, "the template outlived its server"
        time.sleep(0.05)


def test_a_server_that_goes_away_is_said_to_who_uses_it(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def answer_once() -> None:
        with listener, listener.accept()[0] as connection:
            MessageReader(connection, MAX_EVENT_JSON).receive()
            send_message(connection, {"ready": True})

    thread = threading.Thread(target=answer_once)
    thread.start()
    with running_server(path) as client:
        thread.join()
        with pytest.raises(SandboxUnavailable, match="no sandbox answers at"):
            client.ping()


def test_threads_are_counted_and_those_of_others_go_on(sandbox_client: Client) -> None:
    """A submission that starts threads without end loses its jail; an honest one beside it has the threads it needs."""
    body = "import threading, time\nthreading.stack_size(32768)\n"
    body += "while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        floods = [pool.submit(judge, sandbox_client, with_body("next", body)) for _ in range(2)]
        honest = []
        while not all(flood.done() for flood in floods):
            honest.append(judge(sandbox_client, RIGHT))
    judged = [flood.result() for flood in floods]

    assert {run.outcome.verdict for run in honest} == {"accepted"}
    assert {run["next"].status for run in judged} == {"memory_limit"}
    assert {run["copies"].status for run in judged} == {"passed"}


def test_a_server_ends_with_whoever_started_it(tmp_path: Path) -> None:
    """Also when that is killed, and can clean nothing up."""
    program = (
        "from sandbox.client import running_server\nimport os\n"
        "with running_server() as client:\n    print(client.path, flush=True)\n    os.kill(os.getpid(), 9)"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2]), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    starter = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200)
    client = Client(Path(starter.stdout.strip()))
    for _ in range(600):
        try:
            client.ping()
        except SandboxUnavailable:
            return
        time.sleep(0.05)
    raise AssertionError("the server lives on")
