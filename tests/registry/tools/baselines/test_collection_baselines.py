"""GET /collections/<slug>/baselines/"""

import re

import pytest
from django.db.models import OuterRef, Subquery
from scipy.stats import kendalltau

from registry.catalog.models import Collection
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.over_years import over_years
from registry.leaderboards.forms import Selection
from registry.leaderboards.stored import read_stored
from registry.results.models import System
from registry.tools.baselines.documents import papers_followed
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_system,
)
from tests.registry.leaderboards.boards import analyse, make_apart, make_board, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

#: Year, baseline, proposed: the second paper ignores the first, the third starts from it.
PAPERS = ((2005, "0.20", "0.33"), (2008, "0.22", "0.26"), (2011, "0.33", "0.36"))


def put(board, papers=PAPERS, **fields):
    for number, (year, baseline, proposed) in enumerate(papers):
        paper = make_paper(f"Doe {number} ({year})")
        for printed, role, name in ((baseline, "baseline", "BM25"), (proposed, "proposed", "ours")):
            system = make_system(f"{name} {year} {number}") if name == "ours" else bm25()
            make_result(board, system, printed, role=role, paper=paper, year=year, **fields)
    mark_changed(board)
    analyse(board)


def bm25():
    return System.objects.filter(name="BM25").first() or make_system("BM25")


def document(client, board):
    return client.get(f"/collections/{board.collection.slug}/baselines.json").json()


def test_papers_of_a_leaderboard_that_is_not_analysed_yet_are_not_denied(client):
    board = make_board(year=2004)
    put(board)
    board.analysis.delete()
    assert document(client, board) | {"boards": [], "n_waiting": 1} == document(client, board)
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    assert "1 leaderboard with papers to follow is not analysed yet." in text
    assert "Nothing can be followed here" not in text


def test_losses_are_taken_off_the_sum_and_said(client):
    board = make_board(year=2004)
    put(board, (*PAPERS, (2012, "0.30", "0.26"), (2013, "0.30", "0.30")))
    (found,) = document(client, board)["boards"]
    assert (found["total_gain"], found["n_losses"]) == (pytest.approx(0.16), 1), "no gain is no loss"
    page = read(client, f"/collections/{board.collection.slug}/baselines/")
    assert "none (1 loss is taken off the sum)" in page.text
    assert "The gains add up to +0.1600, 1 loss taken off; " in page.text


def test_baselines_stand_against_what_was_known(client):
    board = make_board(year=2004)
    put(board)
    (found,) = document(client, board)["boards"]
    # Original runs of 2004 go up to 0.31; then 0.33 is the best until 2011.
    assert [one["known"] for one in found["papers"]] == [0.31, 0.33, 0.33]
    assert [one["shortfall"] for one in found["papers"]] == pytest.approx([0.11, 0.11, 0.0])
    assert (found["n_reaching"], found["n_known"]) == (1, 3)
    # Runs: 0.15 0.20 0.22 0.24 0.25 0.29 0.30 0.31; ties count half.
    assert [one["percentile"] for one in found["papers"]] == pytest.approx([18.75, 31.25, 100.0])
    assert found["n_weak"] == 2
    assert (found["first_known"], found["last_best"]) == (0.31, 0.36)
    assert (found["total_gain"], found["risen"]) == pytest.approx((0.20, 0.05))
    assert found["used"] == [{"system": "BM25", "n_papers": 3, "first": 2005, "last": 2011}]
    assert client.get(f"/api/v1/collections/{board.collection.slug}/baselines/").json()["boards"] == [found]
    page = read(client, f"/collections/{board.collection.slug}/baselines/")
    said = "2005 to 2011, the gains claimed add up to +0.20; the best on record rose by 0.05"
    assert page.headings[1] == (2, f"On {board.collection.name}, {said} ({board.measure.name}, 3 papers)")
    assert "1 of 3 baselines reaches the best recorded of earlier years, whoever printed it" in page.text
    assert "the best on record went from 0.3100 to 0.3600, +0.0500 in all." in page.text
    assert page.row("Doe 1 (2008)")[1:5] == ["0.1100", "0.2200", "0.3300", "31"]
    # The best on record is drawn as what is claimed of it: from before the first paper up to the last, in steps.
    (line,) = re.findall(r'<path class="line ink" d="M[\d.]+ ([\d.]+)H[^"]*V([\d.]+)"', page.source)
    assert float(line[0]) > float(line[1])


