"""GET /leaderboards/<collection>/<measure>/"""

import json
import re
from itertools import takewhile

import pytest

from registry.leaderboards import wording
from registry.leaderboards.models import Snapshot
from registry.results.models import Result
from tests.registry.api.world import make_board_by_topic, make_lower_is_better, make_varied_board, make_world
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.pages import Page, read

pytestmark = pytest.mark.django_db

NEVER = re.compile(r"\b(NaN|nan|None|inf)\b|\[object|{{|{%|{#")

HOSTILE_NAMES = ("<script>alert(1)</script>", "say \"so\" & 'so'", "مرحبا <b>", "a\\b{{ c }}", "x" * 300)
ODD_MEASURES = ("R@10%", "nDCG(dcg='exp-log2')@20", "risk(alpha=0,baseline=rm):ERR@20", "P(rel=2)@10")


def twin_of(client, board, query: str = "") -> dict:
    return client.get(f"{board.get_absolute_url()[:-1]}.json{query}").json()


def results_of(page: Page) -> list[list[str]]:
    """The rows of the table of results, without its headings."""
    (start,) = [number for number, row in enumerate(page.rows) if row[:2] == ["Rank", "System"]]
    width = len(page.rows[start])
    rows = page.rows[start + 1 :]
    return [row for number, row in enumerate(rows) if all(len(other) == width for other in rows[: number + 1])]


