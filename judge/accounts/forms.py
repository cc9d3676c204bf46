from typing import TYPE_CHECKING, Any

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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """With help that says what to do; what is refused after all is said by Django's validators."""
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = "Letters, digits and @ . + - _"
        self.fields["password1"].help_text = "At least 8 characters: not only digits, and nothing that is easy to guess"
        self.fields["password2"].help_text = "The same once more"
