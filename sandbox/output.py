"""What a solution jail prints: read as it comes, kept up to one limit, and stopped at another."""

from __future__ import annotations

import contextlib
import fcntl
import os

from sandbox.text import clean

SHOWN_BYTES = 4096
"""How much of what one check prints is kept for the report."""
_PIPE_BYTES = 1 << 18


class Output:
    """A pipe for the standard output and error of one job's solution jails."""

    def __init__(self, limit: int) -> None:
        """`limit` is the number of bytes between two calls of `take` from which on `over` is true."""
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        with contextlib.suppress(PermissionError):
            fcntl.fcntl(self.writer, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self._limit = limit
        self._shown = bytearray()
        self._count = 0

    @property
    def over(self) -> bool:
        return self._count > self._limit

    def drain(self) -> None:
        """Reads what is there, without waiting, and no further than the limit."""
        while not self.over:
            try:
                data = os.read(self.reader, 65536)
            except BlockingIOError:
                return
            self._count += len(data)
            self._shown += data[: SHOWN_BYTES - len(self._shown)]

    def discard(self) -> None:
        """Empties the pipe after its writer was killed."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.reader, 1 << 20):
                pass

    def take(self) -> str:
        """The text since the last call, with a word about what is left out."""
        text = clean(bytes(self._shown).decode(errors="replace"))
        if self._count > len(self._shown):
            more = f"more than {self._limit:,}" if self.over else f"{self._count:,}"
            text += f"\n[{more} bytes were printed; the first {len(self._shown):,} are shown]"
        self._shown.clear()
        self._count = 0
        return text

    def close(self) -> None:
        os.close(self.reader)
        os.close(self.writer)
