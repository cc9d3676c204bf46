"""The time that every machine agrees on: the database's.

Who is alive and what is due is decided by comparing times that several machines wrote. Clocks of machines differ, and a
clock that is a minute ahead would take every other worker for dead. SQLite is on this machine, and has no clock of its
own. Durations within one process are measured by `time.monotonic` instead.
"""

import datetime

from django.db import connection
from django.utils import timezone


def now() -> datetime.datetime:
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime.datetime = cursor.fetchone()[0]
    return moment
