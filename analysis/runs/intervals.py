"""The interval of average precision on other documents of the kind (Cormack & Lynam 2006), for a run that is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import ir_measures

from analysis.boards import METHODS
from analysis.documents import judge_run, map_interval
from analysis.errors import ArgumentError
from analysis.scores import Judgements, Run

#: Of measures without a cutoff: as many documents as a run may have.
WHOLE = 1_000_000
#: A width that is no more than this is none.
_NO_WIDTH = 1e-12


@dataclass(frozen=True, slots=True)
class AveragePrecision:
    """A kind of average precision: the grade from which on documents are relevant, and how far down it looks."""

    grade: int
    depth: int


def as_average_precision(measure: str) -> AveragePrecision | None:
    """Return the kind of average precision that ir-measures spells so; None for other measures."""
    parsed = ir_measures.parse_measure(measure)
    if parsed.NAME != "AP" or parsed.params.get("judged_only"):
        return None
    return AveragePrecision(parsed.params.get("rel", 1), parsed.params.get("cutoff", WHOLE))


def run_of(rankings: Mapping[str, str]) -> Run:
    """Return a run from its documents by topic, which spaces divide."""
    return Run("run", MappingProxyType({topic: tuple(text.split()) for topic, text in rankings.items()}), {})


def mean_intervals(
    rankings: Mapping[str, str], judged: Mapping[str, dict[str, int]], measures: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return MAP with its 95 % interval, under each average precision that looks deepest.

    By the name of the measure: ``estimate``, ``low``, ``high``, ``n_topics``, those with a relevant document, the
    ``grade`` from which on documents are, and ``unknown``: why there is no interval. Where resampling the documents
    changes nothing, ``low`` and ``high`` are None: an interval without width would say that all is known.
    """
    intervals = {}
    known = {name: kind for name, text in measures.items() if (kind := as_average_precision(text))}
    deepest = max((kind.depth for kind in known.values()), default=0)
    for name, kind in known.items():
        if kind.depth < deepest:
            continue
        try:
            judged_run = judge_run(run_of(rankings), Judgements(judged), minimum_grade=kind.grade, depth=kind.depth)
        except ArgumentError:  # No topic has a relevant document.
            continue
        mean = map_interval(judged_run.lists, METHODS.seed)
        is_wide = mean.interval.high - mean.interval.low > _NO_WIDTH
        intervals[name] = {
            "estimate": mean.estimate,
            "low": mean.interval.low if is_wide else None,
            "high": mean.interval.high if is_wide else None,
            "n_topics": mean.n_topics,
            "grade": kind.grade,
            "unknown": "" if is_wide else _why_unknown(mean.estimate, mean.n_topics),
        }
    return intervals


def _why_unknown(estimate: float, n_topics: int) -> str:
    on = "the one topic" if n_topics == 1 else f"all {n_topics:,} topics"
    same = f"AP is {round(estimate, 6):g} on {on}" if estimate in (0.0, 1.0) else f"AP stays the same on {on}"
    return f"{same} whichever of its documents are drawn, so how it would move on others can’t be known"
