"""GET /collections/<slug>/standardized/, its JSON and its answer in the API."""

import json
import zlib
from datetime import date
from math import erf
from operator import itemgetter
from pathlib import Path

import pytest
from django.utils import timezone

from analysis.scales import reference_factors
from analysis.scores import ScoreMatrix, parse_score_table
from registry.leaderboards.models import ReferenceSet
from registry.results.models import Result, UnnamedScores
from registry.results.services.endings import withdraw_result
from registry.tools.standardization.documents import standardized_document
from registry.tools.standardization.queries import read_yardsticks, standardization_version
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_result,
    make_results,
    make_system,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

TREC_7 = Path(__file__).parents[4] / "data/topic_scores/unnamed/trec-7-adhoc__AP.csv"


def trec_7() -> ScoreMatrix:
    return parse_score_table(TREC_7.read_bytes())


def put_unnamed(collection, measure, matrix, label="unnamed.csv", runs="runs, names withheld"):
    content = {"topics": matrix.topics, "runs": matrix.systems, "scores": matrix.scores.tolist()}
    return UnnamedScores.objects.create(
        collection=collection, measure=measure, label=label, runs=runs, n_topics=matrix.n_topics,
        n_runs=matrix.n_systems, content=zlib.compress(json.dumps(content).encode()), sha256=label,
        source="an archive", licence="CC BY-SA 4.0",
    )  # fmt: skip


def put_results(matrix, members, sign=1):
    """A board with a result for each system of the matrix, and a set of some of them that was frozen in 2020."""
    collection = make_collection(n_topics=matrix.n_topics, year=1998)
    make_topics(collection, list(matrix.topics))
    board = make_leaderboard(collection, make_measure(higher_is_better=sign > 0))
    results = []
    for name, scores in zip(matrix.systems, sign * matrix.scores, strict=True):
        results.append(make_result(board, make_system(name), f"{scores.mean():.4f}"))
        make_topic_scores(results[-1], scores.tolist())
    own = ScoreMatrix(matrix.systems, matrix.topics, sign * matrix.scores).select([matrix.systems[i] for i in members])
    frozen = ReferenceSet.objects.create(
        leaderboard=board, basis="topic-scores", name="the yardstick", n_systems=len(members),
        factors=reference_factors(own).to_dict(), frozen_on=date(2020, 2, 3),
    )  # fmt: skip
    frozen.members.set([results[i] for i in members])
    return board


def address(collection, end="/"):
    return f"/collections/{collection.slug}/standardized{end}"


def document(client, collection):
    return client.get(address(collection, ".json")).json()


def test_few_reference_systems_order_by_n_which_no_single_topic_rules(client):
    """The reference differs by .001 on the first topic, where “lucky” is 0.1 above it and worse on the four others."""
    spread = [0.0, 0.001, 0.002, 0.003, 0.004]
    rows = [[0.5 + one, *[0.4 + 20 * one] * 4] for one in spread] + [[0.6, *[0.38] * 4], [0.503, *[0.47] * 4]]
    names = [*"abcde", "lucky", "steady"]
    board = put_results(ScoreMatrix(names, [f"t{i}" for i in range(5)], rows), range(5))
    (found,) = document(client, board.collection)["matrices"]
    by_name = {one["system"]: one for one in found["systems"]}
    assert by_name["lucky"]["z"] > by_name["steady"]["z"]
    order = [one["system"] for one in found["systems"]]
    assert (found["ordered_by"], found["n_reference"]) == ("normal", 5)
    assert order.index("steady") < order.index("lucky")
    assert "2 systems by N: with 5 reference systems z may" in read(client, address(board.collection)).text


def test_runs_without_names_are_measured_by_named_systems_and_not_by_themselves(client):
    """Topic by topic, in the order of topics; their own matrix alone is no yardstick."""
    measure = make_measure()
    collection = make_collection("seven", n_topics=50, year=1998)
    put_unnamed(collection, measure, trec_7())
    assert document(client, collection)["matrices"] == document(client, collection)["originals"] == []
    toolkits = trec_7().select([f"run{number}" for number in range(1, 104, 10)])
    named = ScoreMatrix(
        [f"toolkit {name}" for name in toolkits.systems], [str(topic) for topic in range(351, 401)], toolkits.scores
    )
    put_unnamed(collection, measure, named, label="grid.csv", runs="toolkits")
    make_results(make_leaderboard(collection, measure), [0.1, 0.2, 0.3, 0.4, 0.5], role="trec_run")
    (found,) = document(client, collection)["originals"]
    (of_one,) = found["collections"]
    means, spreads = toolkits.scores.mean(axis=0), toolkits.scores.std(axis=0, ddof=1)
    slow = sorted(
        sum(
            (1 + erf((score - mean) / spread / 2**0.5)) / 2
            for score, mean, spread in zip(run, means, spreads, strict=True)
        )
        / 50
        for run in trec_7().scores.tolist()
    )
    by_topic = of_one["by_topic"]
    assert (by_topic["n_runs"], by_topic["n_topics"]) == (103, 50)
    assert (by_topic["median"], by_topic["best"]) == pytest.approx((slow[51], slow[-1]))
    page = read(client, address(collection))
    assert f"N of the median run is {slow[51]:.2f}" in page.text
    assert "run16" not in page.source + json.dumps(found)
    assert "Hard and easy topics then count alike" not in page.text
    assert "The intervals say" not in page.text
    assert client.get(f"/api/v1{address(collection)}").json()["originals"] == [found]


