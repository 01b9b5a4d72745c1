"""What was done with a submission, how many rows are what, where they would stand, and what is like what is typed."""

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
    """Return what was done with the submission, the oldest first."""
    entries = Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk))
    return list(entries.select_related("actor").order_by("pk"))


def published_entry(submission: Submission) -> Entry | None:
    """The entry of the public log with everything that the submission put on the record; None before that."""
    return Entry.objects.filter(subject_type=SUBJECT, subject_id=str(submission.pk), action=PUBLISHED).first()


def changes_since(submission: Submission, version: int) -> list[str]:
    """Return who did what to the submission since it was in this version, in words."""
    entries = entries_of(submission)
    known = [n for n, entry in enumerate(entries) if 0 < (entry.after or {}).get("version", 0) <= version]
    return [_in_words(entry) for entry in entries[max(known, default=-1) + 1 :]]


def _in_words(entry: Entry) -> str:
    details = details_of(entry)
    return f"{entry.actor_name}: {what_was_done(entry)}" + (f" ({details})" if details else "")


def what_was_done(entry: Entry) -> str:
    """Return what an entry is about: submission returned, row changed 3."""
    what = entry.action.removeprefix("submissions.").replace(".", " ").replace("_", " ")
    line = (entry.after or {}).get("line")
    return f"{what} {line}" if line else what


