"""/leaderboards/, /models/, /papers/ sorted and narrowed down; searches that lead to them; the navigation."""

import pytest
from django.utils import timezone
from django.utils.http import urlencode

from registry.catalog.models import Collection, Leaderboard
from registry.curation.lineage.models import SystemFacts
from registry.results.models import Paper, System
from registry.search.services import index_registry
from tests.registry.factory import make_measure, make_model, make_paper
from tests.registry.leaderboards.boards import VALUES, analyse, make_board
from tests.registry.pages import page_of, read


@pytest.fixture
def boards():
    """Two analysed leaderboards: eight results on news in English, six on law in German that a model judged."""
    news = {"slug": "news", "name": "News", "language": "English", "domain": "news"}
    law = {"slug": "law", "name": "Law", "language": "German", "domain": "legal", "judge": Collection.Judge.MODEL}
    leaderboards = []
    for facts, name, n in ((news, "AP", 8), (law, "RR", 6)):
        board = make_board(VALUES[:n], measure=make_measure(name), residual_variance=0.01)
        Collection.objects.filter(pk=board.collection_id).update(**facts)
        leaderboards.append(Leaderboard.objects.get(pk=board.pk))
    for board in leaderboards:
        analyse(board)
    index_registry()
    return leaderboards


def names(page) -> list[str]:
    return [row[0].split()[0] for row in page.rows[1:]]


def test_leaderboards_are_sorted_and_narrowed_down_on_the_page_and_in_its_files(client, boards):
    page = read(client, "/leaderboards/")
    assert names(page) == ["News", "Law"]
    assert [cell.get("aria-sort") for cell in page.of("th")][:3] == [None, "descending", None]
    assert names(read(client, "/leaderboards/" + page.link("Results"))) == ["Law", "News"]
    for query in ("language=German", "domain=legal", "measure=RR", "judge=model", "q=law"):
        assert names(read(client, f"/leaderboards/?{query}")) == ["Law"], query
        (row,) = client.get(f"/leaderboards.json?{query}").json()["results"]
        assert (row["collection"], row["n_results"]) == ("law", 6)
    assert "Nothing matches" in read(client, "/leaderboards/?language=German&measure=AP").text
    assert "/leaderboards/?domain=legal" in client.get("/search/?q=best+model+for+legal+search").content.decode()


def test_a_row_says_what_its_leaderboard_says(client, boards):
    board = boards[0]
    verdict = client.get(board.get_absolute_url()[:-1] + ".json").json()["verdict"]
    row = read(client, "/leaderboards/").row("News AP")
    assert f"{verdict['best']['value']:.4f}" in row
    (entry,) = client.get("/leaderboards.json?measure=AP").json()["results"]
    assert (entry["n_set"], entry["n_ranked"]) == (verdict["set"]["n_members"], verdict["n_rows"])
    assert entry["corrected"] == verdict["corrected"]["value"]


@pytest.fixture
def models(boards):
    for number, (size, is_open) in enumerate(((10**8, True), (7 * 10**9, False))):
        system = System.objects.order_by("pk")[number]
        model = make_model(f"model-{number}", f"model-{number}", maker=f"maker {number}")
        System.objects.filter(pk=system.pk).update(model=model)
        SystemFacts.objects.create(
            system=system, model=model.name, n_parameters=size, has_open_weights=is_open, source="test",
            recorded_at=timezone.now(),
        )  # fmt: skip
    index_registry(is_forced=True)


def test_models_are_narrowed_down_by_what_their_makers_say(client, models):
    assert set(names(read(client, "/models/"))) == {"model-0", "model-1"}
    assert names(read(client, "/models/?sort=-size")) == ["model-1", "model-0"]
    for query in ("size=1B", "weights=open", "maker=maker+0", "q=maker+0"):
        assert names(read(client, f"/models/?{query}")) == ["model-0"], query
    (row,) = client.get("/models.json?weights=closed").json()["results"]
    assert (row["name"], row["n_parameters"], row["mean"]) == ("model-1", 7 * 10**9, None)


def test_papers_are_sorted_by_year(client, boards):
    for result, year in zip(boards[0].results.all(), (2019, 2021), strict=False):
        result.paper = make_paper(f"Author ({year})")
        Paper.objects.filter(pk=result.paper_id).update(year=year)
        result.save()
    index_registry(is_forced=True)
    assert names(read(client, "/papers/?sort=-year")) == ["Author", "Author"]
    assert [row[3] for row in read(client, "/papers/?sort=year").rows[1:]] == ["2019", "2021"]
    assert len(read(client, "/papers/?year=2021").rows) == 2


@pytest.mark.parametrize(
    ("typed", "address"), [("how to cite", "/docs/#citing"), ("API", "/docs/api/"), ("help", "/docs/")]
)
def test_pages_of_the_site_are_found(client, typed, address):
    links = [tag.get("href") for tag in page_of(client.get("/search/", {"q": typed})).of("a")]
    assert address in links


def test_a_system_on_a_collection_is_answered_with_its_score(client, boards):
    result = boards[0].results.select_related("system").first()
    page = page_of(client.get("/search/", {"q": f"{result.system.name} news"}))
    assert page.of("svg")
    assert f"On News (AP), {result.system.name}’s {result.shown} is" in page.text
    assert "collection news" in page.text
    assert f"?{urlencode({'q': result.system.name})}" in [tag.get("href") for tag in page.of("a")]


def test_what_a_question_was_read_as_is_taken_off_choice_by_choice(client):
    page = read(client, "/models/?size=1B&weights=open&question=best+open+model+under+1B")
    assert "Read as: at most 1B" in page.text
    links = [tag.get("href") for tag in page.of("a")]
    assert "?weights=open&question=best+open+model+under+1B" in links
    assert "/search/?kind=model&q=best%20open%20model%20under%201B" in links


@pytest.mark.parametrize(
    ("path", "section", "how"), [("/models/", "Models", "page"), ("/collections/", "Leaderboards", "true")]
)
def test_the_navigation_marks_the_section(client, path, section, how):
    source = read(client, path).source
    assert f'aria-current="{how}">{section}</a>' in source
