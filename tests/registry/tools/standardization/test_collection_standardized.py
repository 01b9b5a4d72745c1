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
from registry.leaderboards.stored import read_stored
from registry.results.models import Result, UnnamedScores
from registry.results.services.endings import withdraw_result
from registry.tools.standardization.documents import standardized_document
from registry.tools.standardization.queries import read_open_systems, read_yardsticks, standardization_version
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
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read

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
    """Put a board with a result for each system of the matrix, and a set of some of them frozen in 2020."""
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


def document(client, collection, query=None):
    return client.get(address(collection, ".json"), query).json()


def test_few_reference_systems_order_by_n_which_no_single_topic_rules(client):
    """The reference differs by .001 on the first topic, where “lucky” is 0.1 above it and worse on the four others."""
    spread = [0.0, 0.001, 0.002, 0.003, 0.004]
    rows = [[0.5 + step, *[0.4 + 20 * step] * 4] for step in spread] + [[0.6, *[0.38] * 4], [0.503, *[0.47] * 4]]
    names = [*"abcde", "lucky", "steady"]
    board = put_results(ScoreMatrix(names, [f"t{i}" for i in range(5)], rows), range(5))
    (matrix,) = document(client, board.collection)["matrices"]
    by_name = {system["system"]: system for system in matrix["systems"]}
    assert by_name["lucky"]["z"] > by_name["steady"]["z"]
    order = [system["system"] for system in matrix["systems"]]
    assert (matrix["ordered_by"], matrix["n_reference"]) == ("normal", 5)
    assert order.index("steady") < order.index("lucky")
    assert "2 systems by N: with 5 reference systems z may" in read(client, address(board.collection)).text


@pytest.mark.parametrize("sign", [1, -1], ids=["higher is better", "lower is better"])
def test_results_stand_against_the_frozen_set(client, sign):
    board = put_results(trec_7().select([f"run{i}" for i in (*range(1, 104, 5), 2, 3)]), range(21), sign)
    (matrix,) = document(client, board.collection)["matrices"]
    assert (matrix["reference"], matrix["frozen"], matrix["n_reference"]) == ("the yardstick", "2020-02-03", 21)
    assert sorted(system["system"] for system in matrix["systems"]) == ["run2", "run3"]
    page = read(client, address(board.collection))
    assert page.link("run2") in {system["url"] for system in matrix["systems"]}
    assert "the reference set was frozen on 3 February 2020" in page.text
    assert page.row("run2")[6] == f"{sign * trec_7().select(['run2']).means[0]:.4f}".replace("-", "−")


def test_what_happens_to_a_reference_system_leaves_the_scale_alone(client):
    board = put_results(trec_7().select([f"run{i}" for i in range(1, 9)]), range(6))
    (matrix,) = document(client, board.collection)["matrices"]
    before = {system["system"]: system["z"] for system in matrix["systems"]}
    assert sorted(before) == ["run7", "run8"]
    result = board.results.get(system__name="run1")
    withdraw_result(result=result, actor=make_user(), reason="another run")
    (matrix,) = document(client, board.collection)["matrices"]
    after = {system["system"]: system["z"] for system in matrix["systems"]}
    assert after == before
    assert {(system["empirical"], system["low"]) for system in matrix["systems"]} == {(None, None)}
    assert matrix["n_reference"] == 6
    page = read(client, address(board.collection))
    assert "the scale stays, without an error" in page.text
    assert itemgetter(3, 5)(page.row("run7")) == ("–", "–")


def open_systems(shift, names="abcde"):
    """Return means of 0.1, 0.2, 0.3, 0.4 and 0.5, and ``shift`` more."""
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
    (group,) = document(client, new)["originals"]
    assert document(client, old)["originals"][0]["collections"] == group["collections"]
    early, later = group["collections"]
    # The means of the toolkits are 0.3 and 0.4 in the middle, with a standard deviation of sqrt(0.025).
    assert (early["collection"], early["year"], early["n_runs"], early["n_above_best"]) == ("early", 1999, 5, 1)
    assert (early["median"], early["best"]) == pytest.approx((0.0, 0.3 / 0.025**0.5))
    assert (early["median_percentile"], early["best_percentile"]) == (50.0, 100.0)
    assert (later["collection"], later["n_above_best"]) == ("later", 2)
    assert (later["median"], later["median_percentile"]) == (pytest.approx(0.1 / 0.025**0.5), 70.0)
    page = read(client, address(new))
    assert page.row("early")[1:] == ["1999", "+0.00", "50", "+1.90", "100", "1", "5"]
    best = later["runs"][0]
    assert page.row(best["system"])[1:] == ["+1.90", "0.7000", "100"]
    assert "half the runs of 2001 score above z +0.63; 2 of 5 beat all 5 reference systems. Plumbline" in page.text
    assert page.link(best["system"]) == best["url"]
    assert [run["mean"] for run in later["runs"]] == [0.7, 0.65, 0.5, 0.4, 0.3]
    assert "We don’t test differences between collections" in page.text


