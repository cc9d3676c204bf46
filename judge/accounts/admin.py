from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.http import HttpRequest

from judge.accounts.audit import record
from judge.accounts.models import Action, AuditEntry, User

if TYPE_CHECKING:
    _UserAdmin = UserAdmin[User]  # generic for type checkers only
    _AuditAdmin = admin.ModelAdmin[AuditEntry]
else:
    _UserAdmin = UserAdmin
    _AuditAdmin = admin.ModelAdmin


@admin.register(User)
class RoleAdmin(_UserAdmin):
    list_display = ("username", "role", "is_active", "last_login")
    list_filter = ("role", "is_active")
    fieldsets = (
        (None, {"fields": ("username", "password", "role")}),
        ("Access", {"fields": ("is_active",)}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        with transaction.atomic():
            old = User.objects.get(pk=obj.pk).role if change else ""
            super().save_model(request, obj, form, change)
            obj.give_role(obj.role)
            if change and old != obj.role:
                assert isinstance(request.user, User)
                record(request.user, Action.ROLE, obj, obj.username, old=old, new=obj.role)


@admin.register(AuditEntry)
class AuditAdmin(_AuditAdmin):
    """To be read only; `judge.classroom` has the page with filters."""

    list_display = ("at", "actor", "action", "subject")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        return False
