"""GET /leaderboards/<collection>/<measure>/"""

import json
import re
from dataclasses import replace
from itertools import takewhile

import pytest

from registry.leaderboards import wording
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.exports.citing import quoted
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Snapshot
from registry.results.models import Result
from tests.registry.api.world import make_board_by_topic, make_lower_is_better, make_varied_board, make_world
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.pages import Page, read
from tests.thoroughness import every

pytestmark = pytest.mark.django_db

NEVER = re.compile(r"\b(NaN|nan|None|inf)\b|\[object|{{|{%|{#")

HOSTILE_NAMES = ("<script>alert(1)</script>", "say \"so\" & 'so'", "مرحبا <b>", "a\\b{{ c }}", "x" * 300)
ODD_MEASURES = ("R@10%", "nDCG(dcg='exp-log2')@20", "risk(alpha=0,baseline=rm):ERR@20", "P(rel=2)@10")


def twin_of(client, board, query: str = "") -> dict:
    return client.get(f"{board.get_absolute_url()[:-1]}.json{query}").json()


def range_of(low: int, high: int) -> str:
    return f"{low}–{high}" if low < high else str(low)


def results_of(page: Page) -> list[list[str]]:
    """The rows of the table of results, without its headings."""
    (start,) = [number for number, row in enumerate(page.rows) if row[:1] in (["Rank"], ["Rank range"])]
    width = len(page.rows[start])
    rows = page.rows[start + 1 :]
    return [row for number, row in enumerate(rows) if all(len(other) == width for other in rows[: number + 1])]


def test_it_states_the_verdict_with_its_numbers(client):
    board = make_board()
    analyse(board)
    page, verdict = read(client, board.get_absolute_url()), twin_of(client, board)["verdict"]
    assert page.headings[0] == (1, str(board))
    assert "The best of 8 results of one family prints 0.3100, and" in verdict["sentence"]
    assert verdict["sentence"] in page.text
    assert f"{verdict['set']['n_members']} of 8" in page.text
    assert verdict["evidence_sentence"] in page.text


def test_what_the_best_is_worth_is_said_where_four_makers_tell(client):
    board = make_varied_board()
    analyse(board)
    page, verdict = read(client, board.get_absolute_url()), twin_of(client, board)["verdict"]
    corrected = verdict["corrected"]
    worth = f"{corrected['value']:.{corrected['decimals']}f}"
    assert f"it is probably worth about {worth}" in verdict["sentence"]
    assert page.text.count(f"probably worth about {worth}") >= 3  # sentence, and the figure in two widths
    assert verdict["best"]["value"] - corrected["value"] <= verdict["set"]["margin"]


def test_every_kind_of_leaderboard_shows_nothing_broken(client):
    queries = ("?scale=published", "?role=proposed", "?n_multiplier=3", "?as_of=2001-01-01", "?sort=-z")
    for place, board in enumerate(make_world().leaderboards):
        for query in ("", *every(3, queries, __file__, start=place)):
            page = read(client, board.get_absolute_url() + query)
            assert not NEVER.search(page.text), NEVER.search(page.text)
            assert all(cell for row in page.rows for cell in row), f"an empty cell on {page.title}"


def test_the_twin_agrees_with_the_page(client):
    board = make_varied_board()
    analyse(board)
    page, twin = read(client, f"{board.get_absolute_url()}?columns=rank"), twin_of(client, board)
    shown = results_of(page)
    assert all(row["system"] in cells[2] for cells, row in zip(shown, twin["results"], strict=True))
    assert [row[3].strip() for row in shown] == [row["printed"] for row in twin["results"]]
    assert [row[1] for row in shown] == ["–" if row["rank"] is None else str(row["rank"]) for row in twin["results"]]
    ranges = [(row["rank_low"], row["rank_high"]) for row in twin["results"]]
    assert [row[0] for row in shown] == ["–" if low is None else range_of(low, high) for low, high in ranges]
    bounds, verdict = twin["best_result"], twin["verdict"]
    for number in (bounds["best"], bounds["adjusted_mean"], twin["mean"], verdict["corrected"]["luck"]):
        assert f"{number:.4f}" in page.text
    assert ["Can’t be told from the best", str(verdict["set"]["n_members"])] in page.rows
    assert ["Margin", f"{verdict['set']['margin']:.4f}"] in page.rows


