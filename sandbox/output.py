"""What a solution jail prints: read as it comes, kept up to one limit, and stopped at another."""

from __future__ import annotations

import os

from sandbox.text import clean

SHOWN_BYTES = 4096
"""How much of what one check prints is kept for the report."""
UNTOLD_BYTES = 1 << 18
"""How much may be printed beyond the limit before a jail is ended that has not answered yet. A jail that answers says
how much it has printed, and is held to the limit itself; so it does not depend on who reads first."""


class Output:
    """The standard output and error of one job's solution jails, cut into what each check printed.

    A jail says with each answer how much it has printed until then; so a server that is behind gives no text to the
    wrong check. What a jail says wrongly moves its own text only.
    """

    def __init__(self, limit: int) -> None:
        """`limit` is the number of bytes that one check may print."""
        self.reader: int | None = None
        """The pipe to read from next; None while there is none, or nothing more in it."""
        self._limit = limit
        self._waiting = bytearray()
        self._taken = 0
        self._owed = 0

    def attach(self, reader: int) -> None:
        """Reads from the pipe of another jail, which is not to block, and closes it in the end."""
        self.close()
        self.reader = reader
        self._taken = 0

    @property
    def over(self) -> bool:
        """Whether more was printed than a jail may that has not said so in time: the end of it."""
        return len(self._waiting) - self._owed > self._limit + UNTOLD_BYTES

    def drain(self) -> None:
        """Reads what is there, without waiting, and no further than the limit."""
        while self.reader is not None and not self.over:
            try:
                data = os.read(self.reader, 65536)
            except BlockingIOError:
                return
            if not data:
                self.close()
            self._waiting += data

    def bury(self) -> None:
        """Its writer was killed: all that it has printed belongs to the next `take`."""
        self.drain()
        self._owed = len(self._waiting)
        self.close()

    def take(self, until: int) -> str:
        """What the jail printed up to its byte number `until`, with a word about what is left out."""
        self.drain()
        size = max(0, min(self._owed + until - self._taken, len(self._waiting)))
        text = clean(bytes(self._waiting[: min(size, SHOWN_BYTES)]).decode(errors="replace"))
        if size > SHOWN_BYTES:
            count = f"more than {self._limit:,}" if size > self._limit else f"{size:,}"
            text += f"\n[{count} bytes were printed; the first {SHOWN_BYTES:,} are shown]"
        del self._waiting[:size]
        self._owed, self._taken = 0, max(until, self._taken)
        return text

    def close(self) -> None:
        if self.reader is not None:
            os.close(self.reader)
            self.reader = None
