from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from judge.operations.reference import as_markdown


class Command(BaseCommand):
    help = "Writes docs/configuration.md, the reference of all settings."

    def handle(self, *args: Any, **options: Any) -> None:
        (settings.BASE_DIR / "docs" / "configuration.md").write_text(as_markdown(settings.ENVIRONMENT), "utf-8")
