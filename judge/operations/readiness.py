"""Whether the site can do its work: each thing that it depends on, by name."""

import os
from collections.abc import Callable

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from judge.operations.models import ALIVE_SECONDS, Worker

OK = "ok"
_REDIS_SECONDS = 2


def readiness() -> dict[str, str]:
    """Each dependency with `OK`, or with what is wrong. It tells strangers no addresses."""
    return {name: _answer(check) for name, check in _CHECKS.items()}


def _answer(check: Callable[[], str]) -> str:
    try:
        return check()
    except DatabaseError as error:
        return f"the database can't be asked ({type(error).__name__})"
    except (redis.RedisError, OSError) as error:
        return f"can't be reached ({type(error).__name__})"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} migrations are missing: run `manage.py migrate`" if missing else OK


def _broker() -> str:
    if settings.BROKER != "filesystem://":
        options = {"socket_connect_timeout": _REDIS_SECONDS, "socket_timeout": _REDIS_SECONDS}
        with redis.Redis.from_url(settings.BROKER, **options) as client:
            client.ping()
    elif not os.access(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_out"], os.W_OK):
        return "its folder can't be written to"
    return OK


_SILENT = f"none has given a sign of life for {ALIVE_SECONDS} s"


def _worker() -> str:
    return OK if Worker.objects.judging().exists() else _SILENT


def _sandbox() -> str:
    return OK if Worker.objects.judging().filter(fault="").exists() else "no living worker reaches one"


def _verifier() -> str:
    verifiers = Worker.objects.verifying()
    if not verifiers.exists():
        return _SILENT
    return OK if verifiers.filter(fault="").exists() else "no living one reaches a sandbox"


_CHECKS = {
    "database": _database,
    "broker": _broker,
    "worker": _worker,
    "sandbox": _sandbox,
    "verifier": _verifier,
}
