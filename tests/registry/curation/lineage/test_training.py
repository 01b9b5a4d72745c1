"""What all that is said of a system and a collection comes to: one state, with its evidence."""

import pytest

from registry.curation.lineage.documents import training_of_system
from registry.curation.lineage.training import statements_on
from tests.registry.curation.lineage.world import load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard

LIST_NO = "t,x,no,,,package,,mteb 2,,medium,,*"
PAPER_YES = "t,x,yes,FiQA,unspecified,paper,we use FiQA,https://arxiv.org/abs/1,2025-06,high,,beir-fiqa"
OTHER_YES = "t,x,yes,NQ,train,package,NQ,mteb 2 line 9,,medium,,beir-nq"
NO_BOARD = "t,x,yes,AllNLI,unspecified,package,AllNLI,mteb 2 line 10,,medium,,"


@pytest.fixture
def result():
    fiqa = make_leaderboard(make_collection("beir-fiqa", mteb_task="FiQA2018"))
    make_leaderboard(make_collection("beir-nq"))
    return make_of("t", "x", leaderboard=fiqa)


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
    statements = statements_on([result.system_id])
    assert [statement.source for statement in statements] == ["f", "e", "g", "d", "c", "b", "a"]
    assert [statement.source for statement in statements_on([other.system_id])] == ["h"]


def test_what_is_said_is_put_together_by_data_set_those_first_where_sources_disagree(tmp_path, result):
    card_no = "t,x,no,FiQA2018,,card,not FiQA2018,https://example.org/card,,high,,beir-fiqa"
    others = [f"t,x,yes,zeta {number},train,card,,e{number},,medium,," for number in range(9)]
    load_training(tmp_path, LIST_NO, PAPER_YES, OTHER_YES, card_no, NO_BOARD, *others)
    training = training_of_system(statements_on([result.system_id]))
    assert [statement.declaration.source for statement in training.of_all] == ["mteb 2"]
    zetas = [(f"zeta {number}",) for number in range(9)]
    assert [data.names for data in training.by_dataset] == [("FiQA", "FiQA2018"), ("AllNLI",), ("NQ",), *zetas]
    assert (training.n_disputed, training.by_dataset[0].why_disputed) == (1, "sources disagree")
    assert [data.training and data.training.word for data in training.by_dataset[:3]] == ["declares", None, "declares"]
    load_training(tmp_path, LIST_NO, PAPER_YES)
    (fiqa,) = training_of_system(statements_on([result.system_id])).by_dataset
    assert fiqa.why_disputed == "sources disagree: it is not in the package’s list"
    assert fiqa.statements[0].collections == (result.leaderboard.collection,)
