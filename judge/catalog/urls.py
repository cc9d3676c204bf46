from django.urls import path

from judge.catalog import views

urlpatterns = [
    path("", views.catalogue, name="catalogue"),
    path("problems/<slug:slug>/", views.problem_page, name="problem"),
    path("problems/<slug:slug>/notes/", views.notes_page, name="notes"),
]
