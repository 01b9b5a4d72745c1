"""How far results lead: which open, stand at a line, are of a family, of a trained system, with an answer."""

from typing import Any

import pytest
from django.utils import timezone

from registry.curation.lineage.join_rates import _surest, join_rates
from registry.curation.lineage.models import Lineage, LineageDecision, PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.queries import _Said, lineage_of
from registry.results.models import Paper, Source, System
from registry.results.services.endings import withdraw_result
from tests.registry.curation.lineage.world import Row
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system

pytestmark = pytest.mark.django_db

NOW: dict[str, Any] = {"source": "test"}


def rates(source: str = "a paper"):
    return {one.source: one for one in join_rates()}[source]


def say(system, collection=None, declared: str = "yes", **fields: Any) -> TrainingDeclaration:
    return TrainingDeclaration.objects.create(
        system=system, collection=collection, declared=declared, recorded_at=timezone.now(), **NOW | fields
    )


def link(system, paper, relation: str = "cited", **fields: Any) -> PaperLink:
    return PaperLink.objects.create(
        system=system, paper=paper, relation=relation, recorded_at=timezone.now(), **NOW | fields
    )


def test_a_source_opens_where_it_is_known_an_address_or_a_paper_with_one():
    for fields in ({"url": "https://x.org"}, {"doi": "10.1/x"}, {"arxiv_id": "2001.00001"}, {"acl_id": "P1"}, {}):
        make_result(source="a paper", paper=make_paper(**fields))
    make_result(source="a paper")
    assert (rates().n_openable, rates().n_results) == (4, 6)
    Source.objects.create(name="known/one", what="x", address="https://example.org/")
    make_result(source="known/one")
    make_result(source="unknown/one")
    make_result(source="https://example.org/")
    found = {one.source: one.n_openable for one in join_rates()}
    assert found == {"a paper": 4, "known/one": 1, "unknown/one": 0, "https://example.org/": 1}
    assert [one.source for one in join_rates()] == ["a paper", "https://example.org/", "known/one", "unknown/one"]


def test_a_result_is_at_a_line_where_its_locator_names_one_of_a_source_that_opens():
    Source.objects.create(name="known/one", what="x", address="https://example.org/")
    for locator in ("f.csv#L7", "f.csv#L12", "#L1", "f#L0", "f#Lx", "a1", "Table 2", "", "f#L"):
        make_result(source="known/one", locator=locator)
    make_result(source="unknown", locator="f.csv#L7")
    assert (rates("known/one").n_at_line, rates("unknown").n_at_line) == (3, 0)


def test_a_result_leads_to_the_paper_that_it_names_or_the_surest_on_its_system_in_its_year():
    titled, bare = make_paper("t", title="On Luck"), make_paper("b")
    page, toolkit = make_paper("p", kind="page"), make_paper("k", title="Toolkit", kind=Paper.Kind.SOFTWARE)
    named, of_page, of_toolkit, linked, untitled, nothing, old = (make_system(name) for name in "abcdefg")
    System.objects.filter(pk=old.pk).update(merged_into=nothing)
    make_result(system=named, source="s", paper=titled)
    make_result(system=of_page, source="s", paper=page)
    make_result(system=of_toolkit, source="s", paper=toolkit)
    board = make_leaderboard()
    for year in (2011, 2012, None):
        make_result(board, linked, source="s", year=year, paper=make_paper())
    make_result(system=untitled, source="s", paper=bare)
    make_result(system=nothing, source="s")
    withdraw_result(result=make_result(system=named, source="s", paper=titled), actor=None, reason="a mistake")
    link(linked, titled, "overview")
    link(linked, make_paper(title="In 2012"), "listed", year=2012)
    link(linked, make_paper(title="Ended"), "introduces", ended_at=timezone.now())
    link(untitled, bare, "listed")
    one = rates("s")
    assert (one.n_results, dict(one.papers)) == (8, {"named": 1, "overview": 2, "listed": 1})
    assert (one.n_titled, one.n_about_it) == (4, 2)
    assert (one.n_page, one.n_linked, one.n_linked_titled) == (1, 4, 3)
    link(old, titled, "team")
    one = rates("s")
    assert (one.papers["team"], one.n_linked, one.n_linked_titled) == (1, 5, 4)
    assert (one.n_papers, one.n_papers_titled, one.n_papers_doi) == (5, 1, 0)
    assert _surest([(None, "uses"), (2012, "listed")], 2012) == "listed"
    assert _surest([(None, "uses"), (2012, "listed")], 2011) == "uses"
    assert _surest([(2012, "listed")], None) == _surest([], 2012) == ""


def test_families_are_of_one_where_each_of_their_keys_is_of_one_system():
    teams = {"a": "x", "b": "y", "c": "y", "d": ""}
    alone, pair, other, nobody = (make_system(name, team) for name, team in teams.items())
    paper = make_paper(identity="doi:10.1/x", doi="10.1/x")
    make_result(system=alone, source="s")
    make_result(system=alone, source="s")
    make_result(system=pair, source="s")
    make_result(system=other, source="s")
    make_result(system=nobody, source="s")
    assert (rates("s").n_family, rates("s").n_alone) == (4, 2)
    make_result(system=alone, source="s", paper=paper)
    make_result(system=other, source="s", paper=paper)
    # The paper is of two systems, and so not all of its keys are of one alone.
    assert (rates("s").n_family, rates("s").n_alone) == (6, 2)


