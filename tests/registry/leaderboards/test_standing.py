"""Where a result stands, on its page."""

import pytest
from pybtex.database import parse_string

from registry.leaderboards.stored import read_stored
from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def facts(page) -> str:
    return page.text[page.text.index("Where it stands") : page.text.index("Versions")]


def by_value(board, value: float):
    return board.results.get(value=value)


def make_analysed():
    # 30 runs of 50 topics, far enough apart that some are ruled out.
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    analyse(board)
    return board


def test_the_best_of_many_says_so_with_what_it_is_worth(client):
    board = make_analysed()
    said = facts(read(client, f"/results/{by_value(board, 0.303).pk}/"))
    assert "Rank 1 of 30" in said
    assert "Can it be the best? yes" in said
    assert "nothing on record is better" in said


def test_the_last_is_ruled_out_with_its_distance(client):
    board = make_analysed()
    said = facts(read(client, f"/results/{by_value(board, 0.1).pk}/"))
    assert "Rank 30 of 30" in said
    assert "Can it be the best? no" in said
    assert "0.2030 behind run 29; ruled out from" in said


def test_the_percentile_is_that_among_the_original_runs(client):
    board = make_analysed()
    said = facts(read(client, f"/results/{by_value(board, 0.1).pk}/"))
    assert "Percentile 1 per cent that are worse, ties counted half, of " in said


def test_among_four_nobody_has_a_percentile(client):
    boards = make_board(["0.1", "0.2", "0.3", "0.4"]), make_board(["0.1", "0.2", "0.3", "0.4", "0.5"])
    for board in boards:
        analyse(board)
    few, enough = (facts(read(client, f"/results/{by_value(board, 0.2).pk}/")) for board in boards)
    assert "Percentile" not in few
    assert "Percentile 30 per cent that are worse" in enough


def test_it_can_be_cited_with_its_uncertainty(client):
    board = make_board()
    result = make_run(board, "0.05", system=make_system("ColBERT"), paper=make_paper("Khattab (SIGIR 2020)"))
    mark_changed(board)
    analysis = analyse(board)
    page = read(client, f"/results/{result.pk}/")
    said = facts(page)
    where = f"{board.measure.name} 0.05 on {board.collection.name}"
    assert f"ColBERT (Khattab (SIGIR 2020)): {where}, rank 9 of 9 results" in said
    assert f"snapshot {analysis.snapshot_id}" in said
    entries = parse_string(client.get(page.link("BibTeX")).content.decode(), "bibtex").entries
    assert list(entries) == [f"plumbline-result-{result.pk}", f"plumbline-{result.paper.slug}"]
    entry = entries[f"plumbline-result-{result.pk}"].fields
    assert entry["howpublished"] == rf"\url{{http://testserver/results/{result.pk}/}}"
    assert "rank 9 of 9 results" in entry["note"]
    item, paper = client.get(page.link("CSL-JSON")).json()
    assert (item["version"], item["type"]) == (analysis.snapshot_id, "dataset")
    assert item["note"] in said
    assert paper["title"] == "Khattab (SIGIR 2020)"


def test_the_sentence_to_cite_names_the_doubt(client):
    board = make_analysed()
    row = by_value(board, 0.205)
    ranks = stored_of(board).ranges[row.pk]
    said = facts(read(client, f"/results/{row.pk}/"))
    assert f"(truly anything from {ranks.low} to {ranks.high}, each end at 95 % confidence)" in said
    best = facts(read(client, f"/results/{by_value(board, 0.303).pk}/"))
    n_members = stored_of(board).findings.verdict.set.n_members
    assert f"and {n_members - 1} others can’t be told from it" in best


@pytest.mark.parametrize("suffix", ["bib", "csl.json"])
def test_what_does_not_compete_or_was_not_analysed_is_not_cited(client, suffix):
    board = make_board()
    result = make_run(board, "0.5", comparability="oracle")
    assert client.get(f"/results/{result.pk}.{suffix}").status_code == 404
    mark_changed(board)
    analyse(board)
    assert client.get(f"/results/{result.pk}.{suffix}").status_code == 404
    assert client.get(f"/results/{board.results.first().pk}.{suffix}?page=2").status_code == 400
    assert client.get(f"/results/99999.{suffix}").status_code == 404


def test_what_does_not_compete_says_why(client):
    board = make_board()
    result = make_run(board, "0.5", system=make_system("cheat"), comparability="oracle")
    mark_changed(board)
    analyse(board)
    assert "does not compete" in facts(read(client, f"/results/{result.pk}/"))


def test_without_an_analysis_there_is_nothing_to_say(client):
    assert "Where it stands" not in read(client, f"/results/{make_result().pk}/").text


def test_it_reads_what_is_stored_and_follows_what_changes(client, django_assert_max_num_queries):
    board = make_analysed()
    path = f"/results/{by_value(board, 0.1).pk}/"
    with django_assert_max_num_queries(10):
        assert "Rank 30 of 30" in read(client, path).text
    make_run(board, "0.05", system=make_system("worse"))
    mark_changed(board)
    assert "Results or methods changed since this analysis" in read(client, path).text
    analyse(board)
    assert "Rank 30 of 31" in read(client, path).text


def test_the_ranks_that_it_may_have_follow_from_the_margin(client):
    board = make_analysed()
    margin = stored_of(board).margin
    assert margin is not None
    row = by_value(board, 0.205)
    values = [0.10 + 0.007 * number for number in range(30)]
    low = 1 + sum(value - 0.205 > margin + 1e-9 for value in values)
    high = 30 - sum(0.205 - value > margin + 1e-9 for value in values)
    said = facts(read(client, f"/results/{row.pk}/"))
    assert f"in truth anything from {low} to {high}" in said


def stored_of(board):
    return read_stored([board.pk])[board.pk]


def test_what_was_known_before_and_its_baseline_are_said(client):
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)], year=2004)
    paper = make_paper("Doe (SIGIR 2010)")
    make_run(board, "0.150", system=make_system("their BM25"), paper=paper, role="baseline", year=2010)
    ours = make_run(board, "0.350", system=make_system("theirs"), paper=paper, role="proposed", year=2010)
    mark_changed(board)
    analyse(board)
    said = facts(read(client, f"/results/{ours.pk}/"))
    assert "Best known before 0.3030 run 29, 2004" in said
    assert "Its baseline 0.1500 their BM25; this is 0.2000 better than it, told apart by means; percentile 26" in said
    page = read(client, paper.get_absolute_url())
    row = page.row("theirs")
    assert "1 of 32" in row
    among = "percentile 100 among 30 original shared-task runs"
    words = f"the best on record; z +2.41, {among}; 0.2000 better than its baseline, told apart by means"
    assert f"{words}; a weak baseline: percentile 26" in row
    system = read(client, ours.system.get_absolute_url())
    assert any({"0.350", "1 of 32"} <= set(row) for row in system.rows)


def test_of_a_past_day_a_list_says_nothing_of_today(client):
    board = make_analysed()
    row = by_value(board, 0.1)
    day = row.recorded_at.date().isoformat()
    page = read(client, f"{row.system.get_absolute_url()}?as_of={day}")
    assert "Where it stands" not in page.text
