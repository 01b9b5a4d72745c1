"""The figures of Jayasinghe et al.: their numbers by a second, slow route, execution by execution."""

from functools import cache
from math import log2
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from analysis.instances import compare_algorithms
from analysis.papers import jayasinghe
from analysis.papers.jayasinghe import RERANKERS, topics_panel
from analysis.papers.paper import Given, JudgedRanking
from analysis.papers.sampling import RIVAL, SAMPLED, SEED, Ranking, executions, groups, ranking_of, whole
from analysis.papers.shipped import ShippedFolder
from analysis.scores import ScoreMatrix, parse_score_table
from registry.core.loading import SHIPPED
from registry.tools.reproductions.documents import FigureDocument, lay_out, reproductions

LEFT_OUT = 0.04


@cache
def run() -> JudgedRanking:
    """Return the ranking that the paper's page samples."""
    (judged,) = ShippedFolder(SHIPPED).rankings("trec-2004-robust", "RM3 (Yang 2019)")
    assert judged.depth == 1000
    return judged


@cache
def ranking() -> Ranking:
    return ranking_of(run())


@cache
def executed(left_out: float) -> ScoreMatrix:
    return executions(ranking(), left_out)


def sampled() -> np.ndarray:
    """Return executions x topics, 4 % left out."""
    return executed(LEFT_OUT).scores


@cache
def everything() -> np.ndarray:
    return whole(ranking()).scores[0]


def shipped_figure(slug: str):
    return next(figure for figure in reproductions()["jayasinghe-2014"].figures if figure.slug == slug)


def row(slug: str, left_out: str):
    return next(cells for cells in shipped_figure(slug).panel.rows if cells[0] == left_out)


def slow_ndcg(documents: list[str], grades: dict[str, int]) -> float:
    gain = sum(max(grades.get(document, 0), 0) / log2(rank + 1) for rank, document in enumerate(documents[:10], 1))
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:10]
    return gain / sum(grade / log2(rank + 1) for rank, grade in enumerate(best, 1))


def judged_topics() -> list[str]:
    return [topic for topic, grades in run().grades.items() if max(grades.values()) > 0 and topic in run().rankings]


@pytest.mark.slow
def test_the_whole_ranking_scores_as_it_is_defined():
    slow = [slow_ndcg(list(run().rankings[topic]), run().grades[topic]) for topic in judged_topics()]
    assert everything().tolist() == pytest.approx(slow)
    assert len(slow) == 249


