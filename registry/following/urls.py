"""Addresses of following."""

from django.urls import path

from registry.following import views

app_name = "following"

urlpatterns = [
    path("following/stop/<str:token>/", views.digests_stop, name="digests-stop"),
    path("following/<slug:kind>/<int:pk>/", views.following_edit, name="following-edit"),
    path("accounts/following/", views.following_list, name="following-list"),
]
