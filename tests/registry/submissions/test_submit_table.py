"""A table, pasted or uploaded: shown as it was understood, then a draft with each row checked."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from analysis.readers.exchange.formats import FORMATS
from analysis.readers.recognizing import recognize
from registry.submissions.models import Submission
from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.submissions.world import make_robust04, outcomes, row
from tests.thoroughness import every

LATEX = r"""\begin{tabular}{lcc}
\toprule
 & \multicolumn{2}{c}{Robust04} \\
Method & MAP & P@20 \\
\midrule
BM25 & 0.2531 & 0.3631 \\
\textbf{MyModel}$^{\dagger}$ & \textbf{.312*} & -- \\
\end{tabular}"""
MARKDOWN = """| Dataset | Metric | Model | Score |
| --- | --- | --- | --- |
| Robust04 | MAP | BM25 | 0.2531 |
| Robust04 | P@20 | BM25 | 0.3631 |
| Robust04 | MAP | **MyModel** | **.312*** |"""
CSV = "model,dataset,metric,score\nBM25,Robust04,MAP,0.2531\nBM25,Robust04,P@20,0.3631\nMyModel,Robust04,MAP,.312\n"
TSV = CSV.replace(",", "\t")
JSON = json.dumps(
    {
        "results": [
            {"collection": "robust04", "measure": "MAP", "system": "BM25", "value": "0.2531"},
            {"collection": "robust04", "measure": "P@20", "system": "BM25", "value": "0.3631"},
            {"collection": "robust04", "measure": "MAP", "system": "MyModel", "value": ".312"},
        ]
    }
)
#: Two collections over three scores: nothing tells which of them the second score is on.
SPANS = "\trobust04\tNQ\nMAP\tP@20\tMAP\nBM25\t0.25\t0.36\t0.31\n"
FOR_ALL = {"role": "baseline", "paper": "arXiv:1904.09171"}


@pytest.fixture(autouse=True)
def catalog() -> None:
    board = make_robust04()
    make_leaderboard(board.collection, make_measure("P@20"))
    make_leaderboard(make_collection("beir-nq", aliases=["NQ"]), make_measure("nDCG@10"))


def send(client: Any, text: str = "", step: str = "check", **fields: Any) -> Any:
    response = client.post("/submit/", {"text": text, **FOR_ALL, **fields, "step": step})
    return response


def scores(submission: Submission) -> list[tuple[str, str, str]]:
    rows = submission.rows.order_by("line").values_list("cells", flat=True)
    return [(cells["system"], cells["measure"], cells["value"]) for cells in rows]


THREE = [("BM25", "AP", "0.2531"), ("BM25", "P@20", "0.3631"), ("MyModel", "AP", ".312")]


@pytest.mark.parametrize("text", [LATEX, MARKDOWN, CSV, TSV, JSON], ids=["LaTeX", "Markdown", "CSV", "TSV", "JSON"])
def test_each_form_ends_in_the_same_rows(ada, text):
    response = send(ada, text)
    submission = Submission.objects.get()
    assert response.url == f"{submission.get_absolute_url()}systems/"
    triples = [(system, measure.replace("MAP", "AP"), value) for system, measure, value in scores(submission)]
    assert triples == THREE
    assert outcomes(submission) == ["new", "new", "new"]
    assert {cells["paper_url"] for cells in submission.rows.values_list("cells", flat=True)} == {
        "https://arxiv.org/abs/1904.09171"
    }
    assert (submission.way, submission.state) == ("table", "draft")


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_in_a_format_of_exchange_is_recognized(ada, name):
    cells = [row(measure=measure, value=value) for measure, value in (("AP", "0.3012"), ("P@20", "0.3631"))]
    text = FORMATS[name].write(cells)
    assert recognize(text) == name
    send(ada, text, **{key: cells[0][key] for key in ("collection", "role", "paper")})
    submission = Submission.objects.get()
    assert outcomes(submission) == ["new", "new"]
    assert scores(submission) == [("Model X", "AP", "0.3012"), ("Model X", "P@20", "0.3631")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("modèle,score".encode("latin-1"), "is not UTF-8"),
        (b"x" * 2_000_001, "larger than 2 MB"),
        (b"", "The submitted file is empty"),
    ],
)
def test_what_is_no_text_is_refused(ada, content, message):
    file = SimpleUploadedFile("results.csv", content)
    text = ada.post("/submit/", {**FOR_ALL, "file": file, "step": "read"}).content.decode()
    assert message in text
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no table at all", "no column holds scores"),
        ("@article{x, title={y}}", "BibTeX"),
        ('{"results": ', "is not JSON"),
        (r"\begin{tabular}{lc} a & MAP \\ \textbf{b & 0.3 \\ \end{tabular}", "brace"),
        ("run:\n  results: &a [*a]\n", "anchors"),
    ],
)
def test_what_cannot_be_read_says_why_and_stays(ada, text, message):
    response = send(ada, text)
    assert response.status_code == 200
    assert message.lower() in response.content.decode().lower()
    assert not Submission.objects.exists()


def test_what_no_row_says_is_asked_before_every_row_is_refused(ada):
    table = "system,MAP\nBM25,0.25\nMyModel,0.31\n"
    page = send(ada, table, collection="robust04", role="", paper="").content.decode()
    assert "No row says the source." in page
    assert not Submission.objects.exists()
    answer = send(ada, table, collection="robust04")
    assert answer.status_code == 302
    assert Submission.objects.get().rows.count() == 2


def test_the_answer_to_a_question_holds_for_the_whole_table(ada):
    asked = send(ada, SPANS).content.decode()
    assert "robust04: MAP, P@20; NQ: MAP" in asked
    answered = {re.findall(r'name="(answer:spans-\w+)"', asked)[0]: "2-1"}
    page = send(ada, SPANS, "read", **answered).content.decode()
    assert "3 results" in page
    assert 'value="2-1" form="table" checked' in page
    assert send(ada, SPANS, **answered).status_code == 302
    cells = Submission.objects.get().rows.values_list("cells", flat=True)
    assert [(row["collection"], row["measure"]) for row in cells] == [
        ("robust04", "AP"),
        ("robust04", "P@20"),
        ("NQ", "AP"),
    ]


def test_an_ambiguous_name_is_asked_about_once_for_all_of_its_rows(ada):
    for slug in ("quora-1", "quora-2"):
        make_collection(slug, name="Quora")
    lines = "".join(f"run {number}\t0.2{number}\t0.3{number}\n" for number in range(9))
    table = f"system\tQuora MAP\tQuora P@20\n{lines}"
    page = send(ada, table).content.decode()
    (name, *rest) = re.findall(r'name="(answer:which-collection-\w+)" value="quora-\d"', page)
    assert rest == [name]
    assert f'name="{name}"' in send(ada, table, **{name: "trec-2004-robust"}).content.decode(), "no choice is no answer"
    assert "Check it against the record" not in page
    assert not Submission.objects.exists()
    assert send(ada, table, **{name: "quora-2"}).status_code == 302
    submission = Submission.objects.get()
    assert outcomes(submission) == ["new"] * 18
    assert {cells["collection"] for cells in submission.rows.values_list("cells", flat=True)} == {"quora-2"}


@pytest.mark.parametrize(
    "name",
    every(
        2,
        ["<script>alert(1)</script>", "\u202eevil", "x" * 10_000, "a\u200bb", '"quoted, ""name"""', "=cmd()", "٣"],
        __file__,
    ),
)
def test_hostile_names_are_shown_as_text(ada, name):
    quoted = '"' + name.replace('"', '""') + '"'
    page = send(ada, f"system,MAP\n{quoted},0.25\n", collection="robust04", step="read").content.decode()
    assert "<script>alert" not in page


def test_a_table_with_too_many_results_is_given_back_with_how_many_are_taken(client):
    text = "system,MAP\n" + "".join(f"Model {number},0.25\n" for number in range(2_001))
    response = send(client, text, collection="robust04")
    assert response.status_code == 413
    assert "2\u202f001 results; at most 2\u202f000 fit" in response.content.decode()
    assert "Model 2000,0.25" in response.content.decode()
