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


def claim(collection: Collection | None = None, **fields: Any) -> TrainingDeclaration:
    """Return a statement that a system was trained on a data set, as the package says."""
    usual = {"declared": "yes", "evidence": "package", "confidence": "medium", "source": "mteb 2"}
    return TrainingDeclaration(collection=collection, **usual | fields)


LIST = {"declared": "no", "evidence": "package"}


@pytest.mark.parametrize(
    ("statements", "collection", "state", "split", "is_disputed"),
    [
        ([], FIQA, "says_nothing", "", False),
        ([claim(NQ, dataset="NQ")], FIQA, "says_nothing", "", False),
        ([claim(dataset="AllNLI")], FIQA, "says_nothing", "", False),
        ([claim(FIQA, dataset="FiQA")], FIQA, "declares", "unspecified", False),
        ([claim(FIQA, split="train"), claim(FIQA, split="dev"), claim(FIQA, split="unspecified")], FIQA, "declares",
         "dev, train", False),
        ([claim(FIQA, confidence="low")], FIQA, "says_nothing", "", False),
        ([claim(FIQA, confidence="low", evidence="card", declared="no")], FIQA, "says_nothing", "", False),
        ([claim(FIQA, confidence="low", dataset="x", **LIST)], FIQA, "declares_none", "", False),
        ([claim(**LIST)], FIQA, "not_listed", "", False),
        ([claim(**LIST)], ROBUST, "says_nothing", "", False),
        ([claim(ROBUST, **LIST)], ROBUST, "not_listed", "", False),
        ([claim(**LIST), claim(FIQA, evidence="card")], FIQA, "declares", "unspecified", True),
        ([claim(**LIST), claim(FIQA, evidence="card"), claim(FIQA, dataset="F")], FIQA, "declares", "unspecified",
         False),
        ([claim(**LIST), claim(ROBUST, evidence="card")], ROBUST, "declares", "unspecified", False),
        ([claim(FIQA, evidence="card"), claim(FIQA, evidence="paper", declared="no")], FIQA, "declares", "unspecified",
         True),
        ([claim(FIQA, evidence="card", declared="no")], FIQA, "declares_none", "", False),
        ([claim(declared="nothing", evidence="rule")], FIQA, "nothing_to_train", "", False),
        ([claim(declared="nothing", evidence="rule"), claim(**LIST)], FIQA, "nothing_to_train", "", False),
        ([claim(declared="unknown")], FIQA, "says_nothing", "", False),
    ],
)  # fmt: skip
def test_what_is_said_comes_to_one_state(statements, collection, state, split, is_disputed):
    training = training_state(statements, collection)
    assert (training.state, training.split, training.is_disputed) == (TrainingState(state), split, is_disputed)
    about = [row for row in statements if row.collection_id == collection.pk or not (row.collection_id or row.dataset)]
    assert list(training.statements) == about


def test_what_is_said_of_all_stands_apart_and_names_of_one_collection_go_together():
    statements = [
        claim(**LIST, quotation="list"),
        claim(FIQA, dataset="FiQA2018", source="a"),
        claim(FIQA, dataset="FiQA", source="b", declared="no", evidence="card"),
        claim(NQ, dataset="NQ", source="a"),
        claim(FIQA, dataset="NQ", source="a", how="similar task"),
        claim(dataset="AllNLI", source="a"),
        claim(ROBUST, source="c", evidence="card"),
    ]
    training = training_of_system(statements)
    assert [statement.declaration.quotation for statement in training.of_all] == ["list"]
    assert [dataset.names for dataset in training.by_dataset] == [
        ("FiQA2018", "FiQA", "NQ"), ("AllNLI",), ("NQ",), ("Robust",),
    ]  # fmt: skip
    assert [dataset.is_disputed for dataset in training.by_dataset] == [True, False, False, False]
    assert [dataset.training and str(dataset.training.state) for dataset in training.by_dataset] == [
        "declares", None, "declares", "declares",
    ]  # fmt: skip
    assert [[statement.collections for statement in part.statements] for part in training.by_dataset] == [
        [(FIQA,), (FIQA,), (FIQA,)], [()], [(NQ,)], [(ROBUST,)],
    ]  # fmt: skip
    assert (training.n_disputed, training.by_dataset[0].why_disputed) == (1, "sources disagree")


def test_what_is_said_in_the_same_words_by_way_of_a_similar_task_is_put_to_it():
    words = {"quotation": "FiQA2018", "source": "a", "dataset": "FiQA2018"}
    direct, through = claim(FIQA, **words), claim(NQ, how="through a similar task", **words)
    other = claim(ROBUST, how="through a similar task", **words | {"quotation": "other"})
    (dataset,) = training_of_system([direct, through]).by_dataset
    (statement,) = dataset.statements
    assert (statement.collections, statement.similar, statement.counted_for) == ((FIQA,), (NQ,), "BEIR NQ")
    (dataset,) = training_of_system([through]).by_dataset
    assert [(part.declaration, part.counted_for) for part in dataset.statements] == [(through, "BEIR NQ")]
    shown = [part for dataset in training_of_system([direct, other]).by_dataset for part in dataset.statements]
    assert [(part.declaration, part.similar) for part in shown] == [(direct, ()), (other, ())]
    assert Statement(direct, (FIQA,)).counted_for == ""
