"""Results, systems and papers as answers for programs show them; scores that contradict each other.

Ended results keep their values, with the reason of the end.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from typing_extensions import TypedDict

from analysis.readers.numbers import PrintedScore
from registry.catalog.documents import LeaderboardBrief, describe_leaderboard
from registry.core.documents import Day, Moment, document_of
from registry.core.loading import shipped_rows
from registry.journal.models import Entry
from registry.results.models import EARNED, Paper, Result, Source, System

Status = Literal["standing", "superseded", "withdrawn"]


class SystemBrief(TypedDict):
    """A system as results mention it."""

    id: int
    slug: Annotated[str, "Its slug, the same on every site."]
    name: str
    team: str
    url: Annotated[str, "Path of its page on this site."]


class PaperBrief(TypedDict):
    """A paper as results mention it."""

    id: int
    slug: Annotated[str, "Its slug, the same on every site."]
    cite: str
    year: int | None
    url: Annotated[str, "Path of its page on this site."]


class EntryDocument(TypedDict):
    """An entry of the journal: who changed what, why."""

    action: Annotated[str, "Dotted and past tense."]
    subject: str
    actor: str
    reason: str


class EndDocument(TypedDict):
    """When and why a result left the record."""

    at: Moment
    superseded_by: Annotated[int | None, "The result that took its place."]
    entry: EntryDocument


class VersionDocument(TypedDict):
    """A result in one of its versions."""

    id: int
    value: float
    printed: str
    unit: Annotated[Annotated[str, Result.Unit], "What `printed` is in: percent, or blank as its measure."]
    recorded: Moment
    entry: EntryDocument
    status: Status
    ended: EndDocument | None


class ResultDocument(TypedDict):
    """A system's mean score on a leaderboard, as printed. What was withdrawn or superseded keeps its values."""

    id: int
    leaderboard: LeaderboardBrief
    system: SystemBrief
    paper: PaperBrief | None
    value: float
    printed: Annotated[str, "The score exactly as its source gives it."]
    unit: Annotated[Annotated[str, Result.Unit], "What `printed` is in: percent, or blank as its measure."]
    year: int | None
    date: Day | None
    role: Annotated[str, Result.Role]
    run_type: Annotated[str, Result.RunType]
    provenance: Annotated[str, Result.Provenance]
    is_disputed: Annotated[bool, "The score is disputed; no curator has decided yet."]
    comparability: Annotated[str, Result.Comparability]
    replicate_of: Annotated[int | None, "The result that this is another execution of."]
    n_topics: Annotated[int | None, "Topics behind this mean, where not the leaderboard's."]
    is_self_reported: Annotated[bool, "Nobody but who made the system ran it."]
    evaluator: Annotated[str, "The program that computed it, with its version; blank where nobody said."]
    dataset_revision: Annotated[str, "The commit or version of the data set that was evaluated; blank if unknown."]
    source: Annotated[str, "Where the figure was taken from."]
    locator: Annotated[str, "Where in the source."]
    source_url: Annotated[
        str, "Where the figure can be seen: that place, in the state that was read; blank where nobody said."
    ]
    notes: str
    recorded: Moment
    status: Status
    ended: EndDocument | None


class ResultWithHistory(ResultDocument):
    """A result with everything that was ever recorded as it."""

    history: Annotated[list[VersionDocument], "Every version of this result, the oldest first."]


class PageOfResults(TypedDict):
    """A page of results."""

    count: Annotated[int, "Results, on all pages, ended ones included."]
    next_page: Annotated[str | None, "Token for `page`; null on the last one."]
    results: list[ResultDocument]


class SystemName(TypedDict):
    """What a system was called."""

    name: str
    team: str


class SystemDocument(SystemBrief):
    """What was measured: a run, a model, a configuration."""

    aliases: Annotated[list[SystemName], "Names that were merged into this one."]


