"""One's account, people, and their administration. What is not here under /accounts/ is allauth's."""

from django.urls import path

from registry.accounts import views

app_name = "accounts"

urlpatterns = [
    path("accounts/", views.account_detail, name="account-detail"),
    path("accounts/tokens/", views.token_list, name="token-list"),
    path("accounts/tokens/<int:pk>/revoke/", views.token_revoke, name="token-revoke"),
    path("accounts/sessions/end/", views.sessions_end, name="sessions-end"),
    path("accounts/export/", views.account_export, name="account-export"),
    path("accounts/delete/", views.account_delete, name="account-delete"),
    path("accounts/people/", views.user_list, name="user-list"),
    path("accounts/people/<str:username>/", views.user_edit, name="user-edit"),
    path("people/<str:username>/", views.person_detail, name="person-detail"),
]
