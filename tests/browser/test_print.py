"""Pages on paper: light, whatever was chosen for the screen, and whole."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.test_labs import DRAWN
from tests.browser.test_runs import charts, judged
from tests.browser.visitor import Visitor, assert_fits

INK = "rgb(29, 28, 25)"
A4: ViewportSize = {"width": 718, "height": 1047}
"""What is left of a sheet between Chromium's margins, in CSS pixels."""


def print_in_the_dark(visitor: Visitor) -> None:
    """The theme is chosen dark and the system is dark, too; then the page goes to a printer."""
    visitor.page.evaluate("localStorage.setItem('paperjudge:theme', 'dark')")
    visitor.page.emulate_media(color_scheme="dark")
    visitor.page.reload()
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert style(visitor, "h1", "color") != INK
    visitor.page.emulate_media(media="print", color_scheme="dark")


def style(visitor: Visitor, selector: str, name: str) -> str:
    return str(
        visitor.page.locator(selector).first.evaluate(
            f"element => getComputedStyle(element).getPropertyValue('{name}')"
        )
    )


@pytest.mark.parametrize("path", ["/", "/problems/moco/", "/problems/moco/labs/circle/", "/help/"])
def test_a_dark_page_is_printed_light(visitor: Visitor, path: str) -> None:
    visitor.open(path)
    print_in_the_dark(visitor)

    assert style(visitor, "html", "color-scheme") == "light"
    assert style(visitor, "h1", "color") == INK
    expect(visitor.page.locator(".site-header")).to_be_hidden()


def test_a_dark_chart_is_printed_light(visitor: Visitor) -> None:
    visitor.open("/problems/moco/labs/circle/")
    expect(visitor.page.locator(DRAWN)).to_be_visible()
    print_in_the_dark(visitor)
    canvas = visitor.page.locator(".circle canvas")
    expect(canvas).to_be_visible()

    # The circle's line has the color of strong rules, which is darker than half on paper and was drawn for the screen.
    darkest = canvas.evaluate(
        "canvas => { const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        " const letters = []; for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200)"
        " letters.push(`${data[i]},${data[i + 1]},${data[i + 2]}`);"
        " return {paper: letters.includes('251,250,247'), night: letters.includes('21,23,26')}; }"
    )
    assert darkest == {"paper": True, "night": False}


def test_a_report_is_printed_with_its_charts(learner: Visitor) -> None:
    page = judged(learner, "moco", "wrong/enqueue_no_wrap.py")
    expect(charts(page)).to_have_count(3)
    print_in_the_dark(learner)
    expect(charts(page)).to_have_count(3)

    expect(charts(page).first.locator("svg")).to_be_visible()
    assert style(learner, ".run__judge", "stroke") == INK
    expect(page.get_by_text("Data table").first).to_be_hidden()
    expect(page.get_by_text("First difference: step 3, dictionary.")).to_be_visible()
    assert_charts_fit_paper(page, 3)


def assert_charts_fit_paper(page: Page, count: int) -> None:
    """Each figure is within the sheet, and none lies over another."""
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    assert_fits(page)
    boxes = page.eval_on_selector_all(
        "figure svg, figure canvas",
        "all => all.map(one => one.getBoundingClientRect())"
        ".map(box => [box.left, box.top, box.right, box.bottom]).filter(([x, y, right]) => right - x > 40)",
    )
    assert len(boxes) == count
    assert [box for box in boxes if box[0] < 0 or box[2] > A4["width"] or box[3] - box[1] < 80] == []
    pairs = itertools.combinations(boxes, 2)
    assert [(a, b) for a, b in pairs if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]] == []


@pytest.mark.parametrize(
    ("path", "figures"),
    [
        ("/problems/moco/labs/circle/", 3),
        ("/problems/moco/labs/one-positive/", 2),
        ("/problems/moco/labs/temperature/", 2),
        ("/problems/moco/labs/dictionary-size/", 2),
        ("/problems/moco/labs/false-negatives/", 2),
        ("/problems/moco/notes/", 7),
    ],
)
def test_charts_fit_a_sheet_of_paper(administrator: Visitor, path: str, figures: int) -> None:
    page = administrator.page
    administrator.open(path)
    expect(page.locator(".lab[data-lab]:not(.lab--live)")).to_have_count(0)

    assert_charts_fit_paper(page, figures)


def test_answers_of_the_guide_are_printed(administrator: Visitor) -> None:
    administrator.open("/problems/moco/notes/")
    answer = administrator.page.get_by_text("The number stays", exact=False)
    expect(answer).to_be_hidden()
    print_in_the_dark(administrator)

    expect(answer).to_be_visible()
    assert style(administrator, ".notes p", "color") == INK
