"""Figures of papers, drawn of collections on record: which can be chosen, what is drawn, and what a worker is to do."""

from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone
from scipy.stats import norm

from registry.catalog.models import Collection, Leaderboard
from registry.core.models import Job
from registry.results.models import Paper, Result
from registry.tools.found_once import RedrawnFigures
from registry.tools.reproductions.figures import reproductions
from registry.tools.reproductions.redrawing import Choice
from registry.tools.reproductions.redraws.carterette import ESTIMATES, MEANS, TRIES
from registry.tools.reproductions.redraws.cormack_lynam import HALVES
from registry.tools.reproductions.redraws.jayasinghe import RERANKERS, SAMPLES
from registry.tools.reproductions.redraws.sanderson_zobel import EFFORTS, SIGNIFICANCE, SWAPS
from registry.tools.reproductions.redraws.zobel import SURVEYS
from registry.tools.reproductions.services import enqueue_missing, redraw_figures
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
)
from tests.registry.leaderboards.boards import analyse, make_board, make_run
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, make_unnamed, scores_of

pytestmark = pytest.mark.django_db

PAPERS = "/methods/papers"


def body_of(client, figure: str, board: Leaderboard | None = None, **asked: str):
    if board:
        asked = {"collection": board.collection.slug, "measure": board.measure.name} | asked
    answer = client.get(f"{PAPERS}/{figure}.json", asked)
    assert answer.status_code == 200, answer.content
    return answer.json()


def keep(figures: list[RedrawnFigures]) -> None:
    for one in figures:
        one.save()


def values(n: int) -> list[str]:
    return [f"{0.2 + 0.005 * place:.4f}" for place in range(n)]


def make_enough(n: int = 20, **options) -> Leaderboard:
    """A leaderboard with so many counted results and a matrix of unnamed runs, analysed."""
    board = make_board(values(n), **options)
    make_unnamed(board.collection, board.measure, scores_of(), label=f"{board.collection.slug}.csv")
    analyse(board)
    return board


