"""A lost connection costs nothing, and nothing on the page jumps."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser.visitor import Visitor

RECORD_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const sources = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? "");
    window.shifts.push({ value: entry.value, sources });
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def test_a_lost_connection_keeps_the_code_and_goes_on_by_itself(learner: Visitor, moco: Path) -> None:
    learner.open("/problems/moco/")
    expect(learner.editor).to_be_visible()
    learner.watch.connection_is_cut = True
    learner.page.context.set_offline(True)
    learner.write(moco / "reference.py")
    expect(learner.page.get_by_text(re.compile("connection|offline", re.I)).first).to_be_visible()
    learner.page.context.set_offline(False)
    expect(learner.page.get_by_text(re.compile(r"^Saved"))).to_be_visible(timeout=30_000)
    learner.watch.connection_is_cut = False
    learner.run_tests()
    learner.expect_verdict("Solved")


def test_a_report_goes_on_after_a_lost_connection(learner: Visitor, moco: Path) -> None:
    learner.open("/problems/moco/")
    source = (moco / "reference.py").read_text()
    learner.write(source.replace("def moco_loss(", "import time\n\ntime.sleep(1.5)\n\n\ndef moco_loss(", 1))
    learner.run_tests()
    expect(learner.headline).not_to_have_text(re.compile("Sending"))
    learner.watch.connection_is_cut = True
    learner.page.context.set_offline(True)
    expect(learner.page.get_by_text("The connection is lost.")).to_be_visible()
    learner.page.context.set_offline(False)
    learner.expect_verdict("Solved")
    expect(learner.page.get_by_text("The connection is lost.")).to_have_count(0)


def test_the_problem_page_does_not_shift(learner: Visitor) -> None:
    learner.page.add_init_script(RECORD_SHIFTS)
    for path in ("/", "/problems/moco/"):
        learner.open(path)
        learner.page.wait_for_timeout(1500)
        assert learner.page.evaluate("PerformanceObserver.supportedEntryTypes.includes('layout-shift')")
        shifts = learner.page.evaluate("window.shifts")
        total = sum(shift["value"] for shift in shifts)
        assert total < 0.02, f"{path} shifts by {total}: {shifts}"


def test_the_theme_is_chosen_and_kept(visitor: Visitor) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    visitor.page.emulate_media(color_scheme="light")
    visitor.open("/")
    light = visitor.page.evaluate(ground)
    visitor.page.get_by_role("button", name="Theme: as the system").click()
    visitor.page.get_by_role("button", name="Theme: light").click()
    expect(visitor.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    visitor.open("/problems/moco/")
    expect(visitor.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert visitor.page.evaluate(ground) != light


def test_what_comes_later_comes_when_the_connection_is_back(learner: Visitor) -> None:
    held: list[Route] = []
    hold = True
    learner.page.route("**/katex*.js", lambda route: held.append(route) if hold else route.continue_())
    with learner.page.expect_request("**/katex*.js"):
        learner.page.goto(learner.url + "problems/moco/", wait_until="commit")
    learner.watch.connection_is_cut = True
    learner.page.context.set_offline(True)
    hold = False
    for route in held:
        route.abort("internetdisconnected")
    expect(learner.page.locator(".math").first).to_be_visible()
    expect(learner.page.locator(".katex")).to_have_count(0)
    learner.page.context.set_offline(False)
    expect(learner.page.locator(".math .katex").first).to_be_visible()
