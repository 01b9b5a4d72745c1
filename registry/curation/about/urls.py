"""Addresses of what is to be known of the data as a whole."""

from registry.curation.about.views import JOINS, SOURCES

app_name = "about"

urlpatterns = [*SOURCES.paths("sources", "sources"), *JOINS.paths("joins", "joins")]
