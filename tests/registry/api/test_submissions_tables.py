"""A table as it was copied, submitted by a program: read as the form reads it, whatever it was copied from."""

import json

import pytest

from registry.submissions.models import Submission
from tests.registry.api.programs import LIST, Program, errors
from tests.registry.factory import make_collection, make_measure, make_result, make_system
from tests.registry.submissions.world import make_robust04

QUERY = "&role=baseline&paper=Doe (SIGIR 2021)"
MARKDOWN = (
    "| Model | Robust04 MAP | Robust04 P@20 |\n|---|---|---|\n| BM25 | .2531 | .3631 |\n| **Ours** | **.2903**† | – |\n"
)
LATEX = r"""\newcommand{\ours}{Ours} \begin{tabular}{lcc}
Model & Robust04 MAP & Robust04 P@20 \\ \midrule
BM25 & .2531 & .3631 \\ \ours & \textbf{.2903}$^\dagger$ & -- \\
\end{tabular}"""
HTML = (
    "<table><tr><th>Model<th>Robust04 MAP<th>Robust04 P@20<tr><td>BM25<td>.2531<td>.3631"
    "<tr><td>Ours<td><b>.2903</b>†<td>–</table>"
)
#: The same table in what it may be sent as.
COPIES = [
    ("text/markdown", MARKDOWN),
    ("text/plain", MARKDOWN),
    (
        "text/plain; charset=utf-8",
        "Model   Robust04 MAP   Robust04 P@20\nBM25    .2531          .3631\nOurs    .2903†         –\n",
    ),
    ("text/x-tex", LATEX),
    ("application/x-tex", LATEX),
    ("text/html", HTML),
    ("text/tab-separated-values", "Model\tRobust04 MAP\tRobust04 P@20\nBM25\t.2531\t.3631\nOurs\t.2903†\t–\n"),
    ("text/csv", "Model,Robust04 MAP,Robust04 P@20\nBM25,.2531,.3631\nOurs,.2903†,–\n"),
    ("application/json", json.dumps({"text": LATEX})),
]


@pytest.fixture(autouse=True)
def robust04():
    board = make_robust04()
    make_measure("P@20")
    return board


def hand_in(body, media_type="application/json", query=""):
    return Program().ask("create_submission", f"{LIST}?{query}", body, content_type=media_type)


@pytest.mark.parametrize(("media_type", "text"), COPIES)
def test_a_table_is_read_as_the_form_reads_a_paste(media_type, text):
    answer = hand_in(text, media_type, QUERY[1:])
    assert answer.status_code == 201, answer.content
    read = [
        (row["cells"]["system"], row["cells"]["measure"], row["cells"]["value"], row["cells"].get("notes", ""))
        for row in answer.json()["results"]
    ]
    assert read == [
        ("BM25", "AP", ".2531", ""), ("BM25", "P@20", ".3631", ""), ("Ours", "AP", ".2903", 'printed as ".2903†"'),
    ]  # fmt: skip
    assert {row["cells"]["role"] for row in answer.json()["results"]} == {"baseline"}


@pytest.mark.parametrize(
    ("media_type", "text"),
    [
        ("application/json", '{"MAP": 0.2531, "P@20": 0.3631}'),
        ("text/plain", "map\tall\t0.2531\nP_20\tall\t0.3631\n"),
        ("application/yaml", "- dataset:\n    id: robust04\n  value: 0.2531\n  source:\n    name: Run\n"),
    ],
)
def test_what_a_tool_has_written_needs_no_format(media_type, text):
    for_all = f"dry_run=true&system=Model X&collection=robust04{QUERY}"
    answer = hand_in(text, media_type, for_all + ("&measure=AP" if "yaml" in media_type else ""))
    assert answer.status_code == 200, answer.content
    assert {row["outcome"] for row in answer.json()["results"]} == {"new"}
    without = hand_in(text, media_type, "dry_run=true&collection=robust04&measure=AP")
    assert ("system", "missing") in errors(without, 400)


def test_whose_rows_are_is_proposed_in_a_dry_run_asked_of_a_draft_and_can_be_said(robust04):
    make_result(robust04, make_system("BM25"), "0.2531")
    text = {"text": MARKDOWN, "paper": "Doe (SIGIR 2021)"}
    shown = hand_in(text | {"answers": {}}, query="dry_run=true").json()["results"]
    assert [row["cells"]["role"] for row in shown] == ["baseline", "baseline", "proposed"]
    draft = hand_in(text).json()
    assert draft["counts"]["refused"] == 3
    assert {rejection["field"] for row in draft["results"] for rejection in row["rejections"]} >= {"role"}
    handed_in = hand_in(text | {"own": ["BM25"], "note": "By its authors."}).json()
    assert [row["cells"]["role"] for row in handed_in["results"]] == ["proposed", "proposed", "baseline"]
    assert Submission.objects.get(pk=handed_in["id"]).note == "By its authors."
    assert errors(hand_in(text | {"own": ["BM52"]}), 400) == [("own", "unknown_system")]


def test_what_a_table_leaves_open_is_asked_and_answered_under_its_key():
    for kind in ("passage", "doc"):
        make_collection(f"trec-dl-2019-{kind}", aliases=[f"DL19 {kind}"])
    text = MARKDOWN.replace("Robust04 MAP", "Robust04 MAP (%)") + "\n\n" + MARKDOWN
    asked = hand_in({"text": text}, query=QUERY[1:])
    assert not Submission.objects.exists()
    (question,) = asked.json()["errors"]
    assert question["message"] == "The text holds 2 tables. Which one?"
    answers = {question["field"].removeprefix("answers."): "2"}
    answer = hand_in({"text": text, "answers": answers}, query=QUERY[1:])
    assert answer.status_code == 201, answer.content
    assert answer.json()["counts"]["rows"] == 3


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"text": ""}, "text", "required"),
        ({"text": "no table\nat all"}, "text", ""),
        ({"text": MARKDOWN, "form": "poem"}, "form", "invalid_choice"),
        ({"text": MARKDOWN, "answers": ["a"]}, "", "type"),
        ({"text": 4}, "text", ""),
        ({"text": MARKDOWN, "results": []}, "text", "unknown"),
        ({"text": "| Model | MAP |\n|---|---|\n| A | .2 |\n"}, "collection", "missing"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(body, field, code):
    listed = errors(hand_in(body), 400)
    assert listed[0][0] == field
    assert code in (listed[0][1], "")
    assert not Submission.objects.exists()


def test_a_draft_grows_by_tables_in_parts():
    program = Program()
    first = program.ask("create_submission", f"{LIST}?{QUERY[1:]}", MARKDOWN, content_type="text/markdown").json()
    more = MARKDOWN.replace("BM25", "QL").replace("Ours", "Theirs")
    address = f"{LIST}{first['id']}/rows/?{QUERY[1:]}"
    version = {"If-Match": f'"{first["version"]}"'}
    grown = program.ask("add_rows", address, more, content_type="text/markdown", headers=version)
    assert grown.status_code == 200, grown.content
    assert [row["line"] for row in grown.json()["results"]] == [1, 2, 3, 4, 5, 6]