class TestCarterette:
    def test_twenty_counted_results_and_topic_scores_are_enough(self):
        chosen = make_enough()
        make_enough(19)
        make_enough(measure=make_measure("cost", higher_is_better=False))
        without_scores = make_board(values(20))
        analyse(without_scores)
        names = [(one.collection, one.name, one.measure) for one in MEANS.choices()]
        assert names == [(chosen.collection.slug, chosen.collection.name, chosen.measure.name)]

    def test_choices_stand_by_name_and_measure(self):
        first, second = make_enough(), make_enough()
        first.collection.name, second.collection.name = "Zebra", "Aardvark"
        for one in (first, second):
            one.collection.save()
        assert [one.name for one in MEANS.choices()] == ["Aardvark", "Zebra"]
        assert [(one.name, one.measure) for one in TRIES.choices()] == [("Aardvark", ""), ("Zebra", "")]

    def test_tables_and_figures_are_of_counted_results(self, client, django_assert_max_num_queries):
        board = make_enough(25)
        make_result(board, printed="0.9000", role=Result.Role.REFERENCE_IMPLEMENTATION)
        with django_assert_max_num_queries(12):
            body = body_of(client, "carterette-2015/table-2", board)
        means = [float(one) for one in values(25)]
        (row,) = body["chosen"]["panel"]["rows"]
        assert row == [str(board), 25, *map(pytest.approx, (mean(means), stdev(means), max(means)))]
        assert body["chosen"]["panel"]["data"] == (
            f"{board}: 25 counted results on 50 topics; mean {mean(means):.4f}, SD {stdev(means):.4f}"
        )
        assert body["chosen"]["page"]["url"] == board.get_absolute_url()
        error = stdev(means) / sqrt(50)
        reach = error * norm.ppf(0.8 ** (1 / 25))
        (row,) = body_of(client, "carterette-2015/table-3", board)["chosen"]["panel"]["rows"]
        lower = max(means) - 2 * reach
        assert row[1:] == pytest.approx(
            [max(means) - reach, lower, max(means), sum(one >= lower for one in means), 100 * (max(means) / lower - 1)]
        )
        curve, best = body_of(client, "carterette-2015/figure-2", board)["chosen"]["panel"]["series"]
        assert curve["x"] == [1, 2, 3, 5, 10, 20, 25, 30, 50, 100, 200, 300, 500, 1000]
        assert (best["x"], best["y"]) == ([25], [max(means)])
        assert (best["mark"], best["style"]) == ("points", "other")
        (bars,) = body_of(client, "carterette-2015/section-3-1", board)["chosen"]["panel"]["series"]
        # 0.2, 0.205 and so on to 0.32.
        assert bars["x"] == pytest.approx([0.02 * place for place in range(18)])
        assert bars["y"] == [0] * 10 + [4] * 6 + [1]

    def test_what_is_read_is_of_the_collection_and_the_measure_that_were_chosen(self):
        first, second, third = (make_collection(slug, n_topics=50) for slug in "abc")
        ap, rr = make_measure("AP"), make_measure("RR")
        boards = [make_leaderboard(*one) for one in ((first, ap), (second, ap), (second, rr), (third, rr))]
        for board in boards:
            make_run(board, "0.1")
            make_run(board, "0.2")
        for board in boards:
            material = MEANS.read(_choice(*board.names))
            assert material.page().url == board.get_absolute_url()
            assert material.draw()["table-2"].rows[0][0] == str(board)

    def test_a_collection_of_one_topic_is_no_choice(self):
        one, two = make_enough(n_topics=2), make_enough(n_topics=2)
        Collection.objects.filter(pk=one.collection_id).update(n_topics=1)
        assert [one.collection for one in MEANS.choices()] == [two.collection.slug]

    def test_a_leaderboard_whose_topics_are_not_known_is_not_drawn(self):
        board = make_board(values(20), n_topics=None)
        collection, measure = board.names
        assert MEANS.read(_choice(collection, measure)) is None
        assert MEANS.read(_choice("none", "AP")) is None

    def test_how_many_were_tried_is_counted_today(self, client):
        board = make_enough(21)
        system = make_system("twice", team="t")
        other = make_leaderboard(board.collection, make_measure("RR"))
        for source in ("one", "another"):
            make_result(other, system=system, printed="0.1", source=source)
        make_result(make_leaderboard(measure=other.measure))
        body = body_of(client, "carterette-2015/section-5", collection=board.collection.slug)
        panel = body["chosen"]["panel"]
        assert [row[:3] for row in panel["rows"]] == [[board.measure.name, 21, 21], ["RR", 2, 1]]
        # The largest of two is 1/√π above the mean.
        assert panel["rows"][1][3] == pytest.approx(1 / sqrt(np.pi), abs=1e-4)
        assert panel["data"] == f"{board.collection}: 23 results on record today"
        assert panel["note"] == "What was tried and never printed comes on top."
        assert [one["name"] for one in panel["columns"]][:3] == ["Measure", "Results on record", "Systems"]
        assert body["chosen"]["page"]["url"] == board.collection.get_absolute_url()
        assert TRIES.read(_choice("none", "")) is None

    def test_what_the_best_is_worth_is_found_by_a_worker_in_the_largest_matrix(self, client):
        make_collection("another")
        collection, measure = make_collection(n_topics=20), make_measure()
        make_unnamed(collection, measure, scores_of(6), label="small.csv")
        make_unnamed(collection, measure, scores_of(9), label="large.csv")
        board = make_leaderboard(collection, measure)
        enqueue_missing()
        assert body_of(client, "carterette-2015/abstract", board)["chosen"]["state"] == "waiting"
        assert [job.args["key"] for job in Job.objects.filter(awaited_at__isnull=False)] == [ESTIMATES.key]
        keep(redraw_figures(ESTIMATES.key, *board.names))
        assert redraw_figures(ESTIMATES.key, *board.names) == []
        chosen = body_of(client, "carterette-2015/abstract", board)["chosen"]
        assert chosen["state"] == "drawn"
        assert chosen["panel"]["data"] == (f"{collection}, {measure.name}: 9 systems on 20 topics (half of the topics)")
        assert chosen["page"]["url"] == board.get_absolute_url()
        names = [row[0] for row in chosen["panel"]["rows"]]
        assert {"James-Stein, from topic scores", "James-Stein, from means"} <= set(names)
        assert {"bootstrap optimism", "hybrid"} <= set(names)
        assert all(row[1] > 0 for row in chosen["panel"]["rows"] if row[0].startswith("James"))
        board.delete()
        page = ESTIMATES.read(_choice(collection.slug, measure.name)).page()
        assert page.url == collection.get_absolute_url()
        assert ESTIMATES.read(_choice("none", measure.name)) is None
        assert ESTIMATES.read(_choice(collection.slug, "none")) is None


