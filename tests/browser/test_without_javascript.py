"""A page is complete as HTML: statements and reports can be read, code can be handed in."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenVisitor, new_name


def test_a_plain_form_leads_to_a_report(new_visitor: OpenVisitor, moco: Path) -> None:
    visitor = new_visitor(java_script_enabled=False)
    page = visitor.page
    visitor.sign_up(new_name())
    visitor.open("/problems/moco/")
    expect(page.get_by_role("heading", name="The contrastive loss")).to_be_visible()
    page.locator("textarea[name=source]").fill((moco / "wrong" / "loss_positive_not_in_denominator.py").read_text())
    page.get_by_role("button", name="Run tests").click()
    expect(page).to_have_url(re.compile(r"/submissions/[0-9a-f-]{36}/$"))
    for _ in range(60):
        if page.get_by_text(re.compile(r"^\d+ of \d+ checks passed")).count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.get_by_text(re.compile(r"^\d+ of \d+ checks passed")).first).to_be_visible()
    expect(page.get_by_text("Expected").first).to_be_visible()

    visitor.open("/problems/moco/")
    expect(page.get_by_text(re.compile(r"\d+ of \d+ checks passed")).first).to_be_visible()
