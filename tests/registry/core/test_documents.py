"""The documents of the repository as pages: /methods/, /docs/."""

import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from registry.core.pages import addresses, live_examples
from tests.registry.curation.suites.world import make_suite
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read

#: Methods lead to leaderboards.
pytestmark = pytest.mark.django_db

# No page here may ask the database.
PAGES = sorted(addresses().values())


#: Lists, which are about no one method.
LISTS = {"/methods/", "/methods/papers/"}


@pytest.mark.parametrize("path", PAGES)
def test_every_document_is_a_page_whose_links_and_picture_are_there(client, path):
    page = read(client, path)
    levels = [level for level, _ in page.headings]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    tabs = [words for address, words in page.links if address == path]
    assert page.title.startswith((page.headings[0][1], *tabs))
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    for address, _ in page.links:
        file, _, fragment = address.partition("#")
        if not file:
            assert fragment in ids, f"{path} has no part {fragment}"
        elif not re.match(r"https?:", file):
            assert file.startswith("/"), f"{address} on {path} is no address of the site"
    images = page.of("img")
    assert not [image["src"] for image in images if not image["src"].startswith(settings.STATIC_URL)]
    if path.startswith("/methods/") and path not in LISTS:
        (image,) = [image for image in images if image["alt"]]
        name = path.strip("/").split("/")[-1]
        assert image["src"] == static(f"docs/methods/{name}.svg")
        assert finders.find(f"docs/methods/{name}.svg"), "no static file behind it"
        assert int(image["width"]) > int(image["height"]) > 0
    # The policy of the site forbids both.
    assert not [attributes for _, attributes in page.elements if "style" in attributes or "onclick" in attributes]


def test_a_declared_training_is_no_example_of_a_screen():
    board = make_board([f"0.{200 + number}" for number in range(30)])
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.229").system, board.collection)
    mark_changed(board)
    assert analyse(board).headline["left_out"] == ""
    assert live_examples("outlier-screens") == []