def _choice(collection: str, measure: str) -> Choice:
    return Choice(collection, collection, measure)


class TestSandersonAndZobel:
    def test_five_systems_on_twenty_topics_are_enough(self):
        scored = make_scored_board(scores_of(5))
        make_scored_board(scores_of(4))
        named = [(one.collection, one.measure) for one in SWAPS.choices()]
        assert named == [scored.names]
        collection, measure = make_collection("aardvark"), make_measure("RR")
        make_unnamed(collection, measure, scores_of(5), label="a")
        make_unnamed(make_collection(), measure, scores_of(4), label="b")
        make_unnamed(make_collection(), measure, scores_of(5)[:, :19], label="c")
        assert [one.collection for one in SWAPS.choices()] == ["aardvark", scored.collection.slug]
        first, last = make_collection("z", name="0 A"), make_collection("a", name="0 Z")
        for one, name in ((last, measure), (first, measure), (first, make_measure("AP"))):
            make_unnamed(one, name, scores_of(5), label=f"{one.slug} {name}")
        assert [(one.name, one.measure) for one in SWAPS.choices()][:3] == [("0 A", "AP"), ("0 A", "RR"), ("0 Z", "RR")]

    def test_executions_of_one_system_are_no_systems(self):
        board = make_scored_board(scores_of(4))
        again = make_result(board, printed="0.2", replicate_of=board.results.first())
        make_topic_scores(again, scores_of(4)[0].tolist())
        assert list(SWAPS.choices()) == []

    def test_a_grid_of_configurations_stands_back_behind_runs(self, client):
        collection, measure = make_collection(n_topics=20), make_measure()
        grid = make_unnamed(collection, measure, scores_of(9), label="grid.csv")
        grid.runs = "configurations of toolkits"
        grid.save()
        assert "9 systems" in _data_of(client, collection, measure)
        make_unnamed(collection, measure, scores_of(6), label="runs.csv")
        assert "6 systems" in _data_of(client, collection, measure)

    def test_surveys_count_papers_by_year_and_what_their_readers_said(self, client):
        board = make_leaderboard()
        told = ((2010, True), (2010, None), (2011, False), (None, None), (2009, True))
        for year, tests in told:
            paper = make_paper(year=year, reports_significance=tests, kind=Paper.Kind.ARTICLE)
            for _ in range(2):
                make_result(board, paper=paper, role=Result.Role.PROPOSED)
        make_result(board, paper=make_paper(year=2010, kind=Paper.Kind.SOFTWARE))
        make_result(make_leaderboard(), paper=make_paper(year=2010))
        body = body_of(client, "sanderson-zobel-2005/section-3-survey", collection=board.collection.slug)
        assert body["chosen"]["state"] == "drawn"
        rows = body["chosen"]["panel"]["rows"]
        assert sorted(rows[:-1]) == [["2009", 1, 1, 1], ["2010", 2, 1, 1], ["2011", 1, 1, 0], ["not known", 1, 0, 0]]
        assert [row[0] for row in rows if row[0].isdecimal()] == ["2009", "2010", "2011"]
        assert rows[-1] == ["all", 5, 3, 2]
        panel = body["chosen"]["panel"]
        assert panel["data"] == f"{board.collection}: 5 papers with results on record today"
        assert panel["note"] == "Whoever has read one of them can say so on its page."
        assert [one["name"] for one in panel["columns"]] == [
            "Year of the paper", "Papers with results", "Of which readers said it",
            "Of these, with a significance test",
        ]  # fmt: skip
        assert body["chosen"]["page"]["url"] == reverse("baselines:collection-baselines", args=[board.collection.slug])
        assert SIGNIFICANCE.read(_choice("none", "")) is None

    def test_four_papers_are_too_few_for_a_survey(self):
        boards = [make_leaderboard(make_collection(slug, name=name)) for slug, name in (("b", "B"), ("a", "A"))]
        few = make_leaderboard()
        for board, n in (*[(one, 5) for one in boards], (few, 4)):
            for _ in range(n):
                paper = make_paper(year=2010)
                for _ in range(2):
                    make_result(board, paper=paper)
        # What is no paper counts for none, however much of it there is.
        make_result(few, paper=make_paper(year=2010, kind=Paper.Kind.SOFTWARE))
        assert [(one.collection, one.name, one.measure) for one in SIGNIFICANCE.choices()] == [
            ("a", "A", ""), ("b", "B", ""),
        ]  # fmt: skip

    def test_what_a_shallow_measure_costs_needs_a_deep_one_of_the_same_runs(self, client):
        collection = make_collection(n_topics=20)
        deep, shallow = make_measure("AP"), make_measure("P@10")
        make_unnamed(collection, deep, scores_of(8), label="deep.csv")
        make_unnamed(collection, shallow, scores_of(8, seed=2), label="shallow.csv")
        make_unnamed(make_collection(), shallow, scores_of(8), label="alone.csv")
        assert [(one.collection, one.measure) for one in EFFORTS.choices()] == [(collection.slug, "P@10")]
        keep(redraw_figures(EFFORTS.key, collection.slug, "P@10"))
        body = body_of(
            client, "sanderson-zobel-2005/figure-7", collection=collection.slug, measure="P@10", factor="0.5"
        )
        first, second = body["chosen"]["panel"]["series"]
        assert (first["name"], second["name"]) == ("AP", "P@10")
        assert (first["is_scaled"], second["is_scaled"]) == (False, True)
        assert first["x"] == second["x"]
        assert body["factor"] == 0.5
        assert body["chosen"]["panel"]["data"] == f"{collection.name}: 8 systems on 20 topics"
        assert EFFORTS.read(_choice(collection.slug, "RR@10")) is None
        assert EFFORTS.read(_choice("none", "P@10")) is None
        # Points of a file are those that are drawn, at what they cost.
        lines = client.get(
            f"{PAPERS}/sanderson-zobel-2005/figure-7.csv", {"collection": collection.slug, "factor": "0.5"}
        ).content.decode()
        costs = [float(line.split(",")[-4]) for line in lines.splitlines() if ",P@10," in line][-len(second["x"]) :]
        assert costs == [0.5 * x for x in second["x"]]
        page = read(client, f"{PAPERS}/sanderson-zobel-2005/figure-7/?collection={collection.slug}&factor=0.5")
        assert client.get(page.link("CSV")).content.decode() == lines


