"""GET /papers/<id>/"""

import pytest

from tests.registry.factory import make_paper, make_result
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_names_are_text_and_nothing_else(client):
    paper = make_paper(
        "<i>Doe</i>", title="<script>alert(1)</script>", authors="<b>x", bibtex="</code><script>alert(2)"
    )
    page = read(client, paper.get_absolute_url())
    assert "<script>alert" not in page.source
    assert "</code><script>" in page.text


def test_its_queries_do_not_grow(client, django_assert_max_num_queries):
    paper = make_paper()
    path = paper.get_absolute_url()
    make_result(paper=paper)
    with django_assert_max_num_queries(8) as few:
        read(client, path)
    for _ in range(8):
        make_result(paper=paper)
    with django_assert_max_num_queries(len(few)):
        read(client, path)
