from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from judge.accounts import views

urlpatterns = [
    path("sign-up/", views.sign_up, name="sign-up"),
    path(
        "sign-in/",
        LoginView.as_view(template_name="accounts/sign_in.html", redirect_authenticated_user=True),
        name="sign-in",
    ),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]
