"""Everything with the keyboard alone: no test in this file touches the pointer."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import new_name
from tests.browser.visitor import PASSWORD, Visitor


def tab_to(page: Page, target: Locator, *, key: str = "Tab", at_most: int = 60) -> None:
    for _ in range(at_most):
        page.keyboard.press(key)
        if target.evaluate("element => element === document.activeElement || element.contains(document.activeElement)"):
            assert_focus_is_visible(page)
            return
    raise AssertionError(f"{at_most} times {key} did not reach {target}")


FOCUS_IS_VISIBLE = """() => {
    const focused = document.activeElement;
    const editor = focused.closest('.cm-editor');
    if (editor !== null) return editor.querySelector('.cm-cursor')?.getBoundingClientRect().height > 0;
    const style = getComputedStyle(focused);
    return (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none';
}"""


def assert_focus_is_visible(page: Page) -> None:
    """An outline or a shadow around the focused element, or the cursor of the editor, which is drawn a frame later."""
    for _ in range(20):
        if page.evaluate(FOCUS_IS_VISIBLE):
            return
        page.wait_for_timeout(50)
    raise AssertionError(page.evaluate("'Focus is not seen: ' + document.activeElement.outerHTML.slice(0, 200)"))


def test_the_first_tab_stop_skips_to_the_content(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.page.keyboard.press("Tab")
    focused = visitor.page.locator(":focus")
    expect(focused).to_have_attribute("href", "#content")
    expect(focused).to_be_in_viewport()


def test_the_story_with_the_keyboard(visitor: Visitor, moco: Path) -> None:
    page = visitor.page
    visitor.open("/")
    for name in ("Sign in", "Sign up"):
        tab_to(page, page.get_by_role("link", name=name))
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sign up")).to_be_visible()
    fields = page.locator("main input:not([type=hidden])").all()
    for field, text in zip(fields, (new_name(), PASSWORD, PASSWORD), strict=True):
        tab_to(page, field)
        page.keyboard.type(text)
    page.keyboard.press("Enter")

    problem = page.get_by_role("link", name="Momentum Contrast", exact=True)
    expect(problem).to_be_visible()
    tab_to(page, problem)
    page.keyboard.press("Enter")
    expect(visitor.editor).to_be_visible()
    tab_to(page, visitor.editor, at_most=150)
    visitor.paste_over(moco / "reference.py")
    page.keyboard.press("Control+Enter")
    visitor.expect_verdict("Solved")

    # Tab indents in the editor; Escape, then Tab, leaves it.
    page.keyboard.press("Escape")
    notes = page.get_by_role("link", name="Open the notes")
    tab_to(page, notes, at_most=150)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The negatives problem")).to_be_visible()


def test_the_ticks_of_a_report_are_walked_with_the_arrows(learner: Visitor, moco: Path) -> None:
    page = learner.page
    learner.open("/problems/moco/")
    learner.editor.focus()
    learner.paste_over(moco / "wrong" / "loss_positive_not_in_denominator.py")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("region", name="Failed checks")).to_be_visible(timeout=30_000)
    ticks = page.locator("a.tick")
    page.keyboard.press("Escape")
    tab_to(page, ticks.first)
    page.keyboard.press("ArrowRight")
    expect(ticks.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(ticks.last).to_be_focused()
    failed = page.locator("a.tick[data-look=failed]").first
    failed.focus()
    page.keyboard.press("Enter")
    identifier = (failed.get_attribute("id") or "").removeprefix("tick-")
    expect(page.locator(f"#check-{identifier}")).to_be_focused()