def test_papers_stand_among_the_original_runs(client):
    board = make_board(year=2004)
    put(board)
    (found,) = document(client, board)["boards"]
    assert [one["proposed_percentile"] for one in found["papers"]] == pytest.approx([100.0, 62.5, 100.0])
    runs = found["among_runs"]
    assert (runs["n_runs"], runs["best"], runs["median"], runs["n_above_best"]) == (8, 0.31, pytest.approx(0.245), 2)
    assert (runs["median_baseline"], runs["median_proposed"]) == (31.25, 100.0)
    page = read(client, f"/collections/{board.collection.slug}/baselines/")
    assert "2 of 3 papers are better than all of them" in page.text
    assert page.row("Doe 1 (2008)")[5:7] == ["0.2600", "62"]
    assert found["over_years"] is None
    assert "get better?" not in page.text


@pytest.mark.parametrize(
    ("is_better", "best", "below", "are"),
    [(True, 0.34, (3, 2), "are"), (False, 0.30, (1, 2), "is")],
    ids=["higher is better", "lower"],
)
def test_papers_stand_among_the_reference_implementations(client, is_better, best, below, are):
    board = make_board(["0.30", "0.31"], measure=make_measure(higher_is_better=is_better), year=2004)
    for printed in ("0.30", "0.33", "0.34"):
        make_result(board, printed=printed, role="reference_implementation", year=2020)
    put(board)
    (found,) = document(client, board)["boards"]
    toolkits = found["among_implementations"]
    assert (toolkits["n"], toolkits["median"], toolkits["best"]) == (3, 0.33, best)
    assert (toolkits["n_baselines_below"], toolkits["n_proposed_below"]) == below
    page = read(client, f"/collections/{board.collection.slug}/baselines/")
    said = f"the median scores 0.3300, the best {best:.4f}: {below[0]} of 3 baselines {are} worse than the best, and"
    assert f"Of the 3 reference implementations {said} {below[1]} of the papers’ own best scores." in page.text
    assert "best of toolkits</text>" in page.source


@pytest.mark.parametrize("n_runs", [4, 5])
def test_five_original_runs_are_a_field_to_stand_in(client, n_runs):
    board = make_board(["0.25", "0.21", "0.30", "0.31", "0.10"][:n_runs], residual_variance=None, year=2004)
    put(board)
    (found,) = document(client, board)["boards"]
    known = (found["n_weak"], [one["percentile"] for one in found["papers"]], found["among_runs"] is not None)
    assert known == ((2, [20.0, 40.0, 100.0], True) if n_runs == 5 else (None, [None] * 3, False))
    if n_runs == 5:
        runs = found["among_runs"]
        assert (runs["n_runs"], runs["median"], runs["upper_quartile"], runs["best"]) == (5, 0.25, 0.30, 0.31)


def test_a_baseline_that_half_of_the_original_runs_beat_is_not_weak(client):
    board = make_board(["0.10", "0.20", "0.30", "0.40", "0.50"], residual_variance=None, year=2004)
    put(board, [(2005, "0.29", "0.60"), (2006, "0.30", "0.60"), (2007, "0.31", "0.60")])
    (found,) = document(client, board)["boards"]
    assert [one["percentile"] for one in found["papers"]] == [40.0, 50.0, 60.0]
    assert found["n_weak"] == 1


@pytest.mark.parametrize("is_better", [True, False], ids=["higher is better", "lower is better"])
def test_scores_of_papers_over_the_years(client, is_better):
    measure = make_measure(higher_is_better=is_better)
    board = make_board(["0.30", "0.32"], measure=measure, year=1999)
    sign = 1 if is_better else -1
    scores = [0.4 + sign * (0.01 * step + 0.002 * (-1) ** step) for step in range(24)]
    put(board, [(2000 + step, "0.40", f"{score:.3f}") for step, score in enumerate(scores)])
    (found,) = document(client, board)["boards"]
    trend = found["over_years"]
    assert trend["median"]["change"] == pytest.approx(0.1, abs=0.005)
    assert trend["by_team"]["low"] < trend["median"]["change"] < trend["by_team"]["high"]
    assert trend["frontier"]["change"] == pytest.approx(0.1, abs=0.01)
    assert (trend["n_teams"], trend["n_records"], trend["fewest_records"], trend["most_records"]) == (24, 24, 24, 24)
    page = read(client, f"/collections/{board.collection.slug}/baselines/")
    assert "They rise with the years" in page.text
    assert "24 scores are above those of all earlier papers" in page.text


