"""Addresses that were: those that lead to what took their place, and those that answer 410 with where to look."""

from functools import partial

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from registry.core.views import gone

_BOARD, _BOARD_NOW = "leaderboards/<str:collection>/<str:measure>", "/leaderboards/%(collection)s/%(measure)s"

#: Former addresses of pages, and where their content is now.
MOVED = {
    "results/<int:pk>/cautions/<slug:code>/": "/results/%(pk)s/",
    "results/<int:pk>/cautions/<slug:code>/answer/": "/results/%(pk)s/correct/",
    "results/<int:pk>/cautions/<slug:code>/decide/": "/results/%(pk)s/",
    "papers/<str:slug>/retraction/": "/papers/%(slug)s/correct/",
    "systems/<str:slug>/lineage/": "/systems/%(slug)s/#family",
    "corrections/": "/log/corrections/",
    "check/best-of/": "/check/",
    "compare/topics/": "/compare/",
    "joins/": "/sources/",
    "submit/table/": "/submit/",
    f"{_BOARD}/executions/": f"{_BOARD_NOW}/pairs/",
    f"{_BOARD}/topics/<path:label>/": f"{_BOARD_NOW}/topics/",
    "runs/<str:key>/executions/": "/runs/%(key)s/",
    "methods/scoreboard/": "/methods/calibration/#predictions",
    "systems/<str:slug>/standardized/": "/systems/%(slug)s/#results",
    "suites<path:rest>": "/benchmarks%(rest)s",
}

_EXECUTIONS = "Executions of a system are on the page of each pair that it is in."
_TOPIC = "A topic stands among all topics of its leaderboard, below topics/, and in each pair of systems."
_DECISIONS = "What is decided on lineages stands in the file data/decisions.csv; manage.py load_decisions reads it."
_ODDITIES = "manage.py check_record --possible lists possible errors; correct results on their pages."

_STANDARDIZED = (
    "Scores on a fixed scale stand on the Standardized tab of a collection; "
    "z stands beside each result on a system's page."
)

_FEEDS = "Every leaderboard, benchmark, model, system, paper and search has an Atom feed: add .atom to its address."
_ERRANDS = "Requests are answered at once, or refused with the size that is taken."
_UPDATES = (
    "What sources print anew is a change of the files in data/: "
    "manage.py import_upstream writes it, and it is reviewed as a pull request."
)
_CHANGES = "The changelog says what each version of the methods changed; a snapshot names the version that made it."
_FIGURES = (
    "Figures of papers are drawn of collections on record, below /methods/papers/; "
    "the library draws them of any scores (analysis.papers)."
)
_SCOREBOARD = "Verdicts scored by later evidence are on the page about calibration."

#: Pages without a successor, each with a sentence that says what to use instead.
GONE: dict[str, str] = {
    "papers/<str:slug>/authors/": "ORCID iDs of authors stand in data/papers.csv.",
    "papers/<str:slug>/significance/": "Whether a paper tests for significance stands in data/papers.csv.",
    "lineages/decide/": _DECISIONS,
    "lineages/decisions/<int:pk>/take-back/": _DECISIONS,
    "oddities/": _ODDITIES,
    "oddities/<int:pk>/decide/": _ODDITIES,
    "joins.csv": "The page of sources says how far the results of each lead.",
    "joins.json": "The page of sources says how far the results of each lead.",
    "cautions/answers/<int:pk>/withdraw/": "Notes on results are disputed on the page of the result.",
    f"{_BOARD}/executions.json": _EXECUTIONS,
    f"{_BOARD}/topics/<path:label>.json": _TOPIC,
    f"{_BOARD}/topics/<path:label>.csv": _TOPIC,
    f"api/v1/{_BOARD}/executions/": _EXECUTIONS,
    f"api/v1/{_BOARD}/topics/<path:label>/": _TOPIC,
    "methods/changes<path:rest>": _CHANGES,
    "methods/scoreboard.<str:suffix>": _SCOREBOARD,
    "docs/wording/": "What pages say stands in their templates; docs/glossary.md explains its words.",
    "-/style/": "What pages are made of stands in the folders templates and static of the repository.",
    "systems/<str:slug>/standardized.json": _STANDARDIZED,
    "api/v1/systems/<str:slug>/standardized/": _STANDARDIZED,
    "years<path:rest>": _STANDARDIZED,
    "api/v1/years/<int:year>/": _STANDARDIZED,
    "submit/standing/": "Where a score would stand is shown beside each row of a draft, and by the API with dry_run.",
    "moderation/papers/": "manage.py load_papers records the papers of a whole BibTeX file.",
    "updates<path:rest>": _UPDATES,
    "updates.atom": _UPDATES,
    "moderation/<uuid:pk>/unmask/": "A submission's page names who sent it.",
    "submissions/<uuid:pk>/progress.json": "All rows of a submission are checked when they come.",
    "submissions/<uuid:pk>/check/": "All rows of a submission are checked when they come.",
    "submissions/<uuid:pk>/terms/": "Nothing is kept back any longer; say in a comment what the reviewer should know.",
    "accounts/following/": _FEEDS,
    "following/<path:rest>": _FEEDS,
    "accounts/kept-form/": "Forms are no longer kept here: one that needs you signed in is handed back, filled.",
    "runs/<str:key>/executions/figure/": _FIGURES,
    "runs/<str:key>/studies/<int:pk>/figures/<path:rest>": _FIGURES,
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
