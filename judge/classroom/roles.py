"""Who may see a page of the workspace. To others, signed in or not, it is as if the page did not exist."""

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, cast

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.cache import never_cache

from judge.accounts.models import User

P = ParamSpec("P")


class TeacherRequest(HttpRequest):
    """A request of somebody who may see the page."""

    user: User


_Guarded = Callable[Concatenate[TeacherRequest, P], HttpResponseBase]
_View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def instructors_only(view: _Guarded[P]) -> _View[P]:
    """For instructors and administrators; 404 to everybody else."""
    return _only(lambda user: user.teaches, view)


def administrators_only(view: _Guarded[P]) -> _View[P]:
    """For administrators; 404 to everybody else."""
    return _only(lambda user: user.administers, view)


def _only(may_see: Callable[[User], bool], view: _Guarded[P]) -> _View[P]:
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not isinstance(request.user, User) or not may_see(request.user):
            raise Http404
        return view(cast(TeacherRequest, request), *args, **kwargs)

    functools.update_wrapper(guarded, view)
    return never_cache(guarded)
