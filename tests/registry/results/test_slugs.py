"""Addresses of systems and papers: by slug, and by the numbers that addresses had before."""

import pytest
from django.core.management import call_command

from registry.results.models import Paper, System
from tests.registry.factory import make_leaderboard, make_paper, make_system


@pytest.mark.parametrize(
    "rest", ["/", ".atom", "/merge/", "/rename/", "/lineage/", "/standardized/", "/standardized.json"]
)
def test_the_number_of_a_system_leads_on_for_good(client, rest):
    system = make_system("uogTr", team="Glasgow")
    answer = client.get(f"/systems/{system.pk}{rest}?page=2")
    assert (answer.status_code, answer["Location"]) == (301, f"/systems/uogtr--glasgow{rest}?page=2")


@pytest.mark.parametrize("rest", ["/", ".bib", ".ris", ".json", ".atom", "/merge/"])
def test_the_number_of_a_paper_leads_on_for_good(client, rest):
    paper = make_paper("Doe (2020)", identity="doi:10.1145/1.2")
    answer = client.get(f"/papers/{paper.pk}{rest}")
    assert (answer.status_code, answer["Location"]) == (301, f"/papers/10.1145-1.2{rest}")
    assert client.get(f"/papers/10.1145-1.2{rest}").status_code in (200, 302)


def test_whoever_is_loaded_first_has_no_other_address(tmp_path):
    board, lines = make_leaderboard(), ["a b,.1,T,Doe (2020),https://example.org/x", "a-b,.2,T,,", "a_b,.3,,,"]

    def load(lines: list[str]) -> set[tuple[str, str]]:
        path = tmp_path / "results.csv"
        columns = "collection,measure,role,source,system,value,team,paper,paper_url"
        start = f"{board.collection.slug},{board.measure.name},proposed,s"
        path.write_text("\n".join([columns, *(f"{start},{line}" for line in lines)]), encoding="utf-8")
        call_command("load_results", str(path))
        addresses = {*System.objects.values_list("name", "slug"), *Paper.objects.values_list("cite", "slug")}
        board.results.all().delete()
        System.objects.all().delete()
        Paper.objects.all().delete()
        return addresses

    first = load(lines)
    assert len(first) == 4
    assert ("a-b", "a-b--t") in first
    assert load(lines[::-1]) == first
