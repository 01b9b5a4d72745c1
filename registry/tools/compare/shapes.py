"""Systems beside each other, as the page, its JSON and the API show them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from analysis.readers.numbers import PrintedScore
from registry.catalog.documents import CollectionBrief, MeasureBrief
from registry.core.templatetags.formatting import telling_decimals
from registry.tools.resolution.queries import Reversals

_MOST_APART = 8

#: From so many of three dots on, evidence is not called weak.
_SURE = 2


Training = Literal["zero-shot", "trained", "undisclosed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """A system or a model that is compared."""

    id: Annotated[int, "Number of the system; of a model, the lowest of its systems'."]
    name: str
    team: Annotated[str, "A model's maker."]
    model: Annotated[str, "Slug of the model where all of its systems count; blank for a system."]
    url: str
    mean_z: Annotated[
        float | None,
        "Mean of its z over the leaderboards on which all of the systems have one; None where there is none.",
    ]
    n_z: Annotated[int, "How many these are."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedScore:
    """What a system scores on one of the leaderboards, or the best of a model's."""

    system: Annotated[int, "Of `systems`."]
    named: Annotated[str, "Name of the system whose score it is, which of a model may be any of its own."]
    result: int
    url: Annotated[str, "Of the result."]
    printed: Annotated[str, "As its source gives it."]
    unit: Annotated[str, "As its source gives it."]
    value: float
    n_recorded: Annotated[
        int,
        "How many comparable results are recorded of it there, those of further executions aside; this is the best "
        "of them.",
    ]
    rank: int | None
    can_be_best: bool | None
    z: Annotated[float | None, "Among the means of the reference set."]
    percentile: Annotated[float | None, "Among the means of the reference set."]

    @property
    def score(self) -> PrintedScore:
        """The score with the digits that are real."""
        return PrintedScore(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two of the systems on one of the leaderboards."""

    better: Annotated[int, "The systems; of equal ones in the order of the address."]
    other: Annotated[int, "The systems; of equal ones in the order of the address."]
    difference: Annotated[float, "How much better, 0 or more whatever the direction of the measure."]
    basis: Annotated[
        Literal["topic-scores", "means", "none"],
        "What is known: the scores of both by topic, how far the means of an average pair must be apart, or neither.",
    ]
    told_apart: Annotated[bool | None, "Whether they differ significantly; None where that can't be known."]
    margin: Annotated[
        float | None,
        "From which difference on an average pair is told apart by its means, as one of the pairs on this leaderboard.",
    ] = None
    low: Annotated[float | None, "Interval of the difference at 95%, by topic scores."] = None
    high: Annotated[float | None, "Interval of the difference at 95%, by topic scores."] = None
    pvalue: Annotated[
        float | None,
        "Of the paired t test, or of Student's t for an average pair by means; adjusted for the pairs on this "
        "leaderboard (Holm).",
    ] = None
    n_topics: Annotated[int | None, "Topics that both have scores on."] = None
    reversals: Annotated[
        Reversals | None,
        "How often differences that are significant and as large were reversed on other topics of the collection; "
        "None where it is not significant by itself, or fewer than 100 comparisons there tell of it.",
    ] = None
    why_unknown: Annotated[str, "Why it can't be known; else blank."] = ""

    @property
    def telling(self) -> int:
        """The decimals that tell it from its margin."""
        return telling_decimals(self.margin, self.difference) if self.margin else 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBoard:
    """A leaderboard with two or more of the systems."""

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    suite: Annotated[str, "Track or benchmark that the collection belongs to; blank for none."]
    scores: Annotated[tuple[ComparedScore, ...], "In the order of the systems."]
    differences: Annotated[tuple[Difference, ...], "Of each pair."]
    training: Annotated[Training, "What is known of training on it: `zero-shot` for all, `trained` or `undisclosed`."]
    trained: Annotated[tuple[int, ...], "Those of the systems that were trained on it, as far as their makers say."]
    strength: Annotated[
        int | None, "How strong the evidence of the leaderboard is, of three; None where it is not analysed yet."
    ]
    contested: Annotated[
        tuple[int, ...], "Those of the systems whose score another source prints otherwise, or contradicts."
    ]

    @property
    def by_system(self) -> dict[int, ComparedScore]:
        return {score.system: score for score in self.scores}

    @property
    def is_weak(self) -> bool:
        """True where the variance it takes is far from sure, or missing."""
        return self.strength is not None and self.strength < _SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two of the systems, over some leaderboards."""

    first: Annotated[int, "The systems, in the order of the address."]
    second: Annotated[int, "The systems, in the order of the address."]
    n_wins: Annotated[int, "Leaderboards on which the first is told better than the second."]
    n_ties: Annotated[int, "Leaderboards on which they tie."]
    n_losses: Annotated[int, "Leaderboards on which the second is told better than the first."]
    n_unknown: Annotated[int, "Leaderboards on which that can't be judged."]

    @property
    def n_boards(self) -> int:
        """The number of leaderboards."""
        return self.n_wins + self.n_ties + self.n_losses + self.n_unknown

    @property
    def n_before_losses(self) -> int:
        """The start of the losses in a bar of wins, ties and losses."""
        return self.n_wins + self.n_ties


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDuels:
    """The leaderboards of one track or benchmark that all of the systems share."""

    suite: Annotated[str, "Track or benchmark; blank for collections of none."]
    n_boards: int
    pairs: Annotated[tuple[Duel, ...], "Of each two systems, in the order of the address."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDuels:
    """The leaderboards on which as much is known of training."""

    training: Annotated[
        Training,
        "`zero-shot` for all of the systems, `trained` where one or more were trained on it, else `undisclosed` for one"
        " or more.",
    ]
    trained: Annotated[tuple[int, ...], "Those of the systems that were trained on it."]
    n_boards: int
    pairs: Annotated[tuple[Duel, ...], "Of each two systems, in the order of the address."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareDocument:
    """Systems beside each other on every leaderboard that they share."""

    systems: tuple[ComparedSystem, ...]
    n_comparisons: Annotated[int, "Pairs on all leaderboards."]
    n_told_apart: Annotated[int, "Those told apart."]
    n_unknown: Annotated[int, "Those where that can't be known."]
    sentence: Annotated[str, "Who wins how often where all are zero-shot, else on all leaderboards that all share."]
    n_shared_by_all: Annotated[int, "Leaderboards on which all of the systems have a comparable result."]
    n_zero_shot: Annotated[int, "Those of them on which all are zero-shot, as far as their makers say."]
    pairs: Annotated[tuple[Duel, ...], "Each two systems over the leaderboards that all share."]
    by_training: Annotated[tuple[TrainingDuels, ...], "The same by what is known of training."]
    suites: Annotated[tuple[SuiteDuels, ...], "The same by track or benchmark."]
    zero_shot_suites: Annotated[tuple[SuiteDuels, ...], "The same where all are zero-shot."]
    boards: Annotated[tuple[ComparedBoard, ...], "Those with the most of the systems first."]

    @property
    def most_apart(self) -> list[tuple[ComparedBoard, Difference]]:
        """Eight significant differences by means: those that exceed their margin the most times."""
        counted = [board for board in self.boards if not self.n_zero_shot or board.training == "zero-shot"]
        apart = [
            (board, difference)
            for board in counted
            for difference in board.differences
            if difference.told_apart and difference.margin
        ]
        return sorted(apart, key=lambda pair: -pair[1].difference / (pair[1].margin or 1.0))[:_MOST_APART]

    @property
    def has_model(self) -> bool:
        """True where one of them is a model, for which the best of its systems counts."""
        return any(system.model for system in self.systems)

    @property
    def short_names(self) -> dict[int, str]:
        """Names without the owner of the repository, where these still differ."""
        short = {system.id: system.name.rpartition("/")[2] for system in self.systems}
        return short if len(set(short.values())) == len(short) else {system.id: system.name for system in self.systems}

    @property
    def has_mean(self) -> bool:
        """True where there are leaderboards on which every system has a z."""
        return all(system.mean_z is not None for system in self.systems)
