"""Figures of papers, drawn of collections on record: which can be chosen, what is drawn, and what a worker is to do."""

from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.stats import norm

from registry.core.models import Job
from registry.tools.reproductions.services import enqueue_missing, redraw_figures
from registry.tools.reproductions.sources import DRAWINGS, drawing_of
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_paper, make_result
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, make_unnamed, scores_of

PAPERS = "/methods/papers"


def body_of(client, figure: str, board=None, **asked: str):
    if board:
        asked = {"collection": board.collection.slug, "measure": board.measure.name} | asked
    answer = client.get(f"{PAPERS}/{figure}.json", asked)
    assert answer.status_code == 200, answer.content
    return answer.json()


def drawn(key: str, board) -> None:
    for figures in redraw_figures(key, board.collection.slug, board.measure.name):
        figures.save()


def test_every_figure_is_drawn_by_one_way_at_most():
    named = [(drawing.paper, figure) for drawing in DRAWINGS for figure in drawing.figures]
    assert len(named) == len(set(named)) > 30
    assert drawing_of("carterette-2015", "table-1") is None


def test_tables_and_figures_of_carterette_are_of_counted_results(client):
    means = [0.2 + 0.005 * place for place in range(25)]
    board = make_board([f"{mean:.4f}" for mean in means])
    make_unnamed(board.collection, board.measure, scores_of(), label=f"{board.collection.slug}.csv")
    analyse(board)
    chosen = body_of(client, "carterette-2015/table-2", board)["chosen"]
    (row,) = chosen["panel"]["rows"]
    assert row == [str(board), 25, *map(pytest.approx, (mean(means), stdev(means), max(means)))]
    assert chosen["page"]["url"] == board.get_absolute_url()
    reach = stdev(means) / sqrt(50) * norm.ppf(0.8 ** (1 / 25))
    (row,) = body_of(client, "carterette-2015/table-3", board)["chosen"]["panel"]["rows"]
    assert row[1:3] == pytest.approx([max(means) - reach, max(means) - 2 * reach])
    (bars,) = body_of(client, "carterette-2015/section-3-1", board)["chosen"]["panel"]["series"]
    assert bars["y"] == [0] * 10 + [4] * 6 + [1]
    tried = body_of(client, "carterette-2015/section-5", collection=board.collection.slug)["chosen"]["panel"]
    assert [row[:3] for row in tried["rows"]] == [[board.measure.name, 25, 25]]


def test_what_takes_long_is_drawn_once_by_a_worker(client):
    collection, measure = make_collection(n_topics=20), make_measure()
    make_unnamed(collection, measure, scores_of(9), label="large.csv")
    board = make_leaderboard(collection, measure)
    enqueue_missing()
    assert body_of(client, "carterette-2015/abstract", board)["chosen"]["state"] == "waiting"
    (key,) = [job.args["key"] for job in Job.objects.filter(awaited_at__isnull=False)]
    assert "A worker is about to draw it" in read(client, f"{PAPERS}/carterette-2015/abstract/").text
    drawn(key, board)
    assert redraw_figures(key, collection.slug, measure.name) == []
    chosen = body_of(client, "carterette-2015/abstract", board)["chosen"]
    assert chosen["state"] == "drawn"
    assert f"{measure.name} of 9 systems on 20 topics" in chosen["panel"]["data"]
    assert "James-Stein, from topic scores" in [row[0] for row in chosen["panel"]["rows"]]


def test_swap_rates_are_of_the_collection_that_is_chosen(client):
    board = make_scored_board(scores_of(8))
    drawn(drawing_of("sanderson-zobel-2005", "figure-1").key, board)
    chosen = body_of(client, "sanderson-zobel-2005/figure-1", board)["chosen"]
    assert (chosen["state"], chosen["choice"]["collection"]) == ("drawn", board.collection.slug)
    assert chosen["panel"]["series"]
    page = read(client, f"{PAPERS}/sanderson-zobel-2005/figure-1/?collection={board.collection.slug}")
    assert f"Now with {board.collection}" in page.text
    lines = client.get(f"{PAPERS}/sanderson-zobel-2005/figure-1.csv").content.decode().splitlines()
    assert lines[0] == "drawn_of,series,x,y,low,high"
    assert any(str(board.collection) in line for line in lines)
    assert client.get(f"{PAPERS}/sanderson-zobel-2005/figure-1/?collection=nowhere").status_code == 404


def test_scores_that_say_too_little_are_told(client):
    collection, measure = make_collection(n_topics=20), make_measure()
    make_unnamed(collection, measure, np.full((6, 20), 0.5), label="same.csv")
    board = make_leaderboard(collection, measure)
    drawn(drawing_of("sanderson-zobel-2005", "figure-1").key, board)
    chosen = body_of(client, "sanderson-zobel-2005/figure-1", board)["chosen"]
    assert (chosen["state"], chosen["panel"]) == ("impossible", None)
    assert chosen["why"]


def test_papers_of_a_collection_are_surveyed(client, django_assert_max_num_queries):
    board = make_board(["0.1000"], year=2004)
    for year in range(2005, 2010):
        paper = make_paper(f"Doe ({year})", year=year, reports_significance=year == 2009 or None)
        for role, printed in (("baseline", "0.2"), ("proposed", f"0.{year - 1980}")):
            make_result(board, printed=printed, role=role, paper=paper, year=year)
    survey = body_of(client, "zobel-principles/survey", board)["chosen"]["panel"]
    assert survey["series"][0]["x"] == list(range(2005, 2010))
    tested = body_of(client, "sanderson-zobel-2005/section-3-survey", collection=board.collection.slug)
    assert tested["chosen"]["panel"]["rows"][-1] == ["all", 5, 1, 1]
    with django_assert_max_num_queries(9):
        drawn = body_of(client, "zobel-principles/baselines", board)["chosen"]
    baselines, known = drawn["panel"]["series"]
    assert (drawn["state"], baselines["y"]) == ("drawn", [0.2] * 5)
    assert (known["x"], known["y"]) == (list(range(2005, 2010)), [0.1, 0.25, 0.26, 0.27, 0.28])
