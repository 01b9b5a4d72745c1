"""The page of a method leads to pages of today on which it is at work."""

from pathlib import Path

import numpy as np
import pytest

from registry.core.live_examples import FINDERS, live_examples
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

METHODS = {path.stem for path in Path("docs/methods").glob("*.md")} - {"README", "papers", "changes"}

#: What no page shows of a leaderboard or collection, and why.
WITHOUT = {
    "assessor-effort": "in a figure of a paper alone",
    "reachable-values": "asked when results come in",
    "tie-tiers": "for the library only",
    "winner-from-means": "for the library only",
}


def test_every_method_has_an_example_or_it_is_said_why_not():
    assert {method for method, finders in FINDERS.items() if finders} == METHODS - WITHOUT.keys()


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


def test_nothing_is_said_where_there_is_none(client):
    assert "At work on this site" not in read(client, "/methods/verdict/").text


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


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_page_opens_on_an_empty_site(client, method):
    assert client.get(f"/methods/{method}/").status_code == 200


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


def test_a_leaderboard_says_of_means_what_is_at_work_on_it(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    for number, result in enumerate(board.results.select_related("system")):
        type(result.system).objects.filter(pk=result.system_id).update(team=f"team {number}", team_key=f"team {number}")
    make_result(board, make_system("apart", team="another"), "0.9000", role="trec_run")
    mark_changed(board)
    assert analyse(board).headline["left_out"] == "highest"
    links = [url for url, _ in read(client, board.get_absolute_url()).links]
    for method in ("verdict", "families-of-systems", "best-result", "extreme-values", "outlier-screens"):
        assert [one.url for one in live_examples(method)] == [board.get_absolute_url()]
        assert f"/methods/{method}/" in links


def test_a_declared_training_is_no_example_of_a_screen(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.229").system, board.collection)
    mark_changed(board)
    assert analyse(board).headline["left_out"] == ""
    assert live_examples("outlier-screens") == []
