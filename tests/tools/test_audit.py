"""What is read from the two auditors' answers, and what fails."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tools import audit

ADVISORY = {
    "id": 1,
    "url": "https://example.org/1",
    "title": "Says too much",
    "severity": "high",
    "vulnerable_versions": "<99",
    "cwe": [],
    "cvss": {"score": 0, "vectorString": None},
}


def test_what_pip_audit_found() -> None:
    report = {
        "dependencies": [
            {"name": "good", "version": "1.0", "vulns": []},
            {"name": "bad", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]},
            {"name": "hopeless", "version": "3.0", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
            {"name": "unknown", "skip_reason": "not found"},
        ]
    }

    assert audit.python_findings(report) == (
        ["bad 2.0: PYSEC-1, mended in 2.1", "hopeless 3.0: PYSEC-2, mended in none"],
        1,
    )


def test_what_npm_found() -> None:
    report = {
        "vulnerabilities": {
            "left-pad": {"severity": "high", "via": [{"title": "Pads right", "url": "https://example.org/2"}]},
            "padder": {"severity": "high", "via": ["left-pad"]},
        }
    }

    assert audit.node_findings(report) == [
        "left-pad: high, Pads right (https://example.org/2)",
        "padder: high, through left-pad",
    ]
    assert audit.node_findings({"vulnerabilities": {}}) == []


def test_an_answer_without_an_audit_is_none() -> None:
    assert audit.node_findings({"message": "405 Method Not Allowed", "statusCode": 405}) is None


def test_a_vulnerability_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(audit, "_python", lambda: ["bad 2.0: PYSEC-1, mended in 2.1"])

    with service({"svelte": [ADVISORY]}) as address:
        assert with_npm(monkeypatch, address) == 1

    printed = capsys.readouterr().out.splitlines()
    assert "Vulnerable: bad 2.0: PYSEC-1, mended in 2.1" in printed
    assert "Vulnerable: svelte: high, Says too much (https://example.org/1)" in printed


def test_no_vulnerability_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(audit, "_python", list)

    with service({}) as address:
        assert with_npm(monkeypatch, address) == 0

    assert capsys.readouterr().out == ""


def test_a_service_that_does_not_know_or_is_away_is_a_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """npm is the real one; what pip would fetch can't be fetched."""
    monkeypatch.setattr(audit, "ENVIRONMENT", tmp_path / "audit")
    monkeypatch.setattr(audit, "_install", lambda: False)
    left_out = "Left out: the packages of the front end (the service that knows can't be reached)."

    with service(None) as address:
        assert with_npm(monkeypatch, address) == 0
    assert left_out in capsys.readouterr().out.splitlines()

    assert with_npm(monkeypatch, "http://127.0.0.1:1/") == 0
    assert capsys.readouterr().out.count("Left out: ") == 2


def with_npm(monkeypatch: pytest.MonkeyPatch, address: str) -> int:
    """The exit code of the audit, where the packages of the front end are asked for at `address`."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert shutil.which("npm"), "`make test` installs it"
    monkeypatch.setenv("npm_config_registry", address)
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    return audit.main()


@contextmanager
def service(advisories: dict[str, list[object]] | None) -> Iterator[str]:
    """Answers as npm's does, or, without advisories, as one that keeps packages alone."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if advisories is None:
                self.send_error(405)
                return
            data = json.dumps(advisories).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
