"""What the audit says. It has no page that changes it."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judge.accounts.models import Action, AuditEntry
from judge.classroom.roles import TeacherRequest, administrators_only

A_PAGE = 100


@administrators_only
@require_safe
def audit(request: TeacherRequest) -> HttpResponse:
    """The newest first; `who` and `what` keep those of one person or of one action."""
    who, what = request.GET.get("who", "").strip(), request.GET.get("what", "")
    entries = AuditEntry.objects.all()
    if who:
        entries = entries.filter(actor=who)
    if what in Action.values:
        entries = entries.filter(action=what)
    context = {
        "tab": "audit",
        "entries": Paginator(entries, A_PAGE).get_page(request.GET.get("page")),
        "actions": Action,
        "who": who,
        "what": what,
    }
    return render(request, "classroom/audit.html", context)
