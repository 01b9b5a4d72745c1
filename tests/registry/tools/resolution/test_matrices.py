"""Which matrices a collection has, which of them are rivals, and what is studied, enqueued and told of them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from analysis.reliability import ClassRate, collection_resolution
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.models import Job
from registry.results.models import Result, UnnamedScores
from registry.tools.found_once import Resolution
from registry.tools.resolution.documents import resolution_document
from registry.tools.resolution.efforts import read_rivals
from registry.tools.resolution.queries import Source, read_findings, read_sources, read_systems, resolution_version
from registry.tools.resolution.reversals import read_reversals, reversals_of
from registry.tools.resolution.services import STUDY_COLLECTION, enqueue_changed, enqueue_missing, study_collection
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import (
    make_scored_board,
    make_unnamed,
    scores_of,
    study,
)

pytestmark = pytest.mark.django_db


def small(n_systems: int = 5, seed: int = 1) -> np.ndarray:
    return scores_of(n_systems, seed)[:, :10]


def test_matrices_are_of_the_collection_by_measure_and_whose_scores_they_are():
    board = make_scored_board(small(3))
    collection, measure = board.collection, board.measure
    first = make_measure("AP")
    for runs, of in (("zeta runs", first), ("alpha runs", first), ("more runs", measure)):
        row = make_unnamed(collection, of, small(4), f"{runs}.csv")
        UnnamedScores.objects.filter(pk=row.pk).update(runs=runs)
    make_unnamed(make_collection(), first, small())
    make_scored_board(small())
    found = read_sources(collection)
    assert [(one.measure.name, one.kind, one.runs) for one in found] == [
        ("AP", "unnamed", "alpha runs"),
        ("AP", "unnamed", "zeta runs"),
        (measure.name, "results", "results on record"),
        (measure.name, "unnamed", "more runs"),
    ]
    assert [(one.n_systems, one.n_topics) for one in found] == [(4, 10), (4, 10), (3, 10), (4, 10)]
    assert [one.runs for one in read_sources(collection, first)] == ["alpha runs", "zeta runs"]
    assert [one.runs for one in read_sources(collection, measure)] == ["results on record", "more runs"]
    told = resolution_document(collection).matrices
    assert [(one.source, one.licence, one.note) for one in told[1:3]] == [
        ("an archive", "CC BY-SA 4.0", "half of the topics"),
        ("", "", ""),
    ]
    assert [(one.digest, one.state, one.why, one.decimals) for one in told] == [
        (one.digest, "waiting", "", 4) for one in found
    ]
    digest = found[2].digest
    Measure.objects.filter(pk=measure.pk).update(higher_is_better=False)
    assert read_sources(collection, measure)[0].digest != digest


def test_each_system_is_read_once_as_it_stands_and_can_be_compared():
    board = make_scored_board(small(3))
    first, second, third = board.results.order_by("pk")
    for printed, fields in (
        ("0.31", {"replicate_of": first}),
        ("0.32", {"comparability": Result.Comparability.OTHER_DOCUMENTS}),
        ("0.33", {"ended_at": timezone.now(), "ended_by": make_entry(), "ending": "withdrawn"}),
    ):
        make_topic_scores(make_result(board, printed=printed, **fields), [0.3] * 10)
    other = make_leaderboard(board.collection)
    make_topic_scores(make_result(other), [0.2] * 10)
    matrix = read_systems(board)
    assert matrix.systems == tuple(str(one.pk) for one in (first, second, third))
    assert np.array_equal(matrix.scores, small(3))
    assert read_systems(other) is None
    assert [one.measure for one in read_sources(board.collection)] == [board.measure]


def test_reading_a_matrix_takes_few_queries(django_assert_max_num_queries):
    board = make_scored_board(small(3))
    make_unnamed(board.collection, board.measure, small(4))
    with django_assert_max_num_queries(5):
        for one in read_sources(board.collection):
            assert (one.measure.name, one.n_topics) == (board.measure.name, 10)


def source(name: str, scores: np.ndarray, **fields: Any) -> Source:
    labels, topics = [f"s{n}" for n in range(len(scores))], [f"t{n}" for n in range(scores.shape[1])]
    matrix = ScoreMatrix(fields.pop("systems", labels), fields.pop("topics", topics), scores)
    values = {
        "measure": Measure(name=name), "kind": "unnamed", "runs": "runs", "source": "", "licence": "", "note": "",
        "n_systems": matrix.n_systems, "n_topics": matrix.n_topics, "digest": name, "read": lambda: matrix,
    }  # fmt: skip
    return Source(**(values | fields))


def test_rivals_are_a_deep_and_a_shallow_measure_of_the_same_systems_and_topics():
    scores = scores_of(5)
    deep, shallow = source("AP(rel=2)", scores), source("nDCG@10", scores)
    (found,) = read_rivals([deep, source("P@5", scores), shallow])
    assert (found.deep, found.shallow) == (deep, shallow)
    assert [one.systems for one in found.matrices] == [deep.read().systems] * 2
    names = [(one.deep.measure.name, one.shallow.measure.name) for one in read_rivals(
        [source(name, scores) for name in ("AP", "AP@100", "RR@10(rel=2)", "RR", "P@10")]
    )]  # fmt: skip
    assert names == [("AP", "RR@10(rel=2)"), ("AP", "P@10"), ("AP@100", "RR@10(rel=2)"), ("AP@100", "P@10")]
    # Others that can't be compared hinder none.
    few, short = scores_of(4), scores_of(5)[:, :19]
    others = [
        source("P@10", scores, kind="results"),
        source("P@10", scores_of(6)),
        source("P@10", scores, systems=[f"x{n}" for n in range(5)]),
        source("P@10", scores, topics=[f"x{n}" for n in range(20)]),
    ]
    assert [one.shallow for one in read_rivals([deep, *others, shallow])] == [shallow]
    assert read_rivals([source("AP", few), source("P@10", few)]) == []
    assert read_rivals([source("AP", short), source("P@10", short)]) == []


def test_results_are_rivals_by_their_systems_where_each_has_one_result():
    collection = make_collection(n_topics=20)
    make_topics(collection, [f"t{n}" for n in range(20)])
    deep, shallow = (make_leaderboard(collection, make_measure(name)) for name in ("AP", "P@10"))
    for row in scores_of(7):
        result = make_result(deep, printed=f"{row.mean():.4f}")
        make_topic_scores(result, row.tolist())
        make_topic_scores(make_result(shallow, result.system, "0.5"), (row / 2).tolist())
    twice, alone = deep.results.order_by("pk")[0], deep.results.order_by("pk")[1]
    make_topic_scores(make_result(shallow, twice.system, "0.6", source="another"), [0.6] * 20)
    shallow.results.filter(system=alone.system).update(comparability="doubtful")
    (found,) = read_rivals(read_sources(collection))
    systems = [str(one.system_id) for one in deep.results.order_by("pk")[2:]]
    assert [matrix.systems for matrix in found.matrices] == [tuple(systems)] * 2
    assert np.array_equal(found.matrices[0].scores, scores_of(7)[2:])
    assert np.allclose(found.matrices[1].scores, scores_of(7)[2:] / 2)


def test_a_measure_that_is_better_the_lower_is_studied_as_such():
    board = make_scored_board(small())
    Measure.objects.filter(pk=board.measure_id).update(higher_is_better=False)
    study(board.collection)
    (one,) = read_sources(board.collection)
    (found,) = read_findings([one]).values()
    matrix = one.read()
    assert found == collection_resolution(matrix, higher_is_better=False)
    assert found != collection_resolution(matrix, higher_is_better=True)


def test_the_same_matrix_twice_is_studied_once_and_what_can_not_be_studied_reverses_nothing(client):
    collection, measure = make_collection(n_topics=10), make_measure()
    for name in ("one", "other"):
        row = make_unnamed(collection, measure, small(4), f"{name}.csv")
        UnnamedScores.objects.filter(pk=row.pk).update(sha256="b" * 64, runs=name)
    (made,) = study_collection(collection.pk)
    assert made.obstacle
    Resolution.keep([made])
    assert read_reversals(make_leaderboard(collection, measure)) == ()
    told = resolution_document(collection).matrices
    assert [(one.state, one.why, one.findings) for one in told] == [("impossible", made.obstacle, None)] * 2
    board = make_scored_board(small())
    study(board.collection)
    assert "Without findings" not in read(client, f"/collections/{board.collection.slug}/resolution/").text


def detectable(board: Leaderboard) -> Any:
    (matrix,) = resolution_document(board.collection).matrices
    return matrix.detectable


def test_what_a_leaderboard_finds_takes_its_own_topics_and_variance():
    board = make_board(["0.3", "0.2"], n_topics=None)
    make_unnamed(board.collection, board.measure, small())
    analyse(board)
    assert detectable(board) is None, "nobody knows on how many topics"
    Collection.objects.filter(pk=board.collection_id).update(n_topics_at_least=40)
    mark_changed(board)
    analyse(board)
    assert detectable(board).n_topics == 40
    bare = make_board(["0.3", "0.2"], residual_variance=None)
    make_unnamed(bare.collection, bare.measure, small(seed=2), "bare.csv")
    assert detectable(bare) is None
    elsewhere = make_leaderboard(make_collection(n_topics=50), bare.measure)
    make_variance(bare.measure, 0.0144, elsewhere.collection)
    make_result(elsewhere)
    analyse(elsewhere)
    assert detectable(bare) is None, "of another collection"
    make_variance(bare.measure, 0.0144, bare.collection, n_systems=11, n_topics=2)
    mark_changed(bare)
    analyse(bare)
    found = detectable(bare)
    assert found.low < found.difference < found.high
    # Two systems on 50 topics leave 49 degrees of freedom: 2.0096 and 0.8485 standard errors by t, four times in five.
    assert found.difference == pytest.approx(2.858 * (2 * 0.0144 / 50) ** 0.5, rel=1e-3)


def test_unnamed_scores_that_come_go_or_are_replaced_make_another_version():
    collection = make_collection()
    first = make_unnamed(collection, make_measure(), small())
    make_unnamed(make_collection(), make_measure(), small(seed=2), "elsewhere.csv")
    seen = [resolution_version(collection)]
    make_unnamed(make_collection(), make_measure(), small(seed=3), "elsewhere too.csv")
    assert resolution_version(collection) == seen[0]
    second = make_unnamed(collection, first.measure, small(seed=4), "second.csv")
    seen.append(resolution_version(collection))
    first.delete()
    seen.append(resolution_version(collection))
    UnnamedScores.objects.filter(pk=second.pk).update(recorded_at=timezone.now() + timedelta(days=1))
    seen.append(resolution_version(collection))
    assert len(set(seen)) == 4


def test_the_collections_of_leaderboards_whose_topic_scores_change_are_studied():
    boards = [make_scored_board(small(2, seed)) for seed in (1, 2, 3)]
    again = make_leaderboard(boards[0].collection)
    for printed in ("0.2", "0.3"):
        make_topic_scores(make_result(again, printed=printed), [0.3] * 10)

    def waiting() -> list[int]:
        found = sorted(job.args["collection_id"] for job in Job.objects.filter(kind=STUDY_COLLECTION))
        Job.objects.all().delete()
        return found

    enqueue_changed(leaderboard_ids=[boards[0].pk, again.pk, boards[2].pk])
    assert waiting() == sorted([boards[0].collection_id, boards[2].collection_id])
    Resolution.keep(study_collection(boards[1].collection_id))
    assert enqueue_missing() == 2
    assert waiting() == sorted([boards[0].collection_id, boards[2].collection_id])


def test_reversals_are_told_where_both_designs_have_pairs_of_that_size():
    board = make_scored_board(small())
    (one,) = read_sources(board.collection)
    found = collection_resolution(one.read())
    none, some, more = ClassRate(0.0, 0.01, None, 0), ClassRate(0.01, 0.02, 0.2, 5), ClassRate(0.02, 0.03, 0.1, 5)
    designs = (
        replace(found.designs[0], significant_from=(none, some, some, more)),
        replace(found.designs[1], significant_from=(some, none, some, more)),
    )
    Resolution.keep([Resolution.of(one.digest, lambda: replace(found, designs=designs))])
    known = read_reversals(board)
    assert [(one.disjoint, one.replacement) for one in known] == [(some, some), (more, more)]
    assert reversals_of(lambda: (), None) is None
