import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.operations import backup


class Command(BaseCommand):
    help = "Writes all that must be kept into one file, while the site runs: accounts, problems, submissions, reports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="a file that doesn't exist yet, or - for standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            file = options["file"]
            counts = backup.write(sys.stdout.buffer) if file == "-" else _to_file(Path(file))
        except backup.BackupError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The backup can't be written: {error}.") from None
        self.stderr.write(f"Written: {sum(counts.values())} rows, {counts['submissions.submission']} submissions.")


def _to_file(file: Path) -> Counter[str]:
    """It appears when it is complete, readable by its owner alone: password hashes are in it."""
    if file.exists():
        raise CommandError(f"{file} exists already. Name another file.")
    draft = file.with_name(f".{file.name}.draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        counts = backup.write(stream)
        stream.flush()
        os.fsync(stream.fileno())
    draft.rename(file)
    return counts
