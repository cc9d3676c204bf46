from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from judge.accounts.forms import SignUpForm
from judge.accounts.throttle import SIGN_UPS, SignIns, client_address


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """A new account, signed in at once."""
    if request.user.is_authenticated:
        return redirect(next_page(request))
    refused = request.method == "POST" and SIGN_UPS.is_reached(client_address(request))
    form = SignUpForm(None if refused else request.POST or None)
    if request.method == "POST" and not refused and form.is_valid():
        SIGN_UPS.count(client_address(request))
        login(request, form.save())
        return redirect(next_page(request))
    context = {"form": form, "next": next_page(request), "refused": refused}
    return render(request, "accounts/sign_up.html", context, status=429 if refused else 200)


class SignIn(LoginView):
    """Django's, with a limit on failures; while it is reached, no password is looked at."""

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        failures = SignIns(request)
        if failures.are_too_many:
            context = self.get_context_data(form=AuthenticationForm(request), refused=True)
            return self.render_to_response(context, status=429)
        response = super().post(request, *args, **kwargs)
        if request.user.is_authenticated:
            failures.forget()
        else:
            failures.count_failure()
        return response


def administration_sign_in(request: HttpRequest) -> HttpResponse:
    """The administration has no sign-in of its own: there is one door, with one limit."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next") or resolve_url("admin:index"))


def next_page(request: HttpRequest) -> str:
    """Where `next` asks to go, if that is on this site; else the catalogue."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return resolve_url(settings.LOGIN_REDIRECT_URL)
