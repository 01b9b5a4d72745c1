"""What a study of a suite is made from, and what it finds: the mean over collections that people quote.

Rows are systems, known by the ids of systems; what is told of members comes from the verdicts of their leaderboards.
"""

from dataclasses import dataclass
from typing import Literal

from analysis.boards._findings import Evidence, Family, Verdict
from analysis.boards._inputs import MeasureFacts
from analysis.errors import ArgumentError

__all__ = [
    "Incomplete",
    "SuiteFindings",
    "SuiteFlag",
    "SuiteInputs",
    "SuiteMean",
    "SuiteMember",
    "SuiteQuestion",
    "SuiteRow",
]

#: Best on other collections like these; best on these, with other topics.
SuiteQuestion = Literal["other-collections", "same-collections"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMember:
    """A collection of a suite, with what the verdict of its leaderboard rests on.

    Attributes
    ----------
    collection : str
        Slug.
    name : str
        For people.
    snapshot : str
        Id of the snapshot of its leaderboard that everything here was taken from.
    n_topics : int or None
        That its means are over, else a proven lower bound; None where neither is known.
    evidence : Evidence
        How its scores vary between topics, as its verdict has it.
    """

    collection: str
    name: str
    snapshot: str
    n_topics: int | None
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFlag:
    """A caution that holds back a system's score on a member.

    Attributes
    ----------
    code : str
        One of ``CAUTION_CODES``.
    member : int
        Place of the member in the suite, from 0.
    """

    code: str
    member: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRow:
    """A system with its scores on the members of a suite.

    Attributes
    ----------
    id : int
        Of the system: findings know it by that.
    system, team : str
        Who; for people.
    scores : tuple of float or None
        On each member, in their order, in the unit of the measure; of executions the mean. None where it has no score
        that competes.
    results : tuple of int or None
        The result behind each score: of several, the one that was recorded first.
    is_original : bool
        False where any of them is what a toolkit reran.
    is_self_reported : bool
        Whether nobody but the maker is known to have run it on some member.
    lineage : tuple of str
        Keys of its results, as of :class:`BoardRow`.
    flags : tuple of SuiteFlag
    """

    id: int
    system: str
    scores: tuple[float | None, ...]
    results: tuple[int | None, ...]
    team: str = ""
    is_original: bool = True
    is_self_reported: bool = False
    lineage: tuple[str, ...] = ()
    flags: tuple[SuiteFlag, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInputs:
    """Everything that a study of one suite rests on.

    Attributes
    ----------
    suite : str
        Slug.
    name : str
        For people.
    measure : MeasureFacts
    members : tuple of SuiteMember
    rows : tuple of SuiteRow
        Every system with a score on any member.
    """

    suite: str
    name: str
    measure: MeasureFacts
    members: tuple[SuiteMember, ...]
    rows: tuple[SuiteRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMean:
    """The mean of a system over all members, each weighing the same.

    Attributes
    ----------
    result : int
        Id of the system.
    value : float
    """

    result: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """A system that has no score on some members: it does not compete, and nothing is filled in.

    Attributes
    ----------
    result : int
        Id of the system.
    missing : tuple of int
        Places of the members, from 0.
    """

    result: int
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFindings:
    """Everything that a study of one suite finds. Ids of results are those of systems.

    Attributes
    ----------
    other_collections : Verdict
        Which system is the best on other collections like these; variances are per collection.
    same_collections : Verdict
        Which is the best on these collections, with other topics.
    families : tuple of Family
        Of the systems that compete, that of the best first.
    means : tuple of SuiteMean
        Of the systems that compete, best first.
    incomplete : tuple of Incomplete
        Those that do not, in the order of the inputs.
    """

    other_collections: Verdict
    same_collections: Verdict
    families: tuple[Family, ...]
    means: tuple[SuiteMean, ...]
    incomplete: tuple[Incomplete, ...]


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