def test_where_lower_is_better_it_turns_round(client):
    board = make_board(["0.50", "0.60"], measure=make_measure("risk", higher_is_better=False), year=2004)
    put(board, [(2005, "0.55", "0.40"), (2006, "0.45", "0.42"), (2007, "0.40", "0.30")])
    (found,) = document(client, board)["boards"]
    assert [one["known"] for one in found["papers"]] == [0.50, 0.40, 0.40]
    assert [one["gain"] for one in found["papers"]] == pytest.approx([0.15, 0.03, 0.10])
    assert found["risen"] == pytest.approx(0.2)
    assert found["n_weak"] is None


def test_where_lower_is_better_they_stand_among_the_original_runs_by_that(client):
    scores = ["0.50", "0.55", "0.60", "0.65", "0.70"]
    board = make_board(scores, measure=make_measure("risk", higher_is_better=False), year=2004)
    put(board, [(2005, "0.64", "0.45"), (2006, "0.62", "0.48"), (2007, "0.63", "0.47")])
    runs = document(client, board)["boards"][0]["among_runs"]
    assert (runs["best"], runs["median"], runs["n_above_best"]) == (0.50, 0.60, 3)
    assert (runs["median_baseline"], runs["median_proposed"]) == (40.0, 100.0)


def test_papers_of_one_year_have_nothing_before_them(client):
    board = make_board(["0.10"], residual_variance=None)
    put(board, [(2005, "0.20", "0.25"), (2005, "0.21", "0.24"), (2005, "0.22", "0.30")])
    (found,) = document(client, board)["boards"]
    assert (found["n_known"], found["first_known"], found["risen"]) == (0, None, None)
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    assert "nothing is recorded of years before the first paper, so it is not known how far the best rose" in text
    assert "the best on record" not in text


def test_one_gain_and_one_paper_are_told_in_the_words_of_one(client):
    board = make_board(year=2004)
    put(board, [(2005, "0.20", "0.36"), (2006, "0.30", "0.31"), (2007, "0.30", "0.31")])
    (found,) = document(client, board)["boards"]
    assert (found["n_beyond"], found["among_runs"]["n_above_best"]) == (1, 1)
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    assert "1 of 3 gains is told from chance" in text
    assert "1 of 3 papers is better than all of them." in text


def test_papers_stand_by_the_year_of_what_they_propose(client):
    board = make_board(year=2004)
    put(board)
    paper = make_paper("Late (2012)")
    make_result(board, bm25(), "0.19", role="baseline", paper=paper, year=2004)
    make_result(board, make_system("late"), "0.32", role="proposed", paper=paper, year=2012)
    mark_changed(board)
    analyse(board)
    (found,) = document(client, board)["boards"]
    assert [one["year"] for one in found["papers"]] == [2005, 2008, 2011, 2012]
    text = read(client, f"/collections/{board.collection.slug}/baselines/").text
    assert "2005 to 2012, the gains claimed add up to" in text


def test_papers_of_a_year_stand_in_one_order_whichever_has_a_result_first(client):
    board = make_board(year=2004)
    papers = [make_paper(f"Doe {number} (2006)") for number in range(3)]
    for paper in (papers[2], papers[0], papers[1]):
        make_result(board, bm25(), "0.20", role="baseline", paper=paper, year=2006)
        make_result(board, printed="0.30", role="proposed", paper=paper, year=2006)
    mark_changed(board)
    analyse(board)
    (found,) = document(client, board)["boards"]
    assert [one["name"] for one in found["papers"]] == [str(paper) for paper in papers]


def test_what_a_leaderboard_lists_is_known_to_the_count_and_to_the_table_alike(client):
    board = make_board(year=2004)
    make_result(board, printed="0.35", role="leaderboard", year=2006)
    put(board)
    (found,) = document(client, board)["boards"]
    assert [one["shortfall"] for one in found["papers"]] == pytest.approx([0.11, 0.13, 0.02])
    assert (found["n_reaching"], found["n_known"]) == (0, 3)


def test_no_history_begins_before_the_collection(client):
    board = make_board(["0.10"], residual_variance=None)
    board.collection.year = 2006
    board.collection.save()
    make_result(board, printed="0.40", role="leaderboard", year=2001)
    put(board)
    (found,) = document(client, board)["boards"]
    assert [(one["year"], one["known"]) for one in found["papers"]] == [(2006, None), (2008, 0.4), (2011, 0.4)]
    assert [one["known_year"] for one in found["papers"]] == [None, 2006, 2006]


