"""The guide that solving *Momentum Contrast* opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenVisitor
from tests.browser.visitor import JUDGED_MS, Visitor, assert_fits

GUIDE = "/problems/moco/notes/"
SECTIONS = 8


def opened(visitor: Visitor) -> Page:
    """The guide, once its figures are drawn."""
    visitor.open(GUIDE)
    expect(visitor.page.locator(".lab--live")).to_have_count(3, timeout=JUDGED_MS)
    return visitor.page


def test_the_contents_lead_to_every_section_and_say_how_long_it_takes(administrator: Visitor) -> None:
    page = opened(administrator)
    contents = page.get_by_role("navigation", name="Sections of the notes")

    expect(contents).to_contain_text(re.compile(r"^\s*\d\d minutes to read"))
    expect(contents.get_by_role("link")).to_have_count(SECTIONS)
    expect(contents.get_by_role("listitem").first).to_contain_text(re.compile(r"\d min\s*$"))
    expect(page.locator("article.notes")).to_have_count(SECTIONS)
    contents.get_by_role("link", name="Beyond the exercise").press("Enter")
    expect(page.get_by_role("heading", name="Beyond the exercise")).to_be_in_viewport()


def test_mathematics_is_typeset_and_code_is_highlighted(administrator: Visitor) -> None:
    page = opened(administrator)

    expect(page.locator("article.notes .math:not(.math-drawn)")).to_have_count(0)
    expect(page.locator("article.notes .katex-error")).to_have_count(0)
    assert page.locator("article.notes .katex").count() > 40
    assert page.locator("article.notes .highlight span[class]").count() > 20


@pytest.mark.parametrize("width", [390, 768, 1366])
def test_no_line_breaks_within_a_short_formula_or_before_its_comma(administrator: Visitor, width: int) -> None:
    page = opened(administrator)
    page.set_viewport_size({"width": width, "height": 844})
    broken = """all => all.filter(one => {
        const boxes = [...one.querySelectorAll('.katex-html > .base')].map(base => base.getBoundingClientRect())
        const [first, last] = [boxes[0], boxes.at(-1)]
        return last.left < first.left || /^[,.;:!?)]/.test(one.nextSibling?.data ?? '')
    }).map(one => one.textContent)"""

    assert page.locator("article.notes > p > .math-whole").count() > 30
    assert page.eval_on_selector_all("article.notes :is(p, li) > .math-whole", broken) == []


def test_an_answer_is_folded_until_it_is_asked_for(administrator: Visitor) -> None:
    page = opened(administrator)
    questions = page.locator("article.notes .question")
    expect(questions).to_have_count(SECTIONS)
    answer = page.get_by_text("The number stays", exact=False)

    expect(answer).to_be_hidden()
    page.locator("summary", has_text="Someone doubles the batch").press("Enter")
    expect(answer).to_be_visible()


def test_its_figures_are_live_and_its_links_lead_to_labs_at_given_settings(administrator: Visitor) -> None:
    page = opened(administrator)
    steps = page.locator("[data-readout=steps]")
    expect(steps).to_have_text("40")
    page.get_by_role("button", name="One step").click()
    expect(steps).to_have_text("41")

    page.get_by_role("link", name="The experiment on temperature").click()
    expect(page).to_have_url(re.compile(r"/problems/moco/labs/temperature/\?temperature\.tau=0\.1$"))
    expect(page.get_by_role("slider", name="Temperature")).to_have_attribute("aria-valuetext", re.compile("0.1$"))


def test_axe_finds_nothing_in_the_guide(administrator: Visitor, axe: str) -> None:
    for scheme in ("light", "dark"):
        administrator.page.emulate_media(color_scheme=scheme)
        opened(administrator)  # anew: colours that are on their way from one scheme to the other have no contrast
        assert administrator.violations(axe) == [], scheme


def test_the_guide_fits_a_phone(administrator: Visitor) -> None:
    page = opened(administrator)
    assert_fits(page)
    page.set_viewport_size({"width": 390, "height": 844})

    assert_fits(page)
    assert page.evaluate("document.querySelector('#statement-pane').scrollWidth") <= 390


def test_the_guide_is_read_without_scripts(new_visitor: OpenVisitor, administrator: Visitor) -> None:
    opened(administrator)
    plain = new_visitor(java_script_enabled=False, storage_state=administrator.page.context.storage_state())
    plain.open(GUIDE)

    expect(plain.page.get_by_role("heading", name="The negatives problem")).to_be_visible()
    expect(plain.page.locator(".lab p").first).to_be_visible()
    plain.page.get_by_text("Someone doubles the batch").click()
    expect(plain.page.get_by_text("The number stays", exact=False)).to_be_visible()