def test_a_mean_lies_where_a_run_of_that_mean_does_with_the_error_of_other_topics(client):
    board = make_board(["0.10", "0.20", "0.30", "0.35", "0.60"], measure=make_measure("AP"))
    levels = ScoreMatrix([*"abcde"], [f"t{n}" for n in range(50)], [[level / 10] * 50 for level in range(1, 6)])
    put_unnamed(board.collection, board.measure, levels, runs="toolkits")
    without = read(client, f"{address(board.collection)}?score=0.6").text
    analyse(board)
    asked = document(client, board.collection, {"score": "0.35"})["asked"]
    # One mean and that of five vary by 1 + 1/5 times the variance of one; a pair by twice that.
    error = read_stored([board.pk])[board.pk].pair_error.margin(0.05) * 0.6**0.5
    assert (asked["z"] * 0.025**0.5, asked["error"] * 0.025**0.5) == pytest.approx((0.05, error))
    page = read(client, f"{address(board.collection)}?score=0.35&measure=AP").text
    assert f"is z +0.32 ± {asked['error']:.2f} (95%, for other topics like these): better than 60% of 5" in page
    assert "better than all 5 reference systems, and than 4 of 5 runs. How much scores vary here is" in without
    assert client.get(f"{address(board.collection)}?score=35").status_code == 400


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


@pytest.mark.parametrize("sign", [1, -1], ids=["higher is better", "lower is better"])
def test_every_scale_of_a_small_matrix_by_hand(client, sign):
    """Five reference systems with mean 0.3 and 0.4 and a deviation of sqrt(0.025), and a topic on which all agree."""
    levels = [0.1, 0.2, 0.3, 0.4, 0.5]
    rows = [[level, 0.1 + level, 0.7] for level in levels] + [[0.95, 0.45, 0.9]]
    board = put_results(ScoreMatrix([*"abcde", "own"], ["t1", "t2", "t3"], rows), range(5), sign)
    (matrix,) = document(client, board.collection)["matrices"]
    deviation = 0.025**0.5
    zs = [0.65 / deviation, 0.05 / deviation, 0.0]
    (own,) = matrix["systems"]
    assert own["system"] == "own"
    assert own["z"] == pytest.approx(sum(zs) / 3)
    assert own["normal"] == pytest.approx(sum((1 + erf(z / 2**0.5)) / 2 for z in zs) / 3)
    # 0.15 z + 0.5 is above 1 on the first topic, where it ends.
    assert own["linear"] == pytest.approx((1 + 0.5 + 0.15 * zs[1] + 0.5) / 3)
    assert matrix["clipped"] == pytest.approx(1 / 3)
    assert own["mean"] == pytest.approx(sign * (0.95 + 0.45 + 0.9) / 3)
    assert own["year"] is None
    assert 0.0 <= own["low"] <= own["normal"] <= own["high"] <= 1.0
    assert (matrix["constant_topics"], matrix["n_topics"], matrix["n_reference"]) == (["t3"], 3, 5)
    assert "of which 1 says nothing because all reference" in read(client, address(board.collection)).text
    assert (matrix["measure"], matrix["decimals"]) == (board.measure.name, board.measure.decimals)
    assert matrix["url"] == board.get_absolute_url()
    # A mean of five has a standard error of a deviation over the root of five; their deviation, of about half that.
    assert matrix["mean_error"] == pytest.approx(5**-0.5 * 0.8**0.5, rel=0.1)
    assert 0.1 < matrix["sd_error"] < 0.45
    level_or_worse = [score <= best for scores in rows[:5] for score, best in zip(scores, rows[5], strict=True)]
    assert own["empirical"] == pytest.approx(sum(level_or_worse) / 15, abs=1e-9)
    # The latest set is in force, whichever was recorded last.
    frozen = ReferenceSet.objects.get()
    ReferenceSet.objects.update(version=2)
    ReferenceSet.objects.create(
        leaderboard=board, basis="topic-scores", name="an earlier one", n_systems=5, factors=frozen.factors, version=1,
        frozen_on=date(2019, 1, 1),
    )  # fmt: skip
    assert [matrix["reference"] for matrix in document(client, board.collection)["matrices"]] == ["the yardstick"]


