"""The inputs and findings of a study of a suite: the mean over collections that people quote.

Rows are systems, known by the ids of systems; what is told of members comes from the verdicts of their leaderboards.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from analysis.boards._findings import Family, Verdict, ViewName
from analysis.boards._inputs import VIEWS, BoardInputs, BoardRow, MeasureFacts, SuiteMember, TrainingWord
from analysis.boards._plain import CAME_LATER
from analysis.errors import ArgumentError

#: Best on other collections like these; best on these, with other topics.
SuiteQuestion = Literal["other-collections", "same-collections"]
#: Ways to make one order of a suite.
RuleName = Literal[
    "mean", "geometric-mean", "mean-z", "mean-rank", "mean-rank-of-families", "copeland", "median-rank", "worst-rank"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFlag:
    """A caution that holds back a system's score on a member."""

    code: Annotated[str, "One of ``CAUTION_CODES``."]
    member: Annotated[int, "Place of the member in the suite, from 0."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRow:
    """A system with its scores on the members of a suite."""

    id: Annotated[int, "Of the system: findings know it by that."]
    system: Annotated[str, "Who; for people."]
    scores: Annotated[
        tuple[float | None, ...],
        "On each member, in their order, in the unit of the measure; of executions the mean. None where it "
        "has no score that competes.",
    ]
    results: Annotated[
        tuple[int | None, ...], "The result behind each score: of several, the one that was recorded first."
    ]
    team: Annotated[str, "Who; for people."] = ""
    is_original: Annotated[bool, "False where any of them is what a toolkit reran."] = True
    is_self_reported: Annotated[bool, "Whether nobody but the maker is known to have run it on some member."] = False
    lineage: Annotated[tuple[str, ...], "Keys of its results, as of :class:`BoardRow`."] = ()
    flags: tuple[SuiteFlag, ...] = ()
    training: Annotated[
        tuple[str, ...],
        "What is said of its training on each member, as of :class:`BoardRow`; blank where it has no score. Empty where"
        " that was not recorded.",
    ] = field(default=(), metadata=CAME_LATER)

    @property
    def n_trained_on(self) -> int:
        """On how many members it declares training."""
        return self.training.count("declares")

    @property
    def training_on_members(self) -> TrainingWord:
        """Return what all statements about its training come to: one member is enough, or one that nobody speaks of."""
        words = set(self.training)
        if "declares" in words:
            return "declares"
        if not words or words & {"", "says_nothing"}:
            return "says_nothing"
        return "nothing_to_train" if words == {"nothing_to_train"} else "declares_none"

    @property
    def view(self) -> ViewName | None:
        """As of :class:`BoardRow`, of all members."""
        return VIEWS.get(self.training_on_members)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInputs:
    """Everything that a study of one suite rests on."""

    suite: Annotated[str, "Slug."]
    name: Annotated[str, "For people."]
    measure: MeasureFacts
    members: tuple[SuiteMember, ...]
    rows: Annotated[tuple[SuiteRow, ...], "Every system with a score on any member."]
    is_zero_shot: Annotated[
        bool, "Whether it is meant for systems that were not trained on any member, as of :class:`BoardInputs`."
    ] = field(default=False, metadata=CAME_LATER)

    @property
    def tasks(self) -> tuple[str, ...] | None:
        """Return the task of each member; None where every member is a task of its own."""
        tasks = tuple(member.task or member.collection for member in self.members)
        return tasks if len(set(tasks)) < len(tasks) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMean:
    """The mean of a system over all members, each weighing the same."""

    result: Annotated[int, "Id of the system."]
    value: Annotated[float, "In the unit of the measure."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """A system that has no score on some members: it does not compete, and nothing is filled in."""

    result: Annotated[int, "Id of the system."]
    missing: Annotated[tuple[int, ...], "Places of the members, from 0."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRule:
    """The winner of a suite by one rule, each member weighing the same, and how surely it wins."""

    rule: Annotated[
        RuleName,
        "The mean; the geometric mean, scores below .01 as .01; the mean of (score - median) / (1.4826 MAD) by member;"
        " the mean rank; the same against families, each of one vote; rivals beaten on more members than lost,"
        " less the reverse; the median rank; the worst rank. Of the last three, the mean rank breaks ties.",
    ]
    winner: Annotated[int, "Id of the system."]
    tied: Annotated[tuple[int, ...], "Others that do as well by it; of all, the winner has the best mean."]
    wins: Annotated[float, "Share of 400 draws of the members, with replacement, in which it wins again."]
    halves: Annotated[float, "Share of 300 splits of the members into halves that both name the same winner."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePlace:
    """Between which places a system lies."""

    result: Annotated[int, "Id of the system."]
    low: Annotated[int, "By the mean, over draws of the members: the 5th percentile."]
    high: Annotated[int, "The 95th."]
    low_on_new: Annotated[int | None, "On a collection like these that is no member, 9 of 10; None below 9 members."]
    high_on_new: Annotated[int | None, "The worst such rank."]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedPlace:
    """About where a system stands that lacks a score on some members, by its mean percentile on four or more."""

    result: Annotated[int, "Id of the system."]
    place: Annotated[int, "Among those that compete."]
    within: Annotated[int, "Nine in ten of such guesses were no further off, where BEIR's gaps were made."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRules:
    """The winners of a suite by other rules than the mean, and the places of its systems."""

    rules: Annotated[tuple[SuiteRule, ...], "The mean first; none that takes logarithms where scores have no zero."]
    beats_all: Annotated[int | None, "The system that beats every other on more members than it loses, if any."]
    places: Annotated[tuple[SuitePlace, ...], "Of those that compete, best mean first."]
    guessed: Annotated[tuple[GuessedPlace, ...], "Of those that do not, where that can be said."]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftOnMember:
    """What declaring training on one member goes with there."""

    member: Annotated[int, "Place of the member in the suite, from 0."]
    value: Annotated[
        float,
        "How far those that declare it score above what their other scores suggest; positive is better. Drawn towards"
        " the mean of the members by how surely it is known.",
    ]
    low: Annotated[float, "Interval at .9."]
    high: Annotated[float, "Interval at .9."]
    n_declare: Annotated[int, "Systems that declare training on it, eight or more."]
    n_others: Annotated[int, "Systems that declare other training or none, eight or more."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteUplift:
    """The uplift of declared training: scores on a member beyond what those on the others suggest."""

    estimate: Annotated[float, "Over all members, in the unit of the measure; positive is better."]
    standard_error: Annotated[float, "With the systems of a family erring together."]
    n_systems: Annotated[int, "Systems with a score on every member and something said of their training on each."]
    n_families: Annotated[int, "Families that these are of, ten or more."]
    members: Annotated[tuple[UpliftOnMember, ...], "Those that enough declare; empty where fewer than two are."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFindings:
    """Everything that a study of one suite finds. Ids of results are those of systems."""

    other_collections: Annotated[
        Verdict, "Which system is the best on other collections like these; variances are per collection."
    ]
    same_collections: Annotated[Verdict, "Which is the best on these collections, with other topics."]
    families: Annotated[tuple[Family, ...], "Of the systems that compete, that of the best first."]
    means: Annotated[tuple[SuiteMean, ...], "Of the systems that compete, best first."]
    incomplete: Annotated[tuple[Incomplete, ...], "Those that do not, in the order of the inputs."]
    rules: Annotated[
        SuiteRules | None, "What other rules than the mean say; None with fewer than two systems or members."
    ] = field(default=None, metadata=CAME_LATER)
    uplift: Annotated[
        SuiteUplift | None, "What declared training goes with; None where too few families say anything of theirs."
    ] = field(default=None, metadata=CAME_LATER)


def check_suite(inputs: SuiteInputs) -> None:
    """Refuse what is no suite, and rows that don't fit its members."""
    if not isinstance(inputs, SuiteInputs):
        raise ArgumentError("inputs", inputs, "must be SuiteInputs")
    n_members = len(inputs.members)
    if any(len(row.scores) != n_members or len(row.training) not in (0, n_members) for row in inputs.rows):
        raise ArgumentError(
            "inputs",
            inputs.suite,
            "must have a score, or None, and what is said of training, for each member in every row",
        )


def missing_members(row: SuiteRow) -> tuple[int, ...]:
    """Return the places of the members on which a system has no score."""
    return tuple(place for place, score in enumerate(row.scores) if score is None)


def complete_rows(inputs: SuiteInputs) -> list[SuiteRow]:
    """Return the systems with a score on every member."""
    return [row for row in inputs.rows if row.scores and not missing_members(row)]


def known_scores(row: SuiteRow) -> list[float]:
    """Return the scores that a system has."""
    return [score for score in row.scores if score is not None]


def board_of(inputs: SuiteInputs) -> BoardInputs:
    """Return the suite as a board: a row for each complete system, best first; its "topics" are collections."""
    rows = [
        BoardRow(
            id=row.id,
            system=row.system,
            team=row.team,
            printed="",
            value=float(np.mean(known_scores(row))),
            role="leaderboard" if row.is_original else "reference_implementation",
            lineage=row.lineage,
            is_self_reported=row.is_self_reported,
            training=row.training_on_members,
        )
        for row in complete_rows(inputs)
    ]
    sign = -1.0 if inputs.measure.higher_is_better else 1.0
    rows.sort(key=lambda row: (sign * row.value, row.system.casefold(), row.id))
    return BoardInputs(
        collection=inputs.suite,
        measure=inputs.measure,
        rows=tuple(rows),
        n_topics=len(inputs.members),
        is_zero_shot=inputs.is_zero_shot,
    )
