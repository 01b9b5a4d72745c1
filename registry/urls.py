"""Every address of the site; docs/architecture.md has the table."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

handler404 = "registry.core.views.not_found"

urlpatterns = [
    path("", include("registry.leaderboards.urls")),
    path("", include("registry.results.urls")),
    path("", include("registry.core.urls")),
    path("", include("registry.catalog.urls")),
    path("", include("registry.accounts.urls")),
    path("", include("registry.submissions.urls")),
    path("", include("registry.following.urls")),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("registry.api.urls")),
    path("admin/login/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("admin/", admin.site.urls),
]