def _data_of(client, collection, measure) -> str:
    body = body_of(client, "zobel-principles/standardization", collection=collection.slug, measure=measure.name)
    return body["chosen"]["panel"]["data"]


class TestZobel:
    def test_the_problem_is_a_topic_with_its_spread(self, client):
        collection, measure = make_collection(n_topics=20), make_measure()
        scores = scores_of(6)
        make_unnamed(collection, measure, scores)
        body = body_of(client, "zobel-principles/standardization", collection=collection.slug, measure=measure.name)
        (line,) = body["chosen"]["panel"]["series"]
        order = np.argsort(scores.mean(axis=0), kind="stable")
        means, sds = scores.mean(axis=0)[order], scores.std(axis=0, ddof=1)[order]
        assert line["x"] == list(range(1, 21))
        assert line["y"] == pytest.approx(means.tolist(), abs=1e-4)
        assert line["low"] == pytest.approx(np.maximum(means - sds, 0).tolist(), abs=1e-4)
        assert line["high"] == pytest.approx((means + sds).tolist(), abs=1e-4)
        assert body["chosen"]["page"]["url"] == reverse(
            "standardization:collection-standardized", args=[collection.slug]
        )

    def make_papers(self, board: Leaderboard, n: int) -> None:
        for number in range(n):
            paper = make_paper(year=2010 + number)
            for role, printed in ((Result.Role.BASELINE, f"0.2{number}"), (Result.Role.PROPOSED, f"0.3{number}")):
                make_result(board, printed=printed, role=role, paper=paper, year=2010 + number)

    def test_five_papers_that_compare_are_enough(self):
        enough, few = make_leaderboard(), make_leaderboard()
        self.make_papers(enough, 5)
        self.make_papers(few, 4)
        elsewhere = make_leaderboard()
        for _ in range(5):
            paper = make_paper(year=2011)
            make_result(few, role=Result.Role.PROPOSED, paper=paper, year=2011)
            make_result(elsewhere, role=Result.Role.BASELINE, paper=paper, year=2011)
        # A paper with a baseline alone, another own score of one that counts, and five papers of no year.
        make_result(few, role=Result.Role.BASELINE, paper=make_paper(year=2011), year=2011)
        make_result(few, role=Result.Role.PROPOSED, paper=few.results.first().paper, year=2011)
        for paper in (make_paper() for _ in range(5)):
            for role in (Result.Role.BASELINE, Result.Role.PROPOSED):
                make_result(few, role=role, paper=paper)
        costs = make_leaderboard(measure=make_measure("cost", higher_is_better=False))
        self.make_papers(costs, 5)
        others = make_leaderboard()
        self.make_papers(others, 5)
        others.results.update(comparability=Result.Comparability.OTHER_DOCUMENTS)
        names = [(one.collection, one.measure) for one in SURVEYS.choices()]
        assert names == [enough.names]
        for collection, measure in ((few.collection, make_measure()), (make_collection(), few.measure)):
            self.make_papers(make_leaderboard(collection, measure), 5)
        for board in (few, costs, others):
            assert SURVEYS.read(_choice(*board.names)) is None
        first, second = (
            make_leaderboard(make_collection("z", name="A")),
            make_leaderboard(make_collection("a", name="Z")),
        )
        for board in (second, first):
            self.make_papers(board, 5)
        names = [one.name for one in SURVEYS.choices() if one.name in ("A", "Z")]
        assert names == ["A", "Z"]

    def test_of_a_paper_its_best_counts_and_five_runs_draw_rules(self, client):
        board = make_leaderboard()
        self.make_papers(board, 5)
        paper = Paper.objects.order_by("pk").first()
        for role, printed in ((Result.Role.BASELINE, "0.25"), (Result.Role.PROPOSED, "0.05")):
            make_result(board, printed=printed, role=role, paper=paper, year=2010)
        # The same paper on record a year later, and results of no paper or of no year.
        make_result(board, printed="0.06", role=Result.Role.PROPOSED, paper=paper, year=2013)
        make_result(board, printed="0.95", role=Result.Role.PROPOSED, year=2011)
        make_result(board, printed="0.96", role=Result.Role.PROPOSED, paper=paper)
        for printed in ("0.1", "0.2", "0.28", "0.3", "0.5"):
            run = make_result(board, printed=printed, role=Result.Role.TREC_RUN)
        make_result(board, printed="0.99", role=Result.Role.TREC_RUN, replicate_of=run)
        # Who has a paper and is neither its own score nor its baseline.
        make_result(board, printed="0.97", role=Result.Role.REFERENCE_IMPLEMENTATION, paper=paper, year=2010)
        body = body_of(client, "zobel-principles/survey", board)["chosen"]
        (improved,) = body["panel"]["series"]
        assert improved["x"] == [2010, 2011, 2012, 2013, 2014]
        assert improved["y"] == [0.3, 0.31, 0.32, 0.33, 0.34]
        assert [(one["name"], one["at"]) for one in body["panel"]["rules"]] == [
            ("best original run", 0.5), ("median run", 0.28),
        ]  # fmt: skip
        assert body["panel"]["data"].endswith(": 5 papers, 5 original runs")
        other = body_of(client, "zobel-principles/baselines", board)["chosen"]["panel"]
        assert other["series"][0]["y"] == [0.25, 0.21, 0.22, 0.23, 0.24]
        assert other["series"][1]["y"] == [0.5] * 5
        assert [one["name"] for one in other["rules"]] == ["median run"]
        looks = [
            (one["name"], one["mark"], one["style"], one["is_highlighted"]) for one in (improved, *other["series"])
        ]
        assert looks == [
            ("improved", "points", "measured", True), ("baselines", "points", "other", False),
            ("best before", "line", "measured", False),
        ]  # fmt: skip

    def test_papers_stand_by_their_years(self, client):
        board = make_leaderboard()
        for number in (4, 2, 5, 1, 3):
            paper = make_paper(year=2010 + number)
            for role, printed in ((Result.Role.PROPOSED, f"0.3{number}"), (Result.Role.BASELINE, f"0.2{number}")):
                make_result(board, printed=printed, role=role, paper=paper, year=2010 + number)
        (improved,) = body_of(client, "zobel-principles/survey", board)["chosen"]["panel"]["series"]
        assert (improved["x"], improved["y"]) == ([2011, 2012, 2013, 2014, 2015], [0.31, 0.32, 0.33, 0.34, 0.35])

    def test_a_paper_stands_by_the_year_of_what_it_proposes(self, client):
        board = make_leaderboard()
        for number in range(5):
            paper = make_paper(year=2010 + number)
            make_result(board, printed=f"0.3{number}", role=Result.Role.PROPOSED, paper=paper, year=2010 + number)
            make_result(board, printed=f"0.2{number}", role=Result.Role.BASELINE, paper=paper, year=2004)
        (improved,) = body_of(client, "zobel-principles/survey", board)["chosen"]["panel"]["series"]
        assert improved["x"] == [2010, 2011, 2012, 2013, 2014]

    def test_four_runs_draw_no_rules(self, client):
        board = make_leaderboard()
        self.make_papers(board, 5)
        for printed in ("0.1", "0.2", "0.28", "0.3"):
            make_result(board, printed=printed, role=Result.Role.TREC_RUN)
        assert body_of(client, "zobel-principles/survey", board)["chosen"]["panel"]["rules"] == []


