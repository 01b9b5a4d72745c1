"""Reading about submissions: their history, those that may be accepted together, expected ranks, and suggestions."""

import re
import uuid
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from django.db.models import Count, QuerySet
from typing_extensions import TypedDict

from analysis.readers.columns import COLUMNS, FORMER_COLUMNS
from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import comparison_key, shorten
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import CatalogNames, names_of_scores
from registry.core.messages import say
from registry.core.templatetags.formatting import number_of
from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from registry.results.pipeline.rows import ResultRow
from registry.search.models import Thing
from registry.search.queries import page_of, read_search
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.pipeline.signals import read_boards

SUBJECT = "submission"
PUBLISHED = "submissions.submission.published"


def entries_of(submission: Submission) -> list[Entry]:
    """Return the journal entries of the submission, the oldest first."""
    entries = Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk))
    return list(entries.select_related("actor").order_by("pk"))


def published_entry(submission: Submission) -> Entry | None:
    """Return the entry of the public log for what the submission put on the record; None before that."""
    return Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk), action=PUBLISHED).first()


def changes_since(submission: Submission, version: int) -> list[str]:
    """Return in words who did what to the submission since this version."""
    entries = entries_of(submission)
    seen = [n for n, entry in enumerate(entries) if 0 < (entry.after or {}).get("version", 0) <= version]
    return [_in_words(entry) for entry in entries[max(seen, default=-1) + 1 :]]


def _in_words(entry: Entry) -> str:
    details = details_of(entry)
    return f"{entry.actor_name}: {what_was_done(entry)}" + (f" ({details})" if details else "")


def what_was_done(entry: Entry) -> str:
    """Return the action of an entry in words: submission returned, row changed 3."""
    action = entry.action.removeprefix("submissions.").replace(".", " ").replace("_", " ")
    line = (entry.after or {}).get("line")
    return f"{action} {line}" if line else action


def details_of(entry: Entry) -> str:
    """Return the first changed cells of a row, before and after; blank for other changes.

    They are in the order of columns in a file: PostgreSQL keeps no order of keys.
    """
    after = entry.after or {}
    if part := after.get("part"):
        return say("part-details", n=after["rows"], part=part[:8])
    if not after.get("line"):
        return ""
    before, after = ((facts or {}).get("cells") or {} for facts in (entry.before, entry.after))
    changed = [column for column in (*COLUMNS, *FORMER_COLUMNS) if before.get(column) != after.get(column)]
    return ", ".join(
        f"{column} {shorten(after.get(column, ''))!r} in place of {shorten(before.get(column, ''))!r}"
        for column in changed[:3]
    )


def find_agreeing(submissions: Iterable[Submission]) -> set[uuid.UUID]:
    """Find the submissions whose rows all repeat the record, or a score that another person has submitted."""
    columns = ("submission_id", "submission__contributor_id", "key", "outcome", "cells")
    rows = list(SubmittedRow.objects.filter(submission__in=submissions).order_by().values_list(*columns))
    others = SubmittedRow.objects.filter(submission__state__in=Submission.PENDING, key__in={row[2] for row in rows})
    read: dict[str, set[tuple[int, str, str]]] = defaultdict(set)
    for key, person, cells in others.order_by().values_list("key", "submission__contributor_id", "cells"):
        read[key].add((person, cells.get("value", ""), cells.get("unit", "")))
    agreeing: dict[uuid.UUID, bool] = {}
    for submission, person, key, outcome, cells in rows:
        score = (cells.get("value", ""), cells.get("unit", ""))
        is_read = bool(key) and any(other[0] != person and other[1:] == score for other in read[key])
        is_same = outcome == SubmittedRow.Outcome.SAME
        agreeing[submission] = agreeing.get(submission, True) and (is_same or is_read)
    return {submission for submission, is_agreeing in agreeing.items() if is_agreeing}