def test_records_are_the_range_that_orders_within_years_leave(client):
    board = make_board(year=2004)
    scores = [(2005, "0.30"), (2005, "0.20"), (2006, "0.28"), (2007, "0.40"), (2007, "0.35")]
    put(board, [(year, "0.10", score) for year, score in scores])
    (found,) = document(client, board)["boards"]
    trend = found["over_years"]
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
    assert "as many or more in 80 % (2) and 9 % (4) of orders" in text


def test_papers_of_one_team_count_as_one_where_somebody_says_whose_they_are(client):
    board = make_board(year=2004)
    put(board, [(2005 + number, "0.10", f"0.2{number}") for number in range(4)])
    System.objects.filter(name__startswith="ours 2005").update(team="Glasgow")
    System.objects.filter(name__startswith="ours 2008").update(team="Glasgow")
    (found,) = document(client, board)["boards"]
    assert found["over_years"]["n_teams"] == 3


def test_too_few_papers_are_not_summed_up(client):
    board = make_board(year=2004)
    put(board, PAPERS[:2])
    assert document(client, board)["boards"] == []
    path = f"/collections/{board.collection.slug}/baselines/"
    assert "it takes three papers" in read(client, path).text


def test_other_names_lead_to_it_and_what_is_unknown_is_refused(client):
    collection = make_collection("robust", aliases=["Robust04"])
    assert client.get("/collections/Robust04/baselines/")["Location"] == "/collections/robust/baselines/"
    assert client.get(f"/collections/{collection.slug}/baselines/?x=1").status_code == 400
    assert client.get("/collections/nothing/baselines/").status_code == 404


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
    (found,) = document(client, board)["boards"]
    assert (found["last_best"], found["risen"]) == (0.4, pytest.approx(0.09))
    assert [(one["known"], one["known_year"]) for one in found["papers"]] == [(0.31, 2004), (0.33, 2005), (0.4, 2009)]


def test_what_a_paper_adds_since_the_analysis_raises_the_best(client):
    board = make_board(year=2004)
    put(board)
    make_result(board, printed="0.39", role="proposed", paper=board.results.get(printed="0.36").paper, year=2011)
    (found,) = document(client, board)["boards"]
    assert (found["last_best"], found["papers"][-1]["proposed"]) == (0.39, 0.39)


def test_what_a_flag_is_about_is_claimed_and_raises_no_best(client):
    paper = make_paper("Doe 3 (2010)")
    board = make_apart(role="proposed", paper=paper, year=2010).leaderboard
    board.results.exclude(paper=paper).update(year=2004)
    make_result(board, bm25(), "0.22", role="baseline", paper=paper, year=2010)
    put(board, ((2005, "0.20", "0.21"), (2008, "0.22", "0.235"), (2011, "0.21", "0.22")))
    (found,) = document(client, board)["boards"]
    # The runs of 2004 go up to 0.229; 0.90 stands apart.
    assert (found["first_known"], found["last_best"], found["risen"]) == (0.229, 0.235, pytest.approx(0.006))
    assert found["total_gain"] == pytest.approx(0.01 + 0.015 + 0.68 + 0.01)
    over = over_years(leaderboard_document(board, Selection()))
    assert (over.n_flagged, over.total_gain, over.risen) == (
        1, pytest.approx(found["total_gain"]), pytest.approx(found["risen"]),
    )  # fmt: skip
    said = "1 result is held back: what papers gained with it counts as claimed, and raises no best."
    assert said in read(client, board.get_absolute_url()).text


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
    mark_changed(board)
    analyse(board)
    (found,) = document(client, board)["boards"]
    assert [(one["name"], one["year"], one["baseline_system"], one["baseline"]) for one in found["papers"]] == [
        ("Doe (2005)", 2005, "BM25", 0.21),
        ("Doe (2006)", 2006, "QL", 0.22),
        ("Doe (2008)", 2008, "QL", 0.25),
    ]
    assert [one["proposed"] for one in found["papers"]] == [0.30, 0.26, 0.27]
    assert [one["gain"] for one in found["papers"]] == pytest.approx([0.09, 0.04, 0.02])
    assert [one["url"] for one in found["papers"]] == [papers[year].get_absolute_url() for year in (2005, 2006, 2008)]
    assert found["used"] == [{"system": "QL", "n_papers": 4, "first": 2005, "last": 2009}]
    error = read_stored([board.pk])[board.pk].pair_error
    # Two own scores are two comparisons.
    assert [one["is_beyond"] for one in found["papers"]] == [
        gain > error.margin(level) for gain, level in ((0.09, 0.025), (0.04, 0.025), (0.02, 0.025))
    ]
    assert found["n_beyond"] == 1


