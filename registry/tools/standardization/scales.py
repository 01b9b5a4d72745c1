"""The scales of many leaderboards at once: the frozen sets of published means, and the results to read on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from analysis.scales import StandardizationFactors, standardize, standardize_means
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard, Topic
from registry.leaderboards.models import ReferenceSet
from registry.leaderboards.references import sort_of
from registry.results.models import Result, TopicScores
from registry.results.querysets import ResultQuerySet
from registry.tools.standardization.queries import MIN_REFERENCES


@dataclass(frozen=True, slots=True)
class Scale:
    """The reference means of a leaderboard."""

    board: Leaderboard
    name: str
    sort: str
    frozen: date
    means: tuple[float, ...]
    members: frozenset[int]

    def read(self, values: Sequence[float]) -> tuple[list[float], list[float]]:
        """z and percentile of each value."""
        found = standardize_means(values, self.means, higher_is_better=self.board.measure.higher_is_better)
        return found.z.tolist(), found.percentile.tolist()


def read_scales(results: ResultQuerySet) -> dict[int, Scale]:
    """The scales of the leaderboards of these results, by leaderboard; none of those with too few reference systems."""
    boards = Leaderboard.objects.with_names().in_bulk(
        results.order_by().values_list("leaderboard", flat=True).distinct()
    )
    in_force = _in_force(boards, ReferenceSet.Basis.PUBLISHED_MEANS)
    members: dict[int, set[int]] = {}
    through = ReferenceSet.members.through._default_manager
    for of, member in through.filter(result__in=results.order_by().values("pk")).values_list(
        "referenceset_id", "result_id"
    ):
        members.setdefault(of, set()).add(member)
    return {
        pk: Scale(
            board=boards[pk],
            name=one.name,
            sort=sort_of(one.name),
            frozen=one.frozen_on,
            means=tuple(one.factors["means"]),
            members=frozenset(members.get(one.pk, ())),
        )
        for pk, one in in_force.items()
        if one.n_systems >= MIN_REFERENCES
    }


def read_topic_z(results: Iterable[Result]) -> dict[int, float]:
    """z by topic, on average over the topics, of those results whose scores by topic and their scale are on record."""
    by_id = {one.pk: one for one in results}
    vectors = TopicScores.objects.standing().complete_vectors(by_id)
    boards = {by_id[pk].leaderboard_id: by_id[pk].leaderboard for pk in vectors}
    found: dict[int, float] = {}
    for pk, one in _in_force(boards, ReferenceSet.Basis.TOPIC_SCORES).items():
        factors, board = StandardizationFactors.from_dict(one.factors), boards[pk]
        topics = list(Topic.objects.filter(collection=board.collection_id).values_list("label", flat=True))
        rows = [row for row in vectors if by_id[row].leaderboard_id == pk]
        if factors.n_systems >= MIN_REFERENCES and set(topics) == set(factors.topics):
            matrix = ScoreMatrix([str(row) for row in rows], topics, [vectors[row] for row in rows])
            means = standardize(matrix, factors, higher_is_better=board.measure.higher_is_better).means
            found |= dict(zip(rows, means.tolist(), strict=True))
    return found


def _in_force(boards: Iterable[int], basis: ReferenceSet.Basis) -> dict[int, ReferenceSet]:
    sets = ReferenceSet.objects.filter(leaderboard__in=list(boards), basis=basis)
    return {one.leaderboard_id: one for one in sets.order_by("version")}
