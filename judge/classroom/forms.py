from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from judge.accounts.models import Role, User
from judge.catalog.archive import BadArchive, read_archive
from judge.catalog.models import Problem
from judge.catalog.starting import MAX_SLUG, SLUG, start_files
from judge.classroom.models import PackageDraft


class RoleForm(forms.Form):
    """Another role for `user`, given by `by`."""

    role = forms.ChoiceField(choices=Role)

    def __init__(self, *args: Any, user: User, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        self._by = by

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self._user == self._by:
            raise forms.ValidationError("Nobody changes their own role. Ask another administrator.")
        return cleaned


class NewProblemForm(forms.Form):
    """A package to start from. `files_of_package` has its files once the form is valid."""

    source = forms.ChoiceField(
        label="Start from",
        choices=[("template", "A small problem that verifies"), ("problem", "Another problem"), ("zip", "A zip file")],
        initial="template",
        widget=forms.RadioSelect,
    )
    problem = forms.ModelChoiceField(Problem.objects.none(), label="The problem", required=False, to_field_name="slug")
    package = forms.FileField(
        label="The zip file",
        required=False,
        help_text="The folder of a problem, zipped: as it is downloaded from here, or from the command line.",
    )
    slug = forms.CharField(
        label="Name in the address",
        required=False,
        max_length=MAX_SLUG,
        help_text="Small letters, digits and hyphens. A zip file may go without: then its folder's name is taken.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
    )
    replace = forms.BooleanField(label="Replace the draft that there is", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.files_of_package: dict[str, str] = {}
        choice = self.fields["problem"]
        assert isinstance(choice, forms.ModelChoiceField)
        choice.queryset = Problem.objects.filter(versions__isnull=False).distinct().order_by("slug")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        slug = str(cleaned.get("slug", ""))
        match cleaned.get("source"):
            case "template":
                self._check(slug)
                self.files_of_package = start_files(slug, next_position())
            case "problem":
                self._check(slug)
                self.files_of_package = self._files_of(cleaned.get("problem"))
            case "zip":
                slug = self._unpack(cleaned.get("package"), slug)
                self._check(slug)
        cleaned["slug"] = slug
        if not self.errors and not cleaned.get("replace") and PackageDraft.objects.filter(slug=slug).exists():
            self.add_error("slug", f"{slug} is being written already. Choose another name, or replace that draft.")
        return cleaned

    def _check(self, slug: str) -> None:
        if not SLUG.fullmatch(slug) or len(slug) > MAX_SLUG:
            self.add_error("slug", "Write small letters, digits and hyphens, such as: row-norms.")

    def _files_of(self, problem: Problem | None) -> dict[str, str]:
        if problem is None:
            self.add_error("problem", "Choose a problem.")
            return {}
        version = problem.current or problem.versions.latest("created_at")
        files: dict[str, str] = version.files
        return files

    def _unpack(self, package: "UploadedFile[bytes] | None", slug: str) -> str:
        """Reads the zip file. Returns the slug: the one that was given, or what its folder is called."""
        if package is None:
            self.add_error("package", "Choose a zip file.")
            return slug
        try:
            folder, self.files_of_package = read_archive(package)
        except BadArchive as refused:
            self.add_error("package", [f"{complaint}." for complaint in refused.complaints])
            return slug
        return slug or folder or str(package.name).removesuffix(".zip")


def next_position() -> int:
    """After every problem that is published."""
    return max((problem.package.position for problem in Problem.objects.all().published()), default=0) + 10
