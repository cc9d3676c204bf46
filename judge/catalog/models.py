import functools
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from judge.accounts.audit import record
from judge.accounts.models import Action, User
from judge.catalog.mistakes import Mistake
from judge.catalog.package import ProblemPackage, parse_all
from judge.catalog.signatures import FORMAT, Signature


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
    withdrawn_at = models.DateTimeField(null=True)
    """When somebody took it from the catalogue; null again once it is published."""

    objects = ProblemQuerySet.as_manager()

    def __str__(self) -> str:
        return self.slug

    @property
    def package(self) -> ProblemPackage:
        assert self.current is not None, f"{self.slug} is not published"
        return self.current.package

    @classmethod
    def publish(
        cls,
        package: ProblemPackage,
        origin: "Origin | None" = None,
        *,
        replace: bool = False,
        by: User | None = None,
    ) -> "PackageVersion":
        """Stores `package`, unless that version is stored already, and makes it the current one, in one step, which the
        audit tells: `by` whom, or by a command.

        What somebody uploaded or withdrew is left as it is by what is shipped with the software, unless `replace` says
        otherwise: the version is stored, and does not become the current one.
        """
        origin = origin or Origin.SHIPPED
        with transaction.atomic():
            cls.objects.get_or_create(slug=package.slug)
            problem = cls.objects.select_for_update().get(slug=package.slug)
            version, _ = PackageVersion.objects.get_or_create(
                problem=problem,
                version=package.version,
                defaults={"files": dict(package.files), "origin": origin},
            )
            decided = problem.is_uploaded or problem.withdrawn_at is not None
            stays = origin is Origin.SHIPPED and not replace and decided
            if problem.current_id != version.pk and not stays:
                problem.current, problem.withdrawn_at = version, None
                problem.save(update_fields=["current", "withdrawn_at"])
                record(by, Action.PUBLISHED, problem, version=version.version)
            version.problem = problem
        return version

    def withdraw(self, by: User | None = None) -> None:
        """Takes it from the catalogue, if it is there. Its versions stay, and what was handed in."""
        published = Problem.objects.filter(pk=self.pk, current__isnull=False)
        with transaction.atomic():
            if published.update(current=None, withdrawn_at=timezone.now()) == 1:
                record(by, Action.UNPUBLISHED, self)

    @property
    def is_uploaded(self) -> bool:
        """Whether somebody put the current version here, in place of what is shipped or beside it."""
        return self.current is not None and self.current.origin == Origin.UPLOADED


class Origin(models.TextChoices):
    """Where a version of a package came from."""

    SHIPPED = "shipped", "Shipped"
    UPLOADED = "uploaded", "Uploaded"


class PackageVersion(models.Model):
    """The archive of one version of a package: what workers on any machine judge with."""

    problem = models.ForeignKey(Problem, models.CASCADE, related_name="versions")
    version = models.CharField(max_length=16)
    files = models.JSONField()
    """Path below the folder -> text."""
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.SHIPPED)
    planned = models.JSONField(default=list)
    """The checks in their order, as `sandbox.protocol.CheckInfo`: known since the first run of this version."""
    created_at = models.DateTimeField(default=timezone.now)
    signed_format = models.PositiveSmallIntegerField(default=0)
    """The format of its signatures, once every known mistake has one: then reports can name mistakes."""
    signing_at = models.DateTimeField(null=True)
    """The last sign of life of the worker that makes them."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["problem", "version"], name="one_row_per_version")]

    def __str__(self) -> str:
        return self.version

    @property
    def package(self) -> ProblemPackage:
        return _parsed(self.pk, self.version)

    @property
    def is_signed(self) -> bool:
        """Whether the signatures of all known mistakes are stored."""
        return self.signed_format == FORMAT

    @property
    def signatures(self) -> Sequence[Signature]:
        """What each known mistake fails; empty as long as not all are stored."""
        return _signatures(self.pk, self.version, FORMAT) if self.is_signed else ()

    def unsigned(self) -> list[Mistake]:
        """The known mistakes without a signature."""
        signed = set(self.stored_signatures.filter(format=FORMAT).values_list("mistake", flat=True))
        return [mistake for mistake in self.package.mistakes if mistake.file not in signed]

    def keep_signatures(self, signatures: Iterable[Signature]) -> None:
        """Stores them, and says so when none is missing any more."""
        for signature in signatures:
            values = {"format": FORMAT, "values": signature.as_json()}
            self.stored_signatures.update_or_create(mistake=signature.mistake, defaults=values)
        if not self.unsigned():
            self.signed_format = FORMAT
            self.save(update_fields=["signed_format"])


@functools.lru_cache(maxsize=64)
def _parsed(version_id: int, version: str) -> ProblemPackage:
    """Kept by content hash, so that a page neither loads nor parses an archive that it has seen.

    It was good when it was published. What has been forbidden since must not take it from those whose runs it judged.
    """
    stored = PackageVersion.objects.select_related("problem").get(pk=version_id, version=version)
    package, _ = parse_all(stored.problem.slug, stored.files)
    return package


class StoredSignature(models.Model):
    """What one known mistake of a version fails: `judge.catalog.signatures.Signature`."""

    version = models.ForeignKey(PackageVersion, models.CASCADE, related_name="stored_signatures")
    mistake = models.CharField(max_length=200)
    """Its file in the package."""
    format = models.PositiveSmallIntegerField()
    values = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "mistake"], name="one_signature_per_mistake")]

    def __str__(self) -> str:
        return f"{self.mistake} in {self.version_id}"


@functools.lru_cache(maxsize=16)
def _signatures(version_id: int, version: str, form: int) -> tuple[Signature, ...]:
    """Kept, because a version that has all of them never gets others."""
    stored = StoredSignature.objects.filter(version=version_id, version__version=version, format=form)
    return tuple(Signature.from_json(values) for values in stored.order_by("mistake").values_list("values", flat=True))


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