def test_a_paper_counts_once_for_a_baseline_that_it_prints_with_several_years(client):
    board = make_board(year=2004)
    put(board)
    paper = board.results.get(role="proposed", year=2008).paper
    for year in (1994, 2007):
        make_result(board, bm25(), "0.19", role="baseline", paper=paper, year=year, source=str(year))
    mark_changed(board)
    analyse(board)
    (found,) = document(client, board)["boards"]
    assert found["used"] == [{"system": "BM25", "n_papers": 3, "first": 1994, "last": 2011}]


def test_the_best_of_twelve_own_scores_takes_more_to_be_told_from_chance(client):
    board = make_board(year=2004)
    put(board, ((2005, "0.20", "0.27"), (2008, "0.20", "0.27"), (2011, "0.20", "0.22")))
    papers = [result.paper for result in board.results.filter(role="proposed").order_by("year")]
    for number in range(11):
        make_result(board, make_system(), f"0.1{number:02}", role="proposed", paper=papers[1], year=2008)
    mark_changed(board)
    analyse(board)
    (found,) = document(client, board)["boards"]
    error = read_stored([board.pk])[board.pk].pair_error
    assert error.margin(0.05) < 0.07 < error.margin(0.05 / 12)
    assert [one["is_beyond"] for one in found["papers"]] == [True, False, False]
    assert found["n_beyond"] == 1


def test_leaderboards_of_most_papers_come_first_and_of_as_many_in_the_order_of_measures(client):
    collection = make_collection(n_topics=50)
    four = [*PAPERS, (2012, "0.2", "0.3")]
    for later, (name, papers) in enumerate((("RR", PAPERS), ("AP", PAPERS), ("P@9", four), ("R@9", PAPERS[1:]))):
        board = make_leaderboard(collection, make_measure(name))
        make_result(board, printed="0.1", role="trec_run", year=2004)
        put(board, [(year + later, *scores) for year, *scores in papers])
    found = client.get(f"/collections/{collection.slug}/baselines.json").json()
    assert [(one["measure"], len(one["papers"])) for one in found["boards"]] == [("P@9", 4), ("AP", 3), ("RR", 3)]
    assert (found["n_waiting"], found["name"], found["url"]) == (
        0,
        collection.name,
        f"/collections/{collection.slug}/baselines/",
    )
    (first, *_) = found["boards"]
    assert (first["decimals"], first["url"]) == (4, f"/leaderboards/{collection.slug}/P@9/")
    assert (first["n_weak"], first["among_runs"], first["among_implementations"]) == (None, None, None)
    assert first["papers"][0]["percentile"] is None


def test_collections_know_how_many_papers_are_followed_on_the_leaderboard_of_most(client):
    followed, few = make_board(year=2004), make_board(year=2004)
    put(followed)
    four = [*PAPERS, (2012, "0.2", "0.3")]
    put(make_leaderboard(followed.collection, make_measure("RR")), [(year + 1, *scores) for year, *scores in four])
    put(few, [(year + 2, *scores) for year, *scores in PAPERS[:2]])
    ours = followed.results.filter(role="proposed").first()
    for board in (followed, few):
        # A second score of a paper, and what is no comparable result of a paper with a year and a baseline.
        make_result(board, make_system(), "0.2", role="proposed", paper=ours.paper, year=ours.year)
        without, with_both = make_paper(f"without {board.pk}"), make_paper(f"of both {board.pk}")
        make_result(board, make_system(), "0.2", role="proposed", paper=without, year=2008)
        make_result(board, make_system(), "0.2", role="baseline", paper=with_both, year=2008)
        for fields in ({"year": None}, {"paper": None}, {"comparability": "variant"}, {"role": "leaderboard"}):
            make_result(
                board, make_system(), "0.2", **({"role": "proposed", "paper": with_both, "year": 2008} | fields)
            )
    counted = Collection.objects.annotate(n=Subquery(papers_followed(OuterRef("pk"))[:1]))
    assert dict(counted.values_list("pk", "n")) == {followed.collection_id: 4, few.collection_id: None}