@pytest.mark.parametrize("sign", [1, -1], ids=["higher is better", "lower is better"])
def test_results_stand_against_the_frozen_set(client, sign):
    board = put_results(trec_7().select([f"run{i}" for i in (*range(1, 104, 5), 2, 3)]), range(21), sign)
    (found,) = document(client, board.collection)["matrices"]
    assert (found["reference"], found["frozen"], found["n_reference"]) == ("the yardstick", "2020-02-03", 21)
    assert sorted(one["system"] for one in found["systems"]) == ["run2", "run3"]
    page = read(client, address(board.collection))
    assert page.link("run2") in {one["url"] for one in found["systems"]}
    assert "the reference set was frozen on 3 February 2020" in page.text
    assert "Hard and easy topics then count alike" in page.text
    assert "The intervals say how far it moves" in page.text
    assert page.row("run2")[6] == f"{sign * trec_7().select(['run2']).means[0]:.4f}".replace("-", "−")


def test_what_happens_to_a_reference_system_leaves_the_scale_alone(client):
    board = put_results(trec_7().select([f"run{i}" for i in range(1, 9)]), range(6))
    (found,) = document(client, board.collection)["matrices"]
    before = {one["system"]: one["z"] for one in found["systems"]}
    assert sorted(before) == ["run7", "run8"]
    result = board.results.get(system__name="run1")
    withdraw_result(result=result, actor=make_user(), reason="another run")
    (found,) = document(client, board.collection)["matrices"]
    after = {one["system"]: one["z"] for one in found["systems"]}
    assert after == before
    assert {(one["empirical"], one["low"]) for one in found["systems"]} == {(None, None)}
    assert found["n_reference"] == 6
    page = read(client, address(board.collection))
    assert "the scale stays, and nothing can be said of how sure it is" in page.text
    assert itemgetter(3, 5)(page.row("run7")) == ("–", "–")


def open_systems(shift, names="abcde"):
    """Means of 0.1, 0.2, 0.3, 0.4 and 0.5, and ``shift`` more."""
    scores = [[level + shift - 0.05, level + shift + 0.05] for level in (0.1, 0.2, 0.3, 0.4, 0.5)]
    return ScoreMatrix([f"toolkit {name}" for name in names], ["t1", "t2"], scores)


def put_open(slug, year, shift, measure, runs=(), **fields):
    collection = make_collection(slug, n_topics=2, year=year)
    put_unnamed(collection, measure, open_systems(shift, **fields), label=slug, runs="toolkits")
    board = make_leaderboard(collection, measure)
    for printed in runs:
        make_result(board, printed=printed, role="trec_run")
    return collection


def test_original_runs_of_several_years_stand_among_the_same_systems(client):
    measure = make_measure()
    new = put_open("later", 2001, 0.1, measure, ["0.30", "0.40", "0.50", "0.65", "0.70"])
    old = put_open("early", 1999, 0.0, measure, ["0.10", "0.20", "0.30", "0.35", "0.60"])
    put_open("others", 2000, 0.0, measure, ["0.10", "0.20", "0.30", "0.35", "0.60"], names="vwxyz")
    put_open("few", 2000, 0.0, measure, ["0.10"])
    (found,) = document(client, new)["originals"]
    assert document(client, old)["originals"][0]["collections"] == found["collections"]
    early, later = found["collections"]
    # The means of the toolkits are 0.3 and 0.4 in the middle, with a standard deviation of sqrt(0.025).
    assert (early["collection"], early["year"], early["n_runs"], early["n_above_best"]) == ("early", 1999, 5, 1)
    assert (early["median"], early["best"]) == pytest.approx((0.0, 0.3 / 0.025**0.5))
    assert (early["median_percentile"], early["best_percentile"]) == (50.0, 100.0)
    assert (later["collection"], later["n_above_best"]) == ("later", 2)
    assert (later["median"], later["median_percentile"]) == (pytest.approx(0.1 / 0.025**0.5), 70.0)
    page = read(client, address(new))
    assert page.row("early")[1:] == ["+0.00", "50", "+1.90", "100", "1", "5", "1999"]
    best = later["runs"][0]
    assert (best["mean"], best["z"], best["percentile"]) == (0.7, pytest.approx(0.3 / 0.025**0.5), 100.0)
    assert page.row(best["system"])[1:] == ["+1.90", "100", "0.7000"]
    assert page.link(best["system"]) == best["url"]
    assert [one["mean"] for one in later["runs"]] == [0.7, 0.65, 0.5, 0.4, 0.3]
    assert "Differences between collections are not tested here" in page.text


