"""The learner's experiment over the judge's, in the report of a run."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenVisitor, new_name
from tests.browser.test_bundle import BUDGET_KB, is_of_labs, scripts_of
from tests.browser.visitor import JUDGED_MS, Visitor
from tests.stack import ROOT

HAND_IN = """async ([address, source]) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
  const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify({source})});
  return (await answer.json()).url;
}"""


def judged(visitor: Visitor, problem: str, file: str) -> Page:
    """The page of the report on a file of a problem, which is handed in without the editor."""
    visitor.open("/")
    source = (ROOT / "problems" / problem / file).read_text(encoding="utf-8")
    address = visitor.page.evaluate(HAND_IN, [f"/problems/{problem}/submissions/", source])
    visitor.open(address)
    expect(visitor.page.locator(".report[data-state=finished]")).to_be_visible(timeout=JUDGED_MS)
    return visitor.page


def charts(page: Page) -> Locator:
    return page.get_by_role("region", name="Your run over the judge's").locator(".chart")


def table_of(chart: Locator) -> list[list[str]]:
    """The cells of the table, row by row."""
    return [row.locator("th, td").all_inner_texts() for row in chart.locator("tbody tr").all()]


def test_a_solved_run_is_drawn_over_the_judges(learner: Visitor) -> None:
    page = judged(learner, "moco", "reference.py")

    expect(page.get_by_text("All 12 steps agree with the judge's run, in every state.")).to_be_visible()
    titles = ["Batch loss", "Distance between the encoders", "Queue pointer"]
    expect(charts(page).locator(".chart__title")).to_have_text(titles)
    expect(charts(page).first.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(r"^Batch loss by step: .* Yours is the same\.$")
    )
    learner.unfold(charts(page))
    loss, distance, pointer = (table_of(chart) for chart in charts(page).all())
    assert [len(rows) for rows in (loss, distance, pointer)] == [13, 13, 13]
    assert loss[0] == ["0", "\N{EN DASH}", "\N{EN DASH}", "\N{EN DASH}"]
    assert loss[1][3] == "agrees"
    assert loss[1][1] == loss[1][2]
    assert distance[0][1:3] == ["0.00000", "0.00000"]
    assert [row[1] for row in pointer] == [str(2 * step % 5) for step in range(13)]
    expect(page.locator(".run__first, .run__step")).to_have_count(0)


def test_the_first_difference_is_marked_and_stands_entry_by_entry(learner: Visitor) -> None:
    page = judged(learner, "moco", "wrong/enqueue_no_wrap.py")

    expect(page.get_by_text("First difference: step 3, dictionary.")).to_be_visible()
    expect(charts(page).first.locator("svg")).to_contain_text("step 3: dictionary")
    expect(charts(page).first.locator(".run__first-point")).to_have_count(1)
    step = page.get_by_role("region", name="Step 3, entry by entry")
    expect(step.get_by_text("dictionary: 3 of 15 entries differ")).to_be_visible()
    got, difference = step.get_by_role("group", name="Got").first, step.get_by_role("group", name="Difference").first
    expect(got.locator("tr")).to_have_count(5)
    expect(got.locator("mark")).to_have_count(3)
    expect(difference.locator("mark")).to_have_count(3)
    fold = step.get_by_text("key encoder: agrees")
    fold.press("Enter")
    expect(step.get_by_role("group", name="Expected").nth(1)).to_be_visible()

    check = page.locator(".check", has_text="Twelve training steps")
    check.get_by_role("link", name="Your run over the judge's, step by step").click()
    expect(page.get_by_role("heading", name="Twelve training steps", exact=True).last).to_be_in_viewport()


def test_a_run_that_raises_shows_the_judges_alone(learner: Visitor) -> None:
    judged(learner, "moco", "starter.py")

    expect(learner.page.get_by_text("Your run has not come to its end, so only the judge's is drawn.")).to_be_visible()
    expect(learner.page.locator(".run__learner").first).to_have_attribute("d", "")


@pytest.mark.parametrize(
    ("problem", "runs"),
    [
        ("simclr", ["Twelve steps with batches of two", "Four steps with all six samples"]),
        ("lora", ["Twelve steps with rank one", "Twelve steps with rank two"]),
    ],
)
def test_every_package_has_its_own_charts(learner: Visitor, problem: str, runs: list[str]) -> None:
    page = judged(learner, problem, "reference.py")

    expect(page.locator(".run__title")).to_have_text(runs)
    expect(charts(page)).to_have_count(6)
    expect(charts(page).locator(".run__learner:not([d=''])")).to_have_count(6)


def test_axe_finds_nothing_in_a_report_with_charts(learner: Visitor, axe: str) -> None:
    page = judged(learner, "moco", "wrong/enqueue_no_wrap.py")
    expect(charts(page)).to_have_count(3)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        while (folds := page.locator(".runs details:not([open]) > summary")).count():
            folds.first.click()
        assert learner.violations(axe) == [], scheme


def test_the_charts_fit_a_phone(new_visitor: OpenVisitor) -> None:
    visitor = new_visitor()
    visitor.sign_up(new_name())
    page = judged(visitor, "lora", "wrong/train_uphill.py")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(charts(page)).to_have_count(6)

    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert charts(page).first.locator("svg").evaluate("svg => svg.getBoundingClientRect().right <= 390")


def test_the_numbers_are_read_without_scripts(new_visitor: OpenVisitor, learner: Visitor) -> None:
    page = judged(learner, "moco", "wrong/enqueue_no_wrap.py")
    plain = new_visitor(java_script_enabled=False, storage_state=page.context.storage_state())
    plain.page.goto(page.url)

    expect(plain.page.get_by_text("First difference: step 3, dictionary.")).to_be_visible()
    expect(plain.page.get_by_role("cell", name="0.97795", exact=False)).to_be_visible()
    plain.page.get_by_text("Queue pointer").click()
    expect(plain.page.get_by_role("row", name="12 4 4")).to_be_visible()


def test_the_problem_page_with_a_report_stays_within_its_budget(learner: Visitor) -> None:
    judged(learner, "moco", "reference.py")

    sizes = scripts_of(learner, "/problems/moco/", ".run__charts >> nth=0")

    assert sum(sizes.values()) <= BUDGET_KB, sizes
    assert [name for name in sizes if is_of_labs(name)] == []
