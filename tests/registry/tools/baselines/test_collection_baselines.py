"""GET /collections/<slug>/baselines/"""

import numpy as np
import pytest
from scipy.stats import kendalltau, multivariate_t

from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.over_years import over_years
from registry.leaderboards.forms import Selection
from registry.leaderboards.stored import read_stored
from registry.results.models import System
from tests.registry.factory import make_measure, make_model, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse_again, make_apart, make_board
from tests.registry.pages import read

#: Year, baseline, proposed: the second paper ignores the first, the third starts from it.
PAPERS = ((2005, "0.20", "0.33"), (2008, "0.22", "0.26"), (2011, "0.33", "0.36"))


def put(board, papers=PAPERS, **fields):
    for number, (year, baseline, proposed) in enumerate(papers):
        paper = make_paper(f"Doe {number} ({year})")
        for printed, role, name in ((baseline, "baseline", "BM25"), (proposed, "proposed", "ours")):
            system = make_system(f"{name} {year} {number}") if name == "ours" else bm25()
            make_result(board, system, printed, role=role, paper=paper, year=year, **fields)
    analyse_again(board)


def bm25():
    return System.objects.filter(name="BM25").first() or make_system("BM25")


def document(client, board):
    return client.get(f"/collections/{board.collection.slug}/baselines.json").json()


@pytest.mark.parametrize("n_runs", [4, 5])
def test_five_original_runs_are_a_field_to_stand_in(client, n_runs):
    board = make_board(["0.25", "0.21", "0.30", "0.31", "0.10"][:n_runs], residual_variance=None, year=2004)
    put(board)
    (gains,) = document(client, board)["boards"]
    known = (gains["n_weak"], [paper["percentile"] for paper in gains["papers"]], gains["among_runs"] is not None)
    assert known == ((2, [20.0, 40.0, 100.0], True) if n_runs == 5 else (None, [None] * 3, False))
    if n_runs == 5:
        runs = gains["among_runs"]
        assert (runs["n_runs"], runs["median"], runs["upper_quartile"], runs["best"]) == (5, 0.25, 0.30, 0.31)


def test_a_baseline_that_half_of_the_original_runs_beat_is_not_weak(client):
    board = make_board(["0.10", "0.20", "0.30", "0.40", "0.50"], residual_variance=None, year=2004)
    put(board, [(2005, "0.29", "0.60"), (2006, "0.30", "0.60"), (2007, "0.31", "0.60")])
    (gains,) = document(client, board)["boards"]
    assert [paper["percentile"] for paper in gains["papers"]] == [40.0, 50.0, 60.0]
    assert gains["n_weak"] == 1


def test_where_lower_is_better_it_turns_round(client):
    board = make_board(["0.50", "0.60"], measure=make_measure("risk", higher_is_better=False), year=2004)
    put(board, [(2005, "0.55", "0.40"), (2006, "0.45", "0.42"), (2007, "0.40", "0.30")])
    (gains,) = document(client, board)["boards"]
    assert [paper["known"] for paper in gains["papers"]] == [0.50, 0.40, 0.40]
    assert [paper["gain"] for paper in gains["papers"]] == pytest.approx([0.15, 0.03, 0.10])
    assert gains["risen"] == pytest.approx(0.2)
    assert gains["n_weak"] is None


def test_records_are_the_range_that_orders_within_years_leave(client):
    board = make_board(year=2004)
    scores = [(2005, "0.30"), (2005, "0.20"), (2006, "0.28"), (2007, "0.40"), (2007, "0.35")]
    put(board, [(year, "0.10", score) for year, score in scores])
    (gains,) = document(client, board)["boards"]
    trend = gains["over_years"]
    assert (trend["fewest_records"], trend["most_records"]) == (2, 4)
    # Of 120 orders of five, 96 have two records or more and 11 four or more (Stirling numbers of the first kind).
    assert trend["pvalue_fewest_records"] == pytest.approx(96 / 120)
    assert trend["pvalue_most_records"] == pytest.approx(11 / 120)
    # One team each, and fewer than ten: no slopes by team. Kendall's tau-b of five papers, two pairs in one year.
    assert (trend["n_teams"], trend["by_team"], trend["frontier"]) == (5, None, None)
    expected = kendalltau([year for year, _ in scores], [float(score) for _, score in scores])
    assert trend["tau"] == pytest.approx(expected.statistic)
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    assert "2 to 4 scores are, by the order of papers within a year, above those of all earlier papers" in text
    assert "as many or more are in 80% (2) and 9% (4) of orders" in text