class PaperDocument(PaperBrief):
    """A publication that prints results."""

    title: str
    authors: Annotated[str, "In their order, divided by semicolons; `et al.` stands last where there are more."]
    venue: str
    month: Annotated[int | None, "Where its identifier says it."]
    kind: Annotated[str, Paper.Kind]
    imprint: Annotated[dict[str, str], "Where it was published: `booktitle`, `series`, `pages` …"]
    described_from: Annotated[str, "What title and people were taken from, where a file says it."]
    author_orcids: Annotated[list[str], "ORCID iDs of its authors, as far as they are known."]
    source_url: Annotated[str, "Where to read it."]
    doi: str
    arxiv_id: str
    acl_id: str
    dblp_key: str
    bibtex: Annotated[str, "As given, never rewritten."]
    retraction: Annotated[str, "Who took it back, when and why; blank where nobody is known to have."]
    reports_significance: Annotated[
        bool | None, "Whether it tests differences for significance; null where nobody looked."
    ]
    significance_said: Annotated[str, "Which test, and where the paper says so."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOfResult:
    """A score as its source gives it."""

    result: int
    url: Annotated[str, "Of the result."]
    system: str
    source: str
    printed: Annotated[str, "As its source gives it."]
    unit: Annotated[str, "What `printed` is in: percent, or blank as its measure."]
    value: float

    @property
    def score(self) -> PrintedScore:
        """The score with its significant digits."""
        return PrintedScore(self.printed, self.unit)


def describe_system(system: System) -> SystemBrief:
    """Return a system as results mention it."""
    return document_of(SystemBrief, system, id=system.pk, url=system.get_absolute_url())


def describe_paper(paper: Paper) -> PaperBrief:
    """Return a paper as results mention it."""
    return document_of(PaperBrief, paper, id=paper.pk, cite=str(paper), url=paper.get_absolute_url())


def describe_result(result: Result) -> ResultDocument:
    """Return a result with everything recorded about it; for results with their names at hand (``for_listing``)."""
    return document_of(
        ResultDocument,
        result,
        id=result.pk,
        leaderboard=describe_leaderboard(result.leaderboard),
        system=describe_system(result.system),
        paper=describe_paper(result.paper) if result.paper else None,
        date=result.date.isoformat() if result.date else None,
        replicate_of=result.replicate_of_id,
        n_topics=result.n_topics_here,
        source_url=result.opened,
        recorded=result.recorded_at.isoformat(timespec="seconds"),
        status=_status(result),
        ended=_describe_end(result),
    )


def result_cells(result: Result) -> dict[str, str]:
    """Return a result as a row of the import format: loading it again changes nothing. For results ``with_things``."""
    paper, first = result.paper, result.replicate_of
    cells = {
        "collection": result.leaderboard.collection.slug,
        "measure": result.leaderboard.measure.name,
        "system": result.system.name,
        "value": result.printed,
        "unit": result.unit,
        "role": result.role,
        "source": result.source,
        "year": str(result.year or ""),
        "date": result.date.isoformat() if result.date else "",
        "run_type": result.run_type,
        "team": result.system.team,
        "paper": paper.cite if paper else "",
        "paper_url": paper.url if paper else "",
        # A file can't claim that several people read a score, so its row says transcribed.
        "provenance": Result.Provenance.TRANSCRIBED if result.provenance in EARNED else result.provenance,
        "comparability": result.comparability,
        "replicate_of": first.system.name if first else "",
        "n_topics": str(result.n_topics_here or ""),
        "self_reported": "yes" if result.is_self_reported else "",
        "locator": result.locator,
        "evaluator": result.evaluator,
        "dataset_revision": result.dataset_revision,
        "notes": result.notes,
    }
    return {column: str(text) for column, text in cells.items() if text}


def _status(result: Result) -> Status:
    return cast("Status", result.ending or "standing")


def _describe_end(result: Result) -> EndDocument | None:
    end = result.end
    if end is None:
        return None
    at, entry = end.at.isoformat(timespec="seconds"), _describe_entry(end.entry)
    return {"at": at, "superseded_by": result.superseded_by_id, "entry": entry}


def _describe_entry(entry: Entry) -> EntryDocument:
    subject = f"{entry.subject_type} {entry.subject_id}"
    return document_of(EntryDocument, entry, subject=subject, actor=entry.actor_name)


def result_document(result: Result, versions: Iterable[Result]) -> ResultWithHistory:
    """Return a result with its history: every version of it, the oldest first."""
    return {**describe_result(result), "history": [_describe_version(version) for version in versions]}


def _describe_version(version: Result) -> VersionDocument:
    return document_of(
        VersionDocument,
        version,
        id=version.pk,
        recorded=version.recorded_at.isoformat(timespec="seconds"),
        entry=_describe_entry(version.recorded_by),
        status=_status(version),
        ended=_describe_end(version),
    )


def system_document(system: System) -> SystemDocument:
    """Return a system without its results."""
    merged = system.merged_systems.order_by("name_key", "team_key").values_list("name", "team")
    aliases: list[SystemName] = [{"name": name, "team": team} for name, team in merged]
    return {**describe_system(system), "aliases": aliases}


def paper_document(paper: Paper) -> PaperDocument:
    """Return a paper with every identifier known, without its results."""
    return document_of(PaperDocument, paper, **describe_paper(paper), source_url=paper.url)


SOURCE_COLUMNS = ("source", "what", "state", "address", "licence", "terms", "n_results", "url")


def source_cells(source: Source) -> tuple[Any, ...]:
    """Return a source, with its number of results, as a row of a file."""
    facts = (source.name, source.what, source.state, source.address, source.licence, source.terms)
    return (*facts, getattr(source, "n_results", 0), source.get_absolute_url())


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedScore:
    """Two published scores of one system that do not agree."""

    kind: Annotated[
        str,
        "`two_values` of one leaderboard; `hard_negatives`: the score with hard negatives is far from where scores "
        "with all documents put it.",
    ]
    system: str
    collection: Annotated[str, "Slug of the collection."]
    other_collection: Annotated[str, "Slug of that of the other score."]
    measure: str
    value: Annotated[str, "As its source gives it, on the scale of the measure."]
    other_value: Annotated[str, "As its source gives it, on the scale of the measure."]
    expected: Annotated[str, "What the line through other systems gives for the other score; blank without one."]
    address: Annotated[str, "Where the score stands."]
    other_address: Annotated[str, "Where the other score stands."]
    cause: Annotated[str, "A known cause that fits; blank where none is known."]
    cause_address: Annotated[str, "Who says so."]
    note: str


def contested_of(systems: Container[str]) -> list[ContestedScore]:
    """Return the contested scores of systems of these names; they ship as a file."""
    return [ContestedScore(**row) for row in shipped_rows("contested.csv") if row["system"] in systems]


def contested_on(system: str, collection: str, measure: str) -> list[ContestedScore]:
    """Return the contested scores of a system that involve a collection, by slug, under a measure."""
    return [
        score
        for score in contested_of({system})
        if score.measure == measure and collection in (score.collection, score.other_collection)
    ]
