"""As much of a browser as the site sees of one: a connection that is kept, cookies, and times taken."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections import defaultdict
from typing import Any


@dataclasses.dataclass
class Figures:
    """Seconds of all requests, by kind; and what went wrong."""

    seconds: defaultdict[str, list[float]] = dataclasses.field(default_factory=lambda: defaultdict(list))
    errors: list[str] = dataclasses.field(default_factory=list)


class Browser:
    """One learner's. It speaks to 127.0.0.1 alone."""

    def __init__(self, port: int, session: str, figures: Figures) -> None:
        self._port = port
        self._cookies = f"sessionid={session}; csrftoken={'t' * 32}"
        self._figures = figures
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, kind: str, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
        """Status and content. A failure of the connection or of the site counts as an error of `kind`."""
        start = time.monotonic()
        try:
            status, content = await self._exchange(method, path, body)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            self.close()
            self._figures.errors.append(f"{kind}: {error!r}")
            return 0, b""
        self._figures.seconds[kind].append(time.monotonic() - start)
        if status >= 500:
            self._figures.errors.append(f"{kind}: status {status}")
        return status, content

    def close(self) -> None:
        if self._connection is not None:
            self._connection[1].close()
            self._connection = None

    async def _exchange(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        data = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            f"Cookie: {self._cookies}",
            f"X-CSRFToken: {'t' * 32}",
            "Content-Type: application/json" if data else "Accept: text/html",
            f"Content-Length: {len(data)}",
        ]
        if self._connection is None or self._connection[0].at_eof():
            self.close()
            self._connection = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        reader, writer = self._connection
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        if headers.get("connection") == "close":
            self._connection = None
        return int(head[0].split()[1]), await _content(reader, headers)


async def _content(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    content = b""
    while size := int(await reader.readline(), 16):
        content += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return content
