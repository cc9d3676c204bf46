"""How much script a page loads: a budget, so that no page pays for what another one shows."""

from __future__ import annotations

from playwright.sync_api import Request

from tests.browser.conftest import OpenVisitor
from tests.browser.test_labs import DRAWN
from tests.browser.visitor import Visitor
from tests.stack import ROOT

DIST = ROOT / "frontend" / "dist"
BUDGET_KB = 250


def scripts_of(visitor: Visitor, path: str, drawn: str) -> dict[str, float]:
    """The scripts that a page asks for by itself, workers included: name -> kB as they are sent."""
    names: set[str] = set()

    def note(request: Request) -> None:
        name = request.url.rpartition("/static/")[2]
        if name.endswith(".js"):
            names.add(name)

    visitor.page.on("request", note)
    visitor.open(path)
    visitor.page.locator(drawn).wait_for()
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.remove_listener("request", note)
    sizes = {}
    for name in names:
        packed = DIST / f"{name}.gz"
        sizes[name] = (packed if packed.exists() else DIST / name).stat().st_size / 1000
    return sizes


def is_of_labs(name: str) -> bool:
    text = (DIST / name).read_text()
    return any(word in text for word in ("WebGLRenderer", "observablehq", "uPlot", "data-readout", "lab__sliders"))


def test_the_problem_page_stays_within_its_budget_and_loads_no_lab(new_visitor: OpenVisitor) -> None:
    sizes = scripts_of(new_visitor(), "/problems/moco/", ".cm-content")

    assert sum(sizes.values()) <= BUDGET_KB, sizes
    assert [name for name in sizes if is_of_labs(name)] == []


def test_the_sphere_costs_no_more_than_another_budget(new_visitor: OpenVisitor) -> None:
    page = scripts_of(new_visitor(), "/problems/moco/", ".cm-content")
    lab = scripts_of(new_visitor(), "/problems/moco/labs/sphere/", DRAWN)
    # A browser without WebGL is spared three.js, which counts.
    [drawing] = DIST.glob("assets/sphere-picture-*.js")
    lab[f"assets/{drawing.name}"] = drawing.with_suffix(".js.gz").stat().st_size / 1000

    more = {name: size for name, size in lab.items() if name not in page}

    assert 100 < sum(more.values()) <= BUDGET_KB, more
    assert not any("observablehq" in (DIST / name).read_text() for name in more)
