"""Structured logs: one event a line, on standard error, from our code and from libraries alike.

`submission_context` binds the id of a submission to every line that is written inside it, in the web process and in the
worker, so that one id leads from the click to the check.
"""

from contextlib import AbstractContextManager
from typing import Any

import structlog


def logging_configuration(*, level: str, style: str) -> dict[str, Any]:
    """What `logging.config` takes. `style` is `text` (for people) or `json` (one object a line)."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if style == "json"
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": shared,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"structured": formatter},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            **{name: {"handlers": [], "propagate": True} for name in ("django.server", "uvicorn")},
            **{name: {"level": "WARNING"} for name in ("celery.worker.strategy", "celery.app.trace", "uvicorn.access")},
        },
    }


def submission_context(submission_id: object) -> AbstractContextManager[None]:
    return structlog.contextvars.bound_contextvars(submission=str(submission_id))
