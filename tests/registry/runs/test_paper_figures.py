"""Figures of five papers, drawn of what somebody sent: by the same ways as of collections on record."""

import json

import numpy as np
import pytest
from django.test import Client

from analysis.papers.jayasinghe import SAMPLES
from analysis.papers.paper import Given
from registry.core.judged_files import list_runs, read_run
from registry.core.shipping import SHIPPED
from registry.runs.models import Study
from registry.runs.services.judging import put_judgements
from registry.tools.reproductions.sent import draw_by
from registry.tools.reproductions.shipped import ShippedFolder
from tests.analysis.matrices import shipped_matrix
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import page_of, read
from tests.registry.runs.test_own_collections import table
from tests.registry.runs.test_studies import send as send_run
from tests.registry.runs.test_studies import study
from tests.registry.runs.world import signed_in, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]
N_SYSTEMS = 12


def draw(client: Client, studied: str) -> str:
    """The address of the figures that are drawn of what is behind a study."""
    answer = client.post(f"{studied}figures/")
    assert answer.status_code == 302, page_of(answer).text
    work()
    return answer.url


@pytest.fixture
def twelve() -> tuple[Client, str]:
    """Twelve runs of TREC-7 as a table that somebody sent, studied."""
    matrix = shipped_matrix("trec-7-adhoc__AP")
    rows = {name: matrix.scores[place].tolist() for place, name in enumerate(matrix.systems[:N_SYSTEMS])}
    make_leaderboard(make_collection("trec-7-adhoc", n_topics=50), make_measure("AP"))
    owner = signed_in(make_user())
    address = send_run(owner, table(rows, list(matrix.topics)), kind="matrix", collection="trec-7-adhoc", measure="AP",
                       name="our twelve")  # fmt: skip
    return owner, study(owner, address, measure="AP", alone="yes")


def test_its_owner_has_a_table_drawn_once_as_far_as_its_scores_by_topic_suffice_and_the_rest_says_why_not(twelve):
    owner, studied = twelve
    assert "Draw the figures" in read(owner, studied).text
    assert "Draw the figures" not in read(Client(), studied).text
    for other in (Client(), signed_in(make_user())):
        assert other.post(f"{studied}figures/").status_code == 403
    address = draw(owner, studied)
    assert draw(owner, studied) == address
    assert Study.objects.filter(kind=Study.Kind.FIGURES).count() == 1
    page = read(Client(), address)
    means = shipped_matrix("trec-7-adhoc__AP").scores[:N_SYSTEMS].round(4).mean(axis=1)
    table_2 = read(Client(), page.link("Table 2: mean average precision by collection"))
    (row,) = (row for row in table_2.rows if row[0].startswith("our twelve on"))
    assert row[1:] == ["12", f"{means.mean():.4f}", f"{means.std(ddof=1):.4f}", f"{means.max():.4f}"]
    assert "12 systems on 50 topics" in table_2.text
    assert "you sent" not in table_2.text
    assert "noindex" in table_2.source
    for figure in ("Figure 8: error rates", "Score standardization: the problem", "Section 5: how far a mean moves"):
        (link,) = (one for one, text in page.links if text.startswith(figure))
        assert "Now with our twelve on" in read(Client(), link).text
    for why in (
        "it is about the paper’s own data, about the record, or about none",
        "it needs runs whose documents were kept",
        "it needs a table whose",
    ):
        assert why in page.text
    content = Client().get(f"{address.rstrip('/')}.json").json()["content"]
    spread = content["panels"]["zobel-principles/standardization"]["series"][0]["y"]
    by_topic = np.sort(shipped_matrix("trec-7-adhoc__AP").scores[:N_SYSTEMS].mean(axis=0))
    assert spread == pytest.approx(by_topic.tolist(), abs=1e-4)
    assert Client().get(f"{address}figures/carterette-2015/section-5/").status_code == 404
    worth = read(Client(), page.link("Abstract: “as much as 20 % higher”"))
    assert len([row for row in worth.rows if row[0] == "James-Stein, from means"]) == 2, "the paper's, and ours"
    bars = content["panels"]["carterette-2015/section-3-1"]["series"][0]
    counts = [int(((means >= low - 1e-9) & (means < low + 0.02 - 1e-9)).sum()) for low in bars["x"][:-1]]
    assert bars["y"] == counts
    assert Client().get(f"{address}figures/none/figure-1/").status_code == 404
    assert Client().get(f"{studied}figures/carterette-2015/figure-1/").status_code == 404


@pytest.mark.slow
def test_a_run_draws_intervals_of_its_ap_and_made_up_executions():
    run = next(one for one in list_runs(SHIPPED) if one.collection == "trec-dl-2019-passage")
    collection = make_collection(run.collection, n_topics=43)
    make_leaderboard(collection, make_measure("AP(rel=2)"))
    judgements = ShippedFolder(SHIPPED).judgements(run.collection)
    lines = "".join(f"{topic} 0 {name} {grade}\n" for topic, of_topic in judgements.grades.items()
                    for name, grade in of_topic.items())  # fmt: skip
    put_judgements(collection=collection, content=lines.encode(), source="NIST")
    owner = signed_in(make_user())
    address = send_run(owner, read_run(SHIPPED, run), collection=run.collection, name="mine")
    found = draw(owner, study(owner, address, measure="AP(rel=2)", alone="yes"))
    panels = json.loads(Study.objects.get(kind=Study.Kind.FIGURES).content)["panels"]
    (shipped,) = [one for one in ShippedFolder(SHIPPED).rankings(run.collection) if one.system == run.system]
    same, _ = draw_by(SAMPLES, Given(name=run.collection, measure="AP", matrices={}, runs=[shipped]))
    rows = [row[:4] for row in panels["jayasinghe-2014/table-1"]["rows"]]
    assert rows == [[*row[:4]] for row in same["table-1"].rows]
    (mean,) = panels["cormack-lynam-2006/figure-4"]["rows"]
    assert f"{mean[2]:.4f}" in read(owner, address).text
    page = read(owner, found)
    assert "it needs scores of 5 systems or more on the same 20 topics or more" in page.text
    assert "Table 1: AP of the other half against three intervals" in page.text
