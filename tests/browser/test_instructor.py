"""An instructor's first day of term: from signing in to a problem that learners can solve."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenVisitor, new_name
from tests.browser.visitor import Visitor
from tests.stack import Site

VERIFIED_MS = 150_000
"""How long a verification of a small problem may take on a busy machine."""


@pytest.fixture
def instructor(new_visitor: OpenVisitor, site: Site) -> Visitor:
    """Somebody whom the administrator has given the role of an instructor, on the page for that."""
    teacher, administrator = new_visitor(), new_visitor()
    name = new_name()
    teacher.sign_up(name)
    administrator.sign_in("administrator", site.administrator_password)
    administrator.page.get_by_role("link", name="Workspace").click()
    administrator.page.get_by_role("link", name="People").click()
    administrator.page.get_by_label("Name", exact=True).fill(name)
    administrator.page.get_by_role("button", name="Show").click()
    administrator.page.get_by_label(f"Role of {name}").select_option("instructor")
    administrator.page.get_by_role("row", name=name).get_by_role("button", name="Change").click()
    administrator.open("/teach/audit/")
    expect(administrator.page.get_by_role("row", name=re.compile(f"Changed a role {name}"))).to_be_visible()
    return teacher


@pytest.fixture
def slug() -> str:
    return new_name().replace("learner", "norms")


def editor(visitor: Visitor, path: str) -> Locator:
    return visitor.page.get_by_role("textbox", name=path)


def open_file(visitor: Visitor, path: str) -> None:
    visitor.page.get_by_role("navigation", name="Files").get_by_title(path, exact=True).click()
    expect(editor(visitor, path)).to_be_visible()


def write(visitor: Visitor, path: str, text: str) -> None:
    """Pastes over what is in a file, and waits until it is saved."""
    open_file(visitor, path)
    editor(visitor, path).click()
    visitor.paste_over(text)
    expect(visitor.page.get_by_text(re.compile(r"^Saved"))).to_be_visible()


def start_problem(visitor: Visitor, slug: str) -> None:
    visitor.open("/teach/")
    visitor.page.get_by_role("link", name="New problem").click()
    visitor.page.get_by_label("A small problem that verifies").check()
    visitor.page.get_by_label("Name in the address").fill(slug)
    visitor.page.get_by_role("button", name="Start").click()
    expect(visitor.page.locator(".desk--live")).to_be_visible()
    expect(editor(visitor, "problem.toml")).to_be_visible()


def source_of(visitor: Visitor, slug: str, path: str) -> str:
    answer = visitor.page.request.get(f"{visitor.url}teach/problems/{slug}/draft/file/?path={path}")
    text: str = answer.json()["text"]
    return text


@pytest.mark.timeout(400)
def test_a_first_day_of_term(instructor: Visitor, slug: str) -> None:
    page = instructor.page
    start_problem(instructor, slug)
    expect(page.get_by_role("heading", name="Nothing to mend")).to_be_visible()
    expect(page.get_by_role("button", name="Publish")).to_be_disabled()

    # The statement, with a preview beside it
    statement = source_of(instructor, slug, "statement.md")
    write(instructor, "statement.md", f"{statement}\nA remark about $\\varepsilon$.\n")
    expect(page.locator(".preview .katex").last).to_be_visible()
    expect(page.locator(".preview")).to_contain_text("A remark about")

    # A mistake in the description is complained of at its line
    description = source_of(instructor, slug, "problem.toml")
    write(instructor, "problem.toml", description.replace("difficulty =", "dificulty ="))
    line = description[: description.index("difficulty =")].count("\n") + 1
    complaint = page.get_by_role("listitem").filter(has_text="dificulty is not a known field")
    expect(complaint.get_by_role("button", name=f"problem.toml:{line}")).to_be_visible()
    expect(page.locator(".cm-lintRange-error").first).to_be_visible()
    write(instructor, "problem.toml", description)
    expect(page.get_by_role("heading", name="Nothing to mend")).to_be_visible()

    # A known mistake that is none: only running it shows that
    reference = source_of(instructor, slug, "reference.py")
    mistake = source_of(instructor, slug, "wrong/no_epsilon.py")
    head = mistake.split("# ///\n")[0] + "# ///\n"
    write(instructor, "wrong/no_epsilon.py", head + reference)
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_role("progressbar", name="Verification")).to_be_visible()
    page.reload()  # the progress is there again
    expect(page.get_by_role("progressbar", name="Verification")).to_be_visible()
    expect(page.get_by_text("Not verified.")).to_be_visible(timeout=VERIFIED_MS)
    open_file(instructor, "problem.toml")
    page.get_by_role("listitem").filter(has_text="wrong/no_epsilon.py").get_by_role("button").first.click()
    expect(editor(instructor, "wrong/no_epsilon.py")).to_be_visible()
    expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    page.get_by_role("link", name="What was found").click()
    expect(page.locator(".proof td[data-look=missed]").first).to_be_visible()
    expect(page.get_by_role("heading", name="Tolerances")).to_be_visible()
    page.get_by_role("link", name="Back to the editor").click()

    # Mended, verified, published
    write(instructor, "wrong/no_epsilon.py", mistake)
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("Verified: it may be published.")).to_be_visible(timeout=VERIFIED_MS)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("heading", name="What learners see")).to_be_visible()

    # As a learner sees it
    page.get_by_role("link", name="See it as a learner does").click()
    expect(page.get_by_text("A remark about")).to_be_visible()
    instructor.write(reference)
    instructor.run_tests()
    instructor.expect_verdict("Solved")


def test_two_windows_do_not_overwrite_one_another(instructor: Visitor, slug: str) -> None:
    start_problem(instructor, slug)
    second = instructor.page.context.new_page()
    second.goto(instructor.page.url)
    other = Visitor(second, instructor.url, instructor.watch)
    instructor.watch.expected_statuses.add(409)
    write(instructor, "starter.py", "# From the first window\n")

    open_file(other, "starter.py")
    expect(editor(other, "starter.py")).to_contain_text("From the first window")
    write(instructor, "starter.py", "# From the first window, again\n")
    editor(other, "starter.py").click()
    other.paste_over("# From the second window\n")

    expect(second.get_by_text("Somebody else has changed this file since you opened it.")).to_be_visible()
    assert source_of(instructor, slug, "starter.py") == "# From the first window, again\n"
    second.get_by_role("button", name="Keep mine").click()
    expect(second.get_by_text(re.compile(r"^Saved"))).to_be_visible()
    assert source_of(instructor, slug, "starter.py") == "# From the second window\n"

    editor(instructor, "starter.py").click()
    instructor.paste_over("# Once more\n")
    instructor.page.get_by_role("button", name="Take theirs").click()
    expect(editor(instructor, "starter.py")).to_contain_text("From the second window")


def test_files_are_added_renamed_and_removed(instructor: Visitor, slug: str) -> None:
    page = instructor.page
    start_problem(instructor, slug)
    page.get_by_role("button", name="New file").click()
    dialog = page.get_by_role("dialog", name="New file")
    instructor.watch.expected_statuses.add(400)
    dialog.get_by_label("Path").fill("../evil.py")
    dialog.get_by_role("button", name="Add it").click()
    expect(dialog.get_by_text("its name leads out of the folder")).to_be_visible()
    dialog.get_by_label("Path").fill("wrong/sum.py")
    dialog.get_by_role("button", name="Add it").click()
    expect(editor(instructor, "wrong/sum.py")).to_contain_text("# /// mistake")

    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Path").fill("wrong/total.py")
    page.get_by_role("button", name="Rename it").click()
    expect(editor(instructor, "wrong/total.py")).to_contain_text("# /// mistake")

    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("navigation", name="Files").get_by_title("wrong/total.py")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("navigation", name="Files").get_by_title("wrong/total.py")).to_have_count(0)


def test_a_verification_is_cancelled(instructor: Visitor, slug: str) -> None:
    start_problem(instructor, slug)
    instructor.page.get_by_role("button", name="Verify").click()
    instructor.page.get_by_role("button", name="Cancel").click()

    expect(instructor.page.get_by_text("The verification was cancelled.")).to_be_visible()
    expect(instructor.page.get_by_role("button", name="Verify")).to_be_visible()


def test_without_scripts_a_file_is_saved_and_verified_by_forms(
    instructor: Visitor, slug: str, new_visitor: OpenVisitor
) -> None:
    start_problem(instructor, slug)
    plain = new_visitor(java_script_enabled=False, storage_state=instructor.page.context.storage_state())
    plain.open(f"/teach/problems/{slug}/draft/?file=starter.py")
    plain.page.get_by_label("starter.py").fill("# Plain\n")
    plain.page.get_by_role("button", name="Save").click()
    assert source_of(instructor, slug, "starter.py") == "# Plain\n"
    plain.page.get_by_role("button", name="Verify").click()
    expect(plain.page.get_by_role("heading", name=f"Verification of {slug}")).to_be_visible()


def test_who_learns_is_told_nothing_of_it(learner: Visitor) -> None:
    expect(learner.page.get_by_role("link", name="Workspace")).to_have_count(0)
    learner.watch.expected_statuses.add(404)
    answer = learner.page.goto(f"{learner.url}teach/")
    assert answer is not None
    assert answer.status == 404
