"""How many kinds of pages a reader has to learn, and that each can be set out."""

from django.template.loader import get_template

from tests.kinds_of_pages import TEMPLATES, kinds_of_pages

MOST = 32


def test_there_are_few_kinds_of_pages():
    kinds = kinds_of_pages()
    assert 20 <= len(kinds) <= MOST, list(kinds)
    # Of a chain of templates the one that stands on base.html is the kind.
    assert "leaderboards/snapshot_detail.html" in kinds["leaderboards/board.html"]
    assert "search/system_list.html" in kinds["search/_list.html"]


def test_every_template_compiles():
    for file in sorted(TEMPLATES.rglob("*.html")):
        assert get_template(file.relative_to(TEMPLATES).as_posix())  # The error names the template.
