"""GET …/figure.svg, …/figure.png and …/card.png of leaderboards and suites, and /card.png."""

import struct
from xml.etree import ElementTree

import pytest

from registry.leaderboards.exports.pictures import drawing_style, png
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.suites import analyse_all, make_members, suite_board
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def size_of(response) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert response.status_code == 200
    assert response["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", response.content[16:24])
    return width, height


def analysed_board():
    board = make_board()
    analyse(board)
    return board


def test_the_figure_is_a_file_with_title_sentence_dots_and_source(client):
    board = analysed_board()
    document = client.get(f"{board.get_absolute_url()[:-1]}.json").json()
    response = client.get(f"{board.get_absolute_url()}figure.svg")
    root = ElementTree.fromstring(response.content)
    told = [" ".join("".join(one.itertext()).split()) for one in root.iter(f"{SVG}text")]
    assert str(board) in told[0] or told[0] == f"{board.collection.name}, {board.measure.name}"
    assert told[1].replace(" ", "") == document["verdict"]["sentence"].replace(" ", "")
    assert f"Plumbline. Snapshot {document['snapshot']['id']} of {document['snapshot']['created'][:10]}." in told
    dots = [path.attrib["d"] for path in root.iter(f"{SVG}path") if path.attrib.get("class", "").startswith("dot ")]
    assert sum(path.count("M") for path in dots) == len(VALUES)
    assert "var(" not in response.content.decode()
    assert response["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_its_rules_are_the_sites_with_the_light_colours():
    style = drawing_style()
    assert ".chart path.is-highlighted { stroke: #0a6a66; }" in style
    assert "#63c6bd" not in style


def test_it_follows_the_readers_choices(client):
    board = analysed_board()
    text = client.get(f"{board.get_absolute_url()}figure.svg?n_multiplier=2").content.decode()
    assert "n_multiplier 2" in text
    page = read(client, f"{board.get_absolute_url()}?n_multiplier=2")
    assert page.link("PNG") == f"{board.get_absolute_url()}figure.png?n_multiplier=2"


def test_the_leader_is_the_best_however_the_table_is_sorted(client):
    board = analysed_board()
    address = f"{board.get_absolute_url()}figure.svg"
    assert "best printed 0.3100" in client.get(f"{address}?sort=-rank").content.decode()
    assert "held back" not in client.get(f"{address}?sort=-rank").content.decode()


def test_the_figure_is_a_png_twice_as_large(client):
    board = analysed_board()
    root = ElementTree.fromstring(client.get(f"{board.get_absolute_url()}figure.svg").content)
    width, height = size_of(client.get(f"{board.get_absolute_url()}figure.png"))
    assert (width, height) == (2 * int(root.get("width")), 2 * int(root.get("height")))


def test_without_a_verdict_there_is_no_figure_and_a_card_that_says_so(client):
    board = make_board()
    assert client.get(f"{board.get_absolute_url()}figure.svg").status_code == 404
    assert client.get(f"{board.get_absolute_url()}figure.png").status_code == 404
    assert size_of(client.get(f"{board.get_absolute_url()}card.png")) == (1200, 630)


def test_a_snapshot_is_drawn_as_it_was_found(client):
    def drawn(page: str) -> list[dict[str, str]]:
        root = ElementTree.fromstring(client.get(f"{page}figure.svg").content)
        return [one.attrib for one in root.iter() if one.tag in {f"{SVG}path", f"{SVG}rect"}]

    board, suite = analysed_board(), analyse_all(make_members())
    snapshot = board.analysis.snapshot.get_absolute_url()
    shown = drawn(board.get_absolute_url())
    assert len(shown) > 3
    assert drawn(snapshot) == shown
    assert drawn(suite.snapshot.get_absolute_url()) == drawn(suite_board().get_absolute_url())
    make_run(board, "0.9")
    mark_changed(board)
    analyse(board)
    assert drawn(board.get_absolute_url()) != shown
    assert drawn(snapshot) == shown
    assert f'href="{snapshot}figure.png"' in client.get(snapshot).content.decode()
    assert size_of(client.get(f"{snapshot}figure.png"))[0] > 2000
    assert client.get(f"{snapshot}figure.svg?top=3").status_code == 400


def test_a_snapshot_of_a_single_result_has_a_card_and_no_figure(client):
    board = make_board(["0.3"])
    snapshot = analyse(board).snapshot.get_absolute_url()
    assert "figure.svg" not in client.get(snapshot).content.decode()
    assert client.get(f"{snapshot}figure.svg").status_code == 404
    assert size_of(client.get(f"{snapshot}card.png")) == (1200, 630)


def test_pages_name_their_cards(client):
    board, suite = analysed_board(), analyse_all(make_members())
    snapshots = [one.snapshot.get_absolute_url() for one in (board.analysis, suite)]
    for page in ("/", board.get_absolute_url(), suite_board().get_absolute_url(), *snapshots):
        html = client.get(page).content.decode()
        assert f'<meta property="og:image" content="http://testserver{page}card.png">' in html
        assert '<meta name="twitter:card" content="summary_large_image">' in html
        response = client.get(f"{page}card.png")
        assert size_of(response) == (1200, 630)
        assert response["Cache-Control"] == "public, max-age=3600"


def test_the_site_without_a_leaderboard_has_a_card(client):
    assert size_of(client.get("/card.png")) == (1200, 630)


def test_the_fonts_ship():
    def drawn(text: str, family: str) -> bytes:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20" font-family="{family}">'
        return png(f"{svg}{text}</text></svg>")

    assert len({drawn("", "serif"), drawn("AP", "serif"), drawn("AP", "sans-serif")}) == 3
    unnamed = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">AP</text></svg>'
    assert png(unnamed) == drawn("AP", "sans-serif") == drawn("AP", "TeX Gyre Heros")


def test_a_drawing_is_of_all_results_and_takes_no_top(client):
    board = analysed_board()
    response = client.get(f"{board.get_absolute_url()}figure.svg?top=3")
    assert response.status_code == 400
    assert "There is no parameter “top”" in response.content.decode()
