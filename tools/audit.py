"""Asks which of the pinned packages have known vulnerabilities: `make audit`, which continuous integration runs too.

Both services that know are elsewhere. Where one can't be reached, that is said and is no failure; a vulnerability is.
They are asked at the same time and not for long, so that a machine without a network waits for a minute or two at most.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PIP_AUDIT = "pip-audit==2.10.1"
ENVIRONMENT = ROOT / ".venv" / "audit"
SECONDS = 60
"""How long each step may take."""


def main() -> int:
    with ThreadPoolExecutor() as both:
        asked = [both.submit(_python), both.submit(_node)]
    findings = [finding for answer in asked for finding in answer.result()]
    for finding in findings:
        print(f"Vulnerable: {finding}")
    return 1 if findings else 0


def python_findings(report: dict[str, Any]) -> tuple[list[str], int]:
    """What pip-audit found, and how many packages it could not ask about."""
    packages = report["dependencies"]
    found = [
        f"{package['name']} {package['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'none'}"
        for package in packages
        for flaw in package.get("vulns", [])
    ]
    return found, sum("skip_reason" in package for package in packages)


def node_findings(report: dict[str, Any]) -> list[str] | None:
    """What npm found, or None where it could not ask."""
    if "vulnerabilities" not in report:
        return None
    return [f"{name}: {flaw['severity']}, {_reason(flaw)}" for name, flaw in report["vulnerabilities"].items()]


def _reason(flaw: dict[str, Any]) -> str:
    """Its own flaws with their addresses, or the packages through which it has one."""
    return "; ".join(
        f"through {via}" if isinstance(via, str) else f"{via['title']} ({via['url']})" for via in flaw["via"]
    )


def _python() -> list[str]:
    if not (ENVIRONMENT / "bin" / "pip-audit").exists() and not _install():
        print(f"Left out: the packages of Python ({PIP_AUDIT} can't be installed).")
        return []
    constraints = str(ROOT / "tools" / "compose" / "constraints.txt")
    words = [
        "--requirement",
        constraints,
        "--no-deps",
        "--disable-pip",
        "--format",
        "json",
        "--progress-spinner",
        "off",
    ]
    report = _json([str(ENVIRONMENT / "bin" / "pip-audit"), *words])
    if report is None:
        print("Left out: the packages of Python (the service that knows can't be reached).")
        return []
    found, skipped = python_findings(report)
    if skipped:
        print(f"Left out: {skipped} packages of Python (the service that was asked doesn't know them).")
    return found


def _install() -> bool:
    """pip-audit, in an environment of its own: what it needs is not what we pin."""
    subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    install = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", PIP_AUDIT]
    try:
        return subprocess.run(install, capture_output=True, check=False, timeout=SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _node() -> list[str]:
    report = _json(["npm", "--prefix", str(ROOT / "frontend"), "audit", "--json"])
    found = None if report is None else node_findings(report)
    if found is None:
        print("Left out: the packages of the front end (the service that knows can't be reached).")
        return []
    return found


def _json(command: Sequence[str]) -> dict[str, Any] | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        report = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    return report if isinstance(report, dict) else None


if __name__ == "__main__":
    sys.exit(main())
