from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.catalog.package import PackageError, read_folder
from judge.catalog.starting import SLUG, start_files


class Command(BaseCommand):
    help = "Starts a problem package: a small one that verifies as it is, to be changed step by step."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the name of the folder and in the address: small letters, digits, hyphens")
        parser.add_argument("--in", dest="folder", type=Path, default=settings.PROBLEMS, help="default: %(default)s")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, folder = options["slug"], options["folder"] / options["slug"]
        if not SLUG.fullmatch(slug):
            raise CommandError(f"{slug!r} can't be an address; write small letters, digits and hyphens: my-problem.")
        if folder.exists():
            raise CommandError(f"{folder} exists; choose another name, or remove it first.")
        position = _next_position(options["folder"])
        for name, text in start_files(slug, position).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        self.stdout.write(
            f"{folder} is a problem that verifies. Change it, and see that it still does:\n"
            f"  python manage.py verify_problem {folder}\n"
            "docs/authoring.md explains each file."
        )


def _next_position(folder: Path) -> int:
    """After every problem that is there."""
    positions = [0]
    for description in folder.glob("*/problem.toml"):
        try:
            positions.append(read_folder(description.parent).position)
        except PackageError:
            continue  # it has no position yet
    return max(positions) + 10
