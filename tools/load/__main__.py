"""`python -m tools.load --learners 200 --minutes 2`: the figures as a table and in `var/load.json`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.stack import ROOT, running_site
from tools.load.browser import Browser, Figures
from tools.load.learners import MINUTE, Learner, sources

PROBLEM = "moco"
JUDGED_SECONDS = 2.0
"""What 95 of 100 runs must stay below, from the click to the complete report."""
PAGE_SECONDS = 0.2
"""What 95 of 100 pages must stay below."""

_PEOPLE = """
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from judge.accounts.models import User
for number in range({count}):
    user = User.objects.create(username=f"load-{{number}}", password="!")
    session = SessionStore()
    session.update({{SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0]}})
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    print(session.session_key)
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.load", description=__doc__)
    parser.add_argument("--learners", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=2.0, help="after the first, in which they come (at most 10)")
    arguments = parser.parse_args()
    learners, minutes = min(arguments.learners, 1000), min(arguments.minutes, 10.0)
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder) / "var") as site:
        sessions = _people(site.var, learners + 1)
        port = urlsplit(site.url).port
        assert port is not None
        figures = asyncio.run(_run(port, sessions, minutes))
    return _report(figures)


def _people(var: Path, count: int) -> list[str]:
    """Accounts, made without the web: hashing passwords would be most of the load. Returns their sessions."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "--verbosity", "0"]
    values = {**os.environ, "PAPERJUDGE_VAR": str(var)}
    script = _PEOPLE.format(count=count)
    done = subprocess.run(
        [*command, "--command", script], cwd=ROOT, env=values, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


async def _run(port: int, sessions: list[str], minutes: float) -> dict[str, float | int | list[str]]:
    rng = random.Random(7)
    figures, flood_figures = Figures(), Figures()
    files = sources(ROOT / "problems" / PROBLEM, rng)
    people = [Learner(Browser(port, session, figures), files, PROBLEM) for session in sessions[1:]]
    flooder = Learner(Browser(port, sessions[0], flood_figures), files, PROBLEM)
    until = time.monotonic() + minutes * MINUTE
    delays = [MINUTE * place / len(people) for place in range(len(people))]
    tasks = [person.work(until, delay) for person, delay in zip(people, delays, strict=True)]
    await asyncio.gather(*tasks, flooder.flood(until))
    judged = sorted(seconds for person in people for seconds in person.judged)
    return {
        "learners": len(people),
        "minutes": minutes,
        "runs": len(judged),
        "unfinished": sum(person.unfinished for person in people),
        "judged_p50_s": _percentile(judged, 50),
        "judged_p95_s": _percentile(judged, 95),
        "judged_max_s": judged[-1] if judged else 0.0,
        **{
            f"{kind}_p95_ms": 1000 * _percentile(sorted(figures.seconds[kind]), 95)
            for kind in ("page", "draft", "submit", "state")
        },
        "requests": sum(map(len, figures.seconds.values())),
        "flooder_runs": len(flooder.judged),
        "flooder_p95_s": _percentile(sorted(flooder.judged), 95),
        "errors": figures.errors,
    }


def _percentile(ordered: list[float], part: int) -> float:
    """What `part` of 100 stay below; 0 of nothing."""
    return ordered[max(0, -(-len(ordered) * part // 100) - 1)] if ordered else 0.0


def _report(found: dict[str, float | int | list[str]]) -> int:
    for name, value in found.items():
        shown = f"{value:.2f}" if isinstance(value, float) else value if isinstance(value, int) else str(value)[:300]
        print(f"  {name:<16} {shown}")
    (ROOT / "var").mkdir(exist_ok=True)
    (ROOT / "var" / "load.json").write_text(json.dumps(found, indent=2) + "\n")
    complaints = []
    if found["errors"] or found["unfinished"]:
        complaints.append("there were errors, or runs that did not finish")
    if float(str(found["judged_p95_s"])) > JUDGED_SECONDS:
        complaints.append(f"95 of 100 runs take more than {JUDGED_SECONDS} s")
    if float(str(found["page_p95_ms"])) > 1000 * PAGE_SECONDS:
        complaints.append(f"95 of 100 pages take more than {1000 * PAGE_SECONDS:.0f} ms")
    print("\n" + ("Not held: " + "; ".join(complaints) + "." if complaints else "Held."))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
