"""Systems compared with each other: one object for the page, its JSON and the API."""

import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import combinations
from typing import get_args

from analysis.boards import METHODS, planned_pairs
from analysis.comparisons import PairedTest, adjust_pvalues, ttest_rel
from analysis.errors import ArgumentError, DegenerateWarning
from registry.catalog.documents import describe_leaderboard
from registry.core.documents import document_of
from registry.core.listing import grouped
from registry.core.messages import say
from registry.leaderboards.stored import StoredBoard, each_stored
from registry.leaderboards.wording import strength_of
from registry.results.documents import contested_of
from registry.results.models import Model, Result, System, TopicScores
from registry.results.queries import with_things
from registry.tools.compare.shapes import (
    ComparedBoard,
    CompareDocument,
    ComparedScore,
    ComparedSystem,
    Difference,
    Duel,
    SuiteDuels,
    Training,
    TrainingDuels,
)
from registry.tools.resolution.queries import read_reversals, reversals_of


def compare_document(compared: Sequence[System | Model]) -> CompareDocument:
    """Return the systems or models on every leaderboard where two or more of them have a comparable result."""
    systems = [_systems_of(entrant) for entrant in compared]
    ids = [min(system) for system in systems]
    owners = {pk: min(system) for system in systems for pk in system}
    shared = _shared_results(owners)
    chosen = {
        board: [_best(by_owner[owner]) for owner in ids if owner in by_owner] for board, by_owner in shared.items()
    }
    vectors = TopicScores.objects.standing().complete_vectors([row.pk for rows in chosen.values() for row in rows])
    contested = {
        (contest.system, collection, contest.measure)
        for contest in contested_of({row.system.name for rows in chosen.values() for row in rows})
        for collection in (contest.collection, contest.other_collection)
    }

    def beside(board: int, stored: StoredBoard | None) -> ComparedBoard:
        rows = chosen[board]
        n_recorded = [len(shared[board][owners[row.system_id]]) for row in rows]
        return _board(rows, n_recorded, owners, stored, vectors, contested)

    analysed = {stored.leaderboard_id: beside(stored.leaderboard_id, stored) for stored in each_stored(shared)}
    boards = [analysed.get(board) or beside(board, None) for board in chosen]
    boards.sort(key=lambda board: -len(board.scores))
    differences = [difference for board in boards for difference in board.differences]
    by_all = [board for board in boards if len(board.scores) == len(ids)]
    zero_shot = [board for board in by_all if board.training == "zero-shot"]
    pairs = records_of(ids, by_all)
    names = {pk: entrant.name.rpartition("/")[2] for pk, entrant in zip(ids, compared, strict=True)}
    counted = records_of(ids, zero_shot) if zero_shot else pairs
    return CompareDocument(
        sentence=sentence_of(names, counted, len(zero_shot or by_all), is_zero_shot=bool(zero_shot)),
        n_shared_by_all=len(by_all), n_zero_shot=len(zero_shot), pairs=pairs, by_training=by_training(ids, by_all),
        suites=by_suite(ids, by_all), zero_shot_suites=by_suite(ids, zero_shot),
        systems=tuple(_system(pk, entrant, boards, len(ids)) for pk, entrant in zip(ids, compared, strict=True)),
        n_comparisons=len(differences), n_told_apart=sum(difference.told_apart is True for difference in differences),
        n_unknown=sum(difference.told_apart is None for difference in differences), boards=tuple(boards),
    )  # fmt: skip


