"""GET /systems/<id>/"""

import pytest

from tests.registry.factory import (
    make_paper,
    make_result,
    make_system,
)
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '" onmouseover="x', "עברית"])
def test_names_are_text_and_nothing_else(client, name):
    result = make_result(system=make_system(name, team=name, approach=name), notes=name, source=name, locator=name)
    page = read(client, result.system.get_absolute_url())
    assert page.headings[0] == (1, name)
    assert "<script>alert" not in page.source
    assert not [attributes for _, attributes in page.elements if "onmouseover" in attributes]


def test_its_queries_do_not_grow(client, django_assert_max_num_queries):
    system = make_system()
    path = system.get_absolute_url()
    make_result(system=system, paper=make_paper())
    # One of them reads the analyses of all leaderboards on the page; seven find how it stands across collections, once.
    with django_assert_max_num_queries(18) as few:
        read(client, path)
    for _ in range(8):
        make_result(system=system, paper=make_paper())
    with django_assert_max_num_queries(len(few)):
        read(client, path)