def test_papers_of_one_team_count_as_one_where_somebody_says_whose_they_are(client):
    board = make_board(year=2004)
    put(board, [(2005 + number, "0.10", f"0.2{number}") for number in range(4)])
    System.objects.filter(name__startswith="ours 2005").update(team="Glasgow")
    System.objects.filter(name__startswith="ours 2008").update(team="Glasgow")
    (gains,) = document(client, board)["boards"]
    assert gains["over_years"]["n_teams"] == 3


def test_more_papers_take_no_more_queries(client, django_assert_max_num_queries):
    board = make_board(year=2004)
    put(board)
    with django_assert_max_num_queries(9) as few:
        document(client, board)
    put(board, [(2013, "0.21", "0.22"), (2014, "0.23", "0.24")], source="more")
    with django_assert_max_num_queries(len(few)):
        assert len(document(client, board)["boards"][0]["papers"]) == 5


def test_the_best_up_to_the_last_paper_is_whoever_printed_it_and_what_came_later_does_not_count(client):
    board = make_board(year=2004)
    for printed, year in (("0.40", 2009), ("0.45", 2012)):
        make_result(board, printed=printed, role="leaderboard", year=year)
    put(board)
    (gains,) = document(client, board)["boards"]
    assert (gains["last_best"], gains["risen"]) == (0.4, pytest.approx(0.09))
    assert [(row["known"], row["known_year"]) for row in gains["papers"]] == [(0.31, 2004), (0.33, 2005), (0.4, 2009)]


def test_what_a_paper_adds_since_the_analysis_raises_the_best(client):
    board = make_board(year=2004)
    put(board)
    make_result(board, printed="0.39", role="proposed", paper=board.results.get(printed="0.36").paper, year=2011)
    (gains,) = document(client, board)["boards"]
    assert (gains["last_best"], gains["papers"][-1]["proposed"]) == (0.39, 0.39)


def test_what_a_flag_is_about_is_claimed_and_raises_no_best(client):
    paper = make_paper("Doe 3 (2010)")
    board = make_apart(role="proposed", paper=paper, year=2010).leaderboard
    board.results.exclude(paper=paper).update(year=2004)
    make_result(board, bm25(), "0.22", role="baseline", paper=paper, year=2010)
    put(board, ((2005, "0.20", "0.21"), (2008, "0.22", "0.235"), (2011, "0.21", "0.22")))
    (gains,) = document(client, board)["boards"]
    # The runs of 2004 go up to 0.229; 0.90 stands apart.
    assert (gains["first_known"], gains["last_best"], gains["risen"]) == (0.229, 0.235, pytest.approx(0.006))
    assert gains["total_gain"] == pytest.approx(0.01 + 0.015 + 0.68 + 0.01)
    over = over_years(leaderboard_document(board, Selection()))
    assert (over.n_flagged, over.total_gain, over.risen) == (
        1, pytest.approx(gains["total_gain"]), pytest.approx(gains["risen"]),
    )  # fmt: skip
    assert (
        "One flagged result raises no best; a gain claimed with it counts."
        in read(client, board.get_absolute_url()).text
    )


def test_of_several_scores_of_a_paper_the_best_baseline_and_its_best_own_count(client):
    board = make_board(year=2004)
    rows = (
        (2005, "QL", "0.20", "One", "0.30"),
        (2005, "BM25", "0.21", "Two", "0.28"),
        (2006, "QL", "0.22", "Three", "0.26"),
        (2008, "QL", "0.25", "Four", "0.24"),
        (2008, "RM3", "0.23", "Five", "0.27"),
    )
    papers = {year: make_paper(f"Doe ({year})") for year in (2005, 2006, 2008)}
    systems = {name: make_system(name) for name in {name for row in rows for name in (row[1], row[3])}}
    for year, baseline, low, own, high in rows:
        for name, printed, role in ((baseline, low, "baseline"), (own, high, "proposed")):
            make_result(board, systems[name], printed, role=role, paper=papers[year], year=year)
    # What is no comparable result of a paper with a year is left out.
    for fields in ({"comparability": "oracle"}, {"role": "leaderboard"}):
        make_result(board, make_system(), "0.9", paper=papers[2008], year=2008, **({"role": "proposed"} | fields))
    for fields in ({"paper": None, "year": 2008}, {"paper": papers[2008], "year": None}):
        make_result(board, make_system(), "0.9", role="proposed", **fields)
    alone, measured = make_paper("without a baseline"), make_paper("of a baseline alone")
    make_result(board, make_system(), "0.29", role="proposed", paper=alone, year=2007)
    make_result(board, systems["QL"], "0.21", role="baseline", paper=measured, year=2009)
    make_result(board, systems["One"], "0.20", role="proposed", paper=papers[2006], year=2006)
    analyse_again(board)
    (gains,) = document(client, board)["boards"]
    assert [(row["name"], row["year"], row["baseline_system"], row["baseline"]) for row in gains["papers"]] == [
        ("Doe (2005)", 2005, "BM25", 0.21),
        ("Doe (2006)", 2006, "QL", 0.22),
        ("Doe (2008)", 2008, "QL", 0.25),
    ]
    assert [row["proposed"] for row in gains["papers"]] == [0.30, 0.26, 0.27]
    assert [row["gain"] for row in gains["papers"]] == pytest.approx([0.09, 0.04, 0.02])
    assert [row["url"] for row in gains["papers"]] == [papers[year].get_absolute_url() for year in (2005, 2006, 2008)]
    error = read_stored([board.pk])[board.pk].pair_error
    # Two own scores are two comparisons.
    assert [row["is_beyond"] for row in gains["papers"]] == [
        gain > error.margin(level) for gain, level in ((0.09, 0.025), (0.04, 0.025), (0.02, 0.025))
    ]
    assert gains["n_beyond"] == 1


