"""The Celery application. One worker command for every broker, and a second one that verifies packages:

    celery -A judge worker --pool threads --concurrency 4
    celery -A judge worker --pool threads --concurrency 1 --queues verifying

A worker thread mostly waits for the sandbox, so threads are enough, and one process keeps the memory small. The broker
carries doorbells only (ids of submissions and verifications); there is no result backend, since the database holds the
results.
"""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.settings")
TRANSPORT_ALIASES["filesystem"] = "judge.broker:FolderTransport"

app = Celery("judge")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_our_logs(**_: object) -> None:
    """Celery sets up logs of its own unless somebody does it here."""
    logging.config.dictConfig(settings.LOGGING)


@worker_ready.connect
def _start_threads(sender: Any, **_: object) -> None:
    """Each worker does, beside its tasks, what belongs to the queues that it reads."""
    queues = set(sender.app.amqp.queues.consume_from)
    judges, verifies = settings.CELERY_TASK_DEFAULT_QUEUE in queues, settings.VERIFYING_QUEUE in queues
    _start_beat(judges=judges, verifies=verifies)
    if judges:
        _start_judging()
    if verifies:
        _start_verifying()


def _start_beat(*, judges: bool, verifies: bool) -> None:
    from judge.operations.beat import Beat
    from sandbox.client import Client

    beat = Beat(Client(settings.SANDBOX_SOCKET, timeout=5.0), judges=judges, verifies=verifies)
    beat.start()
    worker_shutting_down.connect(lambda **_: beat.leave(), weak=False)
    worker_shutdown.connect(lambda **_: beat.end(), weak=False)


def _start_judging() -> None:
    from judge.repeating import Repeating
    from judge.submissions.background import Background
    from judge.submissions.sweep import SWEEP_SECONDS, sweep
    from sandbox.client import Client

    Repeating("sweep", sweep, SWEEP_SECONDS).start()
    background = Background(Client(settings.SANDBOX_SOCKET))
    background.start()
    worker_shutting_down.connect(lambda **_: background.stop.set(), weak=False)


def _start_verifying() -> None:
    from judge.classroom.tasks import SWEEP_SECONDS, sweep
    from judge.classroom.verifying import stopping
    from judge.repeating import Repeating

    sweeping = Repeating("verification-sweep", sweep, SWEEP_SECONDS)

    def stop(**_: object) -> None:
        stopping.set()
        sweeping.stop.set()

    worker_shutting_down.connect(stop, weak=False)
    sweeping.start()
