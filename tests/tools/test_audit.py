"""What is read from the two auditors' answers."""

from tools import audit


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
    report = {"vulnerabilities": {"left-pad": {"severity": "high", "range": "<1.3"}}}

    assert audit.node_findings(report) == ["left-pad: high, in <1.3"]
    assert audit.node_findings({"vulnerabilities": {}}) == []


def test_an_answer_without_an_audit_is_none() -> None:
    assert audit.node_findings({"message": "405 Method Not Allowed", "statusCode": 405}) is None
