from django.urls import path

from judge.operations import views

urlpatterns = [
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics_page, name="metrics"),
    path("status/", views.status, name="status"),
]
