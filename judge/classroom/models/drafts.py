from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import models, transaction
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.archive import MAX_FILES, MAX_PACKAGE_BYTES, collisions, fault_of_name, fault_of_text
from judge.catalog.criticism import criticize
from judge.catalog.models import Origin, PackageVersion, Problem
from judge.catalog.package import parse, parse_all, version_of
from judge.catalog.table import Complaint

if TYPE_CHECKING:
    from judge.classroom.models.verification import VerificationRun


class Conflict(Exception):
    """Somebody else has changed the file since. `file` is what it is now; None if it is gone."""

    def __init__(self, file: "DraftFile | None") -> None:
        super().__init__("Somebody else has changed this file meanwhile.")
        self.file = file


class BadFile(ValueError):
    """A file can't be kept as it is. The message says why and what to do."""


class CanNotPublish(Exception):
    """The message says why, and what to do."""


class PackageDraft(models.Model):
    """A package that is being written: one for a problem, shared by everybody who teaches.

    Each file has a revision of its own, so that two people, or two windows, may work on different files, and notice
    when it is the same one.
    """

    slug = models.SlugField(unique=True)
    """That of the problem, which need not exist yet."""
    based_on = models.ForeignKey(PackageVersion, models.SET_NULL, null=True, related_name="+")
    """The version that it was started from."""
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(default=timezone.now)
    saved_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug

    @classmethod
    def start(
        cls, slug: str, files: Mapping[str, str], by: User, based_on: PackageVersion | None = None
    ) -> "PackageDraft":
        """A draft with `files`, in place of the one that there may be."""
        with transaction.atomic():
            cls.objects.filter(slug=slug).delete()
            draft = cls.objects.create(slug=slug, created_by=by, saved_by=by, based_on=based_on)
            DraftFile.objects.bulk_create(
                DraftFile(draft=draft, path=path, text=text) for path, text in sorted(files.items())
            )
        return draft

    @classmethod
    def opened(cls, problem: Problem, by: User) -> "PackageDraft":
        """The draft of a published problem: the one that there is, or one that says what the problem says now."""
        draft = cls.objects.filter(slug=problem.slug).first()
        if draft is not None:
            return draft
        assert problem.current is not None, f"{problem} is not published"
        return cls.start(problem.slug, problem.current.files, by, based_on=problem.current)

    def texts(self) -> dict[str, str]:
        """Path -> text, as a package has them."""
        return dict(self.files.values_list("path", "text"))

    def save_file(self, path: str, text: str, revision: int, by: User) -> "DraftFile":
        """Keeps `text` as the new content of a file that was read at `revision`; 0 makes a new file.

        Raises:
            Conflict: if the file is at another revision, unless it says the same already.
            BadFile: if name or text can't be part of a package.
        """
        with self._changed(by):
            file = self.files.filter(path=path).first()
            if file is not None and file.text == text:
                return file
            if (file.revision if file else 0) != revision:
                raise Conflict(file)
            self._refuse(path, text)
            if file is None:
                return self.files.create(path=path, text=text)
            file.text, file.revision = text, revision + 1
            file.save(update_fields=["text", "revision"])
            return file

    def rename_file(self, path: str, to: str, revision: int, by: User) -> "DraftFile":
        """Gives a file another name. Raises `Conflict` and `BadFile` as `save_file` does."""
        with self._changed(by):
            file = self._at_revision(path, revision)
            self._refuse(to, file.text, instead_of=path)
            file.path, file.revision = to, revision + 1
            file.save(update_fields=["path", "revision"])
            return file

    def remove_file(self, path: str, revision: int, by: User) -> None:
        """Raises `Conflict` as `save_file` does."""
        with self._changed(by):
            self._at_revision(path, revision).delete()

    def complaints(self) -> list[Complaint]:
        """Everything that can be told of the draft without running it."""
        package, complaints = parse_all(self.slug, self.texts())
        return list(dict.fromkeys([*complaints, *criticize(package)]))

    def verified_by(self) -> "VerificationRun | None":
        """The newest verification that holds for exactly what the draft says now."""
        files = self.texts()
        runs = self.runs.filter(verified=True, version=version_of(files)).order_by("-created_at")
        return next((run for run in runs if run.files == files), None)

    def publish(self, by: User) -> PackageVersion:
        """Makes what was verified the current version of its problem, in one step. Raises `CanNotPublish`."""
        with transaction.atomic():
            draft = PackageDraft.objects.select_for_update().get(pk=self.pk)
            run = draft.verified_by()
            if run is None:
                raise CanNotPublish("What the draft says now is not verified: verify it, then publish it.")
            version = Problem.publish(parse(draft.slug, draft.texts()), Origin.UPLOADED, by=by)
            draft.based_on = version
            draft.save(update_fields=["based_on"])
        return version

    def _changed(self, by: User) -> "_Change":
        return _Change(self, by)

    def _at_revision(self, path: str, revision: int) -> "DraftFile":
        file = self.files.filter(path=path).first()
        if file is None or file.revision != revision:
            raise Conflict(file)
        return file

    def _refuse(self, path: str, text: str, instead_of: str = "") -> None:
        """Raises `BadFile` if the file would make the draft into something that is no package."""
        others = {
            other: len(content.encode()) for other, content in self.texts().items() if other not in (path, instead_of)
        }
        if path in self.texts() and instead_of:
            raise BadFile(f"There is a file {path} already.")
        if fault := fault_of_name(path) or fault_of_text(text):
            raise BadFile(f"{path}: {fault}.")
        if found := [why for name, why in collisions([*others, path]) if name == path]:
            raise BadFile(f"{path}: {found[0]}.")
        if len(others) >= MAX_FILES:
            raise BadFile(f"A package has {MAX_FILES} files at most.")
        if sum(others.values()) + len(text.encode()) > MAX_PACKAGE_BYTES:
            raise BadFile(f"A package has {MAX_PACKAGE_BYTES:,} bytes at most.")


class _Change:
    """A transaction in which nobody else changes the draft, and which notes who did."""

    def __init__(self, draft: PackageDraft, by: User) -> None:
        self._draft = draft
        self._by = by
        self._transaction = transaction.atomic()

    def __enter__(self) -> None:
        self._transaction.__enter__()
        PackageDraft.objects.select_for_update().get(pk=self._draft.pk)

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            self._draft.saved_at, self._draft.saved_by = timezone.now(), self._by
            self._draft.save(update_fields=["saved_at", "saved_by"])
        self._transaction.__exit__(*error)


class DraftFile(models.Model):
    """One file of a draft."""

    draft = models.ForeignKey(PackageDraft, models.CASCADE, related_name="files")
    path = models.CharField(max_length=120)
    text = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=1)
    """Counts the changes."""

    class Meta:
        ordering = ["path"]
        constraints = [models.UniqueConstraint(fields=["draft", "path"], name="one_file_per_path")]

    def __str__(self) -> str:
        return f"{self.path} of {self.draft_id}"
