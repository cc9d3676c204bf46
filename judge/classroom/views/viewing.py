"""Beginning and ending to see the site as a learner sees it."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from judge.accounts.audit import record
from judge.accounts.models import Action, Role, User
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.classroom.viewing import NEWCOMER, SESSION_KEY


@instructors_only
@require_POST
def view_as(request: TeacherRequest, user_id: int) -> HttpResponse:
    """As this learner; 0 is somebody new. `page` says where to begin."""
    if user_id != NEWCOMER:
        learner = get_object_or_404(User, pk=user_id, role=Role.LEARNER, is_active=True)
        record(request.user, Action.VIEWED, learner, learner.username)
    request.session[SESSION_KEY] = user_id
    return redirect(_page(request, settings.LOGIN_REDIRECT_URL))


@instructors_only
@require_POST
def stop_viewing(request: TeacherRequest) -> HttpResponse:
    request.session.pop(SESSION_KEY, None)
    return redirect(_page(request, "workspace"))


def _page(request: TeacherRequest, otherwise: str) -> str:
    wanted = request.POST.get("page", "")
    allowed = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if allowed else resolve_url(otherwise)
