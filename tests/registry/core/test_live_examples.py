"""The page of a method leads to pages of today on which it is at work."""

import numpy as np
import pytest

from registry.core.pages import live_examples
from registry.runs.services.judging import put_judgements
from registry.tools.found_once import TopicStudy
from registry.tools.pairs.services import study_leaderboard
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board

pytestmark = pytest.mark.django_db


def test_it_leads_to_the_leaderboard_with_what_that_says(client):
    board = make_board()
    sentence = analyse(board).headline["sentence"]
    page = read(client, "/methods/verdict/")
    assert (2, "At work on this site") in page.headings
    assert page.link(str(board)) == board.get_absolute_url()
    assert sentence in page.text


def test_the_precision_of_ap_is_at_work_where_the_example_run_is_scored():
    assert live_examples("precision-of-ap") == []
    collection = make_collection("trec-dl-2019-passage", name="TREC 2019 Deep Learning")
    put_judgements(collection=collection, content=b"19335 0 1017759 2\n", source="NIST")
    (example,) = live_examples("precision-of-ap")
    assert (example.title, example.url) == (
        "Score a run: RepLLaMA on TREC 2019 Deep Learning is the example", "/runs/"
    )  # fmt: skip


def test_the_collection_with_the_most_papers_is_the_example_of_baselines(client):
    few, many = make_collection("few"), make_collection("many")
    for collection, n in ((few, 1), (many, 2)):
        board = make_leaderboard(collection)
        for number in range(n):
            system, paper = make_system(), make_paper(f"{collection.slug} {number}")
            make_result(board, system, paper=paper, role="baseline")
    assert read(client, "/methods/baselines/").link(f"What did papers on {many.name} compare with?") == (
        "/collections/many/baselines/"
    )


AT_WORK = (
    "paired-tests", "mean-score", "variance-components", "multiple-comparisons", "rank-intervals", "winner",
    "comparisons-with-the-best", "model-confidence-set", "probability-of-best", "confidence-set-for-the-best-run",
    "equivalence", "verdict", "verified-leader",
)  # fmt: skip


def test_where_a_method_is_at_work_the_page_says_so(client, subtests):
    rng = np.random.default_rng(1)
    means = np.linspace(0.2, 0.4, 8)[:, None]
    # A busier leaderboard of too few topics is no example.
    analyse(make_scored_board(np.clip(np.linspace(0.2, 0.4, 9)[:, None] + rng.normal(0, 0.1, (9, 20)), 0, 1)))
    board = make_scored_board(np.clip(means + rng.normal(0, 0.1, 30) + rng.normal(0, 0.1, (8, 30)), 0, 1))
    TopicStudy.keep(study_leaderboard(board.pk))
    assert analyse(board).headline["evidence"] == "own-topics"
    for method in AT_WORK:
        with subtests.test(method):
            (address,) = {one.url for one in live_examples(method)}
            assert f"/methods/{method}/" in [url for url, _ in read(client, address).links]


def test_a_declared_training_is_no_example_of_a_screen(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.229").system, board.collection)
    mark_changed(board)
    assert analyse(board).headline["left_out"] == ""
    assert live_examples("outlier-screens") == []
