"""Which cautions are cleared on a leaderboard, and what was said to them; now, or as of an earlier moment."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from registry.curation.cautions.models import CautionAnswer, CautionDecision
from registry.results.models import Result

#: A caution of a result: its code, and the id of the version that stands.
Key = tuple[str, int]

#: Which cautions are about results that somebody can speak for. Others are about boards, or follow from the scores.
ANSWERABLE = (
    "stands-apart",
    "outlier-elsewhere",
    "unusual-elsewhere",
    "follows-flag",
    "contradicts-linked",
    "self-reported",
    "other-pool",
)


@dataclass(frozen=True, slots=True)
class ScoreOnBoard:
    """A score on a leaderboard: what answers and decisions are about, whichever version of the result they name."""

    id: int
    leaderboard_id: int
    system_id: int
    value: float


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of the cautions of some results."""

    answers: dict[Key, list[CautionAnswer]] = field(default_factory=dict)
    decisions: dict[Key, CautionDecision] = field(default_factory=dict)

    @property
    def cleared(self) -> tuple[Key, ...]:
        """The cautions that are not given again, in a fixed order."""
        cleared = CautionDecision.Kind.CLEARED
        return tuple(sorted(key for key, one in self.decisions.items() if one.kind == cleared))


def scores_of(results: Iterable[int]) -> list[ScoreOnBoard]:
    """The scores of results by their ids, ended or not."""
    names = ("id", "leaderboard_id", "system_id", "value")
    return [ScoreOnBoard(*columns) for columns in Result.objects.filter(pk__in=set(results)).values_list(*names)]


def said_of(scores: Iterable[ScoreOnBoard], *, moment: datetime | None = None) -> Said:
    """What was said of the cautions of these scores; two queries, however many there are, and one where nothing was."""
    by_score: dict[tuple[int, int, float], list[int]] = defaultdict(list)
    for one in scores:
        by_score[one.leaderboard_id, one.system_id, one.value].append(one.id)
    boards = {board for board, _, _ in by_score}
    if not boards or (len(boards) == 1 and not _is_anything_said(*boards)):
        return Said()
    answers: dict[Key, list[CautionAnswer]] = defaultdict(list)
    decisions: dict[Key, CautionDecision] = {}
    for answer in _on(CautionAnswer.objects.select_related("person"), boards, moment).exclude(text=""):
        for result in _results(answer, by_score):
            answers[answer.code, result].append(answer)
    for decision in _on(CautionDecision.objects.select_related("entry__actor"), boards, moment):
        for result in _results(decision, by_score):
            decisions[decision.code, result] = decision
    return Said(dict(answers), decisions)


def _is_anything_said(board: int) -> bool:
    """Whether anybody ever said something of a leaderboard's cautions. Of most nobody did, and every page asks."""
    sql, parameters = _anything_said()
    with connection.cursor() as cursor:
        cursor.execute(sql, [board if value == _BOARD else value for value in parameters])
        return cursor.fetchone() is not None


#: In the place of a leaderboard's key.
_BOARD = -1


@cache
def _anything_said() -> tuple[str, tuple[Any, ...]]:
    answers, decisions = (
        kind.objects.order_by().filter(result__leaderboard=_BOARD).values("pk")
        for kind in (CautionAnswer, CautionDecision)
    )
    sql, parameters = answers.union(decisions, all=True)[:1].query.sql_with_params()
    return sql, tuple(parameters)


def _on(rows: Any, boards: set[int], moment: datetime | None) -> QuerySet[Any]:
    found: QuerySet[Any] = rows.known_at(moment).filter(result__leaderboard__in=boards).with_place().order_by("pk")
    return found


def _results(said: Any, by_score: dict[tuple[int, int, float], list[int]]) -> list[int]:
    """The rows that what was said is about, under the name that their system has now or had then."""
    names = dict.fromkeys([said.system_id, said.merged_id])
    return [pk for name in names for pk in by_score.get((said.leaderboard_id, name, said.value), [])]