def test_an_execution_is_the_ranking_without_the_shards_that_are_left_out():
    names = sorted({document for topic in judged_topics() for document in run().rankings[topic]})
    rng = np.random.default_rng([SEED, 40_000, 0])
    for number in range(2):
        shards = set(rng.choice(50, 2, replace=False).tolist())
        out = {name for place, name in enumerate(names) if place * 50 // len(names) in shards}
        assert len(out) == pytest.approx(LEFT_OUT * len(names), rel=0.001)
        slow = [
            slow_ndcg([document for document in run().rankings[topic] if document not in out], run().grades[topic])
            for topic in judged_topics()
        ]
        assert sampled()[number].tolist() == pytest.approx(slow)


def test_topics_count_that_are_answered_and_have_relevant_documents_and_no_gain_is_below_nought():
    grades = {
        "none relevant": {"x": 0}, "found": {"a": 2, "b": -1, "c": 1, "d": 0}, "unanswered": {"a": 1}, "late": {"c": 1},
    }  # fmt: skip
    rankings = {"none relevant": ("x",), "found": ("b", "a", "n", "c"), "late": ("n", "b", "c")}
    ranking = ranking_of(SimpleNamespace(grades=grades, rankings=rankings))
    assert (ranking.topics, ranking.shards.tolist()) == (("found", "late"), [12, 0, 37, 25])
    assert [gains.tolist() for gains in ranking.gains] == [[0, 2, 0, 1], [0, 0, 1]]
    assert [documents.tolist() for documents in ranking.documents] == [[0, 1, 2, 3], [2, 0, 3]]
    best = 2 / log2(2) + 1 / log2(3)
    assert whole(ranking).scores[0].tolist() == pytest.approx([(2 / log2(3) + 1 / log2(5)) / best, 1 / log2(4)])
    assert whole(ranking).systems == ("whole ranking",)
    assert executions(ranking, 0.0, n=3).systems == ("1", "2", "3")


def test_table_1_counts_paired_t_tests_and_has_p_of_the_formulas():
    differences = sampled() - everything()
    pvalues = np.array([stats.ttest_rel(execution, everything()).pvalue for execution in sampled()])
    _, mean, at_05, at_10, smallest, largest, repeats, instances, *_ = row("table-1", "4 %")
    assert mean == pytest.approx(sampled().mean())
    assert (at_05, at_10) == pytest.approx((100 * np.mean(pvalues <= 0.05), 100 * np.mean(pvalues <= 0.1)))
    assert (smallest, largest) == pytest.approx((pvalues.min(), pvalues.max()))
    assert repeats == pytest.approx(stats.ttest_1samp(differences.mean(axis=0), 0).pvalue)
    n_executions, n_topics = sampled().shape
    grand = sampled().mean()
    of_topics, of_executions = sampled().mean(axis=0), sampled().mean(axis=1)
    residual = sum(
        (sampled()[m, n] - of_executions[m] - of_topics[n] + grand) ** 2
        for m in range(n_executions)
        for n in range(n_topics)
    ) / ((n_executions - 1) * (n_topics - 1))
    between = n_topics * np.var(of_executions, ddof=1)
    variance = np.var(differences.mean(axis=0), ddof=1) / n_topics
    variance += max(between - residual, 0) / (n_executions * n_topics)
    slow = 2 * stats.t.sf(abs(differences.mean()) / variance**0.5, n_topics - 1)
    assert instances == pytest.approx(slow, rel=0.05)


def test_figure_1_has_quantiles_of_the_last_topics():
    spread, of_whole = shipped_figure("figure-1").panel.series
    assert of_whole.y == pytest.approx(everything()[-25:].tolist(), abs=1e-4)
    for place in (0, 12, 24):
        values = sorted(sampled()[:, place - 25])
        assert spread.y[place] == pytest.approx((values[49] + values[50]) / 2, abs=1e-4)
        assert values[4] - 1e-4 <= spread.low[place] <= values[5] + 1e-4
        assert values[94] - 1e-4 <= spread.high[place] <= values[95] + 1e-4
    panel = topics_panel(executed(LEFT_OUT), whole(ranking()), "ours")
    assert (panel.series, panel.data) == ((spread, of_whole), "ours")


@pytest.mark.parametrize(("left_out", "rate"), [("20 %", 0.2), pytest.param("4 %", 0.04, marks=pytest.mark.slow)])
def test_figure_2_and_table_2_are_t_tests_and_intervals_by_hand(left_out, rate):
    """A hundred executions leave the topics alone to decide: the interval is that of the topics' means, nearly."""
    differences = (executed(rate).scores - everything()).mean(axis=0)
    mean, error = differences.mean(), stats.sem(differences)
    _, difference, either, worse, low, high, says = row("table-2", left_out)
    assert difference == pytest.approx(mean)
    below, above = stats.t.sf((mean + 0.01) / error, 248), stats.t.cdf((mean - 0.01) / error, 248)
    assert worse == pytest.approx(below, abs=0.005)
    assert either == pytest.approx(max(below, above), abs=0.005)
    assert (low, high) == pytest.approx((mean - 1.97 * error, mean + 1.97 * error), abs=4e-4)
    assert says == ("equivalent" if low > -0.01 and high < 0.01 else "worse")
    drawn = shipped_figure("figure-2").panel.series[0]
    place = [cells[0] for cells in shipped_figure("table-2").panel.rows].index(left_out)
    assert (drawn.low[place], drawn.high[place]) == pytest.approx((low, high), rel=1e-4)


def test_models_call_groups_of_one_system_different_as_often_as_their_tests_do(monkeypatch):
    monkeypatch.setattr(jayasinghe, "_N_DRAWS", 40)
    pool = ScoreMatrix(list("abcdefghijklmnopqrstuvwx"), list("uvwxyz"), np.random.default_rng(1).random((24, 6)))
    panel = jayasinghe.models_panel(pool, "ours")
    assert panel.data == "ours; 40 pairs of groups of those that leave out 4 %"
    assert [(rule.name, rule.at, rule.axis) for rule in panel.rules] == [("5 %", 5.0, "y")]
    alone, repeats, instances = panel.series
    single = [stats.ttest_rel(of.scores[0], of.scores[2]).pvalue for of in groups(pool, 2, 40, 1)]
    assert (alone.name, alone.x, alone.style) == ("model 1", (1, 2), "other")
    assert alone.y == pytest.approx([100 * np.mean(np.array(single) <= 0.05)] * 2)
    for line, name, is_highlighted in ((repeats, "model 2", False), (instances, "model 3", True)):
        assert (line.name, line.x, line.is_highlighted) == (name, (2, 3, 5, 10), is_highlighted)
    of_three = [
        stats.ttest_rel(of.scores[:3].mean(axis=0), of.scores[3:].mean(axis=0)) for of in groups(pool, 3, 40, 1)
    ]
    assert repeats.y[1] == pytest.approx(100 * np.mean([of.pvalue <= 0.05 for of in of_three]))
    models = [compare_algorithms(of, SAMPLED, RIVAL).pvalue for of in groups(pool, 3, 40, 1)]
    assert instances.y[1] == pytest.approx(100 * np.mean(np.array(models) <= 0.05))


def test_executions_that_were_sent_stand_against_baselines_the_nearest_first():
    scores = [[0.5, 0.25, 0.75, 1], [0.25, 0.125, 0.125, 0.25], [0.25, 0.25, 0.5, 0.5], [0.25, 0.125, 0.5, 0.625],
              [0.5, 0.25, 0.5, 0.75], [0.625, 0.25, 0.875, 0.875]]  # fmt: skip
    matrix = ScoreMatrix(["a", "low", "b", "as much less", "near", "high"], ["t1", "t2", "t3", "t4"], scores)
    sent = Given(name="ours", measure="AP", matrices={"AP": matrix}, executions=["a", "b"])
    panel = RERANKERS.draw(sent)["reranker"]
    assert panel.data == "ours: 2 executions on 4 topics, against 4 systems executed once"
    (line,) = panel.series
    # By their means: the second topic, the first, the third, the fourth.
    assert (line.x, line.y) == ((1, 2, 3, 4), (0.25, 0.375, 0.625, 0.75))
    assert (line.low, line.high) == ((0.25, 0.25, 0.5, 0.5), (0.25, 0.5, 0.75, 1))
    assert (line.name, line.mark, line.is_highlighted) == ("executions", "points", True)
    # What differs by as much on each topic can't be tested: nothing varies.
    assert [cells[0] for cells in panel.rows] == ["near", "high", "low"]
    assert [cells[1] for cells in panel.rows] == pytest.approx([0.0, -0.15625, 0.3125])
    assert panel.columns == shipped_figure("reranker").panel.columns
    assert [float(p) for p in panel.rows[2][4:6]] == pytest.approx(
        sorted(stats.ttest_rel(scores[place], scores[1]).pvalue for place in (0, 2))
    )
    alone = Given(name="ours", measure="AP", matrices={"AP": matrix.select(["a", "b", "low"])}, executions=["a", "b"])
    assert RERANKERS.draw(alone)["reranker"].data == "ours: 2 executions on 4 topics, against 1 system executed once"


def test_the_reranker_is_that_of_the_tables_that_ship():
    folder = SHIPPED / "topic_scores"
    executed = parse_score_table((folder / "trec-dl-2019-passage__nDCG-at-10__gpt-3-5.csv").read_bytes()).scores
    others = parse_score_table((folder / "trec-dl-2019-passage__nDCG-at-10.csv").read_bytes())
    name = "rank_llm BM25+RankVicuna7B"
    rival = others.select([name]).scores[0]
    cells = next(cells for cells in shipped_figure("reranker").panel.rows if cells[0] == name)
    pvalues = [stats.ttest_rel(execution, rival).pvalue for execution in executed]
    assert cells[1] == pytest.approx(executed.mean() - rival.mean())
    assert cells[2] == 100 * np.mean(np.array(pvalues) <= 0.05)
    assert cells[4:7] == pytest.approx(
        (min(pvalues), max(pvalues), stats.ttest_rel(executed.mean(axis=0), rival).pvalue)
    )
    spread = shipped_figure("reranker").panel.series[0]
    assert max(high - low for low, high in zip(spread.low, spread.high, strict=True)) == pytest.approx(
        np.ptp(executed, axis=0).max(), abs=1e-4
    )


def test_no_p_value_is_shown_as_nought():
    paper = reproductions()["jayasinghe-2014"]
    (figure,) = (figure for figure in paper.figures if figure.slug == "table-1")
    page = lay_out(FigureDocument(paper.slug, figure, None, None, ()))
    cells = [cell for _, row in page["own"]["table"]["rows"] for cell, column in row if column.kind == "pvalue"]
    assert "< 0.001" in cells
    assert all(float(cell.removeprefix("< ")) > 0 for cell in cells)
