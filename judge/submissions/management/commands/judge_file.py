import functools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.catalog.folders import NoSuchProblem, folder_of
from judge.catalog.mistakes import Mistake
from judge.catalog.package import PackageError, ProblemPackage, read_folder
from judge.catalog.signatures import Signature
from judge.catalog.signing import NotSigned, SignatureFiles, sign
from judge.submissions.run import Run
from sandbox.client import Client, SandboxUnavailable, running_server
from sandbox.protocol import Verdict

ALL_ACCEPTED, SOME_NOT, JUDGE_ERROR = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Judges files with the real sandbox, without web, queue or database, and names the known mistakes in them: the "
        "ones that could explain a failure are judged too, once for each version of a package. Exit status: 0 all "
        "accepted, 1 some not, 2 the judge failed or was called wrongly."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("problem", metavar="SLUG|FOLDER", help="a problem by name, or its folder")
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a submission to judge")
        parser.add_argument("--json", action="store_true", help="one line of JSON for each file")
        parser.add_argument("--no-diagnosis", action="store_true", help="names no known mistake")

    def handle(self, *args: Any, **options: Any) -> None:
        package = _package(options["problem"])
        missing = [str(file) for file in options["files"] if not file.is_file()]
        if missing:
            raise CommandError(f"There is no file {', '.join(missing)}.", returncode=JUDGE_ERROR)
        verdicts = set()
        try:
            with running_server(settings.SANDBOX_SOCKET) as client:
                signatures_of = functools.partial(self._signatures, package, client)
                for file in options["files"]:
                    run = Run.of_file(package, file, client)
                    if not options["no_diagnosis"]:
                        run = run.diagnosed(signatures_of)
                    self.stdout.write(run.as_json() if options["json"] else run.as_text())
                    self.stdout.flush()
                    verdicts.add(run.outcome.verdict)
        except SandboxUnavailable as error:
            raise CommandError(f"The sandbox can't be used: {error}", returncode=JUDGE_ERROR) from error
        if Verdict.JUDGE_ERROR in verdicts:
            sys.exit(JUDGE_ERROR)
        sys.exit(ALL_ACCEPTED if verdicts == {Verdict.ACCEPTED} else SOME_NOT)

    def _signatures(self, package: ProblemPackage, client: Client, mistakes: Sequence[Mistake]) -> Sequence[Signature]:
        """Of these mistakes: those that are kept for this version of the package, and new ones for the rest."""
        files = SignatureFiles(settings.VAR / "signatures")
        known = files.read(package)
        missing = [mistake for mistake in mistakes if mistake.file not in known]
        if missing:
            try:
                known |= {signature.mistake: signature for signature in sign(package, missing, client)}
            except NotSigned as reason:
                self.stderr.write(f"No mistake is named: {reason}")
                return ()
            files.keep(package, known.values())
        return [known[mistake.file] for mistake in mistakes]


def _package(name: str) -> ProblemPackage:
    """The package in the folder `name`, or of that slug."""
    try:
        folder = folder_of(name)
        return read_folder(folder)
    except NoSuchProblem as error:
        raise CommandError(str(error), returncode=JUDGE_ERROR) from error
    except PackageError as error:
        raise CommandError(f"The package {folder} can't be used.\n{error}", returncode=JUDGE_ERROR) from error
