"""Systems beside each other, as the page, its JSON and the API show them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from analysis.readers.scores import PrintedScore
from registry.catalog.documents import CollectionBrief, MeasureBrief
from registry.core.templatetags.formatting import telling_decimals
from registry.tools.compare.records import Duel, SuiteDuels, Training, TrainingDuels
from registry.tools.resolution.reversals import Reversals

_MOST_APART = 8

#: From so many of three dots on, evidence is not called weak.
_SURE = 2


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
        """Return how many decimals it needs beside what is needed."""
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
    def is_weak(self) -> bool:
        """Return whether what it tells rests on a variance that is far from sure, or on none."""
        return self.strength is not None and self.strength < _SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareDocument:
    """Systems beside each other on every leaderboard that they share."""

    systems: tuple[ComparedSystem, ...]
    n_comparisons: Annotated[int, "Pairs on all leaderboards."]
    n_told_apart: Annotated[int, "Those told apart."]
    n_unknown: Annotated[int, "Those of which that can't be known."]
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
        """Eight leaderboards that tell two systems apart by means, by how many times what an average pair takes."""
        counted = [board for board in self.boards if not self.n_zero_shot or board.training == "zero-shot"]
        told = [(board, one) for board in counted for one in board.differences if one.told_apart and one.margin]
        return sorted(told, key=lambda pair: -pair[1].difference / (pair[1].margin or 1.0))[:_MOST_APART]

    @property
    def has_model(self) -> bool:
        """Return whether all systems of one of them count, of which the best is chosen by its score."""
        return any(system.model for system in self.systems)

    @property
    def short_names(self) -> dict[int, str]:
        """Of each system, without the owner of its repository where that leaves all of them apart."""
        short = {system.id: system.name.rpartition("/")[2] for system in self.systems}
        return short if len(set(short.values())) == len(short) else {system.id: system.name for system in self.systems}

    @property
    def has_mean(self) -> bool:
        """Return whether there are leaderboards on which every system has a z."""
        return all(system.mean_z is not None for system in self.systems)
