"""What a visitor without an account sees, and how the site starts."""

from __future__ import annotations

import stat

from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.stack import Site


def test_the_administrators_password_is_printed_once_and_kept_for_its_owner(site: Site, visitor: Visitor) -> None:
    lines = [line for line in site.printed if site.administrator_password in line]
    assert len(lines) == 1
    assert stat.S_IMODE((site.var / "administrator-password").stat().st_mode) == 0o600

    visitor.open("/accounts/sign-in/")
    visitor.page.get_by_label("Username").fill("administrator")
    visitor.page.get_by_label("Password").fill(site.administrator_password)
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page.get_by_text("administrator").first).to_be_visible()


def test_the_address_is_printed_when_everything_answers(site: Site) -> None:
    ready = [line for line in site.printed if line.startswith("Paperjudge is ready")]
    assert ready == [f"Paperjudge is ready: {site.url}\n"]


def test_the_statement_can_be_read_without_an_account(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.page.get_by_role("link", name="Momentum Contrast", exact=True).click()
    expect(visitor.page.get_by_role("heading", name="The contrastive loss")).to_be_visible()


def test_the_catalogue_filters_by_typing(visitor: Visitor) -> None:
    visitor.open("/")
    row = visitor.page.get_by_role("link", name="Momentum Contrast", exact=True)
    box = visitor.page.get_by_role("searchbox")
    box.fill("contrast")
    expect(row).to_be_visible()
    box.fill("no such paper")
    expect(row).to_be_hidden()


def test_an_unknown_address_has_a_page_of_its_own(visitor: Visitor) -> None:
    visitor.watch.expected_statuses.add(404)
    answer = visitor.page.goto(f"{visitor.url}nothing/here/")
    assert answer is not None
    assert answer.status == 404
    expect(visitor.page.get_by_role("link", name="Problems").first).to_be_visible()