def _shared_results(owners: Mapping[int, int]) -> dict[int, dict[int, list[Result]]]:
    """Return the comparable results by leaderboard and owner, of leaderboards that two or more owners share."""
    comparable = Result.objects.comparable().filter(system__in=owners)
    by_name = comparable.order_by("leaderboard__collection__slug", "leaderboard__measure__name", "pk")
    results = list(by_name.only("leaderboard", "system", "replicate_of", "printed", "unit", "value"))
    known = {(owners[result.system_id], result.pk) for result in results}
    by_board: dict[int, dict[int, list[Result]]] = {}
    for result in results:
        owner = owners[result.system_id]
        # Other executions stand behind the first one of the same, which competes; their best would be a lucky one.
        if (owner, result.replicate_of_id) not in known:
            by_board.setdefault(result.leaderboard_id, {}).setdefault(owner, []).append(result)
    shared = {board: by_owner for board, by_owner in by_board.items() if len(by_owner) > 1}
    rows = (row for by_owner in shared.values() for results in by_owner.values() for row in results)
    with_things(rows, "leaderboard", "system")
    return shared


def _systems_of(entrant: System | Model) -> list[int]:
    if isinstance(entrant, System):
        return [entrant.pk]
    return list(entrant.systems.filter(merged_into=None).values_list("pk", flat=True))


def _best(results: Sequence[Result]) -> Result:
    is_high = results[0].leaderboard.measure.higher_is_better
    return max(results, key=lambda result: result.value if is_high else -result.value)


def _system(pk: int, entrant: System | Model, boards: Sequence[ComparedBoard], n: int) -> ComparedSystem:
    everywhere = [
        board.by_system[pk].z
        for board in boards
        if len(board.scores) == n and all(score.z is not None for score in board.scores)
    ]
    comparable_z = [z for z in everywhere if z is not None]
    return ComparedSystem(
        id=pk, name=entrant.name, team=entrant.team if isinstance(entrant, System) else entrant.maker,
        model="" if isinstance(entrant, System) else entrant.slug, url=entrant.get_absolute_url(),
        mean_z=sum(comparable_z) / len(comparable_z) if comparable_z else None, n_z=len(comparable_z),
    )  # fmt: skip


def _board(
    rows: Sequence[Result],
    counts: Sequence[int],
    owners: Mapping[int, int],
    stored: StoredBoard | None,
    vectors: dict[int, list[float]],
    contested: AbstractSet[tuple[str, str, str]],
) -> ComparedBoard:
    verdict = stored.findings.verdict if stored else None
    known = stored.rows if stored else {}
    training = [known[row.pk].training if row.pk in known else "" for row in rows]
    contradicting = {
        row
        for caution in (verdict.cautions if verdict else ())
        if caution.code == "contradicts-linked"
        for row in caution.results
    }
    return ComparedBoard(
        **describe_leaderboard(rows[0].leaderboard), suite=rows[0].leaderboard.collection.suite,
        scores=tuple(_score(row, owners[row.system_id], n, stored) for row, n in zip(rows, counts, strict=True)),
        differences=tuple(_differences(rows, owners, stored, vectors)), training=_training(training),
        trained=tuple(owners[row.system_id] for row, word in zip(rows, training, strict=True) if word == "declares"),
        strength=strength_of(verdict.evidence) if verdict else None,
        contested=tuple(
            owners[row.system_id]
            for row in rows
            if row.pk in contradicting
            or (row.system.name, row.leaderboard.collection.slug, row.leaderboard.measure.name) in contested
        ),
    )  # fmt: skip


#: Training, in the words of sources, of results that are zero-shot.
_ZERO_SHOT = {"declares_none", "not_listed", "nothing_to_train"}


def _training(words: Sequence[str]) -> Training:
    if all(word in _ZERO_SHOT for word in words):
        return "zero-shot"
    return "trained" if all(word in _ZERO_SHOT or word == "declares" for word in words) else "undisclosed"


def _score(row: Result, owner: int, n_recorded: int, stored: StoredBoard | None) -> ComparedScore:
    among = stored.among_references.get(row.pk) if stored else None
    return document_of(
        ComparedScore, row, system=owner, named=row.system.name, result=row.pk, url=row.get_absolute_url(),
        n_recorded=n_recorded, rank=stored.ranks.get(row.pk) if stored else None,
        can_be_best=stored.marks.can_be_best.get(row.pk) if stored else None, z=among.z if among else None,
        percentile=among.percentile if among else None,
    )  # fmt: skip


