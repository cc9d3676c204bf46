from typing import Any

from django import forms

from judge.accounts.models import Role, User


class RoleForm(forms.Form):
    """Another role for `user`, given by `by`."""

    role = forms.ChoiceField(choices=Role)

    def __init__(self, *args: Any, user: User, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        self._by = by

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self._user == self._by:
            raise forms.ValidationError("Nobody changes their own role. Ask another administrator.")
        return cleaned
