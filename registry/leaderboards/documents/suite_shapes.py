"""The objects of suites: frozen and typed, as pages, files and the API show them."""

from dataclasses import dataclass
from typing import Annotated

from analysis.boards import Evidence, SuiteQuestion, SuiteRule, UpliftOnMember
from analysis.readers.numbers import PrintedScore
from registry.catalog.documents import Document, MeasureBrief
from registry.core.listing import listed
from registry.core.messages import say
from registry.leaderboards.documents.shapes import (
    AnalysisState,
    BoardDocument,
    Marked,
    SnapshotBrief,
    SnapshotDocument,
    VerdictDocument,
)
from registry.leaderboards.studies import Headline

#: Rule -> what texts call it.
RULES = {
    "mean": "mean",
    "geometric-mean": "geometric mean",
    "mean-z": "mean z",
    "mean-rank": "mean rank",
    "mean-rank-of-families": "mean rank against groups",
    "copeland": "duels",
    "median-rank": "median rank",
    "worst-rank": "worst rank",
}


def of_100(share: float) -> str:
    """Return a share as so many of 100 draws."""
    return f"{100 * share:.0f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRuleDocument(SuiteRule):
    """Who wins by one rule."""

    name: Annotated[str, "What texts call the rule."]
    system: Annotated[str, "Name of the winner."]
    tied_systems: Annotated[tuple[str, ...], "Names of those tied with it."]

    @property
    def sentence(self) -> str:
        """Return who leads by it and how surely, beside a figure of means."""
        winners = [self.system, *self.tied_systems]
        shares = {"wins": of_100(self.wins), "halves": of_100(self.halves)}
        return say("rule-leads", rule=self.name, names=listed(winners), n_winners=len(winners), **shares)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRulesDocument:
    """Who wins by each rule, and whether they agree."""

    sentence: Annotated[str, "Whether the winner depends on the rule, and on the members."]
    rules: Annotated[tuple[SuiteRuleDocument, ...], "The mean first."]
    beats_all: Annotated[
        int | None, "Id of the system that beats every other on more members than it loses; null where none does."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberUpliftDocument(UpliftOnMember):
    """What declaring training on one member goes with there."""

    collection: Annotated[str, "Slug of the member."]
    name: Annotated[str, "Its name."]
    sentence: Annotated[str, "In words."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteUpliftDocument:
    """What declared training goes with; no system's score is changed by it."""

    sentence: Annotated[str, "Over all members, in words."]
    estimate: Annotated[float, "How far declaring systems score above what their other scores suggest."]
    standard_error: Annotated[float, "Of groups: errors of their systems go together."]
    n_systems: Annotated[int, "Systems with a score on every member and something said of training on each."]
    n_families: Annotated[int, "Groups that these are of."]
    members: Annotated[tuple[MemberUpliftDocument, ...], "The largest uplift first; of those that enough declare."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteBrief:
    """A suite as its boards mention it."""

    slug: str
    name: str
    description: str
    is_zero_shot: Annotated[bool, "Meant for systems that were not trained on its members."]
    source: Annotated[str, "Who says that these are its members."]
    source_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberBrief:
    """A collection of a suite under its measure."""

    collection: Annotated[str, "Slug."]
    name: str
    url: Annotated[str, "Of its leaderboard; of the collection where it has no result under the measure."]
    has_results: bool
    language: str
    domain: str
    n_documents: int | None
    n_topics: Annotated[int | None, "Topics of its means, or a proven lower bound."]
    task: Annotated[str, "What it shares with members of one task, as languages or lengths; blank where its own."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMemberDocument(MemberBrief):
    """A member of a suite, with what its verdict gave."""

    snapshot: Annotated[
        str,
        "Path of the snapshot of its leaderboard that the study took everything from; blank where there is none yet.",
    ]
    evidence: Annotated[Evidence | None, "How its scores vary between topics."]


@dataclass(slots=True, kw_only=True)
class SuiteRowDocument(Marked):
    """A system in a suite."""

    id: Annotated[int, "Of the system: what verdicts of suites call a result."]
    slug: Annotated[str, "The system's slug, the same on every site."]
    rank: Annotated[int | None, "1-2-2-4 by the mean, excluded systems not counted; null where a score is missing."]
    value: Annotated[float | None, "The mean over all members, each weighing the same; null where a score is missing."]
    can_be_best: Annotated[
        bool | None, "On other collections like the members; null where there is no set, or a score is missing."
    ]
    can_be_best_here: Annotated[bool | None, "On these collections, with other topics."]
    can_be_best_here_unflagged: bool | None
    behind: Annotated[float | None, "Distance from the best mean."]
    family: Annotated[int | None, "Number of its group, 1 for that of the best."]
    is_original: Annotated[bool, "False where a score is of a reference run."]
    is_self_reported: Annotated[bool, "Whether nobody but its maker is known to have run it on some member."]
    place_low: Annotated[
        int | None,
        "The rank by the mean among those ranked, over draws of the members, 5th percentile; null if it is not ranked.",
    ]
    place_high: Annotated[int | None, "The 95th."]
    new_low: Annotated[
        int | None, "The rank on a collection like the members, 9 of 10; null below nine members, or as above."
    ]
    new_high: int | None
    place_guessed: Annotated[
        int | None,
        "About its rank by the mean percentile where scores are missing; null with fewer than four, or with all.",
    ]
    guessed_within: Annotated[int | None, "How far nine in ten of such guesses are off at most."]
    training: Annotated[
        str,
        "What all statements about its training on the members come to, as `training` of a leaderboard's rows: on"
        " one is enough, and so is one that nothing is said about.",
    ]
    n_trained_on: Annotated[int, "On how many members it declares training."]
    missing: Annotated[tuple[str, ...], "Slugs of the members on which it has no score that competes."]
    scores: Annotated[tuple[float | None, ...], "On each member, in their order."]
    results: Annotated[tuple[int | None, ...], "The results behind the scores."]

    @property
    def may_be_best_here(self) -> bool | None:
        """Tell whether it can be the best on these collections, without the rows that a caution excludes."""
        return self.can_be_best_here if self.can_be_best_here_unflagged is None else self.can_be_best_here_unflagged

    @property
    def printed(self) -> str:
        """The mean, which is printed nowhere, with four decimals."""
        return "" if self.value is None else f"{self.value:.4f}"

    #: Means are over scores of several years and papers, and their ranks have no ranges.
    year = paper_slug = rank_low = rank_high = mean = None

    @property
    def score(self) -> PrintedScore:
        """The mean as tables show scores."""
        return PrintedScore("" if self.value is None else repr(self.value), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedMean:
    """The mean of a system as somebody prints it, beside the mean of the scores that count here."""

    system: str
    slug: Annotated[str, "The system's slug."]
    printed: Annotated[str, "Digits as its source gives them."]
    unit: Annotated[str, "`percent`, or blank for the unit of the measure."]
    value: Annotated[float, "The reported mean on the scale of the measure."]
    ours: Annotated[float | None, "The mean of the scores here; null where one is missing."]
    difference: Annotated[float | None, "Printed less ours."]
    agrees: Annotated[bool | None, "Whether rounding explains the difference; null without a mean here."]
    why: Annotated[str, "Why the two differ, as far as known; blank where they agree."]
    paper: Annotated[str, "Paper or page that reports it."]
    source: Annotated[str, "Where the figure was taken from."]
    locator: Annotated[str, "Where in it; blank where only a copy of its text was read."]
    address: Annotated[str, "Where that can be opened."]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfSuite:
    """The findings on a suite, or in one of its snapshots, as documents say them."""

    suite: SuiteBrief
    measure: MeasureBrief
    url: Annotated[str, "Of the suite's board."]
    verdict: Annotated[
        VerdictDocument | None,
        "Which is the best on other collections like these, which the page leads with; null where there is none that"
        " this release can read. Ids of results are those of systems, and variances are per collection.",
    ]

    #: What one of its rows is, as messages take it, and the question that its verdict answers.
    row = "system"

    @property
    def question(self) -> SuiteQuestion:
        """Return what its verdict answers."""
        return "other-collections"

    @property
    def name(self) -> str:
        """Return what titles call it."""
        return self.suite.name

    @property
    def slug(self) -> str:
        """Return what file names call it."""
        return self.suite.slug


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDocument(OfSuite):
    """Everything about a suite under a measure: its verdicts, members and systems."""

    selection: Annotated[dict[str, str], "The view of training that was chosen, where it is not the one that leads."]
    analysis: AnalysisState
    members: tuple[SuiteMemberDocument, ...]
    rules: Annotated[SuiteRulesDocument | None, "Who wins by other rules than the mean; null where no analysis says."]
    uplift: Annotated[
        SuiteUpliftDocument | None,
        "How training on a data set relates to scores; null where too few groups disclose theirs.",
    ]
    n_incomplete: Annotated[int | None, "Systems that lack a score on some member, and do not compete."]
    printed_means: Annotated[tuple[PrintedMean, ...], "Those that differ most first; of systems that have a row here."]
    snapshot: SnapshotBrief | None
    count: Annotated[int, "Systems, on all pages."]
    next_page: Annotated[str | None, "Token for `page`; null on the last one."]
    results: Annotated[tuple[SuiteRowDocument, ...], "Those that compete first, best first."]

    @property
    def listed(self) -> tuple[SuiteRowDocument, ...]:
        """The rows that tables for papers have: those with a mean."""
        return tuple(row for row in self.results if row.rank is not None)

    @property
    def n_listed(self) -> int:
        """Return how many these are on all pages."""
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
    content: Annotated[Document, "Inputs, methods, libraries and findings as they were hashed."]

    @property
    def selection(self) -> dict[str, str]:
        """Nothing is chosen of it."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteListed:
    """A suite whose mean is not judged, in a list."""

    suite: SuiteBrief
    url: str
    n_members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteList:
    """The suites whose mean people quote, in their order."""

    count: int
    results: tuple[SuiteSummary, ...]
    lists: Annotated[tuple[SuiteListed, ...], "Those whose mean is not judged here."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMemberDocument(MemberBrief):
    """A collection of a suite under its measure."""

    measure: str
    ir_datasets_id: Annotated[str, "What ir_datasets calls it; blank where it has no name there."]
    mteb_task: Annotated[str, "What the mteb package calls it; blank where it has no name there."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRecord:
    """A suite with its collections, whether or not people quote their mean."""

    suite: SuiteBrief
    url: str
    is_average: Annotated[bool, "Whether people quote the mean over its members."]
    members: Annotated[tuple[ListedMemberDocument, ...], "In their order, without parts of members."]


#: Whatever carries a verdict.
Analysed = BoardDocument | SnapshotDocument | SuiteDocument | SuiteSnapshotDocument