def test_luck_alone_goes_no_further_than_the_measure(client):
    board = make_board([f"0.8{number}" for number in range(10)], residual_variance=0.1, year=2004)
    for number in range(12):
        make_result(board, printed=f"0.9{number:02}", role="leaderboard", year=2006 + number)
    analyse_again(board)
    assert document(client, board)["progress"][0]["luck"]["by_luck"][-1] == 1.0
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    assert "to 0.9110 (2017); luck alone could reach 1.0000, the end of the measure." in text
    assert "the best may still reach 1.0000, the end of the measure: no later score here can be beyond luck." in text


def test_results_of_many_years_are_followed_against_luck(client):
    board = make_board(year=2004)
    for number in range(14):
        make_result(board, printed=f"0.{300 + number}", role="leaderboard", year=2006 + number)
    for printed in ("0.42", "0.41", "0.40", "0.38", "0.36", "0.34"):
        make_result(board, printed=printed, role="leaderboard", year=2020)
    # A model of 2019 whose result has no year of its own, and one that nobody can date.
    make_result(board, make_system("dated", model=make_model("dated", released="2019-05")), "0.32", year=None)
    make_result(board, printed="0.10", year=None)
    analyse_again(board)
    content = document(client, board)
    (progress,) = content["progress"]
    assert (progress["n_dated"], progress["n_elsewhere"]) == (29, 1)
    assert [(step["year"], step["value"], step["is_beyond"]) for step in progress["steps"]] == [
        (2004, 0.31, None), (2017, 0.311, False), (2018, 0.312, False), (2019, 0.32, False), (2020, 0.42, True),
    ]  # fmt: skip
    luck = progress["luck"]
    assert (luck["n_later"], luck["is_beyond"], luck["by_luck"][0]) == (21, True, 0.31)
    # No later system is better: the largest of 21 Student's t that share the first best stays within it in 95 %.
    together = multivariate_t(shape=0.5 + 0.5 * np.eye(21), df=10, seed=42)
    error = (2 * 0.0144 / 50) ** 0.5
    assert together.cdf(np.full(21, (luck["by_luck"][-1] - 0.31) / error)) == pytest.approx(0.95, abs=0.004)
    most = f"{luck['by_luck'][-1]:.4f}"
    claim = f"the record went from 0.3100 (2004) to 0.4200 (2020); luck alone would give up to {most} (95%)."
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    for page in (text, read(client, board.get_absolute_url()).text):
        assert claim in page
        assert "1 of 4 steps are significant over the best before (95%, an average pair, Holm)" in page
        assert "One result stands in the year of its paper or model: when it was reported is not known." in page
    assert "Not enough papers to say what they compared with" in text
    assert "Significant records 1 of 4" in text
    assert "best of 22, all as good as 0.3100 (95%)" in text
    page = read(client, f"/collections/{board.collection.slug}/baselines/")
    copied = [button["data-copied"] for button in page.of("button") if "data-copied" in button]
    assert claim in copied[0]
    assert copied[1].startswith(r"\cite{plumbline-")


def test_fewer_dated_results_are_not_followed_and_unknown_variance_leaves_luck_open(client):
    board = make_board(year=2004, residual_variance=None)
    for year in (2005, 2006):
        make_result(board, printed="0.30", role="leaderboard", year=year)
    analyse_again(board)
    assert document(client, board)["progress"] == []
    for number in range(10):
        make_result(board, printed=f"0.{320 + number}", role="leaderboard", year=2007 + number)
    analyse_again(board)
    (progress,) = document(client, board)["progress"]
    assert progress["luck"] is None
    assert progress["claim"].endswith("the record went from 0.3100 (2004) to 0.3290 (2016).")
    assert {step["is_beyond"] for step in progress["steps"]} == {None}
