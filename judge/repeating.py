"""What a worker does again and again beside its tasks."""

import threading
from collections.abc import Callable

import structlog
from django.db import connection

log = structlog.stdlib.get_logger(__name__)


class Repeating(threading.Thread):
    """A daemon thread that does something at once and then every `seconds` until `stop` is set.

    A failure is logged and is not the end: the next turn follows.
    """

    def __init__(self, name: str, action: Callable[[], object], seconds: float) -> None:
        super().__init__(name=name, daemon=True)
        self.stop = threading.Event()
        self._action = action
        self._seconds = seconds

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                self._action()
            except Exception:
                log.exception("a turn failed; the next one follows", thread=self.name)
            finally:
                connection.close()
            self.stop.wait(self._seconds)
