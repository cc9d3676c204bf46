"""What is decided when a process starts is tested in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def start(var: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script]
    # The settings of who runs the tests, a database say, are none of these processes' own.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PAPERJUDGE_")}
    values = {**inherited, "DJANGO_SETTINGS_MODULE": "judge.settings", "PAPERJUDGE_VAR": str(var), **environment}
    return subprocess.run(command, cwd=ROOT, env=values, capture_output=True, text=True, check=False)