def _differences(
    rows: Sequence[Result], owners: Mapping[int, int], stored: StoredBoard | None, vectors: dict[int, list[float]]
) -> list[Difference]:
    pairs = list(combinations(rows, 2))
    differences = _tested([pair for pair in pairs if vectors.keys() >= set(_ids(pair))], len(pairs), owners, vectors)
    differences |= _by_means([pair for pair in pairs if _ids(pair) not in differences], len(pairs), owners, stored)
    return [differences[_ids(pair)] for pair in pairs]


def _ids(pair: tuple[Result, Result]) -> tuple[int, int]:
    return pair[0].pk, pair[1].pk


def _tested(
    pairs: Sequence[tuple[Result, Result]],
    n_comparisons: int,
    owners: Mapping[int, int],
    vectors: dict[int, list[float]],
) -> dict[tuple[int, int], Difference]:
    """Return pairs with scores by topic, judged together with the others on the leaderboard.

    Left to their means are those that differ by the same on every topic, which no t test treats.
    """
    tests = {pair: test for pair in pairs if (test := _t_test(*(vectors[pk] for pk in _ids(pair))))}
    if not tests:
        return {}
    leaderboard = pairs[0][0].leaderboard
    known = cache(lambda: read_reversals(leaderboard))
    adjusted = adjust_pvalues([test.pvalue for test in tests.values()], n_comparisons=n_comparisons)
    differences: dict[tuple[int, int], Difference] = {}
    for (pair, test), pvalue in zip(tests.items(), adjusted.tolist(), strict=True):
        high, low = sorted(pair, key=lambda row: -sum(vectors[row.pk]))
        better, other = (high, low) if leaderboard.measure.higher_is_better else (low, high)
        differences[_ids(pair)] = Difference(
            better=owners[better.system_id], other=owners[other.system_id], difference=test.mean_difference,
            basis="topic-scores", told_apart=pvalue <= 1 - METHODS.confidence_level,
            low=test.interval.low if test.interval else None, high=test.interval.high if test.interval else None,
            pvalue=pvalue, n_topics=test.n_topics, reversals=reversals_of(known, test),
        )  # fmt: skip
    return differences


def _t_test(*vectors: list[float]) -> PairedTest | None:
    """Return the test of the better of two vectors; None where they differ by the same on every topic."""
    high, low = sorted(vectors, key=sum, reverse=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)  # Systems that agree on every topic have p = 1.
        try:
            return ttest_rel(high, low)
        except ArgumentError:
            return None


def _by_means(
    pairs: Sequence[tuple[Result, Result]], n_comparisons: int, owners: Mapping[int, int], stored: StoredBoard | None
) -> dict[tuple[int, int], Difference]:
    """Return pairs judged by their means, together with the others on the leaderboard."""
    reasons = {_ids(pair): _why_unknown(*pair, stored) for pair in pairs}
    known = [pair for pair in pairs if not reasons[_ids(pair)]]
    error = stored.pair_error if stored and known else None
    values = [first.value - second.value for first, second in known]
    judged = planned_pairs(values, [error] * len(known), n_comparisons) if error else ()
    by_pair = dict(zip(map(_ids, known), judged, strict=True))
    differences = {}
    for pair in pairs:
        is_high, comparison = pair[0].leaderboard.measure.higher_is_better, by_pair.get(_ids(pair))
        better, other = sorted(pair, key=lambda row: -row.value if is_high else row.value)
        differences[_ids(pair)] = Difference(
            better=owners[better.system_id],
            other=owners[other.system_id],
            difference=abs(better.value - other.value),
            basis="means" if comparison else "none",
            told_apart=comparison.is_told_apart if comparison else None,
            margin=comparison.margin if comparison else None,
            pvalue=comparison.pvalue if comparison else None,
            why_unknown=reasons[_ids(pair)],
        )
    return differences


