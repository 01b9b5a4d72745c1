"""What is said of systems beside each other: one object for the page, its JSON and the API."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Annotated, Literal

from typing_extensions import Doc

from analysis.boards import METHODS, planned_pairs
from analysis.comparisons import PairedTest, adjust_pvalues, ttest_rel
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.readers.scores import PrintedScore
from registry.catalog.documents import CollectionBrief, MeasureBrief, describe_leaderboard
from registry.leaderboards.stored import StoredBoard, read_stored
from registry.leaderboards.wording import strength_of
from registry.results.contested import contested_of
from registry.results.models import Model, Result, System, TopicScores
from registry.tools.compare.records import Duel, SuiteDuels, Told, by_suite, records_of, told_of
from registry.tools.resolution.reversals import Reversals, read_reversals, reversals_of

_MOST_APART = 8

#: From so many of three dots on, evidence is not called weak.
_SURE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """A system or a model that is compared."""

    id: Annotated[int, Doc("Number of the system; of a model, the lowest of its systems'.")]
    name: str
    team: Annotated[str, Doc("Of a model, its maker.")]
    model: Annotated[str, Doc("Slug of the model where all of its systems count; blank for a system.")]
    url: str
    mean_z: Annotated[
        float | None,
        Doc("Mean of its z over the leaderboards on which all of the systems have one; None where there is none."),
    ]
    n_z: Annotated[int, Doc("How many these are.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedScore:
    """What a system scores on one of the leaderboards, or the best of a model's."""

    system: Annotated[int, Doc("Of `systems`.")]
    named: Annotated[str, Doc("Name of the system whose score it is, which of a model may be any of its own.")]
    result: int
    url: Annotated[str, Doc("Of the result.")]
    printed: Annotated[str, Doc("As its source gives it.")]
    unit: Annotated[str, Doc("As its source gives it.")]
    value: float
    n_recorded: Annotated[int, Doc("How many comparable results are recorded of it there; this is the best of them.")]
    rank: int | None
    can_be_best: bool | None
    z: Annotated[float | None, Doc("Among the means of the reference set.")]
    percentile: Annotated[float | None, Doc("Among the means of the reference set.")]

    @property
    def score(self) -> PrintedScore:
        """The score with the digits that are real."""
        return PrintedScore(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two of the systems on one of the leaderboards."""

    better: Annotated[int, Doc("The systems; of equal ones in the order of the address.")]
    other: Annotated[int, Doc("The systems; of equal ones in the order of the address.")]
    difference: Annotated[float, Doc("How much better, 0 or more whatever the direction of the measure.")]
    basis: Annotated[
        Literal["topic-scores", "means", "none"],
        Doc(
            "What is known: the scores of both by topic, how far the means of an average pair must be apart, or "
            "neither."
        ),
    ]
    told_apart: Annotated[bool | None, Doc("Whether they can be told apart; None where that can't be known.")]
    margin: Annotated[
        float | None,
        Doc(
            "From which difference on an average pair is told apart by its means, as one of the pairs on this "
            "leaderboard."
        ),
    ] = None
    low: Annotated[float | None, Doc("Interval of the difference at 95 %, by topic scores.")] = None
    high: Annotated[float | None, Doc("Interval of the difference at 95 %, by topic scores.")] = None
    pvalue: Annotated[
        float | None,
        Doc(
            "Of the paired t test, or of Student's t for an average pair by means; adjusted for the pairs on this "
            "leaderboard (Holm)."
        ),
    ] = None
    n_topics: Annotated[int | None, Doc("Topics that both have scores on.")] = None
    reversals: Annotated[
        Reversals | None,
        Doc(
            "How often differences that are significant and as large were reversed on other topics of the collection; "
            "None where it is not significant by itself, or that was not studied."
        ),
    ] = None
    why_unknown: Annotated[str, Doc("Why it can't be known; else blank.")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBoard:
    """A leaderboard with two or more of the systems."""

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    suite: Annotated[str, Doc("Track or benchmark that the collection belongs to; blank for none.")]
    scores: Annotated[tuple[ComparedScore, ...], Doc("In the order of the systems.")]
    differences: Annotated[tuple[Difference, ...], Doc("Of each pair.")]
    strength: Annotated[
        int | None, Doc("How strong the evidence of the leaderboard is, of three; None where it is not analysed yet.")
    ]
    contested: Annotated[
        tuple[int, ...],
        Doc("Those of the systems whose score another source prints otherwise, or contradicts."),
    ]

    @property
    def is_weak(self) -> bool:
        """Whether what it tells rests on a variance that is far from sure, or on none."""
        return self.strength is not None and self.strength < _SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareDocument:
    """Systems beside each other on every leaderboard that they share."""

    systems: tuple[ComparedSystem, ...]
    n_comparisons: Annotated[int, Doc("Pairs on all leaderboards.")]
    n_told_apart: Annotated[int, Doc("Those told apart.")]
    n_unknown: Annotated[int, Doc("Those of which that can't be known.")]
    sentence: Annotated[str, Doc("Who leads on the leaderboards that all share, if anybody does.")]
    n_shared_by_all: Annotated[int, Doc("Leaderboards on which all of the systems have a comparable result.")]
    pairs: Annotated[tuple[Duel, ...], Doc("Each two systems over the leaderboards that all share.")]
    suites: Annotated[tuple[SuiteDuels, ...], Doc("The same by track or benchmark.")]
    boards: Annotated[tuple[ComparedBoard, ...], Doc("Those with the most of the systems first.")]

    @property
    def most_apart(self) -> list[tuple[ComparedBoard, Difference]]:
        """Eight leaderboards that tell two systems apart by means, by how many times what an average pair takes."""
        told = [(board, one) for board in self.boards for one in board.differences if one.told_apart and one.margin]
        return sorted(told, key=lambda pair: -pair[1].difference / (pair[1].margin or 1.0))[:_MOST_APART]

    @property
    def has_model(self) -> bool:
        """Whether all systems of one of them count, of which the best is chosen by its score."""
        return any(one.model for one in self.systems)

    @property
    def short_names(self) -> dict[int, str]:
        """Of each system, without the owner of its repository where that leaves all of them apart."""
        short = {one.id: one.name.rpartition("/")[2] for one in self.systems}
        return short if len(set(short.values())) == len(short) else {one.id: one.name for one in self.systems}

    @property
    def n_undecided(self) -> int:
        """Pairs that can’t be told apart."""
        return self.n_comparisons - self.n_told_apart - self.n_unknown

    @property
    def has_mean(self) -> bool:
        """Whether there are leaderboards on which every system has a z."""
        return all(system.mean_z is not None for system in self.systems)


def compare_document(compared: Sequence[System | Model]) -> CompareDocument:
    """The systems or models on every leaderboard where two or more of them have a comparable result."""
    systems = [_systems_of(one) for one in compared]
    ids = [min(found) for found in systems]
    owners = {pk: min(found) for found in systems for pk in found}
    order = {pk: place for place, pk in enumerate(ids)}
    by_board: dict[int, dict[int, list[Result]]] = {}
    results = (
        Result.objects.standing()
        .filter(system__in=owners, comparability=Result.Comparability.STANDARD)
        .select_related("system", "leaderboard__collection", "leaderboard__measure")
        .order_by("leaderboard__collection__slug", "leaderboard__measure__name", "pk")
    )
    for result in results:
        by_board.setdefault(result.leaderboard_id, {}).setdefault(owners[result.system_id], []).append(result)
    shared = {board: found for board, found in by_board.items() if len(found) > 1}
    stored = read_stored(shared)
    chosen = {
        board: [_best(found[pk]) for pk in sorted(found, key=order.__getitem__)] for board, found in shared.items()
    }
    vectors = _vectors(one for rows in chosen.values() for one in rows)
    contested = {
        (one.system, collection, one.measure)
        for one in contested_of({row.system.name for rows in chosen.values() for row in rows})
        for collection in (one.collection, one.other_collection)
    }
    boards = [
        _board(
            rows,
            [len(shared[board][owners[row.system_id]]) for row in rows],
            owners,
            stored.get(board),
            vectors,
            contested,
        )
        for board, rows in chosen.items()
    ]
    boards.sort(key=lambda board: -len(board.scores))
    differences = [one for board in boards for one in board.differences]
    by_all = [board for board in boards if len(board.scores) == len(ids)]
    told = [_told(board.suite, one) for board in by_all for one in board.differences]
    pairs = records_of(ids, told)
    return CompareDocument(
        sentence=told_of({pk: one.name for pk, one in zip(ids, compared, strict=True)}, pairs, len(by_all)),
        n_shared_by_all=len(by_all),
        pairs=pairs,
        suites=by_suite(ids, told),
        systems=tuple(_system(pk, one, boards, len(ids)) for pk, one in zip(ids, compared, strict=True)),
        n_comparisons=len(differences),
        n_told_apart=sum(one.told_apart is True for one in differences),
        n_unknown=sum(one.told_apart is None for one in differences),
        boards=tuple(boards),
    )


def _systems_of(one: System | Model) -> list[int]:
    if isinstance(one, System):
        return [one.pk]
    return list(one.systems.filter(merged_into=None).values_list("pk", flat=True))


def _told(suite: str, one: Difference) -> Told:
    return Told(suite, (one.better, one.other), one.better if one.told_apart else None, one.told_apart is not None)


def _best(results: Sequence[Result]) -> Result:
    is_high = results[0].leaderboard.measure.higher_is_better
    return max(results, key=lambda one: one.value if is_high else -one.value)


def _vectors(results: Iterable[Result]) -> dict[int, list[float]]:
    """Scores on every topic, of those results that have them."""
    found = TopicScores.objects.standing().vectors([one.pk for one in results])
    complete = {}
    for pk, scores in found.items():
        known = [one for one in scores if one is not None]
        if len(known) == len(scores):
            complete[pk] = known
    return complete


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
    contradicting = {
        row for one in (verdict.cautions if verdict else ()) if one.code == "contradicts-linked" for row in one.results
    }
    return ComparedBoard(
        **describe_leaderboard(rows[0].leaderboard),
        suite=rows[0].leaderboard.collection.suite,
        scores=tuple(_score(row, owners[row.system_id], n, stored) for row, n in zip(rows, counts, strict=True)),
        differences=tuple(_differences(rows, owners, stored, vectors)),
        strength=strength_of(verdict.evidence) if verdict else None,
        contested=tuple(
            owners[row.system_id]
            for row in rows
            if row.pk in contradicting
            or (row.system.name, row.leaderboard.collection.slug, row.leaderboard.measure.name) in contested
        ),
    )


def _score(row: Result, owner: int, n_recorded: int, stored: StoredBoard | None) -> ComparedScore:
    strip = stored.strip(row.pk) if stored else None
    among = stored.among_references.get(row.pk) if stored else None
    return ComparedScore(
        system=owner,
        named=row.system.name,
        result=row.pk,
        url=row.get_absolute_url(),
        printed=row.printed,
        unit=row.unit,
        value=row.value,
        n_recorded=n_recorded,
        rank=strip.rank if strip else None,
        can_be_best=strip.can_be_best if strip else None,
        z=among.z if among else None,
        percentile=among.percentile if among else None,
    )


def _differences(
    rows: Sequence[Result],
    owners: Mapping[int, int],
    stored: StoredBoard | None,
    vectors: dict[int, list[float]],
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
    """Why the means of two results can’t tell which system is better; blank where they may."""
    if stored is None:
        return "the leaderboard is not analysed yet"
    if not {first.pk, second.pk} <= set(stored.ranks):
        return "one of the two does not compete there, or was recorded after the last analysis"
    if stored.pair_error is None:
        return stored.findings.verdict.why_no_set or "it is not known how much scores vary there"
    return ""
