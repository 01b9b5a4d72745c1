"""What all that is said of a system and a collection comes to: one state, with its evidence."""

import pytest

from registry.curation.lineage.documents import FIRST_DATASETS, training_of_system
from registry.curation.lineage.training import (
    TrainingState,
    statements_on,
    training_of,
)
from tests.registry.curation.lineage.world import Row, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard

pytestmark = pytest.mark.django_db

LIST_NO = "t,x,no,,,package,,mteb 2,,medium,,*"
LIST_NONE = "t,x,unknown,,,package,training_datasets=None,mteb 2,,medium,,*"
PACKAGE_YES = "t,x,yes,FiQA2018,train,package,FiQA2018,mteb 2 line 7,2025-06-05,medium,,beir-fiqa"
PAPER_YES = "t,x,yes,FiQA,unspecified,paper,we use FiQA,https://arxiv.org/abs/1,2025-06,high,,beir-fiqa"
LOW_YES = "t,x,yes,FiQA,unspecified,paper,said of its base,https://arxiv.org/abs/2,,low,,beir-fiqa"
MAKER_NO = "t,x,no,FiQA,,readme,we do not use FiQA,https://github.com/x/t,,high,,beir-fiqa"
COMMENT_NO = "t,x,no,FiQA-NL,,package,translation not trained on,mteb 2 line 8,,low,,beir-fiqa"
OTHER_YES = "t,x,yes,NQ,train,package,NQ,mteb 2 line 9,,medium,,beir-nq"
NO_BOARD = "t,x,yes,AllNLI,unspecified,package,AllNLI,mteb 2 line 10,,medium,,"
FORMULA = "t,x,nothing,,,rule,,its name,,medium,,*"


@pytest.fixture
def result():
    fiqa = make_leaderboard(make_collection("beir-fiqa", mteb_task="FiQA2018"))
    make_leaderboard(make_collection("beir-nq"))
    return make_of("t", "x", leaderboard=fiqa)


@pytest.mark.parametrize(
    ("lines", "state", "split", "answer"),
    [
        ([], "says_nothing", "", "unknown"),
        ([LIST_NONE], "says_nothing", "", "unknown"),
        ([LIST_NO], "not_listed", "", "no"),
        ([LIST_NO, OTHER_YES, NO_BOARD], "not_listed", "", "no"),
        ([OTHER_YES], "says_nothing", "", "unknown"),
        ([LIST_NO, PACKAGE_YES], "declares", "train", "yes"),
        ([LIST_NO, PAPER_YES], "declares", "unspecified", "yes"),
        ([LIST_NO, PAPER_YES, PACKAGE_YES], "declares", "train", "yes"),
        ([LIST_NONE, PAPER_YES], "declares", "unspecified", "yes"),
        ([LIST_NO, LOW_YES], "not_listed", "", "no"),
        ([LOW_YES], "says_nothing", "", "unknown"),
        ([LIST_NO, MAKER_NO], "declares_none", "", "no"),
        ([LIST_NO, COMMENT_NO], "declares_none", "", "no"),
        ([FORMULA], "nothing_to_train", "", "unknown"),
    ],
)
def test_a_state_follows_from_all_that_is_said(tmp_path, result, lines, state, split, answer):
    report = load_training(tmp_path, *lines) if lines else None
    assert report is None or (report.refused, report.added) == (0, len(lines))
    found = training_of([Row(result)], result.leaderboard.collection)[result.pk]
    assert (found.state, found.split, found.answer, found.word) == (TrainingState(state), split, answer, state)
    assert {one.source for one in found.statements} <= {line.split(",")[7] for line in lines}


@pytest.mark.parametrize(
    ("lines", "disputed"),
    [
        ([LIST_NO, PACKAGE_YES], False),
        ([LIST_NO, PAPER_YES], True),
        ([LIST_NONE, PAPER_YES], False),
        ([LIST_NO, PACKAGE_YES, PAPER_YES], False),
        ([LIST_NO, PACKAGE_YES, MAKER_NO], True),
        ([LIST_NO, MAKER_NO], False),
    ],
)
def test_sources_disagree_where_one_says_yes_and_another_no_or_its_list_leaves_it_out(
    tmp_path, result, lines, disputed
):
    load_training(tmp_path, *lines)
    assert training_of([Row(result)], result.leaderboard.collection)[result.pk].is_disputed is disputed


def test_statements_stand_by_data_set_the_surest_first(tmp_path, result):
    lines = [
        "t,x,yes,nq,train,package,,a,,low,,beir-nq",
        "t,x,yes,NQ,train,card,,b,,medium,,beir-nq",
        "t,x,yes,Nq,train,paper,,c,,medium,,",
        "t,x,yes,nq,train,card,,d,,high,,beir-nq",
        "t,x,yes,alpha,train,card,,e,,low,,",
        "t,x,no,,,package,,f,,low,,*",
        "t,x,yes,Beta,train,card,,g,,high,,",
    ]
    load_training(tmp_path, *lines)
    other = make_of("u", "x")
    load_training(tmp_path, *lines, "u,x,no,,,package,,h,,low,,*")
    found = statements_on([result.system_id])
    assert [one.source for one in found] == ["f", "e", "g", "d", "c", "b", "a"]
    assert [one.source for one in statements_on([other.system_id])] == ["h"]


def test_what_is_said_is_put_together_by_data_set_those_first_where_sources_disagree(tmp_path, result):
    card_no = "t,x,no,FiQA2018,,card,not FiQA2018,https://example.org/card,,high,,beir-fiqa"
    others = [f"t,x,yes,zeta {number},train,card,,e{number},,medium,," for number in range(9)]
    load_training(tmp_path, LIST_NO, PAPER_YES, OTHER_YES, card_no, NO_BOARD, *others)
    found = training_of_system(statements_on([result.system_id]))
    assert [one.said.source for one in found.of_all] == ["mteb 2"]
    zetas = [(f"zeta {number}",) for number in range(9)]
    assert [one.names for one in found.by_dataset] == [("FiQA", "FiQA2018"), ("AllNLI",), ("NQ",), *zetas]
    assert (found.n_disputed, found.by_dataset[0].why_disputed) == (1, "sources disagree")
    assert [one.training and one.training.word for one in found.by_dataset[:3]] == ["declares", None, "declares"]
    assert (found.first + found.others, len(found.first)) == (found.by_dataset, FIRST_DATASETS)
    load_training(tmp_path, LIST_NO, PAPER_YES)
    (fiqa,) = training_of_system(statements_on([result.system_id])).by_dataset
    assert fiqa.why_disputed == "sources disagree: it is not in the package’s list"
    assert fiqa.statements[0].collections == (result.leaderboard.collection,)