def test_trained_is_what_makers_or_sources_speak_of_but_no_formula():
    facts, said, formula, both, old, nothing = (make_system(name) for name in "abcdef")
    System.objects.filter(pk=old.pk).update(merged_into=nothing)
    for system in (facts, said, formula, both):
        make_result(system=system, source="s")
    make_result(system=nothing, source="s")
    SystemFacts.objects.create(system=facts, model="m", recorded_at=timezone.now(), **NOW)
    SystemFacts.objects.create(system=both, model="m", recorded_at=timezone.now(), **NOW)
    say(said, declared="unknown")
    say(formula, declared="nothing")
    say(both, declared="nothing")
    assert rates("s").n_trained == 2
    say(old, declared="no")
    assert rates("s").n_trained == 3
    say(said, declared="nothing", how="x")
    assert rates("s").n_trained == 2


def test_declared_is_what_somebody_says_of_the_collection_or_by_the_list_of_the_package():
    task, other = make_collection("fiqa", mteb_task="FiQA"), make_collection("robust")
    boards = [make_leaderboard(task), make_leaderboard(other)]
    yes, low, listed, old, silent, unsure = (make_system(name) for name in "abcdef")
    new = make_system("new")
    System.objects.filter(pk=old.pk).update(merged_into=new)
    for system in (yes, low, listed, new, silent, unsure):
        for board in boards:
            make_result(board, system, source="s")
    say(yes, other)
    say(low, other, confidence="low")
    say(listed, declared="no")
    say(listed, declared="yes", dataset="AllNLI")
    say(old, task, declared="no")
    say(unsure, task, declared="unknown")
    say(silent, declared="no", dataset="AllNLI")
    # One on the other collection, one by the list on the task, one under the name of before.
    assert rates("s").n_declared == 3
    say(low, declared="no", confidence="low")
    assert rates("s").n_declared == 3


def test_what_files_and_editors_say_comes_to_keys():
    stated = [
        (1, None, "model:m", True), (2, 1, "model:old", True), (1, None, "team:x", False),
        (None, None, "team:platform", False), (3, None, "model:other", True),
    ]  # fmt: skip
    decided = [
        (1, None, "toolkit:t", "join", ""), (1, None, "model:left", "leave", ""), (None, None, "model:q", "leave", ""),
        (None, None, "model:m", "merge", "model:n"), (2, 1, "toolkit:u", "join", ""),
    ]  # fmt: skip
    said = _Said.of(stated, decided, {1}, None)
    assert said.keys_of(1, "team:x", "") == ("model:n", "model:old", "toolkit:t", "toolkit:u")
    assert said.keys_of(1, "team:platform", "team:y", "model:q", "model:left") == (
        "model:n", "model:old", "team:y", "toolkit:t", "toolkit:u",
    )  # fmt: skip
    assert said.keys_of(5, "team:x") == ("team:x",)
    assert said.keys_of(5) == ()
    both = _Said.of(stated, decided, {1, 2}, None)
    assert both.keys_of(1) == ("model:n", "toolkit:t")
    assert both.keys_of(2) == ("model:old", "toolkit:u")


def test_keys_of_results_follow_team_and_paper_and_whatever_is_said(django_assert_num_queries):
    paper = make_paper("Doe (2020)", identity="url:example.org/d doe (2020)", url="https://example.org/d", doi="10.1/X")
    cite = {"identity": "cite:roe (2021)"}
    papers = [make_paper("Roe (2021)", doi="10.1/Y", **cite), make_paper("a", arxiv_id="2001.00001", identity="cite:a")]
    papers += [make_paper("b", acl_id="P19-1", identity="cite:b"), make_paper("c", identity="cite:c")]
    papers = [paper, *papers]
    results = [make_result(system=make_system(f"s{n}", "Lab"), paper=one) for n, one in enumerate(papers)]
    results.append(make_result(system=make_system("bare")))
    others = {"recorded_at": timezone.now(), "origin": "loaded", **NOW}
    Lineage.objects.create(system=make_system("else"), key="model:else", **others)
    Lineage.objects.create(system=results[5].system, key="model:m", **others)
    rows = [Row(one) for one in results]
    with django_assert_num_queries(3):
        found = lineage_of(rows)
    assert [found[one.pk] for one in results] == [
        ("paper:example.org/d", "team:lab"), ("paper:10.1/y", "team:lab"), ("paper:arxiv:2001.00001", "team:lab"),
        ("paper:acl:p19-1", "team:lab"), ("paper:cite:c", "team:lab"), ("model:m",),
    ]  # fmt: skip
    assert LineageDecision.objects.count() == 0
    assert lineage_of([]) == {}
