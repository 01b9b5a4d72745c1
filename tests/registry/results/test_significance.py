"""Whether a paper tests its differences for significance, and who wrote it: a table of papers says it."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from registry.core.loading import LoadReport
from registry.results.models import Paper
from registry.results.services.papers_file import load_papers_file
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

SAID = "paired t test, p < 0.05, Table 3"
ORCID, OTHER = "0000-0002-1825-0097", "0000-0002-1694-233X"


def load(folder: Path, *rows: str) -> LoadReport:
    path = folder / "papers.csv"
    path.write_text("\n".join(["paper,paper_url,source,orcids,significance,significance_said", *rows]) + "\n")
    return load_papers_file(path=path)


def test_a_file_says_it_and_it_shows(client: Client, tmp_path: Path):
    paper = make_result(paper=make_paper("Doe (2021)", identity="cite:doe (2021)")).paper
    assert "significance" not in read(client, paper.get_absolute_url()).text
    load(tmp_path, f'Doe (2021),,our reading,https://orcid.org/{ORCID}; {OTHER},Yes,"{SAID}"')
    page = read(client, paper.get_absolute_url())
    assert f"It tests differences for significance: {SAID}." in page.text
    assert page.link(f"ORCID {ORCID}") == f"https://orcid.org/{ORCID}"
    found: dict[str, Any] = client.get(f"/api/v1/papers/{paper.slug}/").json()
    assert (found["reports_significance"], found["significance_said"]) == (True, SAID)
    assert found["author_orcids"] == [ORCID, OTHER]
    load(tmp_path, "Doe (2021),,our reading,,no,")
    assert "It tests no difference for significance." in read(client, paper.get_absolute_url()).text
    assert Paper.objects.get(pk=paper.pk).author_orcids == [ORCID, OTHER], "a blank cell says nothing"


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (",yes,", "which test, and where does the paper say so?"),
        (",maybe,", "'maybe' is none of yes, no"),
        ("0000-0002-1825-0098,,", "is no ORCID iD; it looks like 0000-0002-1825-0097"),
        ("0000-0002-1825,,", "is no ORCID iD"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(tmp_path: Path, cells: str, says: str):
    (rejection,) = load(tmp_path, f"Doe (2021),,our reading,{cells}").rejections
    assert rejection.line == 2
    assert says in rejection.message


def test_the_survey_counts_what_files_say(client: Client):
    board = make_leaderboard(make_collection("robust", name="Robust"))
    for number, tests in enumerate((True, False, True, None, None, None)):
        paper = make_paper(
            f"Doe ({2001 + number % 2})",
            identity=f"cite:{number}",
            year=2001 + number % 2,
            reports_significance=tests,
            significance_said=SAID if tests else "",
        )
        make_result(leaderboard=board, paper=paper)
    page = read(client, "/methods/papers/sanderson-zobel-2005/section-3-survey/?collection=robust")
    assert page.row("all") == ["all", "6", "3", "2"]
    assert page.row("2001") == ["2001", "3", "2", "2"]
    assert page.row("2002") == ["2002", "3", "1", "0"]
    assert "which are not printed" in page.text
