"""A table, pasted or uploaded: shown as it was understood, then a draft with each row checked."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from registry.submissions.models import Submission
from registry.submissions.pipeline.exchange import FORMATS
from registry.submissions.pipeline.recognizing import recognize
from registry.submissions.services.checks import check_submission
from tests.registry.accounts.people import make_person, sign_in
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import Page, read
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, outcomes, row

pytestmark = pytest.mark.django_db

LATEX = r"""\begin{tabular}{lcc}
\toprule
 & \multicolumn{2}{c}{Robust04} \\
Method & MAP & P@20 \\
\midrule
BM25 & 0.2531 & 0.3631 \\
\textbf{Ours}$^{\dagger}$ & \textbf{.312*} & -- \\
\end{tabular}"""
MARKDOWN = """| Dataset | Metric | Model | Score |
| --- | --- | --- | --- |
| Robust04 | MAP | BM25 | 0.2531 |
| Robust04 | P@20 | BM25 | 0.3631 |
| Robust04 | MAP | **Ours** | **.312*** |"""
CSV = "model,dataset,metric,score\nBM25,Robust04,MAP,0.2531\nBM25,Robust04,P@20,0.3631\nOurs,Robust04,MAP,.312\n"
TSV = CSV.replace(",", "\t")
JSON = json.dumps(
    {
        "results": [
            {"collection": "robust04", "measure": "MAP", "system": "BM25", "value": "0.2531"},
            {"collection": "robust04", "measure": "P@20", "system": "BM25", "value": "0.3631"},
            {"collection": "robust04", "measure": "MAP", "system": "Ours", "value": ".312"},
        ]
    }
)
RUN_CARD = """run:
  name: Ours
  results:
    MAP: 0.3120
    P@20: 0.3631
benchmark:
  name: Robust04
"""
IR_METADATA = """schema-version: 0.1
tag: Ours
research goal:
  evaluation:
    results:
    - measure: MAP
      value: 0.3120
data:
  test collection:
    name: Robust04
