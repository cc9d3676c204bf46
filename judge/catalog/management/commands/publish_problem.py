from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.catalog.models import Origin, Problem
from judge.catalog.package import PackageError, read_folder


class Command(BaseCommand):
    help = (
        "Publishes the package in a folder as an uploaded one: it is stored in the database, stays when "
        "`load_problems` runs, and the folder is not needed any more. What was handed in before keeps the version that "
        "judged it; see `rejudge`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        if not (folder / "problem.toml").is_file():
            raise CommandError(f"There is no {folder / 'problem.toml'}.")
        try:
            version = Problem.publish(read_folder(folder), Origin.UPLOADED)
        except PackageError as error:
            lines = "\n".join(f"  {complaint}" for complaint in error.complaints)
            raise CommandError(f"The package was not published.\n{lines}") from error
        self.stdout.write(f"{version.problem.slug}: version {version.version}")
