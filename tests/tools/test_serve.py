"""The launcher's refusals. That it starts and stops everything, the browser tests show with each run."""

import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.serve", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


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
