"""The page of sources: how far the results of each lead, and how the page changes with the record."""

import pytest

from registry.curation.lineage.source_pages import join_rates
from registry.results.models import Paper, Source
from registry.results.services.merging import merge_systems
from tests.registry.curation.lineage.world import load_paper_links, make_of
from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

URL = "https://trec.nist.gov/x.pdf"


def test_papers_count_that_print_a_result_or_describe_its_system(tmp_path):
    titled = make_paper("Doe (2012)", title="On Luck", url=URL, identity="url:trec.nist.gov/x.pdf doe (2012)")
    toolkit = make_paper("Toolkit", title="Toolkit", kind=Paper.Kind.SOFTWARE)
    system = make_of("own", "a", paper=titled, year=2012).system
    make_result(system=system, year=2011)
    for name in ("listed", "weak", "of another year"):
        make_of(name, "b", year=2012)
    cited = make_of("cited", "b", year=2012).system
    make_of("software", "b", paper=toolkit)
    load_paper_links(
        tmp_path,
        f"listed,b,2012,Doe (2012),{URL},listed,dblp",
        f"weak,b,2012,Doe (2012),{URL},probable,dblp",
        f"of another year,b,2011,Doe (2012),{URL},listed,dblp",
        f"cited,b,,Doe (2012),{URL},cited,its card",
    )
    merge_systems(source=cited, target=make_system("new", "b"), actor=None, reason="one")
    (rates,) = join_rates().values()
    assert (rates.n_results, rates.n_about_it) == (7, 3)


def test_the_page_changes_with_the_record(client):
    assert "Nothing is recorded about any source yet." in read(client, "/sources/").text
    Source.objects.create(name="ours/x", what="Scores", address="https://example.org/")
    make_result(source="ours/x", locator="scores.csv#L12")
    merge_systems(source=make_system("a"), target=make_system("b"), actor=None, reason="one")
    assert read(client, "/sources/").rows[-1][1:] == ["see its page", "1", "0.0 %", "100.0 %", "0.0 %", "–"]
