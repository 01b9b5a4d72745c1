"""What a suite says: one object that the page, its JSON and CSV twins and the API all show.

Everything in it is of the snapshot that stands, so that scores, verdicts and members never are of different days.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Annotated

import msgspec
from django.urls import reverse
from typing_extensions import Doc

from analysis.boards import (
    Evidence,
    SuiteFindings,
    SuiteInputs,
    SuiteQuestion,
    SuiteSnapshot,
    Verdict,
    describe_evidence,
    headline,
)
from analysis.readers.scores import PrintedScore
from analysis.readers.slugs import slug_of_system
from analysis.readers.text import comparison_key
from registry.catalog.access import get_visible_measure
from registry.catalog.documents import Document, MeasureBrief, describe_measure
from registry.catalog.models import Collection, Leaderboard
from registry.core.documents import document_of
from registry.curation.suites.models import Suite
from registry.leaderboards.documents import (
    AnalysisState,
    CautionDocument,
    Marked,
    SnapshotBrief,
    SnapshotDocument,
    VerdictDocument,
    competition_ranks,
    describe_snapshot,
    snapshot_document,
    views_in_words,
)
from registry.leaderboards.documents.states import analysis_state
from registry.leaderboards.models import Snapshot, SuiteAnalysis
from registry.leaderboards.studies import Headline
from registry.leaderboards.suite_queries import MembersState, SuiteBoard, members_state, members_states, suite_boards
from registry.leaderboards.suite_rules import SuiteRulesDocument, describe_rules
from registry.leaderboards.suite_uplift import SuiteUpliftDocument, describe_uplift
from registry.leaderboards.verification import measure_of, read_kept
from registry.leaderboards.words import OF_MEANS


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteBrief:
    """A suite as its boards mention it."""

    slug: str
    name: str
    description: str
    is_zero_shot: Annotated[bool, Doc("Meant for systems that were not trained on its members.")]
    source: Annotated[str, Doc("Who says that these are its members.")]
    source_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberBrief:
    """A collection of a suite under its measure."""

    collection: Annotated[str, Doc("Slug.")]
    name: str
    url: Annotated[str, Doc("Of its leaderboard; of the collection where it has no result under the measure.")]
    has_results: bool
    language: str
    domain: str
    n_documents: int | None
    n_topics: Annotated[int | None, Doc("Topics of its means, or a proven lower bound.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMemberDocument(MemberBrief):
    """A member of a suite, with what its verdict gave."""

    snapshot: Annotated[
        str,
        Doc(
            "Path of the snapshot of its leaderboard that the study took everything from; blank where there is none "
            "yet."
        ),
    ]
    evidence: Annotated[Evidence | None, Doc("How its scores vary between topics.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRowDocument(Marked):
    """A system in a suite."""

    id: Annotated[int, Doc("Of the system: what verdicts of suites call a result.")]
    slug: Annotated[str, Doc("What stands for the system in addresses, the same on every site.")]
    rank: Annotated[int | None, Doc("1-2-2-4 by the mean; null where a score is missing.")]
    value: Annotated[
        float | None, Doc("The mean over all members, each weighing the same; null where a score is missing.")
    ]
    can_be_best: Annotated[
        bool | None, Doc("On other collections like the members; null where there is no set, or a score is missing.")
    ]
    can_be_best_here: Annotated[bool | None, Doc("On these collections, with other topics.")]
    can_be_best_here_unflagged: bool | None
    behind: Annotated[float | None, Doc("Distance from the best mean.")]
    family: Annotated[int | None, Doc("Number of its family, 1 for that of the best.")]
    is_original: Annotated[bool, Doc("False where a score is of a toolkit's run.")]
    is_self_reported: Annotated[bool, Doc("Whether nobody but its maker is known to have run it on some member.")]
    place_low: Annotated[
        int | None,
        Doc("The rank by the mean over draws of the members, 5th percentile; null if a score is missing."),
    ]
    place_high: Annotated[int | None, Doc("The 95th.")]
    new_low: Annotated[
        int | None, Doc("The rank on a collection like the members, 9 of 10; null below nine members, or as above.")
    ]
    new_high: int | None
    place_guessed: Annotated[
        int | None,
        Doc("About its rank by the mean percentile where scores are missing; null with fewer than four, or with all."),
    ]
    guessed_within: Annotated[int | None, Doc("How far nine in ten of such guesses are off at most.")]
    training: Annotated[
        str,
        Doc(
            "What all that is said of its training on the members comes to, as `training` of a leaderboard's rows: on"
            " one is enough, and so is one of which nothing is said."
        ),
    ]
    n_trained_on: Annotated[int, Doc("On how many members it declares training.")]
    missing: Annotated[tuple[str, ...], Doc("Slugs of the members on which it has no score that competes.")]
    scores: Annotated[tuple[float | None, ...], Doc("On each member, in their order.")]
    results: Annotated[tuple[int | None, ...], Doc("The results behind the scores.")]

    @property
    def printed(self) -> str:
        """The mean, which is printed nowhere, with four decimals."""
        return "" if self.value is None else f"{self.value:.4f}"

    #: Means are over scores of several years and papers, and their ranks have no ranges.
    year = paper_slug = rank_low = rank_high = None

    @property
    def score(self) -> PrintedScore:
        """The mean as tables show scores."""
        return PrintedScore("" if self.value is None else repr(self.value), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfSuite:
    """What is said of a suite, or of one of its snapshots."""

    suite: SuiteBrief
    measure: MeasureBrief
    url: Annotated[str, Doc("Of the suite's board.")]
    verdict: Annotated[
        VerdictDocument | None,
        Doc(
            "Which is the best on other collections like these, what the page leads with; null where there is none that"
            " this release can read. Ids of results are those of systems, and variances are per collection."
        ),
    ]
    verdict_here: Annotated[VerdictDocument | None, Doc("Which is the best on these collections, with other topics.")]

    words = OF_MEANS

    @property
    def name(self) -> str:
        """What titles call it."""
        return self.suite.name

    @property
    def slug(self) -> str:
        """What file names call it."""
        return self.suite.slug

    @property
    def verdicts(self) -> tuple[tuple[SuiteQuestion, VerdictDocument | None], ...]:
        """Its verdicts with the questions that they answer."""
        return ("other-collections", self.verdict), ("same-collections", self.verdict_here)

    @property
    def selection(self) -> dict[str, str]:
        """Nothing is chosen of it."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDocument(OfSuite):
    """Everything about a suite under a measure: its verdicts, members and systems."""

    analysis: AnalysisState
    members: tuple[SuiteMemberDocument, ...]
    rules: Annotated[
        SuiteRulesDocument | None,
        Doc("Who wins by other rules than the mean; null where no analysis says."),
    ]
    uplift: Annotated[
        SuiteUpliftDocument | None,
        Doc("What declared training goes with; null where too few families say anything of theirs."),
    ]
    n_incomplete: Annotated[int | None, Doc("Systems that lack a score on some member, and do not compete.")]
    snapshot: SnapshotBrief | None
    count: Annotated[int, Doc("Systems, on all pages.")]
    next_page: Annotated[str | None, Doc("Token for `page`; null on the last one.")]
    results: Annotated[tuple[SuiteRowDocument, ...], Doc("Those that compete first, best first.")]

    @property
    def listed(self) -> tuple[SuiteRowDocument, ...]:
        """The rows that tables for papers have: those with a mean."""
        return tuple(row for row in self.results if row.rank is not None)

    @property
    def n_listed(self) -> int:
        """How many these are on all pages."""
        return self.count - (self.n_incomplete or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSummary:
    """A suite in a list, with the headline of its verdict; null where it has none."""

    suite: SuiteBrief
    measure: MeasureBrief
    url: str
    n_members: int
    analysis: AnalysisState
    headline: Headline | None
    snapshot: SnapshotBrief | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSnapshotDocument(OfSuite):
    """One analysis of one suite, kept for good."""

    snapshot: SnapshotBrief
    content: Annotated[Document, Doc("Inputs, methods, libraries and findings as they were hashed.")]


def suite_document(board: SuiteBoard) -> SuiteDocument:
    """Everything about a suite as its standing analysis has it."""
    analysis = _analysis_of(board)
    snapshot = analysis.snapshot if analysis else None
    stored = read_kept(snapshot, SuiteSnapshot)
    inputs, found = (stored.inputs, stored.findings) if stored else (None, None)
    rows = suite_rows(inputs, found) if inputs and found else ()
    return SuiteDocument(
        **_described(board),
        **_verdicts(inputs, found),
        analysis=_state(members_state(board), analysis),
        members=_members(board, inputs),
        rules=describe_rules(inputs, found.rules, found.other_collections.view)
        if inputs and found and found.rules
        else None,
        uplift=describe_uplift(inputs, found.uplift) if inputs and found and found.uplift else None,
        n_incomplete=len(found.incomplete) if found else None,
        snapshot=describe_snapshot(snapshot) if snapshot else None,
        count=len(rows),
        next_page=None,
        results=rows,
    )


def suite_summaries() -> Iterator[SuiteSummary]:
    """All suites whose mean people quote, as lists show them."""
    analyses = SuiteAnalysis.objects.select_related("snapshot").defer("snapshot__content")
    known = {(one.suite_id, one.measure_id): one for one in analyses}
    boards = suite_boards()
    for board, state in zip(boards, members_states(boards), strict=True):
        analysis = known.get((board.suite.pk, board.measure.pk))
        yield SuiteSummary(
            **_described(board),
            n_members=len(board.members),
            analysis=_state(state, analysis),
            headline=msgspec.convert(analysis.headline, Headline) if analysis and analysis.headline else None,
            snapshot=describe_snapshot(analysis.snapshot) if analysis and analysis.snapshot else None,
        )


def any_snapshot_document(snapshot: Snapshot) -> SnapshotDocument | SuiteSnapshotDocument:
    """A snapshot, of a leaderboard or of a suite, as it can be cited."""
    if snapshot.suite is None:
        return snapshot_document(snapshot)
    measure = describe_measure(get_visible_measure(measure_of(snapshot)))
    stored = read_kept(snapshot, SuiteSnapshot)
    inputs, found = (stored.inputs, stored.findings) if stored else (None, None)
    return SuiteSnapshotDocument(
        suite=describe_suite(snapshot.suite),
        measure=measure,
        url=reverse("leaderboards:suite-detail", args=[snapshot.suite.slug, measure["name"]]),
        **_verdicts(inputs, found),
        snapshot=describe_snapshot(snapshot),
        content=json.loads(snapshot.content),
    )


def describe_suite(suite: Suite) -> SuiteBrief:
    """A suite as its boards mention it."""
    return document_of(SuiteBrief, suite, source_url=suite.url)


def _described(board: SuiteBoard) -> Document:
    return {
        "suite": describe_suite(board.suite),
        "measure": describe_measure(board.measure),
        "url": board.get_absolute_url(),
    }


def _analysis_of(board: SuiteBoard) -> SuiteAnalysis | None:
    found = SuiteAnalysis.objects.select_related("snapshot").filter(suite=board.suite, measure=board.measure)
    return found.first()


def _state(members: MembersState, analysis: SuiteAnalysis | None) -> AnalysisState:
    if analysis is None:
        return analysis_state("queued", "", words=OF_MEANS)
    state = "none" if analysis.obstacle else "current"
    if analysis.version != members.version:
        state = "stale"
    return analysis_state(state, analysis.obstacle, words=OF_MEANS, obstacles=SuiteAnalysis.Obstacle)


def _verdicts(inputs: SuiteInputs | None, found: SuiteFindings | None) -> Document:
    if inputs is None or found is None:
        return {"verdict": None, "verdict_here": None}

    views = [row.view for row in inputs.rows if None not in row.scores]

    def say(question: SuiteQuestion, verdict: Verdict) -> str:
        is_other = question == "other-collections"
        seen = replace(found, other_collections=verdict) if is_other else replace(found, same_collections=verdict)
        return headline(inputs, seen, question)

    def told(verdict: Verdict, question: SuiteQuestion) -> VerdictDocument:
        cautions = tuple(
            CautionDocument(**{one.name: getattr(caution, one.name) for one in fields(caution)})
            for caution in verdict.cautions
        )
        return VerdictDocument(
            **{one.name: getattr(verdict, one.name) for one in fields(verdict)}
            | {"cautions": cautions, "views": views_in_words(verdict, partial(say, question), views)},
            sentence=headline(inputs, found, question),
            evidence_sentence=describe_evidence(inputs, found, question),
        )

    return {
        "verdict": told(found.other_collections, "other-collections"),
        "verdict_here": told(found.same_collections, "same-collections"),
    }


def _members(board: SuiteBoard, inputs: SuiteInputs | None) -> tuple[SuiteMemberDocument, ...]:
    """Those of the analysis; before the first one, those on record. What is said of collections is of today."""
    measure = board.measure.name
    told: list[tuple[str, str, str, int | None, Evidence | None]]
    if inputs is None:
        told = [(one.collection.slug, one.collection.name, "", one.collection.n_topics, None) for one in board.members]
    else:
        told = [(one.collection, one.name, one.snapshot, one.n_topics, one.evidence) for one in inputs.members]
    described = {one.slug: one for one in Collection.objects.filter(slug__in=[slug for slug, *_ in told])}
    boards = Leaderboard.objects.filter(collection__in=described.values(), measure=board.measure, results_version__gt=0)
    with_results = set(boards.values_list("collection__slug", flat=True))

    def address(slug: str) -> str:
        if slug in with_results:
            return reverse("leaderboards:leaderboard-detail", args=[slug, measure])
        return reverse("leaderboards:collection-detail", args=[slug])

    return tuple(
        SuiteMemberDocument(
            collection=slug,
            name=name,
            url=address(slug),
            has_results=slug in with_results,
            language=described[slug].language,
            domain=described[slug].domain,
            n_documents=described[slug].n_documents,
            snapshot=reverse("leaderboards:snapshot-detail", args=[snapshot]) if snapshot else "",
            n_topics=n_topics,
            evidence=evidence,
        )
        for slug, name, snapshot, n_topics, evidence in told
    )


def suite_rows(inputs: SuiteInputs, found: SuiteFindings) -> tuple[SuiteRowDocument, ...]:
    """The systems as an analysis has them: those that compete first, best first."""
    by_id = {row.id: row for row in inputs.rows}
    slugs = [member.collection for member in inputs.members]
    ranks = competition_ranks([(one.result, one.value) for one in found.means])
    values = {one.result: one.value for one in found.means}
    missing = {one.result: one.missing for one in found.incomplete}
    families = {result: number for number, one in enumerate(found.families, start=1) for result in one.results}
    other, here = _Marks(found.other_collections), _Marks(found.same_collections)
    cautions: dict[int, tuple[str, ...]] = {}
    for caution in found.other_collections.cautions:
        for result in caution.results:
            cautions[result] = (*cautions.get(result, ()), caution.code)
    places = {one.result: one for one in found.rules.places} if found.rules else {}
    guessed = {one.result: one for one in found.rules.guessed} if found.rules else {}
    best = found.other_collections.shown.value
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    incomplete = sorted(missing, key=lambda one: (len(missing[one]), by_id[one].system.casefold(), one))
    return tuple(
        SuiteRowDocument(
            id=one,
            slug=slug_of_system(comparison_key(by_id[one].system), comparison_key(by_id[one].team)),
            rank=ranks.get(one),
            system=by_id[one].system,
            team=by_id[one].team,
            value=values.get(one),
            can_be_best=other.may(one),
            can_be_best_unflagged=other.may_unflagged(one),
            can_be_best_here=here.may(one),
            can_be_best_here_unflagged=here.may_unflagged(one),
            behind=sign * (best - values[one]) if one in values else None,
            family=families.get(one),
            is_original=by_id[one].is_original,
            is_self_reported=by_id[one].is_self_reported,
            is_held_back=one in found.other_collections.held_back,
            training=by_id[one].training_on_members,
            n_trained_on=by_id[one].n_trained_on,
            cautions=cautions.get(one, ()),
            place_low=places[one].low if one in places else None,
            place_high=places[one].high if one in places else None,
            new_low=places[one].low_on_new if one in places else None,
            new_high=places[one].high_on_new if one in places else None,
            place_guessed=guessed[one].place if one in guessed else None,
            guessed_within=guessed[one].within if one in guessed else None,
            missing=tuple(slugs[place] for place in missing.get(one, ())),
            scores=by_id[one].scores,
            results=by_id[one].results,
        )
        for one in [*values, *incomplete]
    )


class _Marks:
    """Which systems a verdict names."""

    def __init__(self, verdict: Verdict) -> None:
        other = verdict.best_unflagged
        self.members = frozenset(verdict.set.members) if verdict.set else None
        self.judged = verdict.distances.keys()
        self.unflagged = frozenset(other.set.members) if other and other.set else None

    def may(self, system: int) -> bool | None:
        """Whether it can be the best; None where that can't be said."""
        return None if self.members is None or system not in self.judged else system in self.members

    def may_unflagged(self, system: int) -> bool | None:
        """The same without flagged systems."""
        return None if self.unflagged is None or system not in self.judged else system in self.unflagged
