from django.contrib import admin
from django.urls import include, path

from judge import views
from judge.accounts.views import administration_sign_in

handler500 = "judge.outage.server_error"
urlpatterns = [
    path("", include("judge.catalog.urls")),
    path("", include("judge.submissions.urls")),
    path("", include("judge.operations.urls")),
    path("teach/", include("judge.classroom.urls")),
    path("accounts/", include("judge.accounts.urls")),
    path("help/", views.help_page, name="help"),
    path("healthz", views.healthz, name="healthz"),
    path("admin/login/", administration_sign_in),
    path("admin/", admin.site.urls),
]
