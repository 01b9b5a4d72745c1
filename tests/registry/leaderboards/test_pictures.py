"""GET …/figure.svg, …/figure.png and …/card.png of leaderboards and suites, and /card.png."""

import re
import struct
from xml.etree import ElementTree

from registry.leaderboards.exports.pictures import drawing_style
from tests.registry.leaderboards.boards import analyse_again, analysed, make_board, make_run
from tests.registry.leaderboards.suites import analyse_all, make_members, suite_board
from tests.registry.pages import read

SVG = "{http://www.w3.org/2000/svg}"


def size_of(response) -> tuple[int, int]:
    """Return width and height of a PNG."""
    assert response.status_code == 200
    assert response["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", response.content[16:24])
    return width, height


def analysed_board():
    board = analysed(make_board())
    return board


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


def test_what_drawings_show_is_described_in_a_file_beside_the_page(client):
    """Names on dots and Explore are read from it, if its digest is the page's."""
    board, suite = analysed_board(), analyse_all(make_members())
    pages = [shown.get_absolute_url() for shown in (board, board.analysis.snapshot, suite_board(), suite.snapshot)]
    for page in [*pages, f"{pages[0]}?n_multiplier=2", "/"]:
        text = client.get(page).content.decode()
        buttons = re.findall(r'data-explore="([^"]+)"[^>]* data-source="([^"]+)" data-digest="([^"]+)"', text)
        assert buttons
        for name, source, digest in buttons:
            drawing = client.get(source).json()[name]
            assert drawing["digest"] == digest
            assert any("text" in trace for trace in drawing["figure"]["data"])


def test_a_snapshot_is_drawn_as_it_was_found(client):
    def drawn(page: str) -> list[dict[str, str]]:
        root = ElementTree.fromstring(client.get(f"{page}figure.svg").content)
        return [element.attrib for element in root.iter() if element.tag in {f"{SVG}path", f"{SVG}rect"}]

    board, suite = analysed_board(), analyse_all(make_members())
    snapshot = board.analysis.snapshot.get_absolute_url()
    shown = drawn(board.get_absolute_url())
    assert len(shown) > 3
    assert drawn(snapshot) == shown
    assert drawn(suite.snapshot.get_absolute_url()) == drawn(suite_board().get_absolute_url())
    make_run(board, "0.9")
    analyse_again(board)
    assert drawn(board.get_absolute_url()) != shown
    assert drawn(snapshot) == shown
    assert f'href="{snapshot}figure.png"' in client.get(snapshot).content.decode()
    assert size_of(client.get(f"{snapshot}figure.png"))[0] > 2000
    assert client.get(f"{snapshot}figure.svg?top=3").status_code == 400