def _why_unknown(first: Result, second: Result, stored: StoredBoard | None) -> str:
    """Return why the means of two results can’t tell which system is better; blank where they may."""
    if stored is None:
        return say("compare-not-analysed")
    outside = [row for row in (first, second) if row.pk not in stored.ranks]
    if outside and all(row.replicate_of_id for row in outside):
        return say("compare-execution")
    if outside:
        return say("compare-not-ranked")
    if stored.pair_error is None:
        return stored.findings.verdict.why_no_set or say("compare-no-variance")
    return ""


def records_of(systems: Sequence[int], boards: Iterable[ComparedBoard]) -> tuple[Duel, ...]:
    """Return every pair of these systems, in their order, over leaderboards that all of them share."""
    differences = (difference for board in boards for difference in board.differences)
    by_pair = grouped(differences, lambda difference: frozenset((difference.better, difference.other)))
    return tuple(_record(pair, by_pair[frozenset(pair)]) for pair in combinations(systems, 2))


def by_suite(systems: Sequence[int], boards: Iterable[ComparedBoard]) -> tuple[SuiteDuels, ...]:
    """Return the same for each track or benchmark, those of most leaderboards first."""
    suites = grouped(boards, lambda board: board.suite)
    records = [
        SuiteDuels(suite=suite, n_boards=len(members), pairs=records_of(systems, members))
        for suite, members in suites.items()
    ]
    return tuple(sorted(records, key=lambda record: (-record.n_boards, record.suite)))


def by_training(systems: Sequence[int], boards: Iterable[ComparedBoard]) -> tuple[TrainingDuels, ...]:
    """Return the same by what is known of training: zero-shot first, undisclosed last."""
    kinds = grouped(boards, lambda board: (board.training, board.trained if board.training == "trained" else ()))
    records = [
        TrainingDuels(training=training, trained=trained, n_boards=len(alike), pairs=records_of(systems, alike))
        for (training, trained), alike in kinds.items()
    ]
    order = get_args(Training)
    return tuple(sorted(records, key=lambda duels: (order.index(duels.training), len(duels.trained), duels.trained)))


def _record(pair: tuple[int, int], differences: Sequence[Difference]) -> Duel:
    n_known = sum(difference.told_apart is not None for difference in differences)
    winners = [difference.better for difference in differences if difference.told_apart]
    wins, losses = map(winners.count, pair)
    return Duel(
        first=pair[0],
        second=pair[1],
        n_wins=wins,
        n_losses=losses,
        n_ties=n_known - len(winners),
        n_unknown=len(differences) - n_known,
    )


def leader_of(systems: Sequence[int], records: Sequence[Duel]) -> int | None:
    """Return the system that beats each other one on more than half of the leaderboards; None where none does."""
    won: dict[int, int] = defaultdict(int)
    for duel in records:
        for system, n_won in ((duel.first, duel.n_wins), (duel.second, duel.n_losses)):
            won[system] += 2 * n_won > duel.n_boards
    return next((system for system in systems if won[system] == len(systems) - 1), None)


def sentence_of(names: dict[int, str], records: Sequence[Duel], n_boards: int, *, is_zero_shot: bool) -> str:
    """Return the sentence on who of two wins how often, or who of several leads all others, if anybody does."""
    values = {"n": n_boards, "zero": "yes" if is_zero_shot else "no"}
    if not n_boards:
        return say("compare-none-shared")
    if len(records) == 1:
        (duel,) = records
        ahead = (duel.n_wins, names[duel.first]), (duel.n_losses, names[duel.second])
        (wins, first), (losses, second) = sorted(ahead, key=lambda pair: -pair[0])
        counts = {"wins": wins, "losses": losses, "ties": duel.n_ties}
        return say("compare-two", first=first, second=second, **values, **counts)
    leader = leader_of(list(names), records)
    return say("compare-leader", name=names[leader], **values) if leader else say("compare-no-leader", **values)
