"""The launcher's refusals. That it starts and stops everything, the browser tests show with each run."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from tests.stack import free_port

ROOT = Path(__file__).resolve().parents[2]


def serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.serve", *arguments]
    variables = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)


def test_a_busy_port_is_said_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = serve("--port", str(port))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"Port {port} of 127.0.0.1 can't be used ([Errno 98] Address already in use).\n"
        "Choose another one: make serve PORT=8001\n"
    )


def test_a_port_out_of_range_is_said() -> None:
    done = serve("--port", "70000")
    assert done.returncode == 1
    assert done.stderr == (
        "Port 70000 of 127.0.0.1 can't be used (bind(): port must be 0-65535.).\n"
        "Choose another one: make serve PORT=8001\n"
    )


def test_a_setting_that_can_not_be_used_is_said(tmp_path: Path) -> None:
    done = serve("--port", str(free_port()), PAPERJUDGE_VAR=str(tmp_path), PAPERJUDGE_BROKER="carrier-pigeon://")
    assert done.returncode == 1
    assert "Paperjudge can't start" in done.stderr
    assert "PAPERJUDGE_BROKER is 'carrier-pigeon://'" in done.stderr


def test_a_sandbox_with_an_open_protection_serves_this_machine_alone(tmp_path: Path) -> None:
    port = str(free_port())
    done = serve(
        *("--host", "0.0.0.0", "--port", port), PAPERJUDGE_VAR=str(tmp_path), PAPERJUDGE_ACCEPT_UNPROTECTED="1"
    )
    assert done.returncode == 1
    assert done.stderr == "PAPERJUDGE_ACCEPT_UNPROTECTED is for 127.0.0.1 alone; unset it to listen on 0.0.0.0.\n"
