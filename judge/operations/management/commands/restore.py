import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.operations import backup


class Command(BaseCommand):
    help = "Fills the database from a file that `backup` wrote, of this release or an older one. Stop the site before."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the backup, or - for standard input")
        parser.add_argument("--replace", action="store_true", help="lose what the database holds")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["file"] == "-":
                counts = backup.restore(sys.stdin.buffer, replace=options["replace"])
            else:
                with Path(options["file"]).open("rb") as stream:
                    counts = backup.restore(stream, replace=options["replace"])
        except backup.BackupError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The backup can't be read: {error}.") from None
        self.stderr.write(f"Restored: {sum(counts.values())} rows, {counts['submissions.submission']} submissions.")
