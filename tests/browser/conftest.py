"""Fixtures of the browser tests: the real site, a real Chromium, and visitors."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.visitor import Visitor, Watch
from tests.programs import path_of
from tests.stack import ROOT, Site, running_site
from tools.programs import CHROMIUM

# No sandbox: Chromium's own does not start for root, and the pages are ours. The others keep it from calling home.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 30_000
"""For what must happen, however busy the machine is: nothing here is a measurement."""
expect.set_options(timeout=PATIENCE_MS)
LAPTOP = {"width": 1366, "height": 850}

OpenVisitor = Callable[..., Visitor]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = path_of(CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("var")) as site:
        yield site


@pytest.fixture(scope="package")
def term(site: Site) -> Site:
    """The site after some weeks of a term."""
    command = [
        sys.executable,
        "manage.py",
        "fill_demo",
        "--problem=moco",
        "--learners=30",
        "--submissions=600",
        "--anyway",
    ]
    environment = {**os.environ, "PAPERJUDGE_VAR": str(site.var)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=400)
    return site


@pytest.fixture
def new_visitor(chromium: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[OpenVisitor]:
    """Opens a browser profile of its own for each visitor. What went wrong on any page fails the test."""
    visitors: list[Visitor] = []

    def open_visitor(**options: Any) -> Visitor:
        context = chromium.new_context(**{"viewport": LAPTOP, **options})
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
        watch = Watch(urlsplit(site.url).netloc)
        watch.observe(context)
        visitors.append(Visitor(context.new_page(), site.url, watch))
        return visitors[-1]

    yield open_visitor
    for number, visitor in enumerate(visitors, start=1):
        if request.node.stash.get(FAILED, False):
            picture = ROOT / "var" / "browser" / f"{request.node.name}-{number}.png"
            picture.parent.mkdir(parents=True, exist_ok=True)
            visitor.page.screenshot(path=picture)
        visitor.page.context.close()
    faults = [fault for visitor in visitors for fault in visitor.watch.faults]
    if faults:
        pytest.fail("\n".join(faults))


@pytest.fixture
def visitor(new_visitor: OpenVisitor) -> Visitor:
    return new_visitor()


@pytest.fixture
def learner(visitor: Visitor) -> Visitor:
    """A visitor with an account of their own."""
    visitor.sign_up(new_name())
    return visitor


@pytest.fixture
def administrator(visitor: Visitor, site: Site) -> Visitor:
    """A visitor who is signed in as the first administrator, and so may read every note."""
    visitor.open("/accounts/sign-in/")
    visitor.page.get_by_label("Username").fill("administrator")
    visitor.page.get_by_label("Password").fill(site.administrator_password)
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page.get_by_text("administrator").first).to_be_visible()
    return visitor


def new_name() -> str:
    return f"learner-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def moco() -> Path:
    """The folder of the MoCo problem."""
    return ROOT / "problems" / "moco"


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that finds what keeps people from using a page."""
    return (ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text()


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.failed:
        item.stash[FAILED] = True
    return report
