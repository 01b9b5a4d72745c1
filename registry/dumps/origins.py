"""Where the rows of each table come from, so that a dump says under which terms each stands."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.conf import settings
from django.db.models import Count

from registry.core.http import site_address
from registry.dumps.manifest import SourceEntry
from registry.dumps.tables import TABLES, Table
from registry.results.models import Result, Source, UnnamedScores

#: What people put in here, and what ships with the product and was taken from nowhere.
HANDED_IN, OUR_OWN = "handed in", "Plumbline"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a table come from."""

    column: Annotated[str, "The path of the column whose texts name sources; the source is what names none."] = ""
    otherwise: Annotated[
        str, "The source of rows whose text names none that is known; blank where such a row says nothing."
    ] = ""
    named: Annotated[tuple[str, ...], "Sources of all its rows, as far as they are known."] = ()
    made_of: Annotated[tuple[str, ...], "Tables that it is made of."] = ()


_OF_PEOPLE = Origin(named=(HANDED_IN,))
_OF_FIGURES = Origin(made_of=("results", "topic_scores", "residual_variances", "lineages", "training", "suites"))
_COLLECTIONS = ("ir_datasets", "mteb", "castorini/anserini", "usnistgov/trec-browser", OUR_OWN)

#: Of every table; what the catalog was put together from is told in data/SOURCES.md.
ORIGINS: Mapping[str, Origin] = {
    "scores": Origin(made_of=("results", "papers", "models", "collections", "measures", "snapshots")),
    "entries": _OF_PEOPLE,
    "seals": Origin(named=(OUR_OWN,)),
    "sources": Origin(named=(OUR_OWN,)),
    "collections": Origin(named=_COLLECTIONS),
    "collection_aliases": Origin(named=_COLLECTIONS),
    "densities": Origin("source", OUR_OWN),
    "collection_links": Origin("source", OUR_OWN),
    "topics": Origin(made_of=("topic_scores",)),
    "measures": Origin(named=("ir-measures", OUR_OWN)),
    "measure_aliases": Origin(named=("ir-measures", OUR_OWN)),
    "questions": Origin(named=(OUR_OWN,)),
    "question_collections": Origin(named=(OUR_OWN,)),
    "question_measures": Origin(named=(OUR_OWN,)),
    "leaderboards": Origin(made_of=("collections", "measures", "results")),
    "residual_variances": Origin("sources", OUR_OWN),
    "papers": Origin("described_from", made_of=("results",)),
    "models": Origin("source", OUR_OWN),
    "systems": Origin(made_of=("results", "system_facts", "models")),
    "results": Origin("source", HANDED_IN),
    "topic_scores": Origin("result__source", HANDED_IN),
    "unnamed_scores": Origin("source"),
    "corrections": _OF_PEOPLE,
    "confirmations": _OF_PEOPLE,
    "lineages": Origin("source", OUR_OWN),
    "paper_links": Origin("source", OUR_OWN),
    "collection_papers": Origin("source", OUR_OWN),
    "system_facts": Origin("source", OUR_OWN),
    "training": Origin("source", OUR_OWN),
    "suites": Origin("source", OUR_OWN),
    "suite_members": Origin(made_of=("suites",)),
    "elsewhere": Origin(made_of=("results", "suites")),
    "snapshots": _OF_FIGURES,
    "analyses": _OF_FIGURES,
    "suite_analyses": _OF_FIGURES,
    "reference_sets": Origin(made_of=("results", "topic_scores")),
    "reference_set_members": Origin(made_of=("results",)),
    "resolutions": Origin(made_of=("topic_scores", "unnamed_scores")),
}


def table_sources() -> dict[str, list[str]]:
    """The names of the sources of each table that holds rows; of those made of others, the others'."""
    matrices = UnnamedScores.objects.order_by().values_list("source", flat=True)
    known = {*Source.objects.values_list("name", flat=True), *matrices}
    own = {table.name: _own_sources(table, known) for table in TABLES}
    found: dict[str, list[str]] = {}
    for table in TABLES:
        parts = [own[part] for part in (table.name, *ORIGINS[table.name].made_of)]
        found[table.name] = sorted(set().union(*parts)) if table.rows().exists() else []
    return found


def source_entries() -> list[SourceEntry]:
    """Every source that something may be from, with its terms, and how many results of it stand."""
    counts = dict(Result.objects.standing().values_list("source").annotate(Count("pk")))
    sources = [(one.name, one.what, one.address, one.licence, one.terms) for one in Source.objects.all()]
    listed = {name for name, *_ in sources}
    matrices = UnnamedScores.objects.exclude(source__in=listed).order_by("source", "licence")
    for name, licence in matrices.values_list("source", "licence").distinct():
        sources.append((name, "Topic scores of runs without names.", "", licence, ""))
    entries = [SourceEntry(*source, n_results=counts.pop(source[0], 0)) for source in sources]
    handed_in = "What people handed in here: results, each with its paper or address, and what they say and decide."
    shipped = "Names, questions, choices and descriptions that were written for Plumbline."
    return [
        *entries,
        SourceEntry(HANDED_IN, handed_in, site_address(), settings.SUBMITTED_LICENCE, "", sum(counts.values())),
        SourceEntry(OUR_OWN, shipped, "", "MIT", "", 0),
    ]


def _own_sources(table: Table, known: set[str]) -> set[str]:
    origin = ORIGINS[table.name]
    found = set(origin.named) & {*known, HANDED_IN, OUR_OWN}
    if origin.column:
        texts = table.rows().order_by().values_list(origin.column, flat=True).distinct()
        found |= set().union(*(_named_in(text, known) or {origin.otherwise} for text in _flat(texts))) - {""}
    return found


def _flat(texts: Iterable[Any]) -> Iterable[str]:
    for text in texts:
        yield from text if isinstance(text, list) else [text]


def _named_in(text: str, known: set[str]) -> set[str]:
    """The sources that a text names: the one that it is, or those that stand in it as whole names."""
    if text in known:
        return {text}
    return {name for name in known if re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", text)}