class TestStates:
    def test_what_is_not_drawn_yet_is_asked_of_a_worker_once(self):
        board = make_scored_board(scores_of(6))
        # Swap rates, of which two figures are; and what the best is worth.
        assert enqueue_missing() == 2
        asked = [(job.kind, job.args) for job in Job.objects.all()]
        assert {kind for kind, _ in asked} == {"reproductions.redraw_figures"}
        collection, measure = board.names
        assert sorted(args["key"] for _, args in asked) == [ESTIMATES.key, SWAPS.key]
        assert all((args["collection"], args["measure"]) == (collection, measure) for _, args in asked)
        Job.objects.all().delete()
        keep(redraw_figures(ESTIMATES.key, collection, measure))
        assert enqueue_missing() == 1
        assert Job.objects.get().args["key"] == SWAPS.key

    def test_other_scores_are_drawn_anew(self, client):
        board = make_scored_board(scores_of(6))
        keep(redraw_figures(ESTIMATES.key, *board.names))
        chosen = body_of(client, "carterette-2015/abstract", board)["chosen"]
        assert chosen["state"] == "drawn"
        assert chosen["panel"]["data"] == f"{board.collection}, {board.measure}: 6 systems on 20 topics"
        make_topic_scores(make_result(board, printed="0.2"), scores_of(7)[-1].tolist())
        assert len(redraw_figures(ESTIMATES.key, *board.names)) == 1
        assert body_of(client, "carterette-2015/abstract", board)["chosen"]["state"] == "waiting"

    @pytest.mark.parametrize(
        ("redraw", "figure"), [(ESTIMATES, "carterette-2015/abstract"), (SWAPS, "sanderson-zobel-2005/section-5")]
    )
    def test_of_collections_with_the_same_scores_each_has_its_name(self, client, redraw, figure):
        first, second = make_scored_board(scores_of(6)), make_scored_board(scores_of(6))
        for board in (first, second):
            keep(redraw_figures(redraw.key, *board.names))
            assert body_of(client, figure, board)["chosen"]["panel"]["data"].startswith(f"{board.collection}, ")
        Collection.objects.filter(pk=first.collection.pk).update(name="Renamed")
        assert body_of(client, figure, first)["chosen"]["state"] == "waiting"

    def test_why_nothing_can_be_drawn_is_said(self, client):
        board = make_scored_board(scores_of(6))
        (made,) = redraw_figures(ESTIMATES.key, *board.names)
        RedrawnFigures.objects.create(digest=made.digest, obstacle="the scores are all the same")
        chosen = body_of(client, "carterette-2015/abstract", board)["chosen"]
        assert (chosen["state"], chosen["why"], chosen["panel"]) == ("impossible", "the scores are all the same", None)
        collection, measure = board.names
        page = client.get(f"{PAPERS}/carterette-2015/abstract/?collection={collection}&measure={measure}")
        assert "It can’t be drawn: the scores are all the same." in page.content.decode()

    def test_a_figure_that_the_scores_are_too_few_for_says_so(self, client):
        board = make_scored_board(scores_of(6))
        keep(redraw_figures(SWAPS.key, *board.names))
        assert body_of(client, "sanderson-zobel-2005/section-5", board)["chosen"]["state"] == "drawn"
        chosen = body_of(client, "sanderson-zobel-2005/figure-4", board)["chosen"]
        assert (chosen["state"], chosen["why"]) == ("impossible", "its scores are too few for this figure")
        assert chosen["page"]["url"] == reverse("resolution:collection-resolution", args=[board.collection.slug])

    def test_of_scores_that_are_gone_nothing_is_drawn(self):
        board = make_scored_board(scores_of(6))
        choices = list(ESTIMATES.choices())
        Result.objects.update(ending="withdrawn", ended_at=timezone.now(), ended_by=make_entry())
        assert ESTIMATES.read(choices[0]) is None
        assert redraw_figures(ESTIMATES.key, *board.names) == []

    def test_a_collection_that_cannot_be_chosen_is_not_there(self, client):
        make_scored_board(scores_of(6))
        address = f"{PAPERS}/carterette-2015/abstract"
        assert client.get(f"{address}.json", {"collection": "nowhere"}).status_code == 404
        assert client.get(f"{address}.json", {"collection": "x" * 300}).status_code == 400
        assert client.get(f"{PAPERS}/carterette-2015/figure-99/").status_code == 404
        assert client.post(f"{address}/").status_code == 405
        assert client.post(f"{PAPERS}/carterette-2015/").status_code == 405
        assert client.post(f"{PAPERS}/").status_code == 405
        assert client.get(f"{address}/?x=1").status_code == 400
        assert client.get(f"{PAPERS}/carterette-2015/?x=1").status_code == 400

    def test_tables_are_files_with_what_they_are_of(self, client):
        answer = client.get(f"{PAPERS}/carterette-2015/table-2.csv")
        assert "plumbline-carterette-2015-table-2.csv" in answer["Content-Disposition"]
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        lines = answer.content.decode().splitlines()
        panel = next(one for one in reproductions()["carterette-2015"].figures if one.slug == "table-2").panel
        assert lines[0].startswith("drawn_of,")
        assert len(lines) == 1 + len(panel.rows)
        drawn = client.get(f"{PAPERS}/carterette-2015/figure-1.csv").content.decode().splitlines()
        assert drawn[0] == "drawn_of,series,x,y,low,high"
        panel = next(one for one in reproductions()["carterette-2015"].figures if one.slug == "figure-1").panel
        assert len(drawn) == 1 + sum(len(one.y) for one in panel.series)
        json = client.get(f"{PAPERS}/carterette-2015/table-2/", headers={"accept": "text/csv"})
        assert json.content.decode().splitlines() == lines

    def test_a_paper_is_json_for_who_asks_for_it(self, client):
        page, file = (
            client.get(f"{PAPERS}/carterette-2015{end}", headers=headers)
            for end, headers in (("/", {"accept": "application/json"}), (".json", {}))
        )
        assert page.json() == file.json()


