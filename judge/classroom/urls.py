from django.urls import path

from judge.classroom.views import audit, people, workspace

urlpatterns = [
    path("", workspace.home, name="workspace"),
    path("audit/", audit.audit, name="audit"),
    path("people/", people.people, name="people"),
    path("people/<int:user_id>/role/", people.change_role, name="role"),
]