def test_it_states_the_finding_with_its_numbers(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert page.headings[0] == (1, str(board))
    sentence = (
        "The best of 8 independent results is 0.3100, but 2 others could just as well be the best (95 % confidence)"
    )
    assert sentence in page.text
    assert "corrected for luck, its score is about 0.30" in page.text


def test_every_kind_of_leaderboard_shows_nothing_broken(client):
    for board in make_world().leaderboards:
        for query in ("", "?scale=published", "?role=proposed", "?n_multiplier=3", "?as_of=2001-01-01", "?sort=-z"):
            page = read(client, board.get_absolute_url() + query)
            assert not NEVER.search(page.text), NEVER.search(page.text)
            assert all(cell for row in page.rows for cell in row), f"an empty cell on {page.title}"


def test_the_twin_agrees_with_the_page(client):
    board = make_varied_board()
    analyse(board)
    page, twin = read(client, board.get_absolute_url()), twin_of(client, board)
    shown = results_of(page)
    assert [row[1].split(" not counted")[0] for row in shown] == [row["system"] for row in twin["results"]]
    assert [row[2].strip() for row in shown] == [row["printed"] for row in twin["results"]]
    assert [row[0] for row in shown] == ["–" if row["rank"] is None else str(row["rank"]) for row in twin["results"]]
    bounds = twin["scales"][twin["recommended_scale"]]
    for number in (bounds["best"], bounds["adjusted_mean"], twin["winner"]["estimate"], twin["mean"]):
        assert f"{number:.4f}" in page.text
    assert f"{100 * bounds['inflation']:.1f} %" in page.text
    assert f"{twin['best_set']['n_members']} results can’t be told from the best" in page.text


def test_what_may_be_the_best_is_marked_in_words_and_shade(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    members = twin_of(client, board)["best_set"]["n_members"]
    assert [row[3] for row in results_of(page)] == ["yes"] * members + ["no"] * (len(VALUES) - members)
    assert page.classes.count("is-marked") == members


def test_the_published_analysis_is_one_click_away(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert page.link("as published (Carterette 2015)") == "?scale=published"
    published = read(client, board.get_absolute_url() + "?scale=published")
    bounds = twin_of(client, board)["scales"]["published"]
    assert f"{bounds['n_plausible']} results lie at or beyond {bounds['lower']:.4f}" in published.text
    assert published.classes.count("is-marked") == bounds["n_plausible"]
    assert published.link("by variation between topics, borrowed") == "?"


def test_which_analysis_is_shown_and_why_is_said(client):
    board = make_board()
    analyse(board)
    path = board.get_absolute_url()
    assert "the variance 0.01440 is borrowed from elsewhere (elsewhere)" in read(client, path).text
    assert "Shown, at your choice, is the analysis as published" in read(client, path + "?scale=published").text
    without = make_board(residual_variance=None)
    analyse(without)
    page = read(client, without.get_absolute_url())
    assert "is the analysis as published, because no per-topic scores under" in page.text
    assert "as published (Carterette 2015)" not in [text for _, text in page.links]


def test_a_standard_error_that_is_not_known_here_is_said_to_be(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url() + "?scale=residual")
    assert "No residual standard error is known here; the recommended one is shown." in page.text


def test_scores_by_topic_give_p_values(client):
    page = read(client, make_board_by_topic().get_absolute_url())
    pvalues = [row[4] for row in results_of(page)]
    assert pvalues[0] != "0.000"
    assert all(text == "< 0.001" or 0.001 <= float(text) <= 1 for text in pvalues)
    assert "judged by per-topic scores" in page.text
    assert "Take it with care: " in page.text


def test_what_some_scores_by_topic_say_has_a_part_of_its_own(client):
    board = make_board_by_topic(extra=("0.9", "0.1"))
    page = read(client, board.get_absolute_url())
    among = twin_of(client, board)["topic_scores"]
    assert "6 results have per-topic scores." in page.text
    assert f"{among['best_set']['n_members']} of them may be the best of these" in page.text
    assert page.headings.count((3, "Which results may be the best")) == 1


def test_other_estimates_of_the_winner_are_listed(client):
    board = make_board_by_topic()
    page = read(client, board.get_absolute_url())
    for other in twin_of(client, board)["winner"]["alternatives"]:
        assert page.row(other["method"])[1] == f"{other['estimate']:.4f}"


def test_lower_scores_lead_where_lower_is_better(client):
    page = read(client, make_lower_is_better().get_absolute_url())
    assert [row[2] for row in results_of(page)] == sorted(VALUES)
    assert "The best of 8 independent results is 0.1500" in page.text
    assert "above the best result) would give a best result of 0.1500 or better" in page.text


def test_a_leaderboard_without_results_has_a_page(client):
    page = read(client, make_leaderboard().get_absolute_url())
    assert "No result is recorded." in page.text


def test_one_result_is_shown_without_an_analysis(client):
    board = make_board(VALUES[:1])
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "No analysis: fewer than five independent results are recorded." in page.text
    assert "1 result" in page.text
    assert "How this was judged" not in page.text


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
    assert client.get(f"/systems/{run.system_id}/").status_code == 200


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
    (figure,) = [attributes for attributes in page.of("div") if "data-figure" in attributes]
    drawn = json.loads(re.search(rf'<script id="{figure["data-figure"]}"[^>]*>(.*?)</script>', page.source)[1])
    (heights,) = [trace["y"] for trace in drawn["data"] if trace["meta"] == "results"]
    after = page.rows[page.rows.index(["From", "To", "Results"]) + 1 :]
    bars = list(takewhile(lambda row: len(row) == 3, after))
    assert [int(row[2]) for row in bars] == [height for height in heights if height]
    assert sum(heights) == len(VALUES)
    bounds = twin_of(client, board)["scales"]["borrowed"]
    assert ["Adjusted mean", f"{bounds['adjusted_mean']:.4f}"] in page.rows


def test_the_figure_is_drawn_without_a_script(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    bars = [box for box in page.of("rect") if box["class"] == "bar"]
    rows = page.rows[page.rows.index(["From", "To", "Results"]) + 1 :][: len(bars)]
    tallest = max(float(bar["height"]) for bar in bars)
    most = max(int(row[2]) for row in rows)
    for bar, row in zip(bars, rows, strict=True):
        assert float(bar["height"]) / tallest == pytest.approx(int(row[2]) / most, abs=0.005)
        assert float(bar["y"]) + float(bar["height"]) == pytest.approx(300)
    (best,) = [line for line in page.of("line") if line["class"] == "best"]
    (adjusted,) = [line for line in page.of("line") if line["class"] == "adjusted"]
    assert 0 < float(adjusted["x1"]) < float(best["x1"]) < 1000
    assert float(bars[-1]["x"]) + float(bars[-1]["width"]) == pytest.approx(float(best["x1"]), abs=0.2)


def test_tiers_are_not_shown_of_a_part(client):
    board = make_varied_board()
    analyse(board)
    path = board.get_absolute_url()
    assert "Tier" in page_headings(read(client, path))
    assert "Tier" not in page_headings(read(client, path + "?role=proposed"))


def test_tiers_lead_to_the_page_of_how_they_were_made(client):
    from_means = make_board()
    analyse(from_means)
    for board, name in ((from_means, "tie-tiers-from-means"), (make_board_by_topic(), "tie-tiers")):
        linked = {address for address, _ in read(client, board.get_absolute_url()).links}
        assert {address for address in linked if "tie-tiers" in address} == {f"/methods/{name}/"}


@pytest.mark.parametrize("name", sorted({*wording.METHOD_PAGES.values(), *wording.COLUMN_PAGES.values()}))
def test_the_pages_of_methods_that_findings_name_exist(client, name):
    assert read(client, f"/methods/{name}/").headings


def page_headings(page: Page) -> list[str]:
    """The headings of the table of results."""
    (row,) = [row for row in page.rows if row[:2] == ["Rank", "System"]]
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


def test_what_is_left_out_is_said_with_the_reason(client):
    board = make_varied_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    for item in twin_of(client, board)["left_out"]:
        assert f"{item['n']} result{'' if item['n'] == 1 else 's'}: {item['reason']}" in page.text


def test_the_best_need_not_be_counted(client):
    board = make_board()
    make_run(board, "0.99", role=Result.Role.REFERENCE_IMPLEMENTATION)
    mark_changed(board)
    analyse(board)
    page = read(client, board.get_absolute_url())
    first, second = results_of(page)[:2]
    assert (first[0], first[2].strip(), first[3]) == ("–", "0.99", "–")
    assert second[0] == "1"
    assert "is 0.3100" in page.text
    assert (
        "1 result in the table is even better, but not counted and not ranked: reference implementation (1)."
        in page.text
    )


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
    with django_assert_num_queries(10):
        read(client, board.get_absolute_url())
    with django_assert_num_queries(1):
        read(client, board.get_absolute_url())