class TestRunsThatShip:
    def test_collections_of_which_runs_ship_stand_by_their_names(self):
        for slug, name in (("trec-2018-core", "Z"), ("trec-dl-2021-passage", "A"), ("without-runs", "M")):
            make_collection(slug, name=name)
        for redraw in (HALVES, SAMPLES):
            assert [(one.collection, one.name, one.measure) for one in redraw.choices()] == [
                ("trec-dl-2021-passage", "A", ""), ("trec-2018-core", "Z", ""),
            ]  # fmt: skip
            assert redraw.read(_choice("without-runs", "")) is None
        page = HALVES.read(_choice("trec-2018-core", "")).page()
        assert (page.title, page.url) == (
            "Its judgements, and the runs", reverse("runs:judgements-detail", args=["trec-2018-core"])
        )  # fmt: skip


class TestJayasinghe:
    def test_boards_without_executions_cannot_be_chosen(self):
        board = make_scored_board(scores_of(6))
        assert list(RERANKERS.choices()) == []
        assert RERANKERS.read(_choice(*board.names)) is None
        again = make_result(board, printed="0.2", replicate_of=board.results.first())
        make_topic_scores(again, scores_of(6)[1].tolist())
        assert [one.collection for one in RERANKERS.choices()] == [board.collection.slug]
        Result.objects.filter(pk=again.pk).update(ending="withdrawn", ended_at=timezone.now(), ended_by=make_entry())
        assert list(RERANKERS.choices()) == []
        assert RERANKERS.read(_choice("none", "AP")) is None
