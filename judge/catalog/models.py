import functools
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.package import ProblemPackage, parse


class ProblemQuerySet(models.QuerySet["Problem"]):
    def published(self) -> "ProblemQuerySet":
        return self.filter(current__isnull=False).select_related("current").defer("current__files")

    def in_order(self) -> list["Problem"]:
        """Published problems as the catalogue lists them."""
        return sorted(self.published(), key=lambda problem: (problem.package.position, problem.package.title))


class Problem(models.Model):
    """A problem by its slug. What it says is in its current version; without one it is not published."""

    slug = models.SlugField(unique=True)
    current = models.ForeignKey("PackageVersion", models.PROTECT, null=True, related_name="+")

    objects = ProblemQuerySet.as_manager()

    def __str__(self) -> str:
        return self.slug

    @property
    def package(self) -> ProblemPackage:
        assert self.current is not None, f"{self.slug} is not published"
        return self.current.package

    @classmethod
    def publish(cls, package: ProblemPackage) -> "PackageVersion":
        """Stores `package`, unless that version is stored already, and makes it the current one, in one step."""
        with transaction.atomic():
            problem, _ = cls.objects.get_or_create(slug=package.slug)
            version, _ = PackageVersion.objects.get_or_create(
                problem=problem, version=package.version, defaults={"files": dict(package.files)}
            )
            if problem.current_id != version.pk:
                problem.current = version
                problem.save(update_fields=["current"])
        return version


class PackageVersion(models.Model):
    """The archive of one version of a package: what workers on any machine judge with."""

    problem = models.ForeignKey(Problem, models.CASCADE, related_name="versions")
    version = models.CharField(max_length=16)
    files = models.JSONField()
    """Path below the folder -> text."""
    planned = models.JSONField(default=list)
    """The checks in their order, as `sandbox.protocol.CheckInfo`: known since the first run of this version."""
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["problem", "version"], name="one_row_per_version")]

    def __str__(self) -> str:
        return self.version

    @property
    def package(self) -> ProblemPackage:
        return _parsed(self.pk, self.version)


@functools.lru_cache(maxsize=64)
def _parsed(version_id: int, version: str) -> ProblemPackage:
    """Kept by content hash, so that a page neither loads nor parses an archive that it has seen."""
    stored = PackageVersion.objects.select_related("problem").get(pk=version_id, version=version)
    return parse(stored.problem.slug, stored.files)


class Progress(models.Model):
    """How far somebody has come with a problem. The app `submissions` writes it; pages and locks here read it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="progress")
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="progress")
    solved_at = models.DateTimeField(null=True)
    """When it was first solved; null while it is only tried."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "problem"], name="one_progress_per_user_and_problem")]

    def __str__(self) -> str:
        return f"{self.user} on {self.problem}: {'solved' if self.solved_at else 'tried'}"

    @classmethod
    def has_solved(cls, user: Any, problem: Problem) -> bool:
        return (
            user.is_authenticated and cls.objects.filter(user=user, problem=problem, solved_at__isnull=False).exists()
        )
