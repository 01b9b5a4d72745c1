"""What a study of a suite is made from, and what it finds: the mean over collections that people quote.

Rows are systems, known by the ids of systems; what is told of members comes from the verdicts of their leaderboards.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from analysis.boards._findings import Family, Verdict
from analysis.boards._inputs import MeasureFacts, SuiteMember
from analysis.errors import ArgumentError

#: Best on other collections like these; best on these, with other topics.
SuiteQuestion = Literal["other-collections", "same-collections"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInputs:
    """Everything that a study of one suite rests on."""

    suite: Annotated[str, "Slug."]
    name: Annotated[str, "For people."]
    measure: MeasureFacts
    members: tuple[SuiteMember, ...]
    rows: Annotated[tuple[SuiteRow, ...], "Every system with a score on any member."]


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
class SuiteFindings:
    """Everything that a study of one suite finds. Ids of results are those of systems."""

    other_collections: Annotated[
        Verdict, "Which system is the best on other collections like these; variances are per collection."
    ]
    same_collections: Annotated[Verdict, "Which is the best on these collections, with other topics."]
    families: Annotated[tuple[Family, ...], "Of the systems that compete, that of the best first."]
    means: Annotated[tuple[SuiteMean, ...], "Of the systems that compete, best first."]
    incomplete: Annotated[tuple[Incomplete, ...], "Those that do not, in the order of the inputs."]


def check_suite(inputs: SuiteInputs) -> None:
    """Refuse what is no suite, and rows that don't fit its members."""
    if not isinstance(inputs, SuiteInputs):
        raise ArgumentError("inputs", inputs, "must be SuiteInputs")
    if any(len(row.scores) != len(inputs.members) for row in inputs.rows):
        raise ArgumentError("inputs", inputs.suite, "must have a score, or None, for each member in every row")


def missing_members(row: SuiteRow) -> tuple[int, ...]:
    """The places of the members on which a system has no score."""
    return tuple(place for place, score in enumerate(row.scores) if score is None)


def complete_rows(inputs: SuiteInputs) -> list[SuiteRow]:
    """The systems with a score on every member."""
    return [row for row in inputs.rows if row.scores and not missing_members(row)]
