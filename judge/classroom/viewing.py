"""Seeing the site as a learner sees it.

While somebody who teaches does, every page is made for that learner, and nothing can be changed: whatever is not a
plain look is refused. Only learners can be looked through, so that nobody gets more rights in this way. An unnamed
learner, who has done nothing yet, shows what a newcomer sees.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from judge.accounts.models import Role, User

SESSION_KEY = "viewing_as"
NEWCOMER = 0
"""In place of the key of a user: somebody new."""
_SAFE = ("GET", "HEAD", "OPTIONS")


def newcomer() -> User:
    """A learner who exists in no database."""
    return User(pk=NEWCOMER, username="a new learner", role=Role.LEARNER)


class ViewingMiddleware(MiddlewareMixin):
    """Puts the learner in the place of who looks. It stands behind Django's authentication."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Replaces the user, or refuses a change."""
        key = request.session.get(SESSION_KEY)
        if key is None:
            return None
        teacher = request.user
        learner = (
            newcomer() if key == NEWCOMER else User.objects.filter(pk=key, role=Role.LEARNER, is_active=True).first()
        )
        if not isinstance(teacher, User) or not teacher.teaches or learner is None:
            del request.session[SESSION_KEY]
            return None
        if request.path == reverse("stop-viewing"):
            return None
        request.user = learner
        request.viewed_by = teacher  # type: ignore[attr-defined]
        return None if request.method in _SAFE else _refuse(request)


def _refuse(request: HttpRequest) -> HttpResponse:
    words = f"You are looking at the site as {request.user.get_username()}: nothing is changed. Stop looking to go on."
    if request.content_type == "application/json" or request.headers.get("Accept") == "application/json":
        return JsonResponse({"error": {"code": "read_only", "message": words}}, status=403)
    return render(request, "classroom/read_only.html", {"message": words}, status=403)
