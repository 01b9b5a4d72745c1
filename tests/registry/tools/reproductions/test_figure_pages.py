"""Every figure of a paper has a page of its own with what it draws."""

import html
import re

import pytest

from registry.tools.reproductions.figures import reproductions

pytestmark = pytest.mark.django_db

FIGURES = [(slug, figure.slug) for slug, paper in reproductions().items() for figure in paper.figures]


@pytest.mark.parametrize(("slug", "name"), FIGURES)
def test_the_page_shows_what_the_figure_draws(client, slug, name):
    (figure,) = (one for one in reproductions()[slug].figures if one.slug == name)
    answer = client.get(f"/methods/papers/{slug}/{name}/")
    assert answer.status_code == 200
    page = html.unescape(answer.content.decode())
    assert figure.title in page
    assert not re.search(r"\bNone\b|\bnan\b", page)
    assert ('<svg class="drawing panel"' in page) == bool(figure.panel and figure.panel.series)


def test_names_of_rules_end_before_those_of_lines(client):
    page = client.get("/methods/papers/cormack-lynam-2006/section-4/").content.decode()
    ends = {float(at): "end" in rest for at, rest in re.findall(r'<text class="rule-name" x="([\d.]+)%"([^>]*)>', page)}
    assert ends == {at: at > 40 for at in ends}
    assert True in ends.values()


def test_there_are_figures():
    assert len(FIGURES) > 20
