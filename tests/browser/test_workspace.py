"""Every page of the workspace, as it looks: on a laptop and on a phone, light and dark, and with nothing in it."""

from __future__ import annotations

import re

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import Page, expect

from judge.classroom.urls import urlpatterns
from tests.browser.conftest import OpenVisitor, new_name
from tests.browser.test_instructor import start_problem
from tests.browser.test_phone import PHONE
from tests.browser.visitor import Visitor, assert_fits
from tests.stack import Site

pytestmark = pytest.mark.timeout(900)

NO_PAGES = {
    "posted": "edit-version publish unpublish draft-discard draft-verify verification-cancel role make-wrong "
    "rejudge-one rejudge-problem change-rejudgement view-as stop-viewing",
    "for scripts": "draft-file draft-complaints draft-preview verification-state rejudgement-progress",
    "files": "version-zip draft-zip problem-report-csv learners-csv find-csv rejudgement-csv",
}
PAGES = {str(pattern.name) for pattern in urlpatterns} - set(" ".join(NO_PAGES.values()).split())


@pytest.fixture
def instructor(term: Site, new_visitor: OpenVisitor) -> Visitor:
    visitor = new_visitor()
    visitor.sign_in("administrator", term.administrator_password)
    return visitor


@pytest.fixture
def addresses(instructor: Visitor) -> dict[str, str]:
    """An address of each page of the workspace, found as a person finds it: by the links and buttons of the others."""
    page, slug = instructor.page, new_name().replace("learner", "looks")
    start_problem(instructor, slug)
    page.get_by_role("button", name="Verify").click()
    page.get_by_role("button", name="Cancel").click()
    # In the editor, or on the page of the verification where the plain form was quicker than the editor.
    expect(page.get_by_text(re.compile(r"^(The verification was c|C)ancelled\.")).first).to_be_visible()
    found: dict[str, str] = {}
    note(page, found)
    instructor.open("/teach/submissions/?problem=moco&verdict=wrong_answer")
    note(page, found)
    for place in (0, 1):
        page.get_by_role("checkbox").nth(place).check()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Two runs side by side")).to_be_visible()
    note(page, found)
    page.go_back()
    page.get_by_role("link", name=re.compile(r"^Run \d+$")).first.click()
    page.get_by_role("button", name="Judge it again").click()
    expect(page.get_by_role("region", name="Progress")).to_be_visible()
    note(page, found)
    instructor.open("/teach/problems/moco/")
    page.get_by_role("button", name="Compare the two").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    note(page, found)
    waiting = ["/teach/", "/teach/reports/moco/", f"/teach/problems/{slug}/"]
    while waiting:
        instructor.open(waiting.pop(0))
        waiting += note(page, found)
    return found


def note(page: Page, found: dict[str, str]) -> list[str]:
    """Adds this page and those that it links to; the addresses that are new."""
    here = page.evaluate("location.pathname + location.search")
    links = page.eval_on_selector_all("a[href^='/teach/']", "all => all.map(one => one.getAttribute('href'))")
    new = []
    for address in [here, *links]:
        try:
            name = resolve(address.split("?")[0].split("#")[0]).url_name or ""
        except Resolver404:
            raise AssertionError(f"{here} links to {address}, which is no page") from None
        if name in PAGES and name not in found:
            found[name] = address
            new.append(address)
    return new


def test_every_page_is_within_the_screen_and_has_no_violation_that_axe_finds(
    instructor: Visitor, addresses: dict[str, str], new_visitor: OpenVisitor, axe: str
) -> None:
    assert set(addresses) == PAGES
    phone = new_visitor(**PHONE, storage_state=instructor.page.context.storage_state())
    for name, address in addresses.items():
        for scheme in ("light", "dark"):
            instructor.page.emulate_media(color_scheme=scheme)
            instructor.open(address)
            assert instructor.violations(axe) == [], (name, scheme)
        assert_fits(instructor.page)
        phone.open(address)
        assert_fits(phone.page)


def test_lines_of_a_difference_stand_below_one_another(instructor: Visitor) -> None:
    instructor.open("/teach/problems/moco/")
    instructor.page.get_by_role("button", name="Compare the two").click()
    lines = instructor.page.locator(".changes").first.locator("span")
    expect(lines.nth(2)).to_be_in_viewport()

    boxes = lines.evaluate_all("all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.top])")
    assert len({left for left, _ in boxes}) == 1
    assert len({top for _, top in boxes}) == len(boxes)


def test_the_head_of_a_long_table_stays_in_sight(instructor: Visitor) -> None:
    instructor.open("/teach/reports/moco/")
    instructor.page.locator(".matrix tbody").last.scroll_into_view_if_needed()

    expect(instructor.page.get_by_role("columnheader", name="Median attempts")).to_be_in_viewport()
    top = "element => element.getBoundingClientRect().top"
    assert instructor.page.locator(".matrix thead").evaluate(top) == instructor.page.locator(".site-header").evaluate(
        "element => element.getBoundingClientRect().bottom"
    )


def test_a_long_name_fits_beside_the_links_of_who_teaches(site: Site, new_visitor: OpenVisitor) -> None:
    name = f"{new_name()}-who-has-a-very-long-name-indeed"
    phone, administrator = new_visitor(**PHONE), new_visitor()
    phone.sign_up(name)
    assert_fits(phone.page)
    administrator.sign_in("administrator", site.administrator_password)
    administrator.open(f"/teach/people/?name={name}")
    administrator.page.get_by_label(f"Role of {name}").select_option("instructor")
    administrator.page.get_by_role("button", name="Change").click()

    for width in (390, 320):
        phone.page.set_viewport_size({"width": width, "height": 844})
        phone.open("/teach/")
        assert_fits(phone.page)
        header = phone.page.locator(".site-header")
        assert header.evaluate("header => header.scrollWidth <= header.clientWidth")
        assert header.evaluate("header => header.clientHeight") == 47
        phone.page.locator(".account > summary").tap()
        expect(phone.page.locator(".account__who")).to_have_text(name)
        expect(phone.page.get_by_role("button", name="Sign out")).to_be_in_viewport(ratio=1)


def test_a_select_shows_that_there_is_a_choice(instructor: Visitor) -> None:
    instructor.open("/teach/submissions/")
    select = instructor.page.get_by_label("Verdict")

    assert select.evaluate("element => getComputedStyle(element).backgroundImage").count("linear-gradient") == 2