"""
FOR_ALL = {"role": "baseline", "paper": "arXiv:1904.09171"}


@pytest.fixture(autouse=True)
def catalog() -> None:
    board = make_robust04()
    make_leaderboard(board.collection, make_measure("P@20"))
    make_leaderboard(make_collection("beir-nq", aliases=["NQ"]), make_measure("nDCG@10"))


@pytest.fixture
def ada():
    return signed_in(make_user("ada"))


def send(client: Any, text: str = "", step: str = "check", **given: Any) -> Any:
    return client.post("/submit/table/", {"text": text, **FOR_ALL, **given, "step": step})


def scores(submission: Submission) -> list[tuple[str, str, str]]:
    rows = submission.rows.order_by("line").values_list("cells", flat=True)
    return [(cells["system"], cells["measure"], cells["value"]) for cells in rows]


THREE = [("BM25", "AP", "0.2531"), ("BM25", "P@20", "0.3631"), ("Ours", "AP", ".312")]


@pytest.mark.parametrize("text", [LATEX, MARKDOWN, CSV, TSV, JSON], ids=["LaTeX", "Markdown", "CSV", "TSV", "JSON"])
def test_each_form_ends_in_the_same_rows(ada, text):
    response = send(ada, text)
    submission = Submission.objects.get()
    assert response.url == submission.get_absolute_url()
    found = [(system, measure.replace("MAP", "AP"), value) for system, measure, value in scores(submission)]
    assert found == THREE
    assert outcomes(submission) == ["new", "new", "new"]
    assert {cells["paper_url"] for cells in submission.rows.values_list("cells", flat=True)} == {
        "https://arxiv.org/abs/1904.09171"
    }
    assert (submission.way, submission.state) == ("table", "draft")


@pytest.mark.parametrize(("text", "n"), [(RUN_CARD, 2), (IR_METADATA, 1)], ids=["run card", "ir_metadata"])
def test_formats_that_programs_exchange_are_known_by_their_looks(ada, text, n):
    send(ada, text, collection="robust04")
    assert outcomes(Submission.objects.get()) == ["new"] * n


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_in_a_format_of_exchange_is_recognized(ada, name):
    cells = [row(measure=measure, value=value) for measure, value in (("AP", "0.3012"), ("P@20", "0.3631"))]
    text = FORMATS[name].write(cells)
    assert recognize(text) == name
    send(ada, text, **{key: cells[0][key] for key in ("collection", "role", "paper")})
    submission = Submission.objects.get()
    assert outcomes(submission) == ["new", "new"]
    assert scores(submission) == [("Model X", "AP", "0.3012"), ("Model X", "P@20", "0.3631")]


def test_it_shows_how_the_columns_were_understood(ada):
    text = send(ada, LATEX + "\n% the end", step="read").content.decode()
    assert "As LaTeX" in text
    assert "3 results" in text
    assert "scores on <bdi>Robust04</bdi> under <bdi>AP</bdi>" in text
    assert "Check it against the record" in text
    assert not Submission.objects.exists()


def test_what_is_put_aside_is_shown(ada):
    text = send(ada, "#\tsystem\tMAP\tlatency\n1\tBM25\t0.25\t12 ms\n", step="read").content.decode()
    assert "its column is not understood" in text
    assert "12 ms" in text
    assert "not understood</strong>" in text


def test_a_file_does_as_well_and_need_not_be_chosen_twice(ada):
    file = SimpleUploadedFile("results.csv", CSV.encode())
    page = ada.post("/submit/table/", {**FOR_ALL, "file": file, "step": "read"}).content.decode()
    assert "Ours,Robust04,MAP,.312" in page
    assert "3 results" in page


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04" + bytes(100), "spreadsheet"),
        ("modèle,score".encode("latin-1"), "is not UTF-8"),
        (bytes(200), "binary"),
        (b"x" * 2_000_001, "more than 2 MB"),
        (b"", "The submitted file is empty"),
    ],
)
def test_what_is_no_text_is_refused(ada, content, said):
    file = SimpleUploadedFile("results.csv", content)
    text = ada.post("/submit/table/", {**FOR_ALL, "file": file, "step": "read"}).content.decode()
    assert said in text
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste a table, or choose a file."),
        ("no table at all", "no column holds scores"),
        ("a line\rends so", "no column holds scores"),
        ("@article{x, title={y}}", "BibTeX"),
        ("<table><tr><td>1</td></tr></table>", "HTML"),
        ('{"results": ', "is not JSON"),
        ('{"results": []}', "there are no results in it"),
        ("{" * 5000, "nested more than"),
        ('system,score\n"open,0.3\n', "quote"),
        (r"\begin{tabular}{lc} a & MAP \\ \textbf{b & 0.3 \\ \end{tabular}", "brace"),
        ("run:\n  results: &a [*a]\n", "anchors"),
    ],
)
def test_what_cannot_be_read_says_why_and_stays(ada, text, said):
    response = send(ada, text)
    assert response.status_code == 200
    assert said.lower() in response.content.decode().lower()
    assert not Submission.objects.exists()


def test_a_wrong_default_comes_back_with_names_to_click_on(ada):
    response = send(ada, "system,score\nBM25,0.25\n", collection="Robst04", measure="MAP")
    assert b'name="use" value="collection:trec-2004-robust"' in response.content
    chosen = send(ada, "system,score\nBM25,0.25\n", measure="MAP", use="collection:trec-2004-robust", step="")
    assert b"As CSV" in chosen.content


def test_what_no_row_says_is_asked_before_every_row_is_refused(ada):
    table = "system,MAP\nBM25,0.25\nOurs,0.31\n"
    page = send(ada, table, collection="robust04", role="", paper="").content.decode()
    assert "No row says what the results are in the paper, proposed or baseline, nor the paper." in page
    assert not Submission.objects.exists()
    answer = send(ada, table, collection="robust04")
    assert answer.status_code == 302
    assert Submission.objects.get().rows.count() == 2


def test_rows_say_for_themselves_what_differs_from_the_rest(ada):
    send(ada, "system,MAP,role\nBM25,0.25,\nOurs,0.31,proposed\n", collection="robust04")
    assert [cells["role"] for cells in Submission.objects.get().rows.values_list("cells", flat=True)] == [
        "baseline",
        "proposed",
    ]


def test_three_bad_rows_of_five_thousand_keep_none_of_the_others_out(ada):
    lines = [f"Model {number},0.{1000 + number}" for number in range(5000)]
    for place, bad in ((10, "Model 10,n/a"), (2000, "Mod\u200bel,0.3"), (4999, "Model 5,0.3,extra")):
        lines[place] = bad
    response = send(ada, "system,score\n" + "\n".join(lines), collection="robust04", measure="MAP")
    submission = Submission.objects.get()
    assert response.url == submission.get_absolute_url()
    check_submission(str(submission.pk))
    found = outcomes(submission)
    assert (found.count("new"), found.count("refused")) == (4997, 3)
    page: Page = read(ada, f"{submission.get_absolute_url()}?outcome=refused")
    assert len(page.rows) == 4
    assert "Submit without the 3 refused" in page.text


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\u202eevil", "a\u200bb", "x" * 10_000, "=cmd()", "٣", '"quoted, ""name"""']
)
def test_hostile_names_are_shown_as_text(ada, name):
    quoted = '"' + name.replace('"', '""') + '"'
    page = send(ada, f"system,MAP\n{quoted},0.25\n", collection="robust04", step="read").content.decode()
    assert "<script>alert" not in page
    send(ada, f"system,MAP\n{quoted},0.25\n", collection="robust04")
    submission = Submission.objects.get()
    assert "<script>alert" not in read(ada, submission.get_absolute_url()).source


def test_a_double_click_is_one_submission(ada):
    first, second = send(ada, CSV), send(ada, CSV)
    assert first.url == second.url
    assert Submission.objects.count() == 1


def test_a_visitor_signs_in_at_the_end_and_finds_the_table(client):
    make_person("ada")
    assert send(client, CSV).url == "/accounts/login/?next=%2Fsubmit%2Ftable%2F"
    sign_in(client)
    page = read(client, "/submit/table/")
    assert "nothing you pasted is lost" in page.text
    assert "3 results" in page.text
    assert "Ours,Robust04,MAP,.312" in page.source


def test_what_is_too_long_to_be_kept_stays_on_the_page(client):
    long = "system,MAP,notes\n" + "".join(f"Model {number},0.25,{'x' * 200}\n" for number in range(1000))
    response = send(client, long, collection="robust04")
    assert response.status_code == 200
    assert b"Sign in first" in response.content
    assert b"Model 999" in response.content


def test_strangers_cannot_have_anything_kept_for_ever(client):
    answers = [send(client, CSV).status_code for _ in range(41)]
    assert answers == [302] * 40 + [429]


def test_an_embargo_that_is_over_is_said(ada):
    assert b"an embargo ends in the future" in send(ada, CSV, embargo_until="2001-01-01").content.lower()
    assert not Submission.objects.exists()
