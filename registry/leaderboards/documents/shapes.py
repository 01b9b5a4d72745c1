"""The objects of leaderboards: frozen and typed, as pages, files and the API show them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from analysis.boards import EqualMeans, Verdict, View, ViewName
from analysis.readers.numbers import PrintedScore
from registry.catalog.documents import CollectionBrief, Document, MeasureBrief
from registry.leaderboards.studies import Headline


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewDocument(View):
    """The verdict by one view of training, with its words."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictDocument(Verdict):
    """The one verdict of a leaderboard, with its words."""

    views: Annotated[
        tuple[ViewDocument, ...],
        "The verdict by every view of training that has rows, where ten rows or more declare something.",
    ] = ()
    headline: Annotated[str, "What pages say under a name that has the measure: one claim, with the collection."]
    sentence: Annotated[str, "The same with measure and level, wherever it stands alone."]
    of_leader: Annotated[str, "Who has the best score that is ranked, with its value and what is left without luck."]
    leader: Annotated[str, "Who that is, without the owner of a model's repository."]
    best_kind: Annotated[
        str,
        "What that score is the best of: everyone, zero-shot or trained, with -mean of benchmarks; ranked- before it"
        " where something higher is not ranked; chosen, under filters.",
    ]
    n_ranked: Annotated[int, "How many are ranked: those of the view, without those that a caution excludes."]
    evidence_sentence: Annotated[str, "What it rests on, in words."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisState:
    """How the analysis stands to the results."""

    state: Annotated[
        Literal["current", "stale", "queued", "none", "past"],
        "stale: results changed since, it is being made again; queued: never made yet; none: there can't be one; "
        "past: as of another day.",
    ]
    obstacle: Annotated[str, "Why there can't be one; else blank."]
    message: Annotated[str, "The same for people."]

    @property
    def is_behind(self) -> bool:
        """Return whether a worker is to make it."""
        return self.state in {"stale", "queued"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotBrief:
    """A snapshot as leaderboards mention it."""

    id: Annotated[str, "Start of the SHA-256 of its content."]
    url: str
    created: Annotated[str, "When it was made, ISO 8601."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSetBrief:
    """A frozen set of systems that z and percentile are taken against."""

    basis: Annotated[Literal["published-means", "topic-scores"], "Published means, or scores by topic, as topic_z."]
    name: str
    n_systems: int
    frozen: Annotated[str, "The day."]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComparable:
    """What is shown and does not compete, by reason."""

    reason: str
    n: int


#: Why a row is not in a view of training, by what is said of its own.
_ASIDE = {"declares": "trained on it", "says_nothing": "undisclosed"}


@dataclass(slots=True, kw_only=True)
class Marked:
    """A row, of a leaderboard or of a suite, as tables mark it."""

    system: str
    team: str
    rank: int | None
    training: str
    can_be_best: bool | None
    can_be_best_unflagged: Annotated[bool | None, "The same without excluded rows; null where none is excluded."]
    is_held_back: Annotated[bool, "Whether it is excluded: it needs evidence."]
    cautions: Annotated[tuple[str, ...], "Codes of the cautions that name it."]

    @property
    def may_be_best(self) -> bool | None:
        """Return whether it can be the best, without the rows that a caution holds back."""
        return self.can_be_best if self.can_be_best_unflagged is None else self.can_be_best_unflagged

    def marks(self, view: ViewName) -> tuple[str, ...]:
        """Return what stands beside its name where there are no links: why it is not in the set of a view, and
        notes."""
        held = "excluded" if self.is_held_back else ""
        aside = ""
        if view != "all" and self.rank is not None and not held and self.may_be_best is None:
            aside = _ASIDE.get(self.training, "zero-shot")
        return tuple(filter(None, [held, aside, "noted" if self.cautions and not held else ""]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One of the results whose mean competes as one row."""

    id: int
    printed: Annotated[str, "The score exactly as its source gives it."]


@dataclass(slots=True, kw_only=True)
class RowDocument(Marked):
    """A result on a leaderboard."""

    id: int
    rank: Annotated[int | None, "1-2-2-4 among the rows that compete; null for the others."]
    rank_low: Annotated[int | None, "Best end of the range of its true rank among those ranked; null of others."]
    rank_high: Annotated[int | None, "Worst end of that range."]
    tier: Annotated[int | None, "1: tied for first; null where there are no tiers."]
    can_be_best: Annotated[
        bool | None,
        "Whether it is in the set; null where there is no set, or the row does not compete or is not in the view.",
    ]
    behind: Annotated[float | None, "Distance from the row that decides about it, in the unit of the measure."]
    margin: Annotated[float | None, "From which distance on it is significantly below the best."]
    rival: Annotated[
        int | None,
        "The row that decides: the best from means, the one that it is most clearly behind with topic scores.",
    ]
    family: Annotated[int | None, "Number of its group, 1 for that of the best row; null for rows that do not compete."]
    plausible: Annotated[bool, "In the range that equal systems would cover (Carterette 2015), on the scale asked for."]
    is_counted: Annotated[bool, "Whether it is a counted result of that analysis."]
    is_original: Annotated[bool, "Whether it is an original result, and no reference run."]
    why_not_comparable: Annotated[str, "Why it does not compete; blank where it does."]
    system_id: int
    system_slug: Annotated[str, "Its slug, the same on every site."]
    value: float
    mean: Annotated[float | None, "Of its executions, which competes in its place; null of a single one."]
    executions: Annotated[tuple[Execution, ...], "These, itself among them; empty of a single one."]
    printed: Annotated[str, "The score exactly as its source gives it."]
    unit: Annotated[str, "Unit of the reported score, where it is not that of the measure: percent."]
    year: int | None
    role: str
    role_label: str
    run_type: str
    provenance: Annotated[str, "How the score came to be recorded."]
    provenance_label: str
    declared_training: Annotated[
        str,
        "Whether a source says that it was trained on this collection: yes; no: none says so, and its maker says"
        " no, or the list of the mteb package leaves it out, which is not the maker's word; unknown. `training`"
        " says which.",
    ]
    training: Annotated[
        str,
        "What all statements about it come to: declares, declares_none (its maker says no), not_listed (no more"
        " than that the list of the mteb package leaves it out), says_nothing, nothing_to_train (a formula).",
    ]
    training_split: Annotated[
        str, "Where training is declared: the splits that sources name, or unspecified; else blank."
    ]
    is_self_reported: Annotated[bool, "Whether nobody but its maker is known to have run it."]
    is_disputed: Annotated[bool, "The score is disputed; no curator has decided yet."]
    z: Annotated[float | None, "Against the means of the reference set."]
    percentile: Annotated[float | None, "Among the means of the reference set, 0 to 100."]
    topic_z: Annotated[float | None, "Mean of the z-scores by topic, where there are scores by topic."]
    paper: str | None
    paper_id: int | None
    paper_slug: Annotated[str | None, "Its slug, the same on every site."]
    source: str
    notes: str

    @property
    def score(self) -> PrintedScore:
        """The score with the digits that are real."""
        return PrintedScore(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfLeaderboard:
    """The findings on a leaderboard, or in one of its snapshots, as documents say them."""

    collection: CollectionBrief
    measure: MeasureBrief
    url: Annotated[str, "Of the leaderboard."]
    verdict: Annotated[VerdictDocument | None, "Null where there is none that this release can read."]
    n_results: Annotated[
        int | None,
        "Counted results, the N of `best_result`: original, comparable, one a system. The verdict's number of tries"
        " is `verdict.tries.n_results`, which counts what toolkits reran as well.",
    ]
    mean: Annotated[float | None, "Of the counted results."]
    sd: Annotated[float | None, "Of the counted results, with ddof 1."]
    max: Annotated[float | None, "Of the counted results."]
    best_result: Annotated[
        EqualMeans | None,
        "What equal systems would have shown (Carterette 2015), on the scale asked for; null where it is not in "
        "`scales`.",
    ]
    scales: Annotated[dict[str, EqualMeans], "The same on every scale that there is."]
    why_no_best_result: Annotated[str, "The reason where there is none."]

    #: What one of its rows is, as messages take it, and that its verdict answers no question but the one.
    row, question = "result", None

    @property
    def name(self) -> str:
        """Return what titles call it."""
        return self.collection["name"]

    @property
    def slug(self) -> str:
        """Return what file names call it."""
        return self.collection["slug"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDocument(OfLeaderboard):
    """Everything about a leaderboard under the reader's choices."""

    as_of: Annotated[str | None, "The last day by the one asked for on which something changed; else as asked."]
    published_by: Annotated[str | None, "The same of what was published by a day."]
    n_undated: Annotated[int | None, "Results left out because nobody knows when they were published."]
    selection: Annotated[dict[str, str], "The choices that were made in the address."]
    analysis: AnalysisState
    reference_sets: tuple[ReferenceSetBrief, ...]
    n_with_topic_scores: Annotated[
        int,
        "Comparable results with a score on every topic, 0 or at least 2; `pairs.json` compares them topic by topic.",
    ]
    snapshot: SnapshotBrief | None
    not_comparable: tuple[NotComparable, ...]
    facets: Annotated[
        dict[str, dict[str, int]],
        "How many rows have each role, run type and provenance; as `ranked_role`, how many of those ranked. Of those"
        " that compete and say so: `dataset_revision` and `evaluator`, by what and on what they were computed.",
    ]
    count: Annotated[int, "Results under these choices, on all pages."]
    next_page: Annotated[str | None, "Token for `page`; null on the last one."]
    results: tuple[RowDocument, ...]

    @property
    def listed(self) -> tuple[RowDocument, ...]:
        """The rows that tables for papers have."""
        return self.results

    @property
    def n_listed(self) -> int:
        """Return how many these are on all pages."""
        return self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    """A leaderboard in a list, with the headline of its verdict; null where it has none."""

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    analysis: AnalysisState
    n_recorded: Annotated[int | None, "Results, comparable or not, when it was analysed last."]
    headline: Headline | None
    snapshot: SnapshotBrief | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDocument(OfLeaderboard):
    """One analysis of one leaderboard, kept for good."""

    snapshot: SnapshotBrief
    content: Annotated[Document, "Inputs, methods, libraries and findings as they were hashed."]

    @property
    def selection(self) -> dict[str, str]:
        """Nothing is chosen of it."""
        return {}
