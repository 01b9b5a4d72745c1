"""Addresses that were: those that lead to what took their place, and those that answer 410 with where to look."""

import csv
from functools import partial
from pathlib import Path

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from registry.core.views import gone

with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    _ROWS = list(csv.DictReader(_file))

#: Former addresses of pages, and where their content is now.
MOVED = {row["address"]: row["now"] for row in _ROWS if row["now"]}
#: Pages without a successor, each with a sentence that says what to use instead.
GONE = {row["address"]: row["advice"] for row in _ROWS if row["advice"]}

urlpatterns: list[URLPattern] = [
    *(
        path(old, RedirectView.as_view(url=new, permanent=True, query_string="#" not in new))
        for old, new in MOVED.items()
    ),
    *(path(old, partial(gone, advice=advice)) for old, advice in GONE.items()),
]
