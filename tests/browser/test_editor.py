"""What the learner writes is kept."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.browser.visitor import Visitor


def test_a_draft_is_saved_while_typing_and_there_after_a_reload(learner: Visitor) -> None:
    learner.open("/problems/moco/")
    learner.write("answer = 42  # a draft\n")
    expect(learner.page.get_by_text(re.compile(r"^Saved"))).to_be_visible()
    learner.page.reload()
    expect(learner.editor).to_contain_text("answer = 42  # a draft")


def test_reset_goes_back_to_the_starter(learner: Visitor) -> None:
    learner.open("/problems/moco/")
    expect(learner.editor).to_contain_text("Momentum Contrast: complete")
    learner.write("answer = 42\n")
    expect(learner.page.get_by_text(re.compile(r"^Saved"))).to_be_visible()
    learner.page.get_by_role("button", name="Reset").click()
    question = learner.page.get_by_role("dialog", name="Reset to the starter?")
    question.get_by_role("button", name="Keep my code").click()
    expect(learner.editor).to_contain_text("answer = 42")
    learner.page.get_by_role("button", name="Reset").click()
    question.get_by_role("button", name="Reset").click()
    expect(learner.editor).to_contain_text("Momentum Contrast: complete")
    learner.page.reload()
    expect(learner.editor).to_contain_text("Momentum Contrast: complete")


def test_lint_marks_a_mistake_without_any_run(learner: Visitor) -> None:
    learner.open("/problems/moco/")
    learner.write("def moco_loss(query):\n    return undefined_name\n")
    expect(learner.page.locator(".cm-lintRange").first).to_be_visible()


def test_mathematics_is_drawn(visitor: Visitor) -> None:
    visitor.open("/problems/moco/")
    expect(visitor.page.locator(".math .katex").first).to_be_visible()
    assert visitor.page.locator(".katex-error").count() == 0


def test_linting_goes_on_after_a_lost_connection(learner: Visitor) -> None:
    learner.open("/problems/moco/")
    learner.page.context.route("**/*.wasm", lambda route: route.abort("internetdisconnected"))
    learner.watch.connection_is_cut = True
    with learner.page.expect_console_message(lambda message: "is not linted" in message.text):
        learner.write("def moco_loss(query):\n    return undefined_name\n")
    learner.page.context.unroute("**/*.wasm")
    learner.page.keyboard.press("Control+End")
    learner.page.keyboard.type("other = 1\n")
    expect(learner.page.locator(".cm-lintRange").first).to_be_visible()


def test_what_is_written_before_the_script_comes_goes_on_in_the_editor(learner: Visitor) -> None:
    held: list[Route] = []
    hold = True
    learner.page.route("**/assets/*.js", lambda route: held.append(route) if hold else route.continue_())
    learner.page.goto(learner.url + "problems/moco/", wait_until="commit")
    plain = learner.page.locator("textarea[name=source]")
    plain.fill("before = 1\n\nafter = 3\n")
    plain.press("Control+Home")
    plain.press("ArrowDown")
    hold = False
    for route in held:
        route.continue_()
    expect(learner.page.locator(".cm-editor.cm-focused")).to_be_visible()
    learner.page.keyboard.type("between = 2")
    expect(learner.editor).to_contain_text(re.compile(r"before = 1\s*between = 2\s*after = 3"))
    expect(learner.page.get_by_text(re.compile(r"^Saved"))).to_be_visible()
