"""Is the run in first place verified: better than every other?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from analysis._validation import check_count, check_labels
from analysis.best._contrasts import MIN_TOPICS_FOR_BADGE
from analysis.errors import ArgumentError
from analysis.results import Result


class WhyNotVerified(StrEnum):
    """Why the run in first place is not verified."""

    #: There is no set of runs that may be the best.
    NO_SET = "no-set"
    #: Fewer than 25 topics: the confidence of the set has not been shown to hold on every collection.
    TOO_FEW_TOPICS = "too-few-topics"
    #: Others may be the best too.
    NOT_ALONE = "not-alone"
    #: Its scores are doubted.
    FLAGGED = "flagged"


@dataclass(frozen=True, slots=True)
class VerifiedLeader(Result):
    """Whether the run in first place is verified, or at least its family."""

    leader: Annotated[str | None, "The first member. None where there is no set."]
    is_verified: Annotated[bool, "Whether it is better than every other run, at the confidence of the set."]
    verified_family: Annotated[
        str | None, "The family that has the best run, at the confidence of the set: that of all members."
    ]
    why_not: Annotated[WhyNotVerified | None, "Why the leader is not verified; None if it is."]


def verified_leader(
    members: Sequence[str], *, n_topics: int, families: Mapping[str, str] | None = None, flagged: Sequence[str] = ()
) -> VerifiedLeader:
    """Say whether the run in first place is better than every other: alone in the set of those that may be the best.

    Parameters
    ----------
    members : sequence of str
        The set by scores on the same topics (:func:`analysis.best.confidence_set_for_best`), best first; empty where
        there is none. Sets from published means verify nothing.
    n_topics : int
        Number of these topics, 1 or more.
    families : mapping of str to str, optional
        The family of each system that has one with others. Default: each is a family of its own.
    flagged : sequence of str, default ()
        Systems whose scores are doubted, for example as outliers or trained on the test topics: they verify nothing.

    Returns
    -------
    VerifiedLeader

    Raises
    ------
    ArgumentError
        If the arguments are of another type.

    Notes
    -----
    There is no second test: if the truly best run is in the set with 95 % confidence and the set has one member, that
    run is the best with the same confidence. If all members are of one family, so is the best run, whichever it is:
    the family is verified, and the leading run is not. Nothing is verified on fewer than 25 topics, where the set comes
    with a caution.

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251. The set of one.
    """
    runs = check_labels(members, "members")
    check_count(n_topics, "n_topics")
    known = {} if families is None else _check_families(families)
    doubted = set(check_labels(flagged, "flagged"))
    leader = runs[0] if runs else None
    why = None
    if leader is None:
        why = WhyNotVerified.NO_SET
    elif n_topics < MIN_TOPICS_FOR_BADGE:
        why = WhyNotVerified.TOO_FEW_TOPICS
    elif doubted & set(runs):
        why = WhyNotVerified.FLAGGED
    elif len(runs) > 1:
        why = WhyNotVerified.NOT_ALONE
    of_members = {known.get(system, system) for system in runs}
    is_family_sure = why in (None, WhyNotVerified.NOT_ALONE) and len(of_members) == 1
    return VerifiedLeader(
        leader=leader,
        is_verified=why is None,
        verified_family=of_members.pop() if is_family_sure else None,
        why_not=why,
    )


def _check_families(families: Mapping[str, str]) -> dict[str, str]:
    is_text = isinstance(families, Mapping) and all(isinstance(part, str) for pair in families.items() for part in pair)
    if not is_text:
        raise ArgumentError("families", families, "must map systems to families, both as text")
    return dict(families)
