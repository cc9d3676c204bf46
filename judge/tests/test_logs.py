import json
from pathlib import Path

import pytest

from judge.tests.processes import start

SCRIPT = """
import django; django.setup()
import logging, structlog
from judge.logs import submission_context
with submission_context("5a17"):
    structlog.stdlib.get_logger("judge.test").info("judged", verdict="accepted")
    logging.getLogger("some.library").warning("slow %s", "disk")
"""


def test_every_line_about_a_submission_carries_its_id(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in start(tmp_path, SCRIPT, PAPERJUDGE_LOG_STYLE="json").stderr.splitlines()]

    assert [(line["event"], line["level"], line["logger"], line["submission"]) for line in lines] == [
        ("judged", "info", "judge.test", "5a17"),
        ("slow disk", "warning", "some.library", "5a17"),
    ]
    assert lines[0]["verdict"] == "accepted"


@pytest.mark.parametrize(("level", "count"), [("INFO", 2), ("WARNING", 1), ("ERROR", 0)])
def test_the_level_is_one_setting(tmp_path: Path, level: str, count: int) -> None:
    assert len(start(tmp_path, SCRIPT, PAPERJUDGE_LOG_LEVEL=level).stderr.splitlines()) == count