#: Five systems on three topics, and one that is measured with them.
ROWS = [[0.1, 0.2, 0.7], [0.2, 0.3, 0.6], [0.3, 0.4, 0.5], [0.4, 0.5, 0.4], [0.5, 0.6, 0.3], [0.9, 0.9, 0.9]]


def small(rows=ROWS, topics=("t1", "t2", "t3")):
    return ScoreMatrix([f"s{n}" for n in range(len(rows))], list(topics), rows)


@pytest.mark.parametrize(("n", "ordered_by"), [(59, "normal"), (60, "z")])
def test_sixty_reference_systems_order_by_z(n, ordered_by):
    rows = [[0.5 + 0.001 * k, 0.4 + 0.005 * k] for k in range(n)] + [[0.99, 0.4], [0.56, 0.72]]
    board = put_results(small(rows, ("t1", "t2")), range(n))
    ReferenceSet.objects.update(factors={**ReferenceSet.objects.get().factors, "means": [0.53, 0.55]})
    (matrix,) = standardized_document(board.collection).matrices
    assert (matrix.ordered_by, matrix.n_reference) == (ordered_by, n)
    best = {"z": f"s{n}", "normal": f"s{n + 1}"}
    assert matrix.systems[0].system == best[ordered_by]
    assert matrix.systems[0].low is None


@pytest.mark.filterwarnings("ignore::analysis.errors.DegenerateWarning")
def test_topics_on_which_all_reference_systems_agree_have_no_error_and_their_systems_are_level():
    board = put_results(small([[0.3, 0.4, 0.5]] * 5 + [[0.9, 0.9, 0.9]]), range(5))
    (matrix,) = standardized_document(board.collection).matrices
    assert (matrix.constant_topics, matrix.mean_error, matrix.sd_error) == (("t1", "t2", "t3"), None, None)
    assert {(system.z, system.normal, system.low, system.high) for system in matrix.systems} == {(0.0, 0.5, 0.5, 0.5)}


def test_intervals_end_where_n_does(django_assert_max_num_queries):
    rows = [[0.1, 0.2], [0.2, 0.35], [0.3, 0.4], [0.4, 0.6], [0.5, 0.55], [0.6, 0.7], [0.0, 0.0]]
    board = put_results(small(rows, ("t1", "t2")), range(5))
    with django_assert_max_num_queries(7):
        (matrix,) = standardized_document(board.collection).matrices
    best, *_, worst = matrix.systems
    assert (best.system, worst.system) == ("s5", "s6")
    assert (best.high, worst.low) == (1.0, 0.0)
    assert 0.8 < best.low < best.normal
    assert worst.normal < worst.high < 0.2


def test_what_is_measured_stands_is_comparable_and_no_repeated_execution():
    board = put_results(small(), range(5))
    first = board.results.order_by("pk").first()
    for printed, fields in (
        ("0.31", {"replicate_of": first}),
        ("0.32", {"comparability": Result.Comparability.OTHER_JUDGEMENTS}),
        ("0.33", {"ended_at": timezone.now(), "ended_by": make_entry(), "ending": "withdrawn"}),
    ):
        make_topic_scores(make_result(board, printed=printed, **fields), [0.3] * 3)
    (yardstick,) = read_yardsticks(board.collection)
    assert [yardstick.results[label].system.name for label in yardstick.measured.systems] == ["s5"]


def test_reference_systems_alone_measure_nothing(client):
    board = put_results(small(ROWS[:5]), range(5))
    assert document(client, board.collection)["matrices"] == []
    assert "five reference systems and one more are needed" in read(client, address(board.collection)).text


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
    assert [(yardstick.measure, yardstick.name) for yardstick in read_yardsticks(collection)] == sorted(
        [(other.measure, "AP") for other in collection.leaderboards.filter(measure__name="AP")]
        + [(measure, "the yardstick")],
        key=lambda key: key[0].name,
    )


