"""Measures by the values that they can take on a topic: those of which means near the top are hardly normal."""

import re
from enum import StrEnum
from typing import Literal

from analysis._validation import check_choice
from analysis.errors import ArgumentError


class MeasureKind(StrEnum):
    """What a measure can say about a topic."""

    #: One over the rank of the first relevant document, at any cutoff.
    RECIPROCAL_RANK = "reciprocal-rank"
    #: Whether any relevant document is found, at any cutoff; the hit rate.
    SUCCESS = "success"
    #: What stands in the first place alone: P@1, and every other measure cut off there.
    FIRST_RANK = "first-rank"
    #: Any measure where each topic has one relevant document: all of them are functions of its rank.
    KNOWN_ITEM = "known-item"
    #: Means of many documents' parts, as AP, nDCG@10 or P@10.
    MANY_VALUED = "many-valued"

    @property
    def is_coarse(self) -> bool:
        """Whether a topic's score takes few values, the highest of them often: the best means are near a ceiling then,
        and intervals from their standard errors hold too seldom, whatever the number of topics."""
        return self is not MeasureKind.MANY_VALUED


_KINDS = (
    (MeasureKind.RECIPROCAL_RANK, re.compile(r"(m?rr|recip_?rank)(?![a-z])", re.IGNORECASE)),
    (
        MeasureKind.SUCCESS,
        re.compile(r"(success|hit_?rate|hits?)(?![a-z])|top-\d+ accuracy \(answers\)|top_\d+_accuracy$", re.IGNORECASE),
    ),
    (MeasureKind.FIRST_RANK, re.compile(r".*[@_]1(?![.\dkK])")),
)


def measure_kind(measure: str, *, task: Literal["known-item"] | None = None) -> MeasureKind:
    """The kind of a measure, from its name and the task that it is used for.

    Parameters
    ----------
    measure : str
        Its name in the spelling of ir-measures, for example "AP" or "RR(rel=2)@10"; trec_eval's are known too.
    task : {"known-item"}, optional
        "known-item" if each topic has one relevant document (or one judged one): known-item and home-page search,
        question answering, collections with sparse judgements. The name of the measure doesn't tell.

    Returns
    -------
    MeasureKind

    Raises
    ------
    ArgumentError
        If the measure is no text or blank, or the task is unknown.

    References
    ----------
    Ferrante, Ferro & Fuhr (2021), doi:10.1109/ACCESS.2021.3116857, on the values that measures can take.

    Examples
    --------
    >>> measure_kind("nDCG@10"), measure_kind("RR(rel=2)@10").is_coarse, measure_kind("AP", task="known-item").is_coarse
    (<MeasureKind.MANY_VALUED: 'many-valued'>, True, True)
    """
    if not isinstance(measure, str) or not measure.strip():
        raise ArgumentError("measure", measure, "must be the name of a measure")
    if task is not None:
        check_choice(task, "task", ("known-item",))
        return MeasureKind.KNOWN_ITEM
    return next((kind for kind, pattern in _KINDS if pattern.match(measure.strip())), MeasureKind.MANY_VALUED)
