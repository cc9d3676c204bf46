"""The server's log, on standard error: lines for people, or one JSON object a line, with the id of the job it is about.

The names in the objects are those of the web's and the worker's logs, where a job's id is that of its submission: so
one id leads from the click to the check.
"""

from __future__ import annotations

import datetime
import json
import logging

STYLES = ("text", "json")


def set_up(style: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonFormatter() if style == "json" else logging.Formatter("sandbox: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def about(job_id: str) -> dict[str, str]:
    """What `extra` of a line about a job is."""
    return {"submission": job_id}


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        values = {
            "event": record.getMessage(),
            "submission": getattr(record, "submission", None),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": moment.isoformat().replace("+00:00", "Z"),
            "exception": self.formatException(record.exc_info) if record.exc_info else None,
        }
        return json.dumps({name: value for name, value in values.items() if value is not None})
