"""What is said of systems beside each other: one object for the page, its JSON and the API."""

import warnings
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import combinations

from analysis.boards import METHODS, planned_pairs
from analysis.comparisons import PairedTest, adjust_pvalues, ttest_rel
from analysis.errors import ArgumentError, DegenerateWarning
from registry.catalog.documents import describe_leaderboard
from registry.core.documents import document_of
from registry.core.messages import say
from registry.leaderboards.stored import StoredBoard, each_stored
from registry.leaderboards.wording import strength_of
from registry.results.documents import contested_of
from registry.results.models import Model, Result, System, TopicScores
from registry.results.queries import with_things
from registry.tools.compare.records import Told, Training, by_suite, by_training, records_of, sentence_of
from registry.tools.compare.shapes import ComparedBoard, CompareDocument, ComparedScore, ComparedSystem, Difference
from registry.tools.resolution.reversals import read_reversals, reversals_of


def compare_document(compared: Sequence[System | Model]) -> CompareDocument:
    """The systems or models on every leaderboard where two or more of them have a comparable result."""
    systems = [_systems_of(one) for one in compared]
    ids = [min(system) for system in systems]
    owners = {pk: min(found) for found in systems for pk in found}
    order = {pk: place for place, pk in enumerate(ids)}
    by_board: dict[int, dict[int, list[Result]]] = {}
    comparable = Result.objects.comparable().filter(system__in=owners)
    by_name = comparable.order_by("leaderboard__collection__slug", "leaderboard__measure__name", "pk")
    results = list(by_name.only("leaderboard", "system", "replicate_of", "printed", "unit", "value"))
    known = {(owners[result.system_id], result.pk) for result in results}
    for result in results:
        owner = owners[result.system_id]
        # Other executions stand behind the first one of the same, which competes; their best would be a lucky one.
        if (owner, result.replicate_of_id) not in known:
            by_board.setdefault(result.leaderboard_id, {}).setdefault(owner, []).append(result)
    shared = {board: found for board, found in by_board.items() if len(found) > 1}
    with_things((row for found in shared.values() for rows in found.values() for row in rows), "leaderboard", "system")
    chosen = {
        board: [_best(found[pk]) for pk in sorted(found, key=order.__getitem__)] for board, found in shared.items()
    }
    vectors = TopicScores.objects.standing().complete_vectors([row.pk for rows in chosen.values() for row in rows])
    contested = {
        (one.system, collection, one.measure)
        for one in contested_of({row.system.name for rows in chosen.values() for row in rows})
        for collection in (one.collection, one.other_collection)
    }

    def beside(board: int, stored: StoredBoard | None) -> ComparedBoard:
        rows = chosen[board]
        n_recorded = [len(shared[board][owners[row.system_id]]) for row in rows]
        return _board(rows, n_recorded, owners, stored, vectors, contested)

    analysed = {one.leaderboard_id: beside(one.leaderboard_id, one) for one in each_stored(shared)}
    boards = [analysed.get(board) or beside(board, None) for board in chosen]
    boards.sort(key=lambda board: -len(board.scores))
    differences = [one for board in boards for one in board.differences]
    by_all = [board for board in boards if len(board.scores) == len(ids)]
    told = [_told(board, one) for board in by_all for one in board.differences]
    zero_shot = [one for one in told if one.training == "zero-shot"]
    pairs, n_zero_shot = records_of(ids, told), sum(board.training == "zero-shot" for board in by_all)
    names = {pk: one.name.rpartition("/")[2] for pk, one in zip(ids, compared, strict=True)}
    counted = records_of(ids, zero_shot) if n_zero_shot else pairs
    return CompareDocument(
        sentence=sentence_of(names, counted, n_zero_shot or len(by_all), is_zero_shot=n_zero_shot > 0),
        n_shared_by_all=len(by_all),
        n_zero_shot=n_zero_shot,
        pairs=pairs,
        by_training=by_training(ids, told),
        suites=by_suite(ids, told),
        zero_shot_suites=by_suite(ids, zero_shot),
        systems=tuple(_system(pk, one, boards, len(ids)) for pk, one in zip(ids, compared, strict=True)),
        n_comparisons=len(differences),
        n_told_apart=sum(difference.told_apart is True for difference in differences),
        n_unknown=sum(difference.told_apart is None for difference in differences),
        boards=tuple(boards),
    )


def _systems_of(one: System | Model) -> list[int]:
    if isinstance(one, System):
        return [one.pk]
    return list(one.systems.filter(merged_into=None).values_list("pk", flat=True))


def _told(board: ComparedBoard, one: Difference) -> Told:
    better = one.better if one.told_apart else None
    return Told(board.suite, board.training, board.trained, (one.better, one.other), better, one.told_apart is not None)


def _best(results: Sequence[Result]) -> Result:
    is_high = results[0].leaderboard.measure.higher_is_better
    return max(results, key=lambda one: one.value if is_high else -one.value)