def test_open_systems_are_named_whole_and_the_same_on_each_collection():
    measure = make_measure()
    new, old = put_open("new", 2001, 0.1, measure), put_open("old", 1999, 0.0, measure)
    put_open("zold", 1999, 0.2, measure)
    part = make_collection("part", n_topics=3, year=2000)
    put_unnamed(part, measure, open_systems(0.0), label="part", runs="toolkits")
    flat = make_collection("flat", n_topics=2, year=2000)
    level = ScoreMatrix(open_systems(0.0).systems, ["t1", "t2"], [[0.2, 0.4]] * 5)
    put_unnamed(flat, measure, level, label="flat", runs="toolkits")
    put_open("elsewhere", 2000, 0.0, make_measure())
    put_open("of others", 2000, 0.0, measure, names="vwxyz")
    few = make_collection("few", n_topics=2, year=2000)
    put_unnamed(few, measure, open_systems(0.0).select([f"toolkit {name}" for name in "abcd"]), label="few")
    (group,) = read_open_systems(new)
    assert [table.row.collection.slug for table in group] == ["old", "zold", "new"]
    assert [table.means[0] for table in group] == pytest.approx([0.1, 0.3, 0.2])
    assert {(table.withheld, table.others) for table in group} == {(None, None)}
    assert [table.row.collection.slug for table in read_open_systems(old)[0]] == ["old", "zold", "new"]
    assert read_open_systems(few) == read_open_systems(part) == read_open_systems(flat) == []


@pytest.mark.parametrize("sign", [1, -1], ids=["higher is better", "lower is better"])
def test_original_runs_are_those_that_stand_under_the_measure(sign):
    measure = make_measure(higher_is_better=sign > 0)
    collection = put_open("one", 1999, 0.0, measure, ["0.10", "0.20", "0.30", "0.50"])
    UnnamedScores.objects.update(note="of toolkits")
    board = collection.leaderboards.get()
    of_run = {"role": "trec_run"}
    assert standardized_document(collection).originals == ()
    five = make_result(board, printed="0.60", **of_run)
    for fields in (
        {"role": "proposed"}, {"comparability": "doubtful"}, {"replicate_of": five},
        {"ended_at": timezone.now(), "ended_by": make_entry(), "ending": "withdrawn"},
    ):  # fmt: skip
        make_result(board, printed="0.99", **(of_run | fields))
    make_results(make_leaderboard(collection), [0.9], **of_run)
    make_results(make_leaderboard(make_collection(), measure), [0.9], **of_run)
    (group,) = standardized_document(collection).originals
    assert (group.measure, group.reference, group.source, group.licence, group.note, group.n_reference) == (
        measure.name, "toolkits", "an archive", "CC BY-SA 4.0", "of toolkits", 5,
    )  # fmt: skip
    assert group.recorded == UnnamedScores.objects.get().recorded_at.date().isoformat()
    (here,) = group.collections
    assert (here.n_runs, here.by_topic, here.url) == (5, None, address(collection))
    deviation = 0.025**0.5
    # The systems have means of 0.1 to 0.5; a run of 0.6, or where lower is better none, is beyond them all.
    ordered = [0.6, 0.5, 0.3, 0.2, 0.1][::sign]
    assert [run.mean for run in here.runs] == ordered
    assert [run.z for run in here.runs] == pytest.approx([sign * (mean - 0.3) / deviation for mean in ordered])
    assert (here.median, here.best) == (pytest.approx(0.0, abs=1e-12), pytest.approx(here.runs[0].z))
    assert here.n_above_best == (1 if sign > 0 else 0)
    assert (here.median_percentile, here.best_percentile) == (50.0, 100.0 if sign > 0 else 90.0)


@pytest.mark.parametrize("sign", [1, -1], ids=["higher is better", "lower is better"])
def test_runs_without_names_have_quartiles_of_n(sign):
    measure = make_measure(higher_is_better=sign > 0)
    collection = put_open("one", 1999, 0.0, measure, ["0.10", "0.20", "0.30", "0.40", "0.50"])
    levels = [0.3, 0.1, 0.5, 0.2, 0.4]
    runs = ScoreMatrix([f"run{n}" for n in range(5)], ["1", "2"], [[level - 0.05, level + 0.05] for level in levels])
    put_unnamed(collection, measure, runs, label="withheld")
    UnnamedScores.objects.filter(label="withheld").update(source="TREC", licence="as TREC says")
    longer = ScoreMatrix([f"run{n}" for n in range(5)], ["1", "2", "3"], [[0.9] * 3] * 5)
    put_unnamed(collection, measure, longer, label="on another topic, too")
    (here,) = standardized_document(collection).originals[0].collections
    quartiles = here.by_topic
    assert (quartiles.n_runs, quartiles.n_topics, quartiles.source, quartiles.licence) == (5, 2, "TREC", "as TREC says")
    n = [(1 + erf(z / 0.025**0.5 / 2**0.5)) / 2 for z in (-0.1, 0.0, 0.1, 0.2)]
    assert [quartiles.lower_quartile, quartiles.median, quartiles.upper_quartile, quartiles.best] == pytest.approx(n)


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
