"""How often something may happen under one name within ten minutes: failed sign-ins, new accounts.

It is counted in the database, so that every web process counts together. Who guesses passwords meets the first of the
three limits of a sign-in: on a name from one address (so that nobody can lock another person out from elsewhere), on a
name from anywhere, and on an address (a whole class may share one).
"""

import dataclasses
import datetime
import hashlib

from django.conf import settings
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from judge.accounts.models import Count

WINDOW = datetime.timedelta(minutes=10)


@dataclasses.dataclass(frozen=True)
class Limit:
    """At most `times` within `WINDOW` for one key."""

    name: str
    times: int

    def is_reached(self, key: str) -> bool:
        now = timezone.now()
        # A time ahead of now is from before the clock was set back.
        current = Count.objects.filter(key=self._key(key), since__gt=now - WINDOW, since__lte=now + WINDOW)
        return current.filter(times__gte=self.times).exists()

    def count(self, key: str) -> None:
        """Counts one more. The window begins with the first."""
        now = timezone.now()
        if Count.objects.filter(key=self._key(key), since__gt=now - WINDOW).update(times=F("times") + 1):
            return
        Count.objects.filter(since__lte=now - WINDOW).delete()
        Count.objects.update_or_create(key=self._key(key), defaults={"since": now, "times": 1})

    def forget(self, key: str) -> None:
        Count.objects.filter(key=self._key(key)).delete()

    def _key(self, key: str) -> str:
        # A name may be any text that somebody sends; its hash is as good a key, and tells nothing.
        return f"{self.name} {hashlib.sha256(key.encode(errors='replace')).hexdigest()}"


class SignIns:
    """The failed sign-ins that concern one request."""

    _NAME_HERE = Limit("sign-in of a name from an address", 10)
    _NAME = Limit("sign-in of a name", 100)
    _ADDRESS = Limit("sign-in from an address", 300)

    def __init__(self, request: HttpRequest) -> None:
        name, address = request.POST.get("username", "").lower(), client_address(request)
        self._here = f"{name} {address}"
        self._counted = ((self._NAME_HERE, self._here), (self._NAME, name), (self._ADDRESS, address))

    @property
    def are_too_many(self) -> bool:
        return any(limit.is_reached(key) for limit, key in self._counted)

    def count_failure(self) -> None:
        for limit, key in self._counted:
            limit.count(key)

    def forget(self) -> None:
        """Somebody who knows the password has come in: their own failures here don't matter any more."""
        self._NAME_HERE.forget(self._here)


SIGN_UPS = Limit("sign-up from an address", 600)


def client_address(request: HttpRequest) -> str:
    """Where a request comes from: what the one trusted proxy says, where there is one."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.HTTPS else ""
    return forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR") or ""
