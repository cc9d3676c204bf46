from django.urls import path

from judge.submissions import views

urlpatterns = [
    path("problems/<slug:slug>/draft/", views.draft, name="draft"),
    path("problems/<slug:slug>/submissions/", views.submissions, name="submissions"),
    path("submissions/<uuid:submission_id>/", views.report_page, name="report"),
    path("submissions/<uuid:submission_id>/state/", views.report_state, name="report-state"),
]
