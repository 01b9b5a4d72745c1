"""What holds for all rows is said once, and keys are called what tables call their columns."""

import json

import pytest

from registry.results.models import Result
from registry.submissions.models import SubmittedRow
from registry.submissions.services.drafting import submit
from registry.submissions.services.reviewing import publish_submission
from tests.analysis.readers.test_every_eval_ever import LOG
from tests.analysis.readers.test_run_cards import CARD
from tests.registry.api.programs import LIST, Program, errors
from tests.registry.factory import make_collection, make_measure, make_user
from tests.registry.submissions.world import make_robust04, row

#: As the tools write them: none of the three has a place for what a result is in its paper.
IR_METADATA = """\
# ir_metadata.start
# schema-version: 0.1
# tag: bm25-rm3
# actor:
#   team: Some University
# method:
#   automatic: true
# research goal:
#   publication:
#     doi: https://doi.org/10.1145/2766462.2767812
#   evaluation:
#     results:
#       - measure: AP
#         value: 0.2903
# data:
#   test collection:
#     name: robust04
# ir_metadata.end
301 Q0 FBIS3-1 1 9.1 bm25-rm3
"""
FILES = {
    "ir_metadata": ("application/yaml", IR_METADATA, 1),
    "run_card": ("text/yaml", CARD, 3),
    "every_eval_ever": ("application/json", json.dumps(LOG), 1),
    "csv": (
        "text/csv; charset=utf-8",
        "collection,measure,system,value,source\nrobust04,AP,A,0.31,x\nrobust04,AP,B,0.32,x\n",
        2,
    ),
}


@pytest.fixture(autouse=True)
def boards():
    make_robust04()
    make_collection("trec-dl-2020-passage", aliases=["msmarco-passage/trec-dl-2020/judged"])
    make_collection("beir-scifact", aliases=["beir/scifact/test"])
    for name in ("nDCG@10", "AP@1000", "R@1000"):
        make_measure(name)


def hand_in(name: str, query: str = ""):
    media_type, text, _ = FILES[name]
    return Program().ask("create_submission", f"{LIST}?format={name}{query}", text, content_type=media_type)


@pytest.mark.parametrize("name", FILES)
def test_files_of_other_tools_that_know_no_role_have_it_from_the_request(name):
    if name == "csv":
        assert errors(hand_in(name), 400) == [("role", "missing_column")]
    else:
        refused = hand_in(name).json()["results"]
        assert {rejection["code"] for row in refused for rejection in row["rejections"]} == {"blank"}
    rows = hand_in(name, "&role=baseline").json()["results"]
    assert [row["outcome"] for row in rows] == ["new"] * FILES[name][2], rows
    assert {row["cells"]["role"] for row in rows} == {"baseline"}


@pytest.mark.parametrize(
    ("wishes", "field"),
    [({"role": "hero"}, "role"), ({"unit": "permille"}, "unit"), ({"role": 3}, "role"), ({"value": "0.3"}, "value")],
)
def test_what_cannot_hold_for_any_row_is_refused_at_once(wishes, field):
    response = Program().create([row()], **wishes)
    assert [name for name, _ in errors(response, 400)] == [field]
    assert not SubmittedRow.objects.exists()


def test_keys_are_called_what_tables_call_their_columns():
    result = {
        "dataset": "Robust04",
        "metric": "MAP",
        "model": "Model X",
        "score": 0.3012,
        "role": "proposed",
        "arxiv": "1904.09171v2",
    }
    (shown,) = Program().create([result]).json()["results"]
    assert shown["outcome"] == "new", shown
    assert shown["cells"] == {
        "collection": "Robust04",
        "measure": "MAP",
        "system": "Model X",
        "value": "0.3012",
        "role": "proposed",
        "paper_url": "1904.09171v2",
    }


@pytest.mark.parametrize(
    ("cells", "identity"),
    [
        ({"paper_url": "doi.org/10.1145/2766462.2767812"}, "doi:10.1145/2766462.2767812"),
        ({"doi": "10.1145/2766462.2767812"}, "doi:10.1145/2766462.2767812"),
        ({"paper": "arXiv:1904.09171"}, "arxiv:1904.09171"),
        ({"paper": "Yang et al. (SIGIR 2019)"}, "cite:yang et al. (sigir 2019)"),
    ],
)
def test_a_paper_is_known_by_whatever_names_it(cells, identity):
    result = {name: text for name, text in row().items() if name not in {"paper", "paper_url"}} | cells
    assert Program().create([result]).json()["counts"]["new"] == 1
    submission = SubmittedRow.objects.first().submission
    submission = submit(submission=submission, version=submission.version, actor=submission.contributor)
    publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))
    assert Result.objects.get().paper.identity == identity
