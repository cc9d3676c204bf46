"""Everything that must be kept, in one file, from any database into any other.

A backup is a compressed file of JSON lines: a header with the state of the migrations, a line for each row, and an end
with counts and a checksum, so that a file that was cut off is known as such. It is read in one snapshot while the site
runs. A restore brings an empty database to the state of the migrations that the header names, puts the rows in through
the models of that time, and then migrates to the present: so a backup of an older release is an upgrade, and a backup
from SQLite restored into PostgreSQL is a move.

Left out is what belongs to one moment or one installation: sessions, counts of failed sign-ins, workers, the
administration's own history, and permissions beside roles. The secret key is no part of it: everybody signs in again.
"""

import contextlib
import datetime
import gzip
import hashlib
import json
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import IO, Any

from django.apps import apps as current_apps
from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

FORMAT = 1
LEFT_OUT = {
    "accounts.count",
    "admin.logentry",
    "auth.group",
    "auth.permission",
    "contenttypes.contenttype",
    "operations.worker",
    "sessions.session",
}
_BATCH = 500


class BackupError(Exception):
    """The file can't be used, or the database can't take it. The message says what to do."""


def write(stream: IO[bytes]) -> Counter[str]:
    """Writes a backup to `stream`. Returns how many rows of each model it holds."""
    counts: Counter[str] = Counter()
    digest = hashlib.sha256()
    with gzip.GzipFile(fileobj=stream, mode="wb") as packed, _snapshot():

        def put(value: dict[str, Any]) -> None:
            line = json.dumps(value, default=_as_text, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            packed.write(line)

        put({"paperjudge": "backup", "format": FORMAT, "created_at": timezone.now(), "migrations": _applied()})
        for model in _kept(current_apps):
            name = model._meta.label_lower
            for row in model._base_manager.order_by("pk").iterator(chunk_size=_BATCH):
                put({"model": name, "row": _values(row)})
                counts[name] += 1
        put({"end": counts, "sha256": digest.hexdigest()})
    return counts


def restore(stream: IO[bytes], *, replace: bool) -> Counter[str]:
    """Fills the database from a backup and migrates it to the present. Raises `BackupError`."""
    lines = _Lines(stream)
    header = lines.header()
    _make_room(replace=replace)
    executor = MigrationExecutor(connection)
    targets = [(app, name) for app, name in header["migrations"]]
    unknown = [target for target in targets if target not in executor.loader.graph.nodes]
    if unknown:
        names = ", ".join(".".join(target) for target in unknown)
        raise BackupError(f"The backup is of a newer release: this one doesn't know {names}. Restore it with that one.")
    state = executor.migrate(targets)
    with transaction.atomic():
        counts = _load(lines, state.apps)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    return counts


class _Lines:
    """The lines of a backup, with their checksum checked at the end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._file = gzip.GzipFile(fileobj=stream, mode="rb")
        self._digest = hashlib.sha256()

    def header(self) -> dict[str, Any]:
        header = self._next()
        if header.get("paperjudge") != "backup":
            raise BackupError("The file is no backup of Paperjudge.")
        if header.get("format") != FORMAT:
            raise BackupError(f"The backup has format {header.get('format')}; this release reads {FORMAT}.")
        return header

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        counts: Counter[str] = Counter()
        while True:
            before = self._digest.hexdigest()
            line = self._next()
            if "end" in line:
                if line["end"] != dict(counts) or line["sha256"] != before:
                    raise BackupError("The backup is damaged: its checksum is another. Nothing was restored.")
                return
            counts[line["model"]] += 1
            yield line["model"], line["row"]

    def _next(self) -> dict[str, Any]:
        try:
            text = self._file.readline()
            self._digest.update(text)
            if not text:
                raise EOFError
            line: dict[str, Any] = json.loads(text)
        except gzip.BadGzipFile:
            raise BackupError("The file is no backup of Paperjudge.") from None
        except (EOFError, OSError, ValueError) as error:
            reason = "is cut off" if isinstance(error, EOFError) else "is damaged"
            raise BackupError(f"The backup {reason}. Nothing was restored.") from None
        return line


def _load(lines: _Lines, apps: Apps) -> Counter[str]:
    counts: Counter[str] = Counter()
    batch: list[models.Model] = []
    for name, row in lines.rows():
        model = apps.get_model(name)
        if batch and (len(batch) >= _BATCH or type(batch[0]) is not model):
            _put(batch)
        values = {field.attname: field.to_python(row[field.attname]) for field in model._meta.concrete_fields}
        batch.append(model(**values))
        counts[name] += 1
    _put(batch)
    for statement in connection.ops.sequence_reset_sql(no_style(), list(_kept(apps))):
        with connection.cursor() as cursor:
            cursor.execute(statement)
    return counts


def _put(batch: list[models.Model]) -> None:
    if batch:
        type(batch[0])._base_manager.bulk_create(batch)
        batch.clear()


def _kept(apps: Apps) -> Iterator[type[models.Model]]:
    """Every table that belongs into a backup: not those that are left out, nor those that only connect them."""
    for model in apps.get_models(include_auto_created=True):
        related = (field.related_model for field in model._meta.concrete_fields)
        targets = {target._meta.label_lower for target in related if target is not None}
        connects = model._meta.auto_created and targets & LEFT_OUT
        if model._meta.managed and model._meta.label_lower not in LEFT_OUT and not connects:
            yield model


def _applied() -> list[tuple[str, str]]:
    """The last applied migrations, from which all others follow. Raises `BackupError` where some are missing."""
    executor = MigrationExecutor(connection)
    leaves: list[tuple[str, str]] = executor.loader.graph.leaf_nodes()
    if executor.migration_plan(leaves):
        raise BackupError("The database is of an older release. Run `manage.py migrate` first.")
    return leaves


def _make_room(*, replace: bool) -> None:
    """Leaves no table behind. Without `replace` it refuses where there is anything to lose."""
    present = set(connection.introspection.table_names())
    filled = [
        model._meta.verbose_name_plural
        for model in _kept(current_apps)
        if model._meta.db_table in present and not model._meta.auto_created and model._base_manager.exists()
    ]
    if filled and not replace:
        raise BackupError(f"The database holds {', '.join(map(str, filled))}. To lose them, restore with --replace.")
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for table in present:
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")


@contextlib.contextmanager
def _snapshot() -> Iterator[None]:
    """All that is read within is of one moment. Nobody who writes is held up."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    else:
        # Not `atomic`, which would take SQLite's one lock for writing.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")


def _values(row: models.Model) -> dict[str, Any]:
    return {field.attname: field.value_from_object(row) for field in row._meta.concrete_fields}


def _as_text(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"a {type(value).__name__} can't be written to a backup")
