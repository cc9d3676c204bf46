from typing import TYPE_CHECKING

from django.contrib.auth.forms import UserCreationForm

from judge.accounts.models import User

if TYPE_CHECKING:
    _UserForm = UserCreationForm[User]  # generic for type checkers only
else:
    _UserForm = UserCreationForm


class SignUpForm(_UserForm):
    class Meta:
        model = User
        fields = ("username",)
