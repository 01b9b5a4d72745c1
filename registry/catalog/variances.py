"""What is known from elsewhere of how scores on a leaderboard vary from topic to topic, and how surely."""

import re
from dataclasses import dataclass

from django.db.models import Q

from registry.catalog.models import Collection, Leaderboard, Measure, ResidualVariance

#: A typical value of other collections is known as well as from so many degrees of freedom.
DF_TRANSFERRED = 10.0

#: With fewer runs or makers, a matrix tells no more of a collection than other collections do.
MIN_SYSTEMS, MIN_MAKERS = 10, 3

#: A matrix that doesn't hold every listed result: the best ones may vary less or more than the rest.
MAX_DF_PARTIAL, MAX_DF = 18.0, 60.0

#: With fewer relevant documents a topic, nDCG depends on the rank of the first one, as reciprocal rank does.
DENSE_FROM = 10.0

#: Where one document is right, these are functions of its rank alone.
_OF_THE_FIRST_RANK = re.compile(r"(?:AP|RR|nDCG|R|R_cap|Success)(?:\(.*\))?(?:@\d+)?|top_\d+_accuracy")
_NDCG = re.compile(r"nDCG(?:\(.*\))?(?:@\d+)?")
_FIRST_RANK = "RR"

Kind = ResidualVariance.Kind


@dataclass(frozen=True, slots=True)
class VarianceSeen:
    """A residual variance per topic that was measured elsewhere, and how surely it holds here.

    ``kind`` is "own-variance" (runs of this collection, under this measure) or "transferred"; ``sources`` is what it
    was measured on, for people; ``n_systems`` and ``n_topics`` are those of an own matrix. ``measure`` is the one that
    it was measured under, where that is another.
    """

    kind: str
    value: float
    degrees_of_freedom: float
    sources: tuple[str, ...]
    n_systems: int | None = None
    n_topics: int | None = None
    measure: str = ""


def read_variances(leaderboard: Leaderboard, *, n_rows: int) -> tuple[VarianceSeen, ...]:
    """What was measured on this collection, then what is typical of the measure elsewhere; in one query.

    ``n_rows`` is the number of listed results that may be the best: a matrix of fewer runs doesn't cover all of them.
    """
    collection, measure = leaderboard.collection, leaderboard.measure
    stand_in = _stand_in(collection, measure.name)
    typical_of = {_FIRST_RANK, measure.name} if stand_in is None else {stand_in}
    known = ResidualVariance.objects.filter(
        Q(measure=measure, collection=collection) | Q(measure__name__in=typical_of, collection=None)
    ).select_related("measure")
    own, typical = [], {}
    for row in known:
        if row.kind == Kind.OWN:
            own.append(_own(row, n_rows))
        elif row.collection_id:
            typical[""] = _transferred(row, measure)
        else:
            typical[row.measure.name] = _transferred(row, measure)
    wanted = measure.name if stand_in is None else stand_in
    chosen = typical.get("") or (typical.get(wanted) if wanted else None)
    return (*own, chosen) if chosen else tuple(own)


def _stand_in(collection: Collection, measure: str) -> str | None:
    """The measure whose typical value is taken: None for its own, blank for none at all.

    One right answer makes what depends on its rank one quantity, and typical values of pools with many relevant
    documents several times too small; of what else is measured there, nothing is known.
    """
    if collection.task == Collection.Task.KNOWN_ITEM:
        return _FIRST_RANK if _OF_THE_FIRST_RANK.fullmatch(measure) else ""
    is_sparse = collection.relevant_per_topic is not None and collection.relevant_per_topic < DENSE_FROM
    return _FIRST_RANK if is_sparse and _NDCG.fullmatch(measure) else None


def _own(row: ResidualVariance, n_rows: int) -> VarianceSeen:
    n_systems, n_topics = row.n_systems or 0, row.n_topics or 0
    df = min(float((n_topics - 1) * (n_systems - 1)), MAX_DF)
    if n_systems < n_rows:
        df = min(df, MAX_DF_PARTIAL)
    if n_systems < MIN_SYSTEMS or (row.n_makers is not None and row.n_makers < MIN_MAKERS):
        df = min(df, DF_TRANSFERRED)
    return VarianceSeen(Kind.OWN.value, row.residual_variance, df, tuple(row.sources), n_systems, n_topics)


def _transferred(row: ResidualVariance, asked: Measure) -> VarianceSeen:
    df = row.degrees_of_freedom or DF_TRANSFERRED
    seen_under = row.stands_in or row.measure.name
    return VarianceSeen(
        Kind.TRANSFERRED.value,
        row.residual_variance,
        df,
        tuple(row.sources),
        measure="" if seen_under == asked.name else seen_under,
    )
