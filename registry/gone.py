"""Addresses that were: those that lead to what took their place, and those that answer 410 with where to look."""

from functools import partial

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from registry.core.views import gone

#: Where each page stood, and where its content stands now.
MOVED = {
    "results/<int:pk>/cautions/<slug:code>/": "/results/%(pk)s/",
    "results/<int:pk>/cautions/<slug:code>/answer/": "/results/%(pk)s/correct/",
    "results/<int:pk>/cautions/<slug:code>/decide/": "/results/%(pk)s/",
    "corrections/": "/log/corrections/",
    "check/best-of/": "/check/",
    "joins/": "/sources/",
    "systems/<str:slug>/standardized/": "/systems/%(slug)s/#results",
}

_STANDARDIZED = (
    "Scores on a fixed scale stand on the Standardized tab of a collection; "
    "z stands beside each result on a system's page."
)

_ERRANDS = "Requests are answered at once, or refused with the size that is taken."

#: Pages whose content no page has any longer, and a sentence that says what to use in their place.
GONE: dict[str, str] = {
    "cautions/answers/<int:pk>/withdraw/": "Notes on results are disputed on the page of the result.",
    "systems/<str:slug>/standardized.json": _STANDARDIZED,
    "api/v1/systems/<str:slug>/standardized/": _STANDARDIZED,
    "years<path:rest>": _STANDARDIZED,
    "api/v1/years/<int:year>/": _STANDARDIZED,
    "moderation/<uuid:pk>/unmask/": "Who handed a submission in stands on its page.",
    "submissions/<uuid:pk>/terms/": "Nothing is kept back any longer; say in a comment what the reviewer should know.",
    "errands/<path:rest>": _ERRANDS,
    "api/v1/errands/<str:id>/": _ERRANDS,
}

urlpatterns: list[URLPattern] = [
    *(
        path(old, RedirectView.as_view(url=new, permanent=True, query_string="#" not in new))
        for old, new in MOVED.items()
    ),
    *(path(old, partial(gone, advice=advice)) for old, advice in GONE.items()),
]
