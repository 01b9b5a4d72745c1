"""The findings of a study of one leaderboard: the verdict, and beside it what equal systems would have shown.

Frozen and plain: every name stands here once, and pages, files and the API take it from here. Scores are in the unit
of the measure, results are known by their ids. What can't be said is None, with the reason beside it.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from analysis.best import MIN_FAMILIES, MIN_RESULTS, ExtremeValueAnalysis, Sensitivity
from analysis.boards._plain import CAME_LATER, decimals_of

#: Strongest first: topic scores of every row; a matrix of this collection and measure; a small one of it, together with
#: a prediction; a prediction from the measure, the mean and the relevant documents of a topic; the same with those of
#: other years of the track; without knowing these; nothing. "transferred" stands in snapshots of earlier methods.
EvidenceKind = Literal[
    "own-topics", "own-variance", "own-and-predicted", "predicted", "predicted-from-siblings",
    "predicted-without-density", "transferred", "none",
]  # fmt: skip


#: Whose results may be the best: all; those of systems that declare no training on the collection, or have nothing to
#: train; those that declare it. What says nothing is in the first alone.
ViewName = Literal["all", "declared-none", "trained-here"]

#: Why too few compete for a verdict: one result, fewer than five, results of fewer than three groups; blank where not.
TooFew = Literal["", "one", "results", "groups"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRow:
    """The row with the best score on the board, whoever made it."""

    result: Annotated[int, "Which row, by its id."]
    value: Annotated[float, "The mean of its executions where it has several."]
    is_original: Annotated[bool, "False for what a toolkit reran."]
    n_tied: Annotated[int, "Rows that share the score, itself among them."] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """The best score without the luck of coming first among those listed, with what the topics leave open of it."""

    value: Annotated[
        float | None,
        "In the unit of the measure; None where nobody knows how many documents are relevant, so that the interval has"
        " no middle.",
    ]
    luck: Annotated[float | None, "Distance from the best score, 0 or more, whichever direction is better."]
    decimals: Annotated[int, "Digits of ``value`` that are worth printing: those at which its error has two figures."]
    low: Annotated[float | None, "Interval for other topics, as hard on average as these."]
    high: Annotated[float | None, "Interval for other topics, as hard on average as these."]
    confidence_level: Annotated[
        float | None, "Of the interval, on average over boards; None of means on other collections, and without one."
    ]
    method: Annotated[str, "How it was found."]
    why_no_interval: Annotated[str, "Why there is none for topics that are harder or easier, else blank."] = ""
    half_width: Annotated[float | None, "The ± of ``value``; None in snapshots of methods up to 13."] = field(
        default=None, metadata=CAME_LATER
    )
    low_other_topics: Annotated[float | None, "Interval for topics however hard; None without topic scores."] = field(
        default=None, metadata=CAME_LATER
    )
    high_other_topics: Annotated[float | None, "Interval for topics however hard; None without topic scores."] = field(
        default=None, metadata=CAME_LATER
    )
    at_ten_tries: Annotated[
        float | None,
        "``value`` if each row were the best of ten tries, nine of them not listed, that differ by a fifth of the"
        " variance.",
    ] = field(default=None, metadata=CAME_LATER)
    n_tries: Annotated[int | None, "Tries that each row is taken for the best of; None where only it counts."] = field(
        default=None, metadata=CAME_LATER
    )

    @property
    def figures(self) -> str:
        """The value with its error as texts say it: “0.382 ± 0.018”, “between 0.36 and 0.50” without a middle."""
        if self.value is None:
            return f"between {self.low:.{self.decimals}f} and {self.high:.{self.decimals}f}"
        if self.half_width is None:  # As methods up to 13 found it.
            return f"{self.value:.{self.decimals}f}"
        return f"{self.value:.{self.decimals}f} ± {self.half_width:.{self.decimals}f}"

    @property
    def in_words(self) -> str:
        """The figures with the tries that they allow for: “0.355 ± 0.034 at 10 tries a row”."""
        return self.figures if self.n_tries is None else f"{self.figures} at {self.n_tries} tries a row"

    @property
    def is_luck_small(self) -> bool:
        """Return whether the luck is below a tenth of the error."""
        return self.luck is not None and self.half_width is not None and 10.0 * self.luck < self.half_width


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a row is behind, and how far it would have to be to be ruled out."""

    result: Annotated[int, "Which row, by its id."]
    behind: Annotated[float, "Distance from ``rival`` in the unit of the measure, positive where the row is worse."]
    margin: Annotated[
        float,
        "From which distance on it is ruled out: the same for all from means, that of the pair with topic scores.",
    ]
    rival: Annotated[int, "The best row; with topic scores the one that this row is most clearly behind."]

    @property
    def is_significant(self) -> bool:
        """Return whether it is behind by more than the margin."""
        return self.behind > self.margin

    @property
    def needed(self) -> str:
        """The margin with two figures, as texts say it."""
        return f"{self.margin:.{decimals_of(self.margin)}f}"

    @property
    def gap(self) -> str:
        """Return how far it is behind with the decimals of ``needed``, or more where these would show 0."""
        return f"{self.behind:.{decimals_of(min(self.margin, 10.0 * self.behind) or self.margin)}f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MayBeBest:
    """The rows that can't be told from the best."""

    members: Annotated[tuple[int, ...], "Best first."]
    n_members: Annotated[int, "Number of its members."]
    confidence_level: Annotated[float, "Probability that the truly best row is among them."]
    margin: Annotated[
        float | None,
        "How far a member may be behind the best; None with topic scores: the set is no interval of scores then.",
    ]
    method: Annotated[str, "How it was found."]
    distances: Annotated[tuple[Distance, ...], "One for each row that may be the best."] = ()
    is_telling: Annotated[
        bool, "False where it holds more than nine in ten of the rows: the best then can't be told from the rest."
    ] = True
    n_rows: Annotated[int, "Rows that might have been members; 0 in snapshots of methods up to 8."] = field(
        default=0, metadata=CAME_LATER
    )
    n_groups: Annotated[int, "Groups that the members are of; 0 in snapshots of methods up to 15."] = field(
        default=0, metadata=CAME_LATER
    )
    group: Annotated[str, "What the group is called that all of several members are of; else blank."] = field(
        default="", metadata=CAME_LATER
    )
    looks: Annotated[
        Literal["", "weekly"],
        '"weekly" if it is as wide as for looking every week while results are added; blank: for one look.',
    ] = field(default="", metadata=CAME_LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAtTopics:
    """How many rows could not be told from the best if the means were over so many topics."""

    n_topics: Annotated[int, "Number of topics."]
    n_members: Annotated[int, "Number of its members."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How often sets like this one held the truly best system where it was known."""

    mean: Annotated[float, "Over boards."]
    low: Annotated[float, "19 of 20 boards reach at least that."]
    n_boards: Annotated[int, "Boards that were drawn, and the collections that they are of."]
    n_collections: Annotated[int, "Boards that were drawn, and the collections that they are of."]
    family: Annotated[str, 'Of the measures that they are under, as "nDCG"; blank where they are under all sorts.']
    world: Annotated[str, "What was true of the systems there, for people."]
    row: Annotated[str, 'Of the table of the method page "calibration".']
    variance_class: Annotated[
        str, "Of predictions: the class of those boards, as of the evidence; ``low`` is the worst board then."
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the verdict rests on: how scores vary between topics, who says so, and how surely."""

    kind: Annotated[EvidenceKind, "What the verdict rests on."]
    residual_variance: Annotated[float | None, "Per topic, squared unit of the measure; what the value takes."] = None
    widening: Annotated[float, "How many times that the set and the margins take, for what is predicted."] = 1.0
    degrees_of_freedom: Annotated[float | None, "How surely it is known."] = None
    log_sd: Annotated[float | None, "How far a prediction's logarithm is off: its standard deviation."] = None
    variance_class: Annotated[
        str, 'Of a prediction: how many documents the score of a topic hangs on, as "one", "few" or "many".'
    ] = ""
    sources: Annotated[tuple[str, ...], "For people."] = ()
    n_systems: Annotated[int | None, "Of the matrix that it was measured on, where that is of this collection."] = None
    n_topics: Annotated[int | None, "Of the matrix that it was measured on, where that is of this collection."] = None
    is_capped: Annotated[bool, "Whether it was lowered to what scores in [0, 1] with these means can have."] = False
    coverage: Annotated[Coverage | None, "Of boards like this one."] = None
    of_groups: Annotated[
        float,
        "How many times the residual variance set and ± take besides, where means alone are known of topics in groups.",
    ] = field(default=1.0, metadata=CAME_LATER)
    group_effect: Annotated[
        float | None,
        "How many times as large the variance of topic scores is with the topics of a group counted together.",
    ] = field(default=None, metadata=CAME_LATER)
    audited: Annotated[
        float | None,
        "Measured by predicted variance under other measures of this family on this collection, where that is beyond a"
        " factor of 2: then there is no value.",
    ] = field(default=None, metadata=CAME_LATER)

    @property
    def variance_of_set(self) -> float | None:
        """Per topic, as the set and margins take it."""
        return None if self.residual_variance is None else self.residual_variance * self.widening * self.of_groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """How many were tried."""

    n_results: Annotated[int, "Rows that compete: the k of the set."]
    n_families: Annotated[int, "Families that they come from."]
    n_effective: Annotated[
        float | None, "Systems with uncorrelated errors that they are worth; None without topic scores of all rows."
    ] = None
    have_makers: Annotated[
        bool, "Whether every row names a team or a paper; families are otherwise no more than families."
    ] = field(default=True, metadata=CAME_LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Rows of one maker and lineage."""

    results: Annotated[tuple[int, ...], "Best first."]
    keys: Annotated[tuple[str, ...], "What they share, those of most rows first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Something to know before the verdict is used."""

    code: Annotated[str, "One of ``CAUTION_CODES``, for programs."]
    message: Annotated[str, "For people."]
    results: Annotated[tuple[int, ...], "The rows meant; empty where it is the board."] = ()
    is_flag: Annotated[
        bool,
        "Whether it holds back a certificate: a gap, an outlier among its own scores, training declared on a "
        "collection that is meant to be unseen.",
    ] = False
    withholds: Annotated[bool, "Whether no certificate is given for its rows, which stay in."] = field(
        default=False, metadata=CAME_LATER
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """The number of rows that may be the best, and how they compare where these are too few for a verdict."""

    n_rows: Annotated[int, "Rows that may be the best; 0 in snapshots of methods up to 15."] = field(
        default=0, metadata=CAME_LATER
    )
    n_groups: Annotated[int, "Groups that they are of; 0 in snapshots of methods up to 15."] = field(
        default=0, metadata=CAME_LATER
    )
    pairs: Annotated[
        tuple[Distance, ...],
        "Where they are too few: the best beside each other one, as some of all pairs (Holm). One that is further"
        " behind than its margin is significantly lower.",
    ] = field(default=(), metadata=CAME_LATER)

    @property
    def too_few(self) -> TooFew:
        """Return why they are too few for a verdict."""
        if self.n_rows < MIN_RESULTS:
            return ("", "one")[self.n_rows] if self.n_rows < 2 else "results"
        return "groups" if self.n_groups < MIN_FAMILIES else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutFlagged(Contest):
    """The same verdict without the flagged rows."""

    result: Annotated[int, "The best row then."]
    value: Annotated[float, "Its score."]
    corrected: Corrected | None
    set: MayBeBest | None
    n_left_out: Annotated[int, "How many rows are left out."]
    n_tied: Annotated[int, "Rows that share the score, itself among them."] = field(default=1, metadata=CAME_LATER)
    why_no_set: Annotated[str, "The reason where ``set`` is None."] = field(default="", metadata=CAME_LATER)
    why_no_value: Annotated[str, "The reason where ``corrected`` is None."] = field(default="", metadata=CAME_LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Contest):
    """The best of the rows of one view of training, with its worth and what can't be told from it.

    The others were tried all the same, so that to choose a view after seeing the scores narrows no margin.
    """

    best: BestRow
    best_unflagged: Annotated[WithoutFlagged | None, "Where the best row, or one that competes with it, is flagged."]
    corrected: Corrected | None
    why_no_value: Annotated[str, "The reason where ``corrected`` is None."]
    set: MayBeBest | None
    why_no_set: Annotated[str, "The reason where ``set`` is None."]
    view: Annotated[ViewName, "Who may be the best, by what is said of training on the collection."] = field(
        default="all", metadata=CAME_LATER
    )

    @property
    def is_telling(self) -> bool:
        """Return whether there is a set, as everything shows it, that tells some rows from the best."""
        best_set = self.shown.set
        return best_set is not None and best_set.is_telling

    @property
    def shown(self) -> WithoutFlagged:
        """The best on record with its worth and its set, as everything shows them: no row that a caution holds back."""
        if self.best_unflagged is not None:
            return self.best_unflagged
        best = self.best
        return WithoutFlagged(
            result=best.result,
            value=best.value,
            corrected=self.corrected,
            set=self.set,
            n_left_out=0,
            n_tied=best.n_tied,
            why_no_set=self.why_no_set,
            why_no_value=self.why_no_value,
            n_rows=self.n_rows,
            n_groups=self.n_groups,
            pairs=self.pairs,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(View):
    """The one verdict of a board."""

    leader_verified: Annotated[
        bool,
        "The best row is alone in a set from its own topics, 25 or more, with rows of three families or more, and not "
        "flagged.",
    ]
    family_verified: Annotated[
        bool, "All of several members of such a set are of one family: the best is one of theirs."
    ]
    evidence: Evidence
    tries: Tries
    cautions: tuple[Caution, ...] = ()
    sets_by_n_topics: Annotated[
        tuple[SetAtTopics, ...], "Where the number of topics is not known: the set for several numbers."
    ] = ()
    without_contradicted: Annotated[
        WithoutFlagged | None,
        "The verdict without the rows that contradict a linked board, where one of them is, or may be, the best.",
    ] = field(default=None, metadata=CAME_LATER)
    views: Annotated[
        tuple[View, ...],
        "The same for every view of training that has rows, where ten rows or more declare something; else none. "
        "Their sets are without distances.",
    ] = field(default=(), metadata=CAME_LATER)

    @property
    def flagged(self) -> frozenset[int]:
        """The rows that a flag is about."""
        return frozenset(row for caution in self.cautions if caution.is_flag for row in caution.results)

    @property
    def held_back(self) -> frozenset[int]:
        """The rows that ``shown`` leaves out for a caution."""
        return frozenset() if self.best_unflagged is None else self.flagged

    @property
    def distances(self) -> dict[int, Distance]:
        """Return how far rows are behind the best as ``shown``, by result; those held back, behind the best of all."""
        parts = (self, self.shown)
        distances = (distance for part in parts for distance in (part.set.distances if part.set else part.pairs))
        return {distance.result: distance for distance in distances}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedResults:
    """The counted results of Carterette's analysis."""

    n_results: Annotated[int, "How many there are."]
    mean: Annotated[float, "Of their scores."]
    sd: Annotated[float | None, "With ddof 1; None for a single one."]
    max: Annotated[float, "The largest score."]
    min: Annotated[float, "The smallest score."]


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualMeans(ExtremeValueAnalysis):
    """What equal systems would have shown (Carterette 2015), on one scale."""

    best_id: Annotated[int, "The best counted result that may be the best."]
    n_above_chance: Annotated[int, "As in :class:`analysis.best.BestResult`."]
    n_within_chance: Annotated[int, "As in :class:`analysis.best.BestResult`."]
    n_below_chance: Annotated[int, "As in :class:`analysis.best.BestResult`."]
    plausible: Annotated[tuple[int, ...], "Ids of those at or beyond the far end of the range."]
    n_plausible: Annotated[int, "Their number."]
    sensitivity: Annotated[tuple[Sensitivity, ...], "For several attempts behind each result."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The place of a row among the frozen reference systems."""

    result: Annotated[int, "Which row, by its id."]
    z: Annotated[float | None, "Distance from the mean of the reference means, in their standard deviations."] = None
    percentile: Annotated[float | None, "Share of them that are worse, of equal ones half."] = None
    topic_z: Annotated[float | None, "Mean of its z by topic."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything that a study of one board finds."""

    verdict: Verdict
    families: Annotated[tuple[Family, ...], "Of the rows that compete, those with the best row first."]
    tiers: Annotated[
        tuple[tuple[int, ...], ...],
        "Tier 1 is the set; lower ones need topic scores of all rows, so that from means there is the first alone.",
    ]
    counted: CountedResults | None
    equal_means: Annotated[
        tuple[EqualMeans, ...], "One a scale; empty where it can't be had, and ``why_no_equal_means`` says why."
    ]
    why_no_equal_means: Annotated[str, "The reason where ``equal_means`` is empty."]
    standing: tuple[Standing, ...]
