"""What stands on record about a model, from the rows: systems, papers, relatives, suites, training, disputes."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.curation.lineage.models import PaperLink, SystemFacts, TrainingDeclaration
from registry.results.models import CorrectionRequest, Model, Result
from registry.tools.model_page import queries
from registry.tools.model_page.documents import ModelDocument, model_document
from registry.tools.model_page.exports import model_linked_data
from registry.tools.model_page.queries import ModelOnRecord, papers_about, relatives, suites_of_places
from tests.registry.curation.suites.world import add_member, make_boards, make_suite
from tests.registry.factory import (
    make_entry,
    make_measure,
    make_model,
    make_paper,
    make_result,
    make_system,
    make_user,
)

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


def test_its_leaderboards_have_the_best_of_each_source_by_who_prints_it():
    model = make_model()
    board, other = make_boards("b", "a")
    make_on(model, board, "0.40", "one", source="mteb", role="leaderboard")
    make_on(model, board, "0.60", "two", source="mteb", role="leaderboard")
    make_on(model, board, "0.50", "one", source="a paper", role="proposed")
    best = make_on(model, board, "0.70", "two", source="anserini", role="reference_implementation")
    gone = make_on(model, board, "0.95", "two", source="gone")
    Result.objects.filter(pk=gone.pk).update(ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    make_on(model, board, "0.99", "two", source="odd", comparability="doubtful")
    make_on(model, other, "0.10", "two")
    CorrectionRequest.objects.create(result=best, requester=make_user(), kind="dispute", reason="no such run")
    for value, comparability in (("0.30", "standard"), ("0.70", "standard"), ("0.90", "standard"), ("0.20", "oracle")):
        make_result(board, printed=value, comparability=comparability)
    make_result(board, printed="0.10", ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    found = shown(model)
    first, second = found.boards
    assert (first.collection, second.collection, found.n_results) == ("a", "b", 6)
    assert [(one.printed, one.source, one.by) for one in second.scores] == [
        ("0.70", "anserini", "toolkit"),
        ("0.60", "mteb", "leaderboard"),
        ("0.50", "a paper", "paper"),
    ]
    assert (second.n_others, second.n_beaten, second.n_disputed) == (3, 1, 1)
    assert (first.n_others, first.n_beaten, first.n_disputed, first.share) == (0, 0, 0, 1.0)
    assert [(one.source, one.n_results) for one in found.run_by] == [
        ("mteb", 2), ("a paper", 1), ("anserini", 1), ("odd", 1), ("test", 1),
    ]  # fmt: skip


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


def test_the_facts_are_of_the_source_that_the_model_is_known_from():
    model = make_model(source="mteb, a card")
    one, other = make_system("one", model=model), make_system("other", model=model)
    for system, name, source in ((one, "zeta", "a card"), (other, "alpha", "elsewhere"), (other, "beta", "a card")):
        SystemFacts.objects.create(system=system, model=name, **SAID | {"source": source})
    SystemFacts.objects.create(system=one, model="aaa", ended_at=SAID["recorded_at"], **SAID)
    SystemFacts.objects.create(system=make_system("of others"), model="aab", **SAID)
    assert queries.facts_of([one, other], model).model == "beta"
    assert shown(model).facts["model"] == "beta"
    assert queries.facts_of([one, other], make_model("another", "another", source="nowhere")) is None


def test_papers_are_told_by_what_they_are_to_how_many_of_its_systems():
    model = make_model()
    systems = [make_system(name, model=model) for name in ("one", "two")]
    papers = {name: make_paper(name, title=f"On {name}") for name in ("listed", "used", "both", "probable", "ended")}
    for system, name, relation in (
        (systems[0], "listed", "listed"),
        (systems[0], "used", "uses"),
        (systems[0], "both", "cited"),
        (systems[1], "both", "cited"),
        (systems[1], "listed", "introduces"),
        (systems[1], "probable", "probable"),
    ):
        PaperLink.objects.create(system=system, paper=papers[name], relation=relation, **SAID)
    PaperLink.objects.create(
        system=systems[0], paper=papers["ended"], relation="cited", ended_at=SAID["recorded_at"], **SAID
    )
    assert [(link.paper.cite, link.relation, n) for link, n in papers_about(systems)] == [
        ("both", "cited", 2), ("listed", "listed", 1), ("used", "uses", 1), ("listed", "introduces", 1),
    ]  # fmt: skip
    assert [(one.title, one.relation, one.n_systems) for one in shown(model).papers] == [
        ("On both", "what its maker asks to be cited", 2),
        ("On listed", "lists the run", 1),
        ("On used", "on its base model, or a method that it uses", 1),
        ("On listed", "introduces it, or its method", 1),
    ]


def test_relatives_are_what_it_was_made_from_and_what_was_made_from_it():
    base = make_model("Base", "base", maker="somebody")
    model = make_model("Middle", "middle", base="Base")
    zeta, alpha = (make_model(name, name.lower(), base="Middle") for name in ("Zeta", "Alpha"))
    sister = make_model("Sister", "sister", base="Base")
    itself = make_model("Itself", "itself", base="Itself")
    assert relatives(model) == (base, [alpha, zeta])
    assert relatives(base) == (None, [model, sister])
    assert relatives(sister) == (base, [])
    assert relatives(itself) == (None, [])
    found = shown(model)
    assert (found.base, found.base_model.name, found.base_model.maker, found.base_model.url) == (
        "Base", "Base", "somebody", "/models/base/",
    )  # fmt: skip
    assert [one.slug for one in found.derived] == ["alpha", "zeta"]
    assert (shown(base).base_model, shown(base).paper) == (None, None)


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


def test_what_is_contested_and_disclosed_is_found_by_the_names_of_its_systems():
    model = make_model()
    make_system("Alibaba-NLP/gte-Qwen2-1.5B-instruct", model=model)
    make_system("AQ-MedAI/Diver-Retriever-0.6B", model=model)
    found = shown(model)
    assert {one.system for one in found.contested} == {"Alibaba-NLP/gte-Qwen2-1.5B-instruct"}
    assert {one.system for one in found.disclosures} >= {"AQ-MedAI/Diver-Retriever-0.6B"}
    assert {one.system for one in found.disclosures} <= {system.name for system in model.systems.all()}


def test_programs_are_told_what_is_known_and_nothing_else():
    paper = make_paper("Doe (2024)")
    make_model("Base", "base")
    model = make_model(maker="naver", paper=paper, published="2024-03", base="Base")
    for name in ("SPLADE-v3", "splade-v3 run"):
        make_system(name, model=model)
    site = "http://testserver"
    assert model_linked_data(shown(model)) == {
        "@context": "https://schema.org/",
        "@type": "CreativeWork",
        "@id": f"{site}/models/splade-v3/",
        "url": f"{site}/models/splade-v3/",
        "name": "SPLADE-v3",
        "alternateName": ["splade-v3 run"],
        "creator": {"@type": "Organization", "name": "naver"},
        "datePublished": "2024-03",
        "isBasedOn": f"{site}/models/base/",
        "citation": {"@id": f"{site}{paper.get_absolute_url()}"},
    }
    bare = model_linked_data(shown(make_model("bare", "bare", base="unknown")))
    assert sorted(bare) == ["@context", "@id", "@type", "isBasedOn", "name", "url"]
    assert bare["isBasedOn"] == "unknown"


def test_its_addresses_take_no_parameters_and_link_to_the_page(client):
    make_result(system=make_system(model=make_model()))
    for suffix in ("/badge.svg", ".atom", "/"):
        address = f"/models/splade-v3{suffix}"
        assert client.get(f"{address}?x=1").status_code == 400
        assert client.get(address.replace("splade-v3", "nothing")).status_code == 404
        assert client.post(address).status_code == 405
    page = client.get("/models/splade-v3/")
    links = page["Link"].split(", ")
    site = "http://testserver/models/splade-v3"
    assert f'<{site}/>; rel="cite-as"' in links
    assert f'<{site}.json>; rel="describedby"; type="application/json"' in links
    assert f'<{site}.csv>; rel="item"; type="text/csv"' in links
    assert '<https://schema.org/CreativeWork>; rel="type"' in links
    for suffix in (".json", ".csv"):
        assert client.get(f"/models/splade-v3{suffix}")["Link"].split(", ") == [
            f'<{site}/>; rel="cite-as"',
            f'<{site}/>; rel="collection"; type="text/html"',
        ]
    badge = client.get("/models/Splade-v3/badge.svg")
    assert badge["Cache-Control"] == "public, max-age=3600"
    assert "on 1 leaderboard" in badge.text
    feed = client.get("/models/splade-v3.atom")
    assert client.get("/models/splade-v3.atom", headers={"If-None-Match": feed["ETag"]}).status_code == 304


def test_a_system_that_becomes_one_of_the_model_is_on_its_page_at_once(client):
    model, system = make_model(), make_system("newcomer")
    assert "newcomer" not in client.get("/models/splade-v3/").text
    type(system).objects.filter(pk=system.pk).update(model=model)
    assert "newcomer" in client.get("/models/splade-v3/").text
