import os
import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from judge.accounts.models import Role, User

NAME = "administrator"


class Command(BaseCommand):
    help = "Creates the first administrator with a generated password, if there is no administrator yet."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            if User.objects.filter(role=Role.ADMINISTRATOR).exists():
                return
            password = secrets.token_urlsafe(15)
            if User.objects.filter(username=NAME).exists():
                raise CommandError(
                    f"Somebody signed up as {NAME}, without that role. Give an account the role in the database, or "
                    "rename this one."
                )
            User.objects.create_superuser(username=NAME, password=password, role=Role.ADMINISTRATOR)
            file = settings.VAR / "administrator-password"
            file.unlink(missing_ok=True)
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(f"{password}\n")
        self.stdout.write(f"Administrator's name:     {NAME}\nAdministrator's password: {password}\nKept in {file}")
