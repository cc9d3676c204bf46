import json
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.catalog.folders import NoSuchProblem, folder_of
from judge.catalog.package import PackageError, read_folder
from judge.catalog.verify import Progress, Verification, unreadable, verify
from judge.catalog.verify.report import as_text
from sandbox.client import SandboxUnavailable, running_server

VERIFIED, NOT_VERIFIED, JUDGE_ERROR = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Proves a problem package with the real sandbox, without web, queue or database: reads it, then runs its "
        "solutions, its known mistakes, odd results and mutants of its reference. Exit status: 0 verified, 1 not, "
        "2 the judge failed or was called wrongly."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("problem", metavar="SLUG|FOLDER", help="a problem by name, or its folder")
        parser.add_argument("--json", action="store_true", help="everything that was found, as one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = self._verified(folder_of(options["problem"]))
        except NoSuchProblem as error:
            raise CommandError(str(error), returncode=JUDGE_ERROR) from error
        except SandboxUnavailable as error:
            raise CommandError(f"The sandbox can't be used: {error}", returncode=JUDGE_ERROR) from error
        self.stdout.write(json.dumps(found.as_dict()) if options["json"] else as_text(found))
        sys.exit(VERIFIED if found.is_verified else NOT_VERIFIED)

    def _verified(self, folder: Path) -> Verification:
        try:
            package = read_folder(folder)
        except PackageError as error:
            return unreadable(error)
        with running_server(settings.SANDBOX_SOCKET) as client:
            return verify(package, client, self._tell)

    def _tell(self, progress: Progress) -> None:
        """One line that counts on a terminal; elsewhere a line for each stage that is done."""
        line = f"{progress.stage}: {progress.done} of {progress.total}"
        if self.stderr.isatty():
            end = "\n" if progress.done == progress.total else ""
            self.stderr.write(f"\r\x1b[K{line}", ending=end)
            self.stderr.flush()
        elif progress.done == progress.total:
            self.stderr.write(line)
