"""Pages of results, systems and papers: names are text, others' affairs stay away, and queries do not grow."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.services.endings import supersede_result
from tests.registry.factory import make_entry, make_paper, make_result, make_system, make_user
from tests.registry.pages import read


@pytest.mark.parametrize("of", ["result", "system", "paper"])
@pytest.mark.parametrize("name", ['<script>alert(1)</script></code>" onmouseover="x', "עברית"])
def test_names_are_text_and_nothing_else(client, name, of):
    paper = make_paper(name, title=name, authors=name, bibtex=name)
    system = make_system(name, team=name)
    result = make_result(system=system, paper=paper, notes=name, source=name, locator=name)
    page = read(client, {"result": result, "system": system, "paper": paper}[of].get_absolute_url())
    assert name in page.headings[0][1]
    assert "<script>alert" not in page.source
    assert not [attributes for _, attributes in page.elements if "onmouseover" in attributes]


#: Of a system, one query reads the analyses of all leaderboards, and seven find how it stands across collections, once.
@pytest.mark.parametrize(("of", "make", "most"), [("system", make_system, 18), ("paper", make_paper, 10)])
def test_queries_do_not_grow_with_results(client, django_assert_max_num_queries, of, make, most):
    thing = make()
    for n in (1, 8):
        for _ in range(n):
            make_result(**({"paper": make_paper()} | {of: thing}))
        with django_assert_max_num_queries(most) as few:
            read(client, thing.get_absolute_url())
        most = len(few)


def test_more_versions_take_no_more_queries(client):
    result = make_result(printed="0.2")

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            read(client, result.get_absolute_url())
        return len(captured)

    def supersede(printed: str) -> None:
        latest = result.leaderboard.results.standing().get()
        supersede_result(result=latest, changes={"printed": printed}, actor=make_user(), reason="again")

    supersede("0.3")
    few = count()
    for number in range(4, 7):
        supersede(f"0.{number}")
    assert count() == few <= 8


def test_what_others_did_is_not_in_its_log(client):
    make_entry("results.result.withdrawn", subject_type="result", subject_id=10**9, reason="of another result")
    assert "of another result" not in read(client, make_result().get_absolute_url()).source