def _system(pk: int, one: System | Model, boards: Sequence[ComparedBoard], n: int) -> ComparedSystem:
    everywhere = [
        next(score.z for score in board.scores if score.system == pk)
        for board in boards
        if len(board.scores) == n and all(score.z is not None for score in board.scores)
    ]
    found = [z for z in everywhere if z is not None]
    return ComparedSystem(
        id=pk,
        name=one.name,
        team=one.team if isinstance(one, System) else one.maker,
        model="" if isinstance(one, System) else one.slug,
        url=one.get_absolute_url(),
        mean_z=sum(found) / len(found) if found else None,
        n_z=len(found),
    )


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
        row for one in (verdict.cautions if verdict else ()) if one.code == "contradicts-linked" for row in one.results
    }
    return ComparedBoard(
        **describe_leaderboard(rows[0].leaderboard),
        suite=rows[0].leaderboard.collection.suite,
        scores=tuple(_score(row, owners[row.system_id], n, stored) for row, n in zip(rows, counts, strict=True)),
        differences=tuple(_differences(rows, owners, stored, vectors)),
        training=_training(training),
        trained=tuple(owners[row.system_id] for row, word in zip(rows, training, strict=True) if word == "declares"),
        strength=strength_of(verdict.evidence) if verdict else None,
        contested=tuple(
            owners[row.system_id]
            for row in rows
            if row.pk in contradicting
            or (row.system.name, row.leaderboard.collection.slug, row.leaderboard.measure.name) in contested
        ),
    )


#: What sources say of training that makes a result zero-shot.
_ZERO_SHOT = {"declares_none", "not_listed", "nothing_to_train"}


def _training(words: Sequence[str]) -> Training:
    if all(word in _ZERO_SHOT for word in words):
        return "zero-shot"
    return "trained" if all(word in _ZERO_SHOT or word == "declares" for word in words) else "undisclosed"


def _score(row: Result, owner: int, n_recorded: int, stored: StoredBoard | None) -> ComparedScore:
    among = stored.among_references.get(row.pk) if stored else None
    return document_of(
        ComparedScore,
        row,
        system=owner,
        named=row.system.name,
        result=row.pk,
        url=row.get_absolute_url(),
        n_recorded=n_recorded,
        rank=stored.ranks.get(row.pk) if stored else None,
        can_be_best=stored.marks.can_be_best.get(row.pk) if stored else None,
        z=among.z if among else None,
        percentile=among.percentile if among else None,
    )


def _differences(
    rows: Sequence[Result], owners: Mapping[int, int], stored: StoredBoard | None, vectors: dict[int, list[float]]
) -> list[Difference]:
    pairs = list(combinations(rows, 2))
    found = _tested([pair for pair in pairs if vectors.keys() >= set(_ids(pair))], len(pairs), owners, vectors)
    found |= _by_means([pair for pair in pairs if _ids(pair) not in found], len(pairs), owners, stored)
    return [found[_ids(pair)] for pair in pairs]


def _ids(pair: tuple[Result, Result]) -> tuple[int, int]:
    return pair[0].pk, pair[1].pk


def _tested(
    pairs: Sequence[tuple[Result, Result]],
    n_comparisons: int,
    owners: Mapping[int, int],
    vectors: dict[int, list[float]],
) -> dict[tuple[int, int], Difference]:
    """Pairs with scores by topic, judged together with the others on the leaderboard; without those that differ by the
    same on every topic, which no t test treats: their means have to say it."""
    tests = {pair: test for pair in pairs if (test := _t_test(*(vectors[pk] for pk in _ids(pair))))}
    if not tests:
        return {}
    leaderboard = pairs[0][0].leaderboard
    known = cache(lambda: read_reversals(leaderboard))
    adjusted = adjust_pvalues([test.pvalue for test in tests.values()], n_comparisons=n_comparisons)
    found: dict[tuple[int, int], Difference] = {}
    for (pair, test), pvalue in zip(tests.items(), adjusted.tolist(), strict=True):
        high, low = sorted(pair, key=lambda row: -sum(vectors[row.pk]))
        better, other = (high, low) if leaderboard.measure.higher_is_better else (low, high)
        found[_ids(pair)] = Difference(
            better=owners[better.system_id],
            other=owners[other.system_id],
            difference=test.mean_difference,
            basis="topic-scores",
            told_apart=pvalue <= 1 - METHODS.confidence_level,
            low=test.interval.low if test.interval else None,
            high=test.interval.high if test.interval else None,
            pvalue=pvalue,
            n_topics=test.n_topics,
            reversals=reversals_of(known, test),
        )
    return found


def _t_test(*vectors: list[float]) -> PairedTest | None:
    """Of the better of two vectors; None where they differ by the same on every topic."""
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
    """Pairs that their means have to tell apart, judged together with the others on the leaderboard."""
    reasons = {_ids(pair): _why_unknown(*pair, stored) for pair in pairs}
    known = [pair for pair in pairs if not reasons[_ids(pair)]]
    error = stored.pair_error if stored and known else None
    values = [first.value - second.value for first, second in known]
    judged = planned_pairs(values, [error] * len(known), n_comparisons) if error else ()
    by_pair = dict(zip(map(_ids, known), judged, strict=True))
    found = {}
    for pair in pairs:
        is_high, one = pair[0].leaderboard.measure.higher_is_better, by_pair.get(_ids(pair))
        better, other = sorted(pair, key=lambda row: -row.value if is_high else row.value)
        found[_ids(pair)] = Difference(
            better=owners[better.system_id],
            other=owners[other.system_id],
            difference=abs(better.value - other.value),
            basis="means" if one else "none",
            told_apart=one.is_told_apart if one else None,
            margin=one.margin if one else None,
            pvalue=one.pvalue if one else None,
            why_unknown=reasons[_ids(pair)],
        )
    return found


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
