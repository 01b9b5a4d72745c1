"""The report on a run beside its scores: ties, gaps, judgements that say little, and what was done about each.

The interval of average precision on other documents of the kind (Cormack & Lynam 2006), for a run that is judged. And
which runs seem to be executions of one system, by their names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import ir_measures

from analysis.boards import METHODS
from analysis.documents import judge_run, map_interval
from analysis.errors import ArgumentError
from analysis.runs.reading import ReportLine
from analysis.scores import Judgements, Run

#: With this share of judged topics answered, a run is compared with others.
COMPLETE = 0.9
#: From this share of topics on their own names among the documents are no chance.
_ITSELF = 0.01
#: As many means are named.
_MOST_MEANS = 3

#: The counts of a report: key, name, and what was done about it.
_POLICIES = (
    ("missing", "Topics without an answer", "Each counts as 0, as with trec_eval -c."),
    ("foreign", "Topics without judgements", "They are left out; the mean is over the judged topics."),
    ("disordered", "Topics whose ranks contradict the scores", "The scores count, as in trec_eval."),
    ("tied", "Topics with equal scores", "Ties are ordered by document, descending, as in trec_eval."),
    ("single", "Topics with scores that single precision does not tell apart", "They are ties, as in trec_eval."),
    ("empty", "Judged topics without a relevant document", "No run can score there; they count as 0 in every mean."),
)


def is_complete(report: Mapping[str, Any]) -> bool:
    """Say whether a run answers so many of the judged topics that its means can be compared."""
    n_judged = report.get("n_judged_topics", 0)
    return not n_judged or bool(report["n_answered"] >= COMPLETE * n_judged)


def mean_of_answered(mean: float, report: Mapping[str, Any]) -> float | None:
    """Return the mean over the topics that a run answers; None where it answers all, or none.

    Topics without an answer count as 0 in the mean over all.
    """
    n_answered, n_judged = report.get("n_answered", 0), report.get("n_judged_topics", 0)
    return mean * n_judged / n_answered if 0 < n_answered < n_judged else None


def report_lines(report: Mapping[str, Any]) -> Iterator[ReportLine]:
    """Yield what a report counts, in the order in which somebody should look at it."""
    yield from (ReportLine(**remark) for remark in report.get("remarks", ()))
    if not is_complete(report):
        policy = f"That is under {COMPLETE:.0%} of {report['n_judged_topics']:,}: no rank, and nothing to cite."
        yield ReportLine("Judged topics with an answer", report["n_answered"], policy)
    yield from _itself(report)
    for key, name, policy in _POLICIES:
        count = report.get(f"n_{key}", 0)
        if count:
            yield ReportLine(name, count, policy, _where(report[key], count))
    if report.get("n_negative"):
        policy = "They are not relevant; measures over judged documents alone pass over them, as trec_eval -J does."
        yield ReportLine("Judgements below 0", report["n_negative"], policy)
    if report.get("n_unjudged"):
        n_first, n_unjudged = report["n_at_10"], report["n_unjudged_at_10"]
        where = f"{n_unjudged:,} of the {n_first:,} {'document' if n_first == 1 else 'documents'} in first ten places"
        yield ReportLine("Documents without a judgement", report["n_unjudged"], "They count as not relevant.", where)


def _itself(report: Mapping[str, Any]) -> Iterator[ReportLine]:
    """Yield the line on documents named as their topic, as in ArguAna and Quora, where they are the topic itself."""
    count = report.get("n_itself", 0)
    if not count or count < _ITSELF * report["n_answered"]:
        return
    means = [f"{name} {mean:.4f}" for name, mean in report["without_itself"].items()]
    rest = ", and so on" if len(means) > _MOST_MEANS else ""
    policy = f"They count, as in trec_eval. BEIR’s evaluator leaves them out: {', '.join(means[:_MOST_MEANS])}{rest}."
    yield ReportLine("Topics with their own name among the documents", count, policy, _where(report["itself"], count))


def _where(named: Sequence[Any], count: int) -> str:
    texts = [entry if isinstance(entry, str) else f"{entry[1]} (line {entry[0]:,})" for entry in named]
    rest = f" and {count - len(named):,} more" if count > len(named) else ""
    return f"{', '.join(texts)}{rest}"


#: What an execution may be called behind the name of its system: A.1, A_seed3, A-run2, A (4).
_EXECUTION = re.compile(r"(?P<system>.+?)[\s.,_-]*(?:seed|run|exec|execution|fold|sample)?[\s._-]*\(?[0-9]+\)?", re.I)


def proposed_systems(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names by the system whose executions they seem to be; a name that stands alone is its own system.

    >>> proposed_systems(["A.1", "A.2", "B_seed1", "B_seed2", "BM25"])
    {'A': ['A.1', 'A.2'], 'B': ['B_seed1', 'B_seed2'], 'BM25': ['BM25']}
    """
    alike: dict[str, list[str]] = {}
    for name in names:
        match = _EXECUTION.fullmatch(name)
        alike.setdefault(match["system"] if match else name, []).append(name)
    return {(system if len(executions) > 1 else executions[0]): executions for system, executions in alike.items()}


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
