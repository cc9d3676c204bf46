"""Everybody with an account, and what role they have."""

from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from judge.accounts.audit import record
from judge.accounts.models import Action, Role, User
from judge.classroom.forms import RoleForm
from judge.classroom.roles import TeacherRequest, administrators_only

A_PAGE = 100


@administrators_only
@require_safe
def people(request: TeacherRequest) -> HttpResponse:
    """By name; `name` keeps those whose name contains it, `role` those who have it."""
    name, role = request.GET.get("name", "").strip(), request.GET.get("role", "")
    users = User.objects.order_by("username")
    if name:
        users = users.filter(username__icontains=name)
    if role in Role.values:
        users = users.filter(role=role)
    context = {
        "tab": "people",
        "people": Paginator(users, A_PAGE).get_page(request.GET.get("page")),
        "roles": Role,
        "name": name,
        "role": role,
    }
    return render(request, "classroom/people.html", context)


@administrators_only
@require_POST
def change_role(request: TeacherRequest, user_id: int) -> HttpResponse:
    """Gives somebody another role. Nobody changes their own, so an administrator is left whatever is clicked."""
    with transaction.atomic():
        user = get_object_or_404(User.objects.select_for_update(), pk=user_id)
        form = RoleForm(request.POST, user=user, by=request.user)
        if not form.is_valid():
            return render(request, "classroom/role_refused.html", {"tab": "people", "form": form}, status=400)
        old, new = user.role, form.cleaned_data["role"]
        if old != new:
            user.give_role(new)
            record(request.user, Action.ROLE, user, user.username, old=old, new=new)
    return redirect("people")
