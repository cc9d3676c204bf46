from django.urls import path

from judge.catalog import views

urlpatterns = [
    path("", views.catalogue, name="catalogue"),
    path("problems/<slug:slug>/", views.problem_page, name="problem"),
    path("problems/<slug:slug>/labs/", views.labs_page, name="labs"),
    path("problems/<slug:slug>/labs/<slug:name>/", views.lab_page, name="lab"),
    path("problems/<slug:slug>/notes/", views.notes_page, name="notes"),
]
