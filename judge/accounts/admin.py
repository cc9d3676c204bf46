from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from judge.accounts.models import User

if TYPE_CHECKING:
    _UserAdmin = UserAdmin[User]  # generic for type checkers only
else:
    _UserAdmin = UserAdmin


@admin.register(User)
class RoleAdmin(_UserAdmin):
    list_display = ("username", "role", "is_active", "last_login")
    list_filter = ("role", "is_active")
    fieldsets = (
        (None, {"fields": ("username", "password", "role")}),
        ("Access", {"fields": ("is_active", "is_staff", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
