"""Publishing: only what is verified, exactly as it is; and taking it back."""

import pytest
from django.test import Client

from judge.accounts.models import AuditEntry, User
from judge.catalog.models import Origin, Problem
from judge.catalog.package import parse, version_of
from judge.classroom.models import CanNotPublish, PackageDraft, RunState, VerificationRun
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import RIGHT
from judge.tests import halving
from judge.tests.pages import links, words

pytestmark = pytest.mark.django_db


def verified(draft: PackageDraft, by: User) -> VerificationRun:
    """A verification of what the draft says now, as a worker would have left it."""
    run = VerificationRun.ask(draft, by)
    result = {"complaints": [], "slug": draft.slug, "version": run.version}
    VerificationRun.objects.filter(pk=run.pk).update(state=RunState.FINISHED, verified=True, result=result)
    return run


def test_what_is_verified_is_published_and_learners_see_it(
    teacher: Client, draft: PackageDraft, instructor: User, learner: User
) -> None:
    verified(draft, instructor)

    answer = teacher.post("/teach/problems/row-norms/publish/")

    assert answer.headers["Location"] == "/teach/problems/row-norms/"
    current = Problem.objects.get(slug="row-norms").current
    assert current is not None
    assert (current.version, current.origin) == (version_of(draft.texts()), Origin.UPLOADED)
    (entry,) = AuditEntry.objects.all()
    assert (entry.actor, entry.action, entry.subject) == ("ina", "published", "row-norms")
    assert entry.details == {"version": current.version}
    teacher.force_login(learner)
    assert teacher.get("/problems/row-norms/").status_code == 200


def test_what_is_not_verified_is_not_published(teacher: Client, draft: PackageDraft) -> None:
    answer = teacher.post("/teach/problems/row-norms/publish/")

    assert answer.status_code == 409
    assert "What the draft says now is not verified: verify it, then publish it." in words(answer)
    assert not Problem.objects.exists()


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.RUNNING, RunState.CANCELLED, RunState.FAILED])
def test_a_verification_that_did_not_end_well_is_none(draft: PackageDraft, instructor: User, state: RunState) -> None:
    run = VerificationRun.ask(draft, instructor)
    VerificationRun.objects.filter(pk=run.pk).update(state=state)

    with pytest.raises(CanNotPublish):
        draft.publish(instructor)


def test_one_more_letter_needs_another_verification(draft: PackageDraft, instructor: User) -> None:
    verified(draft, instructor)
    before = draft.texts()["starter.py"]
    draft.save_file("starter.py", before + "#", 1, instructor)

    with pytest.raises(CanNotPublish):
        draft.publish(instructor)

    draft.save_file("starter.py", before, 2, instructor)  # as it was verified
    assert draft.publish(instructor).version == version_of(draft.texts())


def test_an_equal_version_alone_is_not_believed(draft: PackageDraft, instructor: User) -> None:
    """Versions are short hashes: what was verified is compared itself."""
    run = verified(draft, instructor)
    VerificationRun.objects.filter(pk=run.pk).update(files={**run.files, "starter.py": "something else"})

    with pytest.raises(CanNotPublish):
        draft.publish(instructor)


def test_a_draft_is_not_published_by_the_verification_of_another(draft: PackageDraft, instructor: User) -> None:
    verified(draft, instructor)
    copy = PackageDraft.start("copy", draft.texts(), instructor)

    with pytest.raises(CanNotPublish):
        copy.publish(instructor)


def test_what_is_shipped_does_not_push_it_aside(draft: PackageDraft, instructor: User, problem: Problem) -> None:
    draft = PackageDraft.opened(problem, instructor)
    draft.save_file("starter.py", "# Ours\n", 1, instructor)
    verified(draft, instructor)
    ours = draft.publish(instructor)

    Problem.publish(parse("halving", halving.FILES))

    assert Problem.objects.get(slug="halving").current == ours


def test_unpublishing_takes_it_from_learners_and_keeps_everything(
    teacher: Client, problem: Problem, learner: User
) -> None:
    run = Submission.hand_in(learner, problem, RIGHT)

    for _ in range(2):
        teacher.post("/teach/problems/halving/unpublish/")

    assert teacher.get("/problems/halving/").status_code == 404
    assert [entry.action for entry in AuditEntry.objects.all()] == ["unpublished", "published"]
    assert teacher.get(f"/submissions/{run.pk}/").status_code == 200
    page = teacher.get("/teach/problems/halving/")
    assert "Nothing: it is not published." in words(page)
    assert problem.versions.count() == 1
    Problem.publish(parse("halving", halving.FILES))
    assert teacher.get("/problems/halving/").status_code == 404  # it does not come back with the next start


def test_any_two_versions_are_compared(teacher: Client, problem: Problem, instructor: User) -> None:
    changed = {**halving.FILES, "starter.py": "# <b>Ours</b>\n", "notes/more.md": "One\nTwo"}
    changed.pop("wrong/all_of_it.py", None)
    second = Problem.publish(parse("halving", changed))
    first = problem.versions.earliest("created_at")

    page = teacher.get(f"/teach/problems/halving/compare/?before={first.version}&after={second.version}")

    files = {file.path: (file.change, file.added, file.removed) for file in page.context["differences"]}
    assert files["notes/more.md"] == ("added", 2, 0)
    assert files["starter.py"][0] == "changed"
    assert "+ # <b>Ours</b>" in words(page)
    assert "Two (no end of line)" in words(page)
    assert b"<b>Ours" not in page.content
    same = teacher.get(f"/teach/problems/halving/compare/?before={first.version}&after={first.version}")
    assert "Both are the same." in words(same)


def test_the_page_lists_versions_and_says_what_older_ones_have_judged(
    teacher: Client, problem: Problem, learner: User
) -> None:
    Submission.hand_in(learner, problem, RIGHT)
    second = Problem.publish(parse("halving", {**halving.FILES, "starter.py": "# New\n"}))

    page = teacher.get("/teach/problems/halving/")

    assert "1 run was judged by an older version." in words(page)
    assert f"/teach/problems/halving/versions/{second.version}.zip" in links(page)
    assert f"{second.version} (published)" in words(page)


def test_an_older_version_is_edited_without_losing_the_draft(
    teacher: Client, problem: Problem, instructor: User
) -> None:
    draft = PackageDraft.opened(problem, instructor)
    draft.save_file("starter.py", "# Mine\n", 1, instructor)
    address, version = "/teach/problems/halving/edit-version/", problem.package.version

    teacher.post(address, {"version": version})
    assert PackageDraft.objects.get().texts()["starter.py"] == "# Mine\n"

    teacher.post(address, {"version": version, "replace": "1"})
    assert PackageDraft.objects.get().texts() == problem.package.files