def details_of(entry: Entry) -> str:
    """Return what stood in the first cells of a row that were changed, and what stands there now; else blank.

    First by the order of columns in a file: PostgreSQL keeps no order of keys.
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
    """Find the submissions of which each row says what stands, or what another person handed in with the same score."""
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


#: A line of a file in a repository, as a source and the place in it say it, or as an address on GitHub.
_LINE = re.compile(r"(?:https?://github\.com/)?([\w.\-]+/[\w.\-]+)(?:/blob/[^/\s]+/| )(\S.*#L[0-9]+)")


def find_cited(submissions: Iterable[Submission]) -> set[uuid.UUID]:
    """Find the submissions of which each row has the score that stands on record from the same line of a repository,
    on the same leaderboard."""
    rows = SubmittedRow.objects.filter(submission__in=submissions).order_by()
    told: dict[uuid.UUID, list[tuple[str, str, ResultRow] | None]] = defaultdict(list)
    for row in rows:
        match = _LINE.fullmatch(" ".join(filter(None, (row.cells.get(name) for name in ("source", "locator")))))
        said = row.said() if match else None
        told[row.submission_id].append((match[1], match[2], said) if match and said else None)
    lines = {one[:2] for some in told.values() for one in some if one}
    recorded = Result.objects.standing().filter(
        source__in={source for source, _ in lines}, locator__in={locator for _, locator in lines}
    )
    columns = ("source", "locator", "leaderboard__collection", "leaderboard__measure", "value")
    known = set(recorded.order_by().values_list(*columns))
    return {
        submission
        for submission, some in told.items()
        if all(one and (*one[:2], one[2].collection_id, one[2].measure_id, one[2].score.value) in known for one in some)
    }


class PlaceShown(TypedDict):
    """Where a score would stand among the counted results, if all rows were published."""

    rank: int
    n_results: Annotated[int, "Itself included."]


def find_ranks(rows: Iterable[SubmittedRow]) -> dict[int, PlaceShown]:
    """Return where the checked rows that would count would stand if all of them were published, by line; equal
    ones share a rank."""
    pairs = [(said, row.existing_id) for row in rows if (said := row.said()) and _counts(said)]
    replaced, counting = {existing for _, existing in pairs}, [said for said, _ in pairs]
    boards = read_boards({(one.collection_id, one.measure_id) for one in counting})
    values = {
        pair: [one.value for one in board.ordered if one.is_counted and one.id not in replaced]
        for pair, board in boards.items()
    }
    for one in counting:
        insort(values[one.collection_id, one.measure_id], one.score.value)
    lower_is_better = set(Measure.objects.filter(higher_is_better=False).values_list("pk", flat=True))
    return {one.line: _rank(one, values[one.collection_id, one.measure_id], lower_is_better) for one in counting}


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
    """What may be meant by what was typed so far; and whether that is one name already, with nothing left to choose."""

    suggestions: list[Candidate]
    is_told: bool = False


def read_typed(kind: str, text: str, *, collection: str = "") -> Typed:
    """Up to eight names of this kind: collection, measure, system or paper. What ``collection`` has comes first."""
    return _KINDS[kind](text.replace("\0", ""), collection)


def suggest(kind: str, text: str, *, collection: str = "") -> list[Candidate]:
    """The names that ``read_typed`` finds."""
    return read_typed(kind, text, collection=collection).suggestions


def _suggest_collections(text: str, _: str) -> Typed:
    names = CatalogNames()
    found = names.collections_like(text, N_SUGGESTIONS, weights=_n_boards("collection"))
    suggestions = [Candidate(row.slug, row.name, _about_collection(row)) for row in found]
    return _asked_first(lambda: names.collection(text), suggestions)


def _asked_first(find: Callable[[], object], suggestions: Sequence[Candidate]) -> Typed:
    """The suggestions behind the candidates of an ambiguous name, each of those with what tells it from the others."""
    try:
        find()
    except Refused as refused:
        asked = {
            candidate.value: Candidate(candidate.value, candidate.label, candidate.detail)
            for candidate in refused.candidates
        }
        others = (suggestion for suggestion in suggestions if suggestion.value not in asked)
        return Typed([*asked.values(), *others][:N_SUGGESTIONS])
    return Typed(list(suggestions), is_told=True)


def _n_boards(column: str) -> dict[int, int]:
    """Return how many leaderboards each collection, or each measure, has."""
    return dict(Leaderboard.objects.values_list(column).annotate(Count("pk")))


def _about_collection(row: Collection) -> str:
    topics = number_of(row.n_topics, "topic", "topics") if row.n_topics else ""
    suite = row.suite if row.suite and row.suite not in row.name else ""
    return ", ".join(filter(None, [suite, topics]))


def _suggest_measures(text: str, collection: str) -> Typed:
    names, weights = names_of_scores(), _n_boards("measure")
    boards = Leaderboard.objects.filter(collection__in=names.collections(collection), results_version__gt=0)
    used = set(boards.values_list("measure_id", flat=True)) if collection else set()
    # What is recorded on the collection stands first, and is all that is offered before anything is typed.
    if not text.strip() and used:
        found = [row for row in names.measures_like("", len(weights), weights=weights) if row.pk in used]
    else:
        found = names.measures_like(text, N_SUGGESTIONS, weights=weights)
        called = {row.pk for row in names.measures(text)}
        found.sort(key=lambda row: (row.pk not in called, row.pk not in used))
    suggestions = [Candidate(row.name, row.name, row.long_name) for row in found[:N_SUGGESTIONS]]
    return _asked_first(lambda: names.measure(text, on=_only(names.collections(collection))), suggestions)


def _only(rows: Sequence[Collection]) -> Collection | None:
    return rows[0] if len(rows) == 1 else None


def _suggest_systems(text: str, _: str) -> Typed:
    chosen = _found(System.objects.all(), Thing.Kind.SYSTEM, text)
    suggestions = [
        Candidate(system.name, system.name, f"by {system.team}" if system.team else "", {"team": system.team})
        for system in chosen
    ]
    # Two teams may have a system of one name.
    return Typed(suggestions, is_told=sum(system.name_key == comparison_key(text) for system in chosen) == 1)


def _suggest_papers(text: str, _: str) -> Typed:
    papers = _found(Paper.objects.all(), Thing.Kind.PAPER, text)
    suggestions = [
        Candidate(f"{paper.cite} {paper.url}".strip(), str(paper), paper.title or paper.url) for paper in papers
    ]
    key = comparison_key(text)
    return Typed(suggestions, is_told=any(comparison_key(suggestion.value) == key for suggestion in suggestions))


def _found(rows: "QuerySet[Row]", kind: str, text: str) -> "list[Row]":
    """Return the rows of this kind that the site's search finds, the best first."""
    found = [thing.object_id for thing in page_of(read_search(text), kind, 0, N_SUGGESTIONS)]
    by_id = rows.in_bulk(found)
    return [by_id[pk] for pk in found if pk in by_id]


_KINDS = {
    "collection": _suggest_collections,
    "measure": _suggest_measures,
    "system": _suggest_systems,
    "paper": _suggest_papers,
}
KINDS: Sequence[str] = tuple(_KINDS)