def test_what_may_be_the_best_is_marked_in_words_and_shade(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    members = twin_of(client, board)["verdict"]["set"]["n_members"]
    assert [row[3] for row in results_of(page)] == ["yes"] * members + ["no"] * (len(VALUES) - members)
    assert page.classes.count("is-marked") == members


def test_equal_systems_have_a_section_of_their_own_on_every_scale(client):
    board = make_board(measure=make_measure("RR@10"), residual_variance=None)
    analyse(board)
    twin = twin_of(client, board)
    for query, scale in (("", "published"), ("?scale=borrowed", "borrowed")):
        page, bounds = read(client, board.get_absolute_url() + query), twin["scales"][scale]
        assert "If all had been equal" in page.text
        assert f"{bounds['n_plausible']} results lie at or above {bounds['lower']:.4f}" in page.text
        assert twin["verdict"]["sentence"] in page.text
    assert (
        read(client, board.get_absolute_url()).link("by variation between topics elsewhere")
        == "?scale=borrowed#equal-means"
    )
    assert page.link("as published (Carterette 2015)") == "?#equal-means"


def test_no_second_number_for_luck_stands_beside_the_verdict(client):
    board = make_varied_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    before, after = page.text.split("If all had been equal", 1)
    assert "one time in five" not in before
    assert "nflation" not in before
    assert "one time in five" in after


def test_what_the_verdict_rests_on_is_said(client):
    board = make_board(measure=make_measure("RR@10"), residual_variance=None)
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "No topic scores of this leaderboard are known." in page.text
    assert "is predicted from the measure and its mean. Such predictions are off by up to a factor of 1.5" in page.text
    mean = sum(map(float, VALUES)) / len(VALUES)
    assert ["Residual variance per topic", f"{0.383 * mean * (1 - mean):.6f}"] in page.rows


def test_where_nothing_is_known_nothing_is_said_about_who_may_be_the_best(client):
    board = make_board(measure=make_measure("RBP(p=0.8)"), residual_variance=None)
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "not enough is known to say which could be the best" in page.text
    assert "is-marked" not in page.classes
    assert "Can it be the best?" not in page_headings(page)


def test_a_standard_error_that_is_not_known_here_is_said_to_be(client):
    board = make_board(measure=make_measure("RR@10"), residual_variance=None)
    analyse(board)
    page = read(client, board.get_absolute_url() + "?scale=residual")
    assert "No residual standard error is known here." in page.text


def test_with_topic_scores_every_row_has_its_own_margin(client):
    board = make_board_by_topic()
    page, twin = read(client, board.get_absolute_url()), twin_of(client, board)
    assert twin["verdict"]["evidence"]["kind"] == "own-topics"
    assert twin["verdict"]["set"]["margin"] is None
    assert ["Margin", "of each pair"] in page.rows
    rows = [row for row in twin["results"] if row["margin"] is not None]
    assert len({row["margin"] for row in rows}) > 1
    assert all((row["behind"] <= row["margin"]) is row["can_be_best"] for row in rows)


def test_topic_scores_of_some_rows_give_their_variance(client):
    board = make_board_by_topic(extra=("0.9", "0.1"))
    verdict = twin_of(client, board)["verdict"]
    assert (verdict["evidence"]["kind"], verdict["evidence"]["n_systems"]) == ("own-variance", 6)
    assert verdict["evidence"]["sources"][0] == "topic scores of 6 of the rows that compete: 6 systems, 20 topics"


def test_lower_scores_lead_where_lower_is_better(client):
    page = read(client, make_lower_is_better().get_absolute_url())
    assert [row[2] for row in results_of(page)] == sorted(VALUES)
    assert "The best of 8 results of one family prints 0.1500" in page.text
    assert "the best of them would reach 0.1500 one time in five" in page.text


def test_a_leaderboard_without_results_has_a_page(client):
    page = read(client, make_leaderboard().get_absolute_url())
    assert "No result is recorded." in page.text


def test_of_a_single_result_nothing_is_said_about_the_best(client):
    board = make_board(VALUES[:1])
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "The only comparable result prints 0.3100; with nothing to compare it with" in page.text
    assert "1 result" in page.text


def test_it_links_to_what_it_rests_on(client):
    board = make_varied_board()
    snapshot = analyse(board).snapshot_id
    page = read(client, board.get_absolute_url())
    assert page.link("Cite this analysis") == f"/snapshots/{snapshot}/"
    for name in ("JSON", "CSV", "LaTeX", "Markdown", "BibTeX"):
        assert client.get(page.link(name)).status_code == 200
    assert "What this assumes" in [text for _, text in page.links]


def test_formats_take_the_choices_along(client):
    board = make_varied_board()
    analyse(board)
    page = read(client, board.get_absolute_url() + "?role=proposed&sort=year&page=1")
    assert page.link("CSV") == f"{board.get_absolute_url()[:-1]}.csv?role=proposed&sort=year"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_are_text_and_nothing_else(client, name):
    board = make_board()
    run = make_run(board, "0.9", system=make_system(name, team=name), notes=name, source=name)
    mark_changed(board)
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert f"<bdi>{name}</bdi>" not in page.source or name == "x" * 300 or "<" not in name
    assert results_of(page)[0][1] == " ".join(name.split())
    assert "<script>alert" not in page.source
    assert client.get(f"/systems/{run.system.slug}/").status_code == 200


@pytest.mark.parametrize("name", ODD_MEASURES)
def test_measures_with_odd_names_have_addresses_that_work(client, name):
    board = make_leaderboard(make_collection(), make_measure(name))
    make_run(board, "0.5")
    mark_changed(board)
    page = read(client, board.get_absolute_url())
    assert page.headings[0] == (1, f"{board.collection.name}, {name}")
    assert client.get(page.link("JSON")).json()["measure"]["name"] == name
    assert client.get(page.link("CSV"))["Content-Type"].startswith("text/csv")


def test_the_figure_has_its_numbers_beside_it(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    drawn = json.loads(re.search(r'<script id="figure-data"[^>]*>(.*?)</script>', page.source)[1])
    (heights,) = [trace["y"] for trace in drawn["data"] if trace["name"] == "results"]
    after = page.rows[page.rows.index(["From", "To", "Results"]) + 1 :]
    bars = list(takewhile(lambda row: len(row) == 3, after))
    assert [int(row[2]) for row in bars] == [height for height in heights if height]
    assert sum(heights) == len(VALUES)
    bounds = twin_of(client, board)["scales"]["published"]
    assert ["Adjusted mean", f"{bounds['adjusted_mean']:.4f}"] in page.rows


def test_the_figure_is_drawn_without_a_script(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    figure = page.source.partition('id="figure"')[2].partition('id="figure-data"')[0]
    (bars,) = re.findall(r'<path class="boxes measured" d="([^"]+)"', figure)
    n_bars = len(
        list(takewhile(lambda row: len(row) == 3, page.rows[page.rows.index(["From", "To", "Results"]) + 1 :]))
    )
    assert bars.count("z") == n_bars
    assert all(name in figure for name in ("adjusted mean", "best result", "range they cover"))


def test_from_means_there_are_no_tiers(client):
    from_means, by_topic = make_board(), make_board_by_topic()
    analyse(from_means)
    assert "Tier" not in page_headings(read(client, from_means.get_absolute_url()))
    assert {row["tier"] for row in twin_of(client, from_means)["results"]} == {1, None}
    twin = twin_of(client, by_topic)
    first = {row["id"] for row in twin["results"] if row["tier"] == 1}
    assert first == set(twin["verdict"]["set"]["members"])


@pytest.mark.parametrize(
    "name", sorted({*wording.EVIDENCE_PAGES.values(), *wording.COLUMN_PAGES.values(), "corrected-best"})
)
def test_the_pages_of_methods_that_findings_name_exist(client, name):
    assert read(client, f"/methods/{name}/").headings


def page_headings(page: Page) -> list[str]:
    """The headings of the table of results."""
    (row,) = [row for row in page.rows if row[:1] in (["Rank"], ["Rank range"])]
    return row


def test_a_name_cannot_end_the_data_of_the_figure(client):
    board = make_leaderboard(
        make_collection(name="</script><script>alert(1)"), make_measure("</script>x".replace("/", ""))
    )
    for value in VALUES:
        make_run(board, value)
    mark_changed(board)
    analyse(board)
    assert "<script>alert" not in read(client, board.get_absolute_url()).source


def test_what_does_not_compete_is_said_with_the_reason(client):
    board = make_varied_board()
    analyse(board)
    page, twin = read(client, board.get_absolute_url()), twin_of(client, board)
    assert twin["not_comparable"]
    for item in twin["not_comparable"]:
        assert f"{item['n']} result{'' if item['n'] == 1 else 's'} ({item['reason']})" in page.text


def test_the_best_need_not_be_an_original_result(client):
    board = make_board()
    rerun = make_run(board, "0.99", role=Result.Role.REFERENCE_IMPLEMENTATION)
    mark_changed(board)
    analyse(board)
    page, twin = read(client, board.get_absolute_url()), twin_of(client, board)
    assert results_of(page)[0][:1] == ["1"]
    assert "prints 0.9900 (a toolkit’s run)" in page.text
    assert twin["verdict"]["best"]["result"] == rerun.pk
    assert (twin["verdict"]["tries"]["n_results"], twin["n_results"]) == (9, 8)


def test_a_score_that_stands_apart_comes_with_the_best_without_it(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    for number, result in enumerate(board.results.select_related("system")):
        type(result.system).objects.filter(pk=result.system_id).update(team=f"team {number}", team_key=f"team {number}")
    apart = make_run(board, "0.900", system=make_system("apart", team="another"))
    mark_changed(board)
    analyse(board)
    page, verdict = read(client, board.get_absolute_url()), twin_of(client, board)["verdict"]
    (caution,) = [one for one in verdict["cautions"] if one["is_flag"]]
    assert (caution["code"], caution["results"]) == ("stands-apart", [apart.pk])
    assert caution["message"] in page.text
    assert verdict["best_unflagged"]["value"] == 0.229
    assert (
        "The highest of 31 results prints 0.9000 and is held back as an outlier; the best that is not prints 0.2290"
        in page.text
    )
    assert not verdict["leader_verified"]


def test_the_figure_comes_after_its_claim_and_five_links(client):
    board = make_varied_board()
    analyse(board)
    page, verdict = read(client, board.get_absolute_url()), twin_of(client, board)["verdict"]
    before, _, after = page.source.partition("<main")[2].partition("<figure")
    n = verdict["set"]["n_members"]
    claim = f"{n} of {verdict['tries']['n_results']} can’t be told from the best on {board.collection.name}"
    assert claim in before if n > 1 else "stands alone" in before
    assert "Cite this" in after
    assert before.partition('<details class="evidence"')[0].count("<a ") <= 2


def test_the_caption_tells_of_the_kinds_of_dots_that_are_drawn(client):
    board, few = make_varied_board(), make_board(n_topics=10)
    analyse(board)
    analyse(few)
    everything = read(client, f"{board.get_absolute_url()}?training=all").text
    assert "teal can’t be told from the best, hollow is a toolkit’s run; the band" in everything
    without_set = read(client, few.get_absolute_url()).text
    assert "One dot is one result; hollow is a toolkit’s run." in without_set


def test_those_that_share_the_best_score_are_named(client):
    board = make_board(["0.31", "0.31", "0.20"])
    analyse(board)
    first, second = board.results.filter(printed="0.31").values_list("system__name", flat=True)
    assert f"{first} and {second}, tied" in read(client, board.get_absolute_url()).text


def test_those_that_share_it_are_counted_where_nothing_says_which_may_be_the_best(client):
    board = make_board(["0.31", "0.31", "0.20"], n_topics=12)
    analyse(board)
    assert twin_of(client, board)["verdict"]["set"] is None
    assert re.search(r"0\.3100 .{1,40} and 1 more, tied", read(client, board.get_absolute_url()).text)


def test_digits_below_a_thousandth_of_the_margin_are_left_to_the_hover(client):
    board = make_board([*VALUES, "0.30004"])
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "0.3000" in [row[2].strip() for row in results_of(page)]
    assert 'title="printed 0.30004"' in page.source


def test_a_text_for_papers_names_models_without_owners_of_repositories(client):
    board = make_board()
    make_run(board, "0.9", system=make_system("BAAI/bge-m3", team="BAAI"))
    mark_changed(board)
    analyse(board)
    document = leaderboard_document(board, Selection())
    found = replace(document, verdict=replace(document.verdict, sentence="BAAI/bge-m3 leads with 0.9 on a/b."))
    assert quoted(found) == "bge-m3 leads with 0.9 on b."
    chosen = replace(
        found,
        selection={"role": "trec_run", "since": "2020"},
        verdict=replace(found.verdict, sentence="The best of those chosen leads those chosen."),
    )
    assert quoted(chosen) == ("The best of those chosen (trec run, published in 2020 or later) leads those chosen.")
    assert quoted(replace(chosen, selection={})) == "The best of those chosen leads those chosen."
    seen = replace(chosen, selection={}, verdict=replace(chosen.verdict, view="trained-here"))
    assert quoted(seen) == "The best of those chosen (training declared) leads those chosen."


def test_it_is_only_read(client):
    path = make_board().get_absolute_url()
    assert client.post(path).status_code == 405
    head = client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert Snapshot.objects.count() == 0


@pytest.mark.parametrize("n_results", [5, 60])
def test_its_queries_do_not_grow(client, django_assert_num_queries, n_results):
    board = make_board([f"0.{100 + number}" for number in range(n_results)])
    analyse(board)
    with django_assert_num_queries(5):
        read(client, board.get_absolute_url())
    with django_assert_num_queries(1):
        read(client, board.get_absolute_url())
