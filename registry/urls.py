"""Every address of the site; docs/architecture.md has the table."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from registry.catalog.views import name_with_slashes
from registry.core.http import FILE_SUFFIXES
from registry.results.views.pages import by_number

handler404 = "registry.search.views.not_found"
handler500 = "registry.core.views.server_error"

urlpatterns = [
    # Former addresses of systems and papers, by their numbers: pages, files beside them, forms, and the API.
    re_path(r"^(?:api/v1/)?(?P<kind>system|paper)s/(?P<pk>[0-9]{1,18})(?P<rest>/.*|\.(bib|ris|json|atom))$", by_number),
    path("", include("registry.gone")),
    path("", include("registry.leaderboards.urls")),
    path("", include("registry.tools.urls")),
    path("", include("registry.search.urls")),
    path("", include("registry.dumps.urls")),
    path("", include("registry.runs.urls")),
    path("", include("registry.curation.urls")),
    path("", include("registry.results.urls")),
    path("", include("registry.core.urls")),
    path("", include("registry.catalog.urls")),
    path("", include("registry.accounts.urls")),
    path("", include("registry.submissions.urls")),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("registry.api.urls")),
    path("admin/login/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("admin/", admin.site.urls),
    # After all others: names of collections that contain slashes.
    re_path(r"^(?:api/v1/)?(?:collections|leaderboards)/(?P<path>[^/]+/.+/)$", name_with_slashes),
    re_path(
        rf"^(?:collections|leaderboards)/(?P<path>[^/]+/.+?)(?P<suffix>(?:\.croissant)?\.(?:{'|'.join(FILE_SUFFIXES)}))$",
        name_with_slashes,
    ),
]
