"""Every figure of a paper has a page of its own with what it draws."""

import html
import re

import pytest

from registry.tools.reproductions.documents import reproductions

FIGURES = [(slug, figure.slug) for slug, paper in reproductions().items() for figure in paper.figures]


@pytest.mark.parametrize(("slug", "name"), FIGURES)
def test_the_page_shows_what_the_figure_draws(client, slug, name):
    (figure,) = (figure for figure in reproductions()[slug].figures if figure.slug == name)
    answer = client.get(f"/methods/papers/{slug}/{name}/")
    assert answer.status_code == 200
    page = html.unescape(answer.content.decode())
    assert figure.title in page
    assert not re.search(r"\bNone\b|\bnan\b", page)
    assert ('<svg class="chart ' in page) == bool(figure.panel and figure.panel.series)


def test_there_are_figures():
    assert len(FIGURES) > 20
