"""Figures of the whole site: from the click to the complete report, and the worker's memory."""

from __future__ import annotations

import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM_ARGUMENTS
from tests.browser.visitor import PASSWORD
from tests.stack import Site, descendants, running_site
from tools.bench.sandbox import MOCO
from tools.programs import CHROMIUM

RUNS = 12

# Measured inside the page: polling it from outside would be part of what is measured.
CLICK = """() => new Promise(done => {
  const buttons = [...document.querySelectorAll('button')];
  const button = buttons.find(found => found.textContent.trim().startsWith('Run tests'));
  const number = () => document.querySelector('.report')?.textContent.match(/Run (\\d+)/)?.[1] ?? '0';
  const before = number();
  const start = performance.now();
  const watcher = new MutationObserver(() => {
    const headline = document.querySelector('#report-headline')?.textContent ?? '';
    if (headline.trim() === 'Solved' && number() !== before) {
      watcher.disconnect();
      requestAnimationFrame(() => done(performance.now() - start));
    }
  });
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
  button.click();
})"""


def figures() -> dict[str, float | None]:
    """Every `web.*` and `worker.*` figure; None where there is no Chromium on this machine."""
    chromium = CHROMIUM.path
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        click = statistics.median(_clicks(site, chromium)) if chromium else None
        return {"web.click_to_report_ms": click, "worker.mb": _worker_mb(site)}


def _clicks(site: Site, chromium: str) -> Iterator[float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page()
        _sign_up(page, site.url)
        page.goto(site.url + "problems/moco/")
        page.get_by_role("textbox", name="Your code").click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text((MOCO / "reference.py").read_text())
        for run in range(RUNS + 1):
            milliseconds = page.evaluate(CLICK)
            if run:  # the first makes the checker template
                yield milliseconds
            time.sleep(0.2)
        browser.close()


def _sign_up(page: Page, url: str) -> None:
    page.goto(url + "accounts/sign-up/")
    page.get_by_label("Username").fill("bench")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_load_state()


def _worker_mb(site: Site) -> float:
    """Resident memory of the worker after its submissions."""
    for pid in descendants(site.pid):
        if b"celery" in Path(f"/proc/{pid}/cmdline").read_bytes():
            status = Path(f"/proc/{pid}/status").read_text()
            found = re.search(r"VmRSS:\s+(\d+) kB", status)
            assert found
            return int(found[1]) / 1024
    raise RuntimeError("the site runs no worker")