#: A line of a file in a repository, as a source with the place in it, or as an address on GitHub.
_LINE = re.compile(r"(?:https?://github\.com/)?([\w.\-]+/[\w.\-]+)(?:/blob/[^/\s]+/| )(\S.*#L[0-9]+)")


def find_cited(submissions: Iterable[Submission]) -> set[uuid.UUID]:
    """Find the submissions whose rows all have the score on record from the same line of a repository."""
    citations: dict[uuid.UUID, list[tuple[str, str, int, int, float] | None]] = defaultdict(list)
    for row in SubmittedRow.objects.filter(submission__in=submissions).order_by():
        match = _LINE.fullmatch(" ".join(filter(None, (row.cells.get(name) for name in ("source", "locator")))))
        parsed = row.parsed() if match else None
        citations[row.submission_id].append(
            (match[1], match[2], parsed.collection_id, parsed.measure_id, parsed.score.value)
            if match and parsed
            else None
        )
    cited = [citation for of_submission in citations.values() for citation in of_submission if citation]
    recorded = Result.objects.standing().filter(
        source__in={source for source, *_ in cited}, locator__in={locator for _, locator, *_ in cited}
    )
    columns = ("source", "locator", "leaderboard__collection", "leaderboard__measure", "value")
    known = set(recorded.order_by().values_list(*columns))
    return {submission for submission, of_submission in citations.items() if known.issuperset(of_submission)}


class PlaceShown(TypedDict):
    """Where a score would stand among the counted results, if all rows were published."""

    rank: int
    n_results: Annotated[int, "Itself included."]


def find_ranks(rows: Iterable[SubmittedRow]) -> dict[int, PlaceShown]:
    """Return the expected rank of the checked rows that would count, by line, as if all of them were published.

    Equal scores share a rank.
    """
    pairs = [(parsed, row.existing_id) for row in rows if (parsed := row.parsed()) and _counts(parsed)]
    replaced, counting = {existing for _, existing in pairs}, [parsed for parsed, _ in pairs]
    boards = read_boards({(parsed.collection_id, parsed.measure_id) for parsed in counting})
    values = {
        pair: [recorded.value for recorded in board.ordered if recorded.is_counted and recorded.id not in replaced]
        for pair, board in boards.items()
    }
    for parsed in counting:
        insort(values[parsed.collection_id, parsed.measure_id], parsed.score.value)
    lower_is_better = set(Measure.objects.filter(higher_is_better=False).values_list("pk", flat=True))
    return {
        parsed.line: _rank(parsed, values[parsed.collection_id, parsed.measure_id], lower_is_better)
        for parsed in counting
    }


def _rank(row: ResultRow, values: list[float], lower_is_better: Container[int]) -> PlaceShown:
    value, n = row.score.value, len(values)
    n_better = bisect_left(values, value) if row.measure_id in lower_is_better else n - bisect_right(values, value)
    return {"rank": n_better + 1, "n_results": n}


def _counts(row: ResultRow) -> bool:
    """Return whether the row is a counted result (``ResultQuerySet.counted``)."""
    is_standard = row.comparability == Result.Comparability.STANDARD
    return row.role in Result.COUNTED_ROLES and is_standard and not row.replicate_of


N_SUGGESTIONS = 8
Row = TypeVar("Row", System, Paper)


@dataclass(frozen=True, slots=True)
class Typed:
    """Suggestions for what was typed so far; and whether that is one name already, with nothing left to choose."""

    suggestions: list[Candidate]
    is_told: bool = False


def read_typed(kind: str, text: str, *, collection: str = "") -> Typed:
    """Return up to eight names of a kind: collection, measure, system or paper; what ``collection`` has comes first."""
    return _KINDS[kind](text.replace("\0", ""), collection)


def suggest(kind: str, text: str, *, collection: str = "") -> list[Candidate]:
    """Return the names that ``read_typed`` finds."""
    return read_typed(kind, text, collection=collection).suggestions


