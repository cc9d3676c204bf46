"""The status page of a site at work, as an administrator sees it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def test_worker_verifier_and_sandbox_are_seen_on_any_screen(administrator: Visitor, axe: str) -> None:
    page = administrator.page
    administrator.open("/status/")
    shield = page.get_by_role("region", name="What protects the sandbox")
    while not shield.is_visible():  # a worker that found no sandbox yet looks again after five seconds
        page.wait_for_timeout(500)
        page.reload()

    workers = page.get_by_role("region", name="Workers").get_by_role("row")
    expect(workers.filter(has_text="submissions").filter(has_text="alive since")).to_have_count(1)
    expect(workers.filter(has_text="verifications").filter(has_text="alive since")).to_have_count(1)
    expect(shield.get_by_role("row", name=re.compile(r"^The network held by "))).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        administrator.open("/status/")
        assert administrator.violations(axe) == [], scheme
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
