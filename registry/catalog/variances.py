"""What is known of how scores on a leaderboard vary from topic to topic: own runs, and relevant documents."""

import math
import re
from dataclasses import dataclass

from registry.catalog.models import Collection, Density, Leaderboard, ResidualVariance

#: At most, as surely as from so many squares, for a matrix that doesn't hold every listed result; at most of all.
MAX_DF_PARTIAL, MAX_DF = 18.0, 60.0
#: With fewer runs or makers a matrix is small, whatever it holds.
MIN_SYSTEMS, MIN_MAKERS = 10, 3

#: A suite of one track: its other years are like this one. Suites that gather what others made are none.
_TRACK = re.compile(r"TREC.*|Touché.*|CLEF e.*|LongEval.*|CIRAL|HC4|Mr\. TyDi|MS MARCO")
#: The means of siblings tell something of each other if all are beyond one of these, or within this factor.
_MANY, _FEW, _FACTOR, _MIN_SIBLINGS = 15.0, 3.0, 8.0, 2
#: What the judgements of a collection are, where results here rest on others.
_OTHER_JUDGEMENTS = "these are Anserini's judgements"
_BASES = {Density.Basis.STATISTICS: "package statistics", Density.Basis.MEMBERS: "its members together"}


@dataclass(frozen=True, slots=True)
class VarianceSeen:
    """A residual variance per topic that was measured on runs of this collection, and how surely it holds here."""

    value: float
    degrees_of_freedom: float
    sources: tuple[str, ...]
    n_systems: int
    n_topics: int
    n_makers: int | None


@dataclass(frozen=True, slots=True)
class RelevantSeen:
    """How many documents are relevant to a topic; ``known_from`` says in words how that is known."""

    mean: float
    share_with_one: float | None
    known_from: str
    is_of_siblings: bool = False


def read_variances(leaderboard: Leaderboard, *, n_rows: int) -> tuple[VarianceSeen, ...]:
    """Return what was measured on this collection under this measure; in one query.

    ``n_rows`` is the number of listed results that may be the best: a matrix of fewer runs doesn't cover all of them.
    """
    known = ResidualVariance.objects.filter(measure=leaderboard.measure, collection=leaderboard.collection)
    return tuple(_own(row, n_rows) for row in known)


def _own(row: ResidualVariance, n_rows: int) -> VarianceSeen:
    n_systems, n_topics = row.n_systems, row.n_topics
    is_partial = n_systems < max(n_rows, MIN_SYSTEMS) or (row.n_makers is not None and row.n_makers < MIN_MAKERS)
    df = min(float((n_topics - 1) * (n_systems - 1)), MAX_DF_PARTIAL if is_partial else MAX_DF)
    sources = tuple(f"{source} ({row.note})" if row.note else source for source in row.sources)
    return VarianceSeen(row.residual_variance, df, sources, n_systems, n_topics, row.n_makers)


def read_relevant(leaderboard: Leaderboard) -> RelevantSeen | None:
    """Return how many documents are relevant to a topic of this leaderboard, as its measure counts them; None: not
    known.

    By judgements or statistics of the collection; by what is registered of it; by other collections of its track, if
    these agree; one where every topic has one right answer. In two queries at most.
    """
    collection, is_graded = leaderboard.collection, "(rel=2)" in leaderboard.measure.name
    density: Density | None = getattr(collection, "density", None)
    known = _of_density(density, is_graded=is_graded)
    is_ndcg = leaderboard.measure.nature.family == "nDCG"
    is_of_others = is_ndcg and density is not None and density.note.startswith(_OTHER_JUDGEMENTS)
    if known and not (is_of_others and collection.relevant_per_topic):
        return known
    if collection.relevant_per_topic and not is_graded:
        return RelevantSeen(collection.relevant_per_topic, None, "as recorded with the collection")
    of_task = RelevantSeen(1.0, 1.0, "every topic has one right answer")
    is_known_item = collection.task == Collection.Task.KNOWN_ITEM
    return _of_siblings(collection, is_graded=is_graded) or (of_task if is_known_item else None)


def _of_density(density: Density | None, *, is_graded: bool) -> RelevantSeen | None:
    if density is None:
        return None
    mean, share = (
        (density.grade_2_mean, density.grade_2_share_with_one)
        if is_graded
        else (density.relevant_mean, density.share_with_one)
    )
    if not mean:
        return None
    basis = Density.Basis(density.basis)
    return RelevantSeen(mean, share, _BASES.get(basis, str(basis.label)))


def _of_siblings(collection: Collection, *, is_graded: bool) -> RelevantSeen | None:
    if not _TRACK.fullmatch(collection.suite):
        return None
    field = "grade_2_mean" if is_graded else "relevant_mean"
    others = Density.objects.filter(collection__suite=collection.suite).exclude(collection=collection)
    means = list(others.filter(**{f"{field}__gt": 0}).values_list(field, flat=True))
    if len(means) < _MIN_SIBLINGS:
        return None
    low, high = min(means), max(means)
    if not (low > _MANY or high < _FEW or high <= _FACTOR * low):
        return None
    middle = math.exp(sum(map(math.log, means)) / len(means))
    return RelevantSeen(middle, None, f"{len(means)} other collections of {collection.suite}", is_of_siblings=True)
