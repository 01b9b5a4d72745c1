"""What sources say of training, as states and as pages show it: by words and data sets, without a database."""

from typing import Any

import pytest

from registry.catalog.models import Collection
from registry.curation.lineage.documents import Statement, training_of_system
from registry.curation.lineage.models import TrainingDeclaration
from registry.curation.lineage.training import TrainingState, training_state

FIQA = Collection(pk=1, slug="fiqa", name="BEIR FiQA", mteb_task="FiQA2018")
NQ = Collection(pk=2, slug="nq", name="BEIR NQ", mteb_task="NQ")
ROBUST = Collection(pk=3, slug="robust", name="Robust")


def said(collection: Collection | None = None, **fields: Any) -> TrainingDeclaration:
    """A statement that a system was trained on a data set, as the package says."""
    usual = {"declared": "yes", "evidence": "package", "confidence": "medium", "source": "mteb 2"}
    return TrainingDeclaration(collection=collection, **usual | fields)


LIST = {"declared": "no", "evidence": "package"}


@pytest.mark.parametrize(
    ("statements", "collection", "state", "split", "is_disputed"),
    [
        ([], FIQA, "says_nothing", "", False),
        ([said(NQ, dataset="NQ")], FIQA, "says_nothing", "", False),
        ([said(dataset="AllNLI")], FIQA, "says_nothing", "", False),
        ([said(FIQA, dataset="FiQA")], FIQA, "declares", "unspecified", False),
        ([said(FIQA, split="train"), said(FIQA, split="dev"), said(FIQA, split="unspecified")], FIQA, "declares",
         "dev, train", False),
        ([said(FIQA, confidence="low")], FIQA, "says_nothing", "", False),
        ([said(FIQA, confidence="low", evidence="card", declared="no")], FIQA, "says_nothing", "", False),
        ([said(FIQA, confidence="low", dataset="x", **LIST)], FIQA, "declares_none", "", False),
        ([said(**LIST)], FIQA, "not_listed", "", False),
        ([said(**LIST)], ROBUST, "says_nothing", "", False),
        ([said(ROBUST, **LIST)], ROBUST, "not_listed", "", False),
        ([said(**LIST), said(FIQA, evidence="card")], FIQA, "declares", "unspecified", True),
        ([said(**LIST), said(FIQA, evidence="card"), said(FIQA, dataset="F")], FIQA, "declares", "unspecified", False),
        ([said(**LIST), said(ROBUST, evidence="card")], ROBUST, "declares", "unspecified", False),
        ([said(FIQA, evidence="card"), said(FIQA, evidence="paper", declared="no")], FIQA, "declares", "unspecified",
         True),
        ([said(FIQA, evidence="card", declared="no")], FIQA, "declares_none", "", False),
        ([said(declared="nothing", evidence="rule")], FIQA, "nothing_to_train", "", False),
        ([said(declared="nothing", evidence="rule"), said(**LIST)], FIQA, "nothing_to_train", "", False),
        ([said(declared="unknown")], FIQA, "says_nothing", "", False),
    ],
)  # fmt: skip
def test_what_is_said_comes_to_one_state(statements, collection, state, split, is_disputed):
    found = training_state(statements, collection)
    assert (found.state, found.split, found.is_disputed) == (TrainingState(state), split, is_disputed)
    about = [one for one in statements if one.collection_id == collection.pk or not (one.collection_id or one.dataset)]
    assert list(found.statements) == about


def test_what_is_said_of_all_stands_apart_and_names_of_one_collection_go_together():
    statements = [
        said(**LIST, quotation="list"),
        said(FIQA, dataset="FiQA2018", source="a"),
        said(FIQA, dataset="FiQA", source="b", declared="no", evidence="card"),
        said(NQ, dataset="NQ", source="a"),
        said(FIQA, dataset="NQ", source="a", how="similar task"),
        said(dataset="AllNLI", source="a"),
        said(ROBUST, source="c", evidence="card"),
    ]
    found = training_of_system(statements)
    assert [one.declaration.quotation for one in found.of_all] == ["list"]
    assert [one.names for one in found.by_dataset] == [
        ("FiQA2018", "FiQA", "NQ"), ("AllNLI",), ("NQ",), ("Robust",),
    ]  # fmt: skip
    assert [one.is_disputed for one in found.by_dataset] == [True, False, False, False]
    assert [one.training and str(one.training.state) for one in found.by_dataset] == [
        "declares", None, "declares", "declares",
    ]  # fmt: skip
    assert [[one.collections for one in part.statements] for part in found.by_dataset] == [
        [(FIQA,), (FIQA,), (FIQA,)], [()], [(NQ,)], [(ROBUST,)],
    ]  # fmt: skip
    assert found.n_disputed == 1


def test_what_is_said_in_the_same_words_by_way_of_a_similar_task_is_put_to_it():
    words = {"quotation": "FiQA2018", "source": "a", "dataset": "FiQA2018"}
    direct, through = said(FIQA, **words), said(NQ, how="through a similar task", **words)
    other = said(ROBUST, how="through a similar task", **words | {"quotation": "other"})
    (one,) = training_of_system([direct, through]).by_dataset
    (statement,) = one.statements
    assert (statement.collections, statement.similar, statement.counted_for) == ((FIQA,), (NQ,), "BEIR NQ")
    (one,) = training_of_system([through]).by_dataset
    assert [(part.declaration, part.counted_for) for part in one.statements] == [(through, "BEIR NQ")]
    shown = [part for one in training_of_system([direct, other]).by_dataset for part in one.statements]
    assert [(part.declaration, part.similar) for part in shown] == [(direct, ()), (other, ())]
    assert Statement(direct, (FIQA,)).counted_for == ""
