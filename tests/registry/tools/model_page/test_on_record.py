"""What stands on record about a model, from the rows: systems, papers, relatives, suites, training, disputes."""

from datetime import UTC, datetime
from typing import Any

import pytest

from registry.catalog.models import Leaderboard
from registry.curation.lineage.models import TrainingDeclaration
from registry.results.models import Model, Result
from registry.tools.model_page import queries
from registry.tools.model_page.documents import ModelDocument, model_document
from registry.tools.model_page.queries import ModelOnRecord, suites_of_places
from registry.tools.model_page.views import model_linked_data
from tests.registry.curation.suites.world import add_member, make_boards, make_suite
from tests.registry.factory import make_measure, make_model, make_result, make_system

pytestmark = pytest.mark.django_db


SAID: dict[str, Any] = {"source": "a card", "recorded_at": datetime(2026, 1, 1, tzinfo=UTC)}


def shown(model: Model) -> ModelDocument:
    return model_document(ModelOnRecord(model))


def make_on(model: Model, board: Leaderboard, printed: str, name: str, **fields: Any) -> Result:
    """A result of the system of this name, which is of the model."""
    system = model.systems.filter(name=name).first() or make_system(name, "a team", model=model)
    return make_result(board, system, printed, **fields)


def test_its_systems_are_those_of_today_the_one_with_most_results_first():
    model = make_model()
    boards = make_boards("one", "two")
    merged = make_system("Merged", "x", model=model)
    for name in ("beta", "Alpha"):
        make_on(model, boards[0], "0.5", name)
    make_on(model, boards[0], "0.5", "gamma")
    make_on(model, boards[1], "0.5", "gamma")
    merged.merged_into = model.systems.get(name="gamma")
    merged.save()
    one = ModelOnRecord(model)
    assert [system.name for system in one.systems] == ["Alpha", "beta", "gamma"]
    found = model_document(one)
    assert [(system.name, system.team, system.n_results) for system in found.systems] == [
        ("gamma", "a team", 2),
        ("Alpha", "a team", 1),
        ("beta", "a team", 1),
    ]
    assert found.systems[0].url == model.systems.get(name="gamma").get_absolute_url()
    linked = model_linked_data(found)
    assert linked["alternateName"] == ["Alpha", "beta", "gamma"]


def test_where_lower_is_better_what_is_level_is_not_beaten():
    model = make_model()
    (board,) = make_boards("costly", measure=make_measure("cost", higher_is_better=False))
    make_on(model, board, "0.20", "one")
    for value in ("0.10", "0.20", "0.25", "0.30"):
        make_result(board, printed=value)
    (found,) = shown(model).boards
    assert (found.n_others, found.n_beaten) == (4, 2)


def test_a_collection_is_of_the_first_suite_that_is_no_list_of_everything(monkeypatch):
    boards = make_boards("one", "two", "three")
    make_suite("late", boards[:2], position=2)
    early = make_suite("early", boards[:1], position=1)
    make_suite("everything", boards, position=0)
    pairs = [(board.collection_id, board.measure_id) for board in boards]
    assert suites_of_places() == dict.fromkeys(pairs, ("everything", "EVERYTHING"))
    monkeypatch.setattr(queries, "MOST_MEMBERS", 2)
    assert suites_of_places() == {pairs[0]: ("early", "EARLY"), pairs[1]: ("late", "LATE")}
    # Of two in one place, the older.
    again = make_suite("again", boards[1:2], position=2)
    assert suites_of_places()[pairs[1]] == ("late", "LATE")
    for suite in (early, again):
        add_member(suite, boards[2], 1)
    assert suites_of_places()[pairs[2]] == ("early", "EARLY")


def test_what_is_said_of_all_training_holds_where_nothing_is_said_of_the_collection():
    model = make_model()
    one, other = make_system("one", model=model), make_system("other", model=model)
    declared_on, silent = make_boards("declared", "silent")
    for board in (declared_on, silent):
        make_result(board, one, "0.5")
    TrainingDeclaration.objects.create(system=other, declared="nothing", **SAID)
    TrainingDeclaration.objects.create(system=one, declared="nothing", **SAID)
    TrainingDeclaration.objects.create(
        system=other, collection=declared_on.collection, dataset="it", declared="yes", **SAID
    )
    record = ModelOnRecord(model)
    assert len(record.statements) == 2, "the same words of two systems once"
    words = {board.collection: board.training for board in model_document(record).boards}
    assert words == {"declared": "declares", "silent": "nothing_to_train"}


def test_a_system_that_becomes_one_of_the_model_is_on_its_page_at_once(client):
    model, system = make_model(), make_system("newcomer")
    assert "newcomer" not in client.get("/models/splade-v3/").text
    type(system).objects.filter(pk=system.pk).update(model=model)
    assert "newcomer" in client.get("/models/splade-v3/").text
