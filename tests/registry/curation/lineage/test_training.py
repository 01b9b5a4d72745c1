"""What all that is said of a system and a collection comes to: one state, with its evidence."""

from registry.curation.lineage.training import statements_on
from tests.registry.curation.lineage.world import load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard


def test_statements_stand_by_data_set_the_surest_first(tmp_path):
    make_leaderboard(make_collection("beir-nq"))
    result = make_of("t", "x")
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