def _suggest_collections(text: str, _: str) -> Typed:
    names = CatalogNames()
    collections = names.collections_like(text, N_SUGGESTIONS, weights=_n_boards("collection"))
    suggestions = [Candidate(row.slug, row.name, _about_collection(row)) for row in collections]
    return _candidates_first(lambda: names.collection(text), suggestions)


def _candidates_first(find: Callable[[], object], suggestions: Sequence[Candidate]) -> Typed:
    """Return the suggestions after the candidates of an ambiguous name, each with what tells it from the others."""
    try:
        find()
    except Refused as refused:
        candidates = {
            candidate.value: Candidate(candidate.value, candidate.label, candidate.detail)
            for candidate in refused.candidates
        }
        others = (suggestion for suggestion in suggestions if suggestion.value not in candidates)
        return Typed([*candidates.values(), *others][:N_SUGGESTIONS])
    return Typed(list(suggestions), is_told=True)


def _n_boards(column: str) -> dict[int, int]:
    """Return the number of leaderboards of each collection or measure."""
    return dict(Leaderboard.objects.values_list(column).annotate(Count("pk")))


def _about_collection(row: Collection) -> str:
    topics = number_of(row.n_topics, "topic", "topics") if row.n_topics else ""
    suite = row.suite if row.suite and row.suite not in row.name else ""
    return ", ".join(filter(None, [suite, topics]))


def _suggest_measures(text: str, collection: str) -> Typed:
    names, weights = names_of_scores(), _n_boards("measure")
    collections = names.collections(collection)
    boards = Leaderboard.objects.filter(collection__in=collections, results_version__gt=0)
    used = set(boards.values_list("measure_id", flat=True)) if collection else set()
    # Measures recorded on the collection come first, and are the only ones before anything is typed.
    if not text.strip() and used:
        measures = [row for row in names.measures_like("", len(weights), weights=weights) if row.pk in used]
    else:
        measures = names.measures_like(text, N_SUGGESTIONS, weights=weights)
        called = {row.pk for row in names.measures(text)}
        measures.sort(key=lambda row: (row.pk not in called, row.pk not in used))
    suggestions = [Candidate(row.name, row.name, row.long_name) for row in measures[:N_SUGGESTIONS]]
    only = collections[0] if len(collections) == 1 else None
    return _candidates_first(lambda: names.measure(text, on=only), suggestions)


def _suggest_systems(text: str, _: str) -> Typed:
    systems = _search(System.objects.all(), Thing.Kind.SYSTEM, text)
    suggestions = [
        Candidate(system.name, system.name, f"by {system.team}" if system.team else "", {"team": system.team})
        for system in systems
    ]
    # Two teams may have a system of one name.
    return Typed(suggestions, is_told=sum(system.name_key == comparison_key(text) for system in systems) == 1)


def _suggest_papers(text: str, _: str) -> Typed:
    papers = _search(Paper.objects.all(), Thing.Kind.PAPER, text)
    suggestions = [
        Candidate(f"{paper.cite} {paper.url}".strip(), str(paper), paper.title or paper.url) for paper in papers
    ]
    key = comparison_key(text)
    return Typed(suggestions, is_told=any(comparison_key(suggestion.value) == key for suggestion in suggestions))


def _search(rows: "QuerySet[Row]", kind: str, text: str) -> "list[Row]":
    """Return the rows of a kind that the search of the site finds, the best first."""
    ids = [thing.object_id for thing in page_of(read_search(text), kind, 0, N_SUGGESTIONS)]
    by_id = rows.in_bulk(ids)
    return [by_id[pk] for pk in ids if pk in by_id]


_KINDS = {
    "collection": _suggest_collections,
    "measure": _suggest_measures,
    "system": _suggest_systems,
    "paper": _suggest_papers,
}
KINDS: Sequence[str] = tuple(_KINDS)