def test_more_original_runs_take_no_more_queries(client, django_assert_max_num_queries):
    collection = put_open("early", 1999, 0.0, make_measure(), [f"0.{number}" for number in range(10, 50)])
    client.get(address(collection))
    UnnamedScores.objects.update(sha256="again", recorded_at=timezone.now())
    with django_assert_max_num_queries(14):
        assert len(document(client, collection)["originals"][0]["collections"][0]["runs"]) == 40


def test_numbered_runs_of_two_collections_are_not_the_same_systems(client):
    measure = make_measure()
    for slug in ("one", "two"):
        collection = make_collection(slug, n_topics=50)
        put_unnamed(collection, measure, trec_7(), label=slug)
        make_results(make_leaderboard(collection, measure), [0.1, 0.2, 0.3, 0.4, 0.5], role="trec_run")
    assert document(client, collection)["originals"] == []


#: Five systems on three topics, and one that is measured with them.
ROWS = [[0.1, 0.2, 0.7], [0.2, 0.3, 0.6], [0.3, 0.4, 0.5], [0.4, 0.5, 0.4], [0.5, 0.6, 0.3], [0.9, 0.9, 0.9]]


def small(rows=ROWS, topics=("t1", "t2", "t3")):
    return ScoreMatrix([f"s{n}" for n in range(len(rows))], list(topics), rows)


@pytest.mark.parametrize(("n", "ordered_by"), [(59, "normal"), (60, "z")])
def test_sixty_reference_systems_order_by_z(n, ordered_by):
    rows = [[0.5 + 0.001 * k, 0.4 + 0.005 * k] for k in range(n)] + [[0.99, 0.4], [0.56, 0.72]]
    board = put_results(small(rows, ("t1", "t2")), range(n))
    ReferenceSet.objects.update(factors={**ReferenceSet.objects.get().factors, "means": [0.53, 0.55]})
    (found,) = standardized_document(board.collection).matrices
    assert (found.ordered_by, found.n_reference) == (ordered_by, n)
    best = {"z": f"s{n}", "normal": f"s{n + 1}"}
    assert found.systems[0].system == best[ordered_by]
    assert found.systems[0].low is None


def test_what_is_measured_stands_is_comparable_and_no_repeated_execution():
    board = put_results(small(), range(5))
    first = board.results.order_by("pk").first()
    for printed, fields in (
        ("0.31", {"replicate_of": first}),
        ("0.32", {"comparability": Result.Comparability.OTHER_JUDGEMENTS}),
        ("0.33", {"ended_at": timezone.now(), "ended_by": make_entry(), "ending": "withdrawn"}),
    ):
        make_topic_scores(make_result(board, printed=printed, **fields), [0.3] * 3)
    (found,) = read_yardsticks(board.collection)
    assert [found.results[label].system.name for label in found.measured.systems] == ["s5"]


def test_sets_of_other_topics_or_too_few_systems_are_no_yardstick_and_the_others_stand_by_measure():
    board = put_results(small(), range(5))
    collection, measure = board.collection, board.measure
    frozen = ReferenceSet.objects.get()
    for name, changed in (("AP", {}), ("RR", {"n_systems": 4}), ("Recall", {"topics": ["t1", "t2", "t4"]})):
        other = make_leaderboard(collection, make_measure(name))
        members = [make_result(other, printed=f"{sum(row):.3f}") for row in ROWS[:3]]
        for member, row in zip([*members, make_result(other)], ROWS, strict=False):
            make_topic_scores(member, row)
        ReferenceSet.objects.create(
            leaderboard=other, basis="topic-scores", name=name, n_systems=5, frozen_on=date(2021, 1, 1),
            factors={**frozen.factors, **changed},
        ).members.set(members)  # fmt: skip
    make_results(make_leaderboard(collection, make_measure("nDCG")), [0.2])
    ReferenceSet.objects.create(
        leaderboard=board, basis="published-means", name="means", n_systems=5, factors={}, frozen_on=date(2022, 1, 1),
        version=9,
    )  # fmt: skip
    assert [(one.measure, one.name) for one in read_yardsticks(collection)] == sorted(
        [(other.measure, "AP") for other in collection.leaderboards.filter(measure__name="AP")]
        + [(measure, "the yardstick")],
        key=lambda one: one[0].name,
    )


def test_scores_and_sets_that_come_go_or_are_replaced_make_another_version():
    collection, measure = make_collection(n_topics=2), make_measure()
    seen = [standardization_version(collection)]
    older, newer = (put_unnamed(collection, measure, open_systems(0.0), label=label) for label in ("a", "b"))
    seen.append(standardization_version(collection))
    older.delete()
    seen.append(standardization_version(collection))
    UnnamedScores.objects.filter(pk=newer.pk).update(recorded_at=timezone.now().replace(year=2040))
    seen.append(standardization_version(collection))
    assert len(set(seen)) == 4
