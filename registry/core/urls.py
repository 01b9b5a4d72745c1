"""Methods, documents, and the health of the site."""

from django.urls import path, re_path

from registry.core import views

app_name = "core"

urlpatterns = [
    path("methods/", views.method_detail, name="method-list"),
    path("methods/<slug:name>/", views.method_detail, name="method-detail"),
    path("contact/", views.contact, name="contact"),
    path("-/health/", views.health, name="health"),
    # With a slash or without, as monitors follow no redirect.
    re_path(r"^-/health/live/?$", views.health_live, name="health-live"),
    re_path(r"^-/health/ready/?$", views.health_ready, name="health-ready"),
    re_path(r"^-/metrics/?$", views.metrics, name="metrics"),
    path("docs/", views.document_detail, name="document-list"),
    path("docs/<slug:name>/", views.document_detail, name="document-detail"),
]
