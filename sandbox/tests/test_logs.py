"""What the server writes down about a job."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from sandbox.client import Client, SandboxUnavailable
from sandbox.protocol import Job
from sandbox.tests.packages import LIMITS, PACKAGE, RIGHT


def test_a_job_is_one_line_with_its_id(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sandbox", "serve", "--socket", str(tmp_path / "socket"), "--log-style", "json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        client = Client(tmp_path / "socket")
        end = time.monotonic() + 60
        while True:
            try:
                client.ping()
                break
            except SandboxUnavailable:
                assert time.monotonic() < end
                time.sleep(0.05)
        list(client.judge(Job("5a17", RIGHT, PACKAGE, LIMITS)))
        facts = client.ping()
        server.terminate()
        assert server.stderr is not None
        lines = [json.loads(line) for line in server.stderr]

    (line,) = [line for line in lines if line.get("submission") == "5a17"]
    assert line["event"].startswith("job 5a17 of small: accepted, ")
    assert (line["level"], line["logger"]) == ("info", "sandbox")
    assert lines[0]["event"] == "Every protection is held: the sandbox starts here."
    assert facts["template_starts"] == 1
    assert 50 < facts["template_mb"] < 2000
