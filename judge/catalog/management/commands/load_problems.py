from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.catalog.models import PackageVersion, Problem
from judge.catalog.package import PackageError, read_folder


class Command(BaseCommand):
    help = (
        "Publishes every problem package below a folder. Run again, it changes only what has changed. Where somebody "
        "has uploaded a version, that one stays published."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=settings.PROBLEMS, help="default: %(default)s")
        parser.add_argument("--lenient", action="store_true", help="says what is broken, and goes on without it")
        parser.add_argument("--replace", action="store_true", help="publishes in place of uploaded versions too")

    def handle(self, *args: Any, **options: Any) -> None:
        broken: list[str] = []
        for description in sorted(options["folder"].glob("*/problem.toml")):
            folder = description.parent
            try:
                version = Problem.publish(read_folder(folder), replace=options["replace"])
            except PackageError as error:
                broken.append(f"{folder}:\n" + "\n".join(f"  {complaint}" for complaint in error.complaints))
            else:
                self.stdout.write(f"{folder.name}: version {version.version}{_instead(version)}")
        if broken:
            said = "These packages were not loaded.\n" + "\n".join(broken)
            if not options["lenient"]:
                raise CommandError(said)
            self.stderr.write(f"{said}\nThe site starts without them, or with the versions that were published before.")


def _instead(version: PackageVersion) -> str:
    """What is published in place of `version`, in words."""
    current = version.problem.current
    if current == version:
        return ""
    return f"; the uploaded version {current} stays published" if current else "; it stays withdrawn"
