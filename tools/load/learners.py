"""What learners do before a deadline."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.load.browser import Browser

MINUTE = 60.0
DRAFTS_A_MINUTE = 5
PATIENCE_SECONDS = 120.0


def sources(problem: Path, rng: random.Random) -> Iterator[str]:
    """The reference now and then, and else a known mistake; no two alike."""
    mistakes = [file.read_text() for file in sorted((problem / "wrong").glob("*.py"))]
    reference = (problem / "reference.py").read_text()
    for number in itertools.count():
        yield f"{reference if rng.random() < 0.3 else rng.choice(mistakes)}\n# {number} {rng.random()}\n"


class Learner:
    def __init__(self, browser: Browser, files: Iterator[str], problem: str) -> None:
        self._browser = browser
        self._files = files
        self._path = f"/problems/{problem}/"
        self.judged: list[float] = []
        """Seconds from the click to the complete report."""
        self.unfinished = 0

    async def work(self, until: float, delay: float) -> None:
        """A run a minute, from `delay` seconds on."""
        await asyncio.sleep(delay)
        while time.monotonic() < until:
            minute_ends = time.monotonic() + MINUTE
            await self._browser.request("page", "GET", self._path)
            for _ in range(DRAFTS_A_MINUTE):
                await asyncio.sleep(MINUTE / DRAFTS_A_MINUTE * 0.9)
                await self._browser.request("draft", "PUT", f"{self._path}draft/", {"source": next(self._files)})
            await self.hand_in()
            await self._browser.request("page", "GET", f"{self._path}submissions/")
            await asyncio.sleep(max(0.0, minute_ends - time.monotonic()))
        self._browser.close()

    async def flood(self, until: float) -> None:
        """One run after the other, as often as the judge takes it."""
        while time.monotonic() < until:
            await self.hand_in()
            await asyncio.sleep(0.05)
        self._browser.close()

    async def hand_in(self) -> None:
        clicked = time.monotonic()
        body = {"source": next(self._files)}
        status, content = await self._browser.request("submit", "POST", f"{self._path}submissions/", body)
        if status != 201:
            await asyncio.sleep(1.0)
            return
        address, known = json.loads(content)["state_url"], 0
        while (waited := time.monotonic() - clicked) < PATIENCE_SECONDS:
            _, content = await self._browser.request("state", "GET", f"{address}?after={known}")
            state: dict[str, Any] = json.loads(content) if content else {"state": "unknown", "checks": []}
            known += len(state["checks"])
            if state["state"] == "finished":
                self.judged.append(time.monotonic() - clicked)
                return
            await asyncio.sleep(_pause(waited))
        self.unfinished += 1


def _pause(waited: float) -> float:
    """The rhythm of `frontend/src/lib/polling.ts`."""
    if waited < 2:
        return 0.12
    if waited < 5:
        return 0.3
    return 1.0 if waited < 30 else 2.0
