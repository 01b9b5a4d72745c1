"""GET /leaderboards/<collection>/<measure>/"""

import re

import pytest

from registry.leaderboards import wording
from tests.registry.api.world import make_boards_of_every_kind
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_system
from tests.registry.leaderboards.boards import VALUES, analyse_again, analysed, make_board, make_run, mark_changed
from tests.registry.pages import Page, read
from tests.thoroughness import every

NEVER = re.compile(r"\b(NaN|nan|None|inf)\b|\[object|{{|{%|{#")

HOSTILE_NAMES = ("<script>alert(1)</script>", "say \"so\" & 'so'", "مرحبا <b>", "a\\b{{ c }}", "x" * 300)
ODD_MEASURES = ("R@10%", "nDCG(dcg='exp-log2')@20", "risk(alpha=0,baseline=rm):ERR@20", "P(rel=2)@10")


def twin_of(client, board, query: str = "") -> dict:
    return client.get(f"{board.get_absolute_url()[:-1]}.json{query}").json()


def results_of(page: Page) -> list[list[str]]:
    """Return the rows of the table of results, without its headings."""
    (start,) = [number for number, row in enumerate(page.rows) if row[:1] in (["Rank"], ["Rank (90%)"])][:1]
    width = len(page.rows[start])
    rows = [row for row in page.rows[start + 1 :] if row != ["Below this line: significantly lower than the best."]]
    if page.rows[start] in rows:
        rows = rows[: rows.index(page.rows[start])]  # Those that are not ranked have a table of their own.
    return [row for number, row in enumerate(rows) if all(len(other) == width for other in rows[: number + 1])]


def test_every_kind_of_leaderboard_shows_nothing_broken(client):
    queries = ("?scale=published", "?role=proposed", "?n_multiplier=3", "?as_of=2001-01-01", "?sort=-z")
    for place, board in enumerate(make_boards_of_every_kind()):
        for query in ("", *every(3, queries, __file__, start=place)):
            page = read(client, board.get_absolute_url() + query)
            assert not NEVER.search(page.text), NEVER.search(page.text)
            assert all(cell for row in page.rows for cell in row), f"an empty cell on {page.title}"


def test_a_leaderboard_says_who_holds_its_private_test(client):
    board = make_board()
    type(board.collection).objects.update(holder="acme|Zenith", held_by="Acme Labs (mteb#1)")
    for name, team in (("acme-1", "Acme"), ("dune-1", "Dune"), ("acme-2", "Acme")):
        make_run(board, "0.5", system=make_system(name, team=team))
    analyse_again(board)
    text = read(client, board.get_absolute_url()).text
    assert "Private test, held by Acme Labs (mteb#1)." in text
    assert "Its maker holds this test. The maker of acme-1 and of 1 other row holds this test" in text
    assert {row["system"]: row["cautions"] for row in twin_of(client, board)["results"]}["acme-2"] == ["holds-test"]


def test_a_name_cannot_end_the_data_of_a_page_or_of_its_snapshot(client):
    board = make_board(measure=make_measure("<script>x"))
    type(board.collection).objects.update(name="</script><script>alert(1)")
    for shown in (board, analyse_again(board).snapshot):
        assert "<script>alert" not in read(client, shown.get_absolute_url()).source


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_are_text_and_nothing_else(client, name):
    board = make_board()
    run = make_run(board, "0.9", system=make_system(name, team=name), notes=name, source=name)
    analyse_again(board)
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
    assert page.headings[0] == (1, f"{board.collection.name} · {name}")
    assert client.get(page.link("JSON")).json()["measure"]["name"] == name
    assert client.get(page.link("CSV"))["Content-Type"].startswith("text/csv")


@pytest.mark.parametrize("name", sorted({*wording.EVIDENCE_PAGES.values(), "corrected-best"}))
def test_the_pages_of_methods_that_findings_name_exist(client, name):
    assert read(client, f"/methods/{name}/").headings


def test_digits_below_a_thousandth_of_the_margin_are_left_to_the_hover(client):
    board = analysed(make_board([*VALUES, "0.30004"]))
    page = read(client, board.get_absolute_url())
    assert "0.3000" in [row[3].strip() for row in results_of(page)]
    assert 'title="reported 0.30004"' in page.source


@pytest.mark.parametrize("n_results", [5, 60])
def test_its_queries_do_not_grow(client, django_assert_num_queries, n_results):
    board = analysed(make_board([f"0.{100 + number}" for number in range(n_results)]))
    # One of them is for the days of results: whether the best rose beyond luck goes by them.
    with django_assert_num_queries(7):
        read(client, board.get_absolute_url())
    with django_assert_num_queries(1):
        read(client, board.get_absolute_url())


def test_mixed_revisions_and_evaluators_are_said_and_not_judged(client):
    board = make_board()
    for number, (revision, evaluator) in enumerate([("main", "mteb 1.2.10"), ("main", "mteb 1.2.9"), ("b", "")]):
        make_run(board, f"0.{number + 1}", dataset_revision=revision, evaluator=evaluator)
    make_run(board, "0.9", dataset_revision="other", comparability="doubtful")
    analyse_again(board)
    assert twin_of(client, board)["facets"]["dataset_revision"] == {"main": 2, "b": 1}
    text = read(client, board.get_absolute_url()).text
    assert "3 of these scores name the revision of the data set that they were computed on: 2 revisions" in text
    assert "2 versions of evaluators, mteb 1.2.9 to mteb 1.2.10" in text
