"""Which papers are about a system, which systems are of a lineage, and what people answer: asked and told directly."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.utils import timezone

from registry.curation.lineage.access import get_decidable, get_training_answer, get_visible_lineage
from registry.curation.lineage.documents import NamedLineage
from registry.curation.lineage.models import (
    CollectionPaper,
    Lineage,
    LineageDecision,
    PaperLink,
    SystemFacts,
    TrainingDeclaration,
)
from registry.curation.lineage.personal import erase_training_answers, export_training_answers
from registry.curation.lineage.pipeline.twins import Twin, find_twins
from registry.curation.lineage.queries import (
    boards_of_systems,
    final_key,
    paper_links,
    papers_on,
    papers_to_cite,
    systems_of,
    ties_of,
)
from registry.curation.lineage.services.answering import _is_author, answer_training, withdraw_training_answer
from registry.curation.lineage.services.deciding import (
    dissolve_lineage,
    join_lineage,
    leave_lineage,
    merge_lineage,
    take_back,
)
from registry.curation.lineage.training import statements_on
from registry.curation.templatetags import lineage as tags
from registry.journal.models import Entry
from registry.results.models import System
from registry.results.services.endings import withdraw_result
from tests.registry.curation.lineage.world import make_of
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system, make_user
from tests.registry.results.people import editor

pytestmark = pytest.mark.django_db

WHY = {"actor": None, "reason": "as their site says"}


def link(system, paper, relation: str = "cited", **fields: Any) -> PaperLink:
    return PaperLink.objects.create(
        system=system, paper=paper, relation=relation, **{"source": "test", "recorded_at": timezone.now()} | fields
    )


def version(result) -> int:
    result.leaderboard.refresh_from_db()
    return result.leaderboard.results_version


def test_papers_about_a_system_stand_by_how_surely_and_then_by_year(django_assert_num_queries):
    system, old = make_system(), make_system()
    System.objects.filter(pk=old.pk).update(merged_into=system)
    papers = [make_paper(f"p{number}") for number in range(6)]
    uses = link(system, papers[0], "uses")
    late = link(system, papers[1], year=2013)
    early = link(system, papers[2], year=2012)
    always = link(old, papers[3])
    listed = link(system, papers[4], "listed", year=2012)
    link(system, papers[5], "listed", ended_at=timezone.now())
    link(make_system(), papers[5], "listed")
    with django_assert_num_queries(1):
        found = paper_links(system)
        assert [one.paper.cite for one in found] == ["p4", "p3", "p2", "p1", "p0"]
    assert found == [listed, always, early, late, uses]
    assert paper_links(system, year=2012) == [listed, always, early, uses]
    assert paper_links(system, moment=timezone.now() - timedelta(days=1)) == []


def test_a_result_without_a_paper_is_cited_by_what_introduces_its_system_else_by_what_its_maker_asks_for():
    both, cited, none, named, twice, old = (make_system(name) for name in ("b", "c", "n", "m", "t", "o"))
    System.objects.filter(pk=old.pk).update(merged_into=twice)
    page, paper = make_paper("page", kind="page"), make_paper("paper")
    asked, introduces, second = (make_paper(name) for name in ("asked", "introduces", "second"))
    link(both, introduces, "introduces")
    link(both, asked)
    link(cited, asked)
    link(cited, second, "introduces", ended_at=timezone.now())
    link(none, asked, "uses")
    link(named, asked)
    link(old, second)
    link(twice, asked)
    places = [(both.pk, None), (cited.pk, page.pk), (none.pk, None), (named.pk, paper.pk), (twice.pk, None)]
    assert papers_to_cite(places) == {
        places[0]: introduces.slug, places[1]: asked.slug, places[4]: second.slug,
    }  # fmt: skip
    assert papers_to_cite([]) == {}


def test_papers_on_a_collection_stand_at_their_places(django_assert_num_queries):
    collection, other = make_collection(), make_collection()
    told = {"role": "describes", "source": "test", "recorded_at": timezone.now()}
    second, first, elsewhere = (
        CollectionPaper.objects.create(collection=one, paper=make_paper(), place=place, **told)
        for one, place in ((collection, 2), (collection, 1), (other, 1))
    )
    CollectionPaper.objects.create(collection=collection, paper=make_paper(), place=1, ended_at=timezone.now(), **told)
    cites = [first.paper.cite, second.paper.cite]
    with django_assert_num_queries(1):
        found = papers_on(collection)
        assert [one.paper.cite for one in found] == cites
    assert found == [first, second]
    assert papers_on(other) == [elsewhere]


def test_boards_of_systems_are_those_where_results_stand():
    system = make_system()
    first, second = make_result(system=system), make_result(system=system)
    withdraw_result(result=make_result(system=system), actor=None, reason="a mistake")
    make_result()
    boards = {first.leaderboard_id, second.leaderboard_id}
    assert boards_of_systems({system.pk}) == boards
    assert boards_of_systems({system.pk}, {first.leaderboard.collection_id}) == {first.leaderboard_id}
    assert boards_of_systems({system.pk}, set()) == boards_of_systems(set()) == set()
    # What was said of a name that was merged since is said of what it is today.
    before = make_system("its name of before", merged_into=system)
    assert boards_of_systems({before.pk}) == boards


def test_systems_of_a_lineage_are_found_by_whatever_says_so():
    paper = make_paper("Doe (2020)", identity="doi:10.1/x", doi="10.1/x")
    by_team, by_paper, by_file, by_decision = (
        make_of("t", "Lab").system, make_of("p", paper=paper).system, make_of("f").system, make_of("d").system,
    )  # fmt: skip
    old = make_system("old", "Lab")
    System.objects.filter(pk=old.pk).update(merged_into=by_file)
    now = {"recorded_at": timezone.now(), "source": "test", "origin": "loaded"}
    Lineage.objects.create(system=old, key="model:m", holds=True, **now)
    Lineage.objects.create(system=by_paper, key="model:m", holds=False, **now)
    join_lineage(system=by_decision, key="model:m", **WHY)
    leave_lineage(system=by_team, key="model:m", **WHY)
    assert systems_of(["model:m"]) == {by_file.pk, by_decision.pk}
    assert systems_of(["team:lab"]) == {by_team.pk}
    assert systems_of(["paper:10.1/x"]) == {by_paper.pk}
    assert systems_of(["model:x", "team:x", "paper:x"]) == systems_of([]) == set()
    merge_lineage(key="team:lab", into="model:n", **WHY)
    merge_lineage(key="model:m", into="team:lab", **WHY)
    assert systems_of(["model:n"]) == {by_file.pk, by_decision.pk, by_team.pk}
    assert final_key("model:m", {"model:m": "team:lab", "team:lab": "model:n"}) == "model:n"
    key, systems = get_visible_lineage(" Team:LAB ")
    assert (key, systems) == ("team:lab", {by_file.pk, by_decision.pk, by_team.pk})
    assert get_visible_lineage("model:m") == ("model:m", {by_file.pk, by_decision.pk})
    for text, said in (("lab", "This names no lineage: "), ("team:nobody", "No system is of the lineage team:nobody.")):
        with pytest.raises(Http404, match=said):
            get_visible_lineage(text)
    dissolve_lineage(key="team:nobody", **WHY)
    assert get_visible_lineage("team:nobody") == ("team:nobody", set())


def test_ties_stand_with_all_that_is_said_those_that_hold_first(django_assert_num_queries):
    paper = make_paper("Doe (2020)", identity="doi:10.1/x", doi="10.1/x")
    result = make_of("a", "Lab", paper=paper)
    system = result.system
    now = {"recorded_at": timezone.now(), "origin": "loaded"}
    Lineage.objects.create(system=system, key="model:m", holds=True, source="its card", **now)
    Lineage.objects.create(system=system, key="model:n", holds=False, source="its name", **now)
    Lineage.objects.create(system=None, key="team:lab", holds=False, source="a platform", **now)
    left = leave_lineage(system=system, key="model:m", **WHY)
    joined = join_lineage(system=system, key="toolkit:z", **WHY)
    ties = ties_of(system)
    assert [(tie.key, tie.is_member) for tie in ties] == [
        ("paper:10.1/x", True), ("toolkit:z", True), ("model:m", False), ("team:lab", False),
    ]  # fmt: skip
    assert [(lineage.kind, lineage.name) for lineage in (NamedLineage(tie.key) for tie in ties[:2])] == [
        ("paper", "10.1/x"), ("configurations of a toolkit", "z"),
    ]  # fmt: skip
    reasons = {tie.key: [(one.holds, one.how, one.decision) for one in tie.reasons] for tie in ties}
    assert reasons == {
        "paper:10.1/x": [(True, "its paper", None)],
        "toolkit:z": [(True, WHY["reason"], joined)],
        "model:m": [(True, "its card", None), (False, WHY["reason"], left)],
        "team:lab": [(True, "its team", None), (False, "a platform", None)],
    }
    assert [tie.key for tie in ties_of(system, moment=timezone.now() - timedelta(days=1))] == ["team:lab"]
    assert NamedLineage("team:lab").why_nobodys() == "a platform"
    assert NamedLineage("model:m").why_nobodys() == ""
    assert list(NamedLineage("model:m").decisions()) == [left]
    merged = merge_lineage(key="model:x", into="model:m", **WHY)
    with django_assert_num_queries(1):
        decisions = {(one.key, one.entry.actor, one.system) for one in NamedLineage("model:m").decisions()}
    assert decisions == {(left.key, None, system), (merged.key, None, None)}
    others = [make_system(name, team) for name, team in (("b", "2"), ("b", "1"), ("a2", ""))]
    assert list(NamedLineage("x").systems({one.pk for one in others})) == [others[2], others[1], others[0]]
    assert NamedLineage("team:lab").get_absolute_url() == "/lineages/?key=team%3Alab"


def test_ties_are_a_systems_own_under_whichever_name_in_few_queries(django_assert_num_queries):
    result, other = make_of("a", "Lab"), make_of("b", "Labs", paper=make_paper("Roe (2021)"))
    system, old = result.system, make_system("old")
    System.objects.filter(pk=old.pk).update(merged_into=system)
    now = {"recorded_at": timezone.now(), "origin": "loaded", "source": "s"}
    Lineage.objects.create(system=other.system, key="model:theirs", **now)
    Lineage.objects.create(system=old, key="model:m", **now)
    join_lineage(system=other.system, key="toolkit:theirs", **WHY)
    for key in ("toolkit:x", "toolkit:y"):
        join_lineage(system=system, key=key, **WHY)
    LineageDecision.objects.filter(key="toolkit:y").update(system=old)
    for number in range(2):
        make_result(system=system, paper=make_paper("Doe (2020)", identity=f"cite:doe {number}"))
    with django_assert_num_queries(3):
        ties = ties_of(system)
        given = [(one.how, one.decision and one.decision.entry.actor) for tie in ties for one in tie.reasons]
    assert [(tie.key, tie.is_member, len(tie.reasons)) for tie in ties] == [
        ("model:m", True, 1), ("paper:cite:doe 0", True, 1), ("paper:cite:doe 1", True, 1), ("team:lab", True, 1),
        ("toolkit:x", True, 1), ("toolkit:y", True, 1),
    ]  # fmt: skip
    assert given.count((WHY["reason"], None)) == 2
    assert [tie.key for tie in ties_of(make_system("nobody"))] == []
    merge_lineage(key="team:lab", into="team:labs", **WHY)
    assert [tie.key for tie in ties_of(system)][3] == "team:labs"


def test_a_decision_is_recorded_with_what_it_is_about_and_ends_once():
    result, person = make_of("a", "Lab"), editor()
    joined = join_lineage(system=result.system, key=" Model:M ", actor=person, reason=" so it is ")
    assert (joined.kind, joined.key, joined.into, joined.system) == ("join", "model:m", "", result.system)
    entry = joined.entry
    assert (entry.action, entry.subject_type, entry.subject_id, entry.actor, entry.reason, entry.after) == (
        "results.lineage.joined", "system", str(result.system_id), person, "so it is", {"lineage": "model:m"},
    )  # fmt: skip
    assert version(result) == 1
    assert join_lineage(system=result.system, key="model:m", actor=person, reason="again") == joined
    assert version(result) == 1
    left = leave_lineage(system=result.system, key="model:m", **WHY)
    joined.refresh_from_db()
    assert joined.ended_by.action == "results.lineage.decision_taken_back"
    assert joined.ended_by.before == {"lineage": "model:m", "decision": "is of this lineage"}
    assert (joined.ended_by.subject_type, joined.ended_by.subject_id) == ("system", str(result.system_id))
    merged = merge_lineage(key="team:lab", into="team:labs", **WHY)
    assert (merged.entry.subject_type, merged.entry.subject_id) == ("lineage", "team:lab")
    assert merged.entry.after == {"lineage": "team:lab", "into": "team:labs"}
    assert version(result) == 3
    with pytest.raises(ValidationError, match="team:lab is team:labs already"):
        merge_lineage(key="team:labs", into="team:lab", **WHY)
    with pytest.raises(ValidationError, match="say why"):
        take_back(decision=left, actor=None, reason=" ")
    taken = take_back(decision=merged, **WHY)
    assert (taken.ended_by.subject_type, taken.ended_by.subject_id) == ("lineage", "team:lab")
    n_entries = Entry.objects.count()
    assert take_back(decision=merged, **WHY).ended_at == taken.ended_at
    assert (Entry.objects.count(), version(result)) == (n_entries, 4)
    gone = make_system("gone")
    System.objects.filter(pk=gone.pk).update(merged_into=result.system)
    gone.refresh_from_db()
    with pytest.raises(ValidationError, match="was merged into"):
        join_lineage(system=gone, key="model:m", **WHY)
    dissolve_lineage(key="model:q", **WHY)
    with pytest.raises(ValidationError, match="it was decided that model:q makes no family"):
        join_lineage(system=result.system, key="model:q", **WHY)


def test_who_may_take_back_what_on_lineages_and_training(django_assert_num_queries):
    result, person, other, curator = make_of("a"), make_user(), make_user(), editor()
    decision = join_lineage(system=result.system, key="model:m", **WHY)
    with django_assert_num_queries(1):
        found, who = get_decidable(curator, decision.pk)
        assert (found, found.system, who) == (decision, result.system, curator)
    with pytest.raises(PermissionDenied):
        get_decidable(person, decision.pk)
    with pytest.raises(Http404, match="There is no decision 999999 on lineages"):
        get_decidable(curator, 999999)
    given = answer(result.system, person, declared="no")
    with django_assert_num_queries(1):
        told, who = get_training_answer(person, given.pk)
        assert (told, told.system, who) == (given, result.system, person)
    assert get_training_answer(curator, given.pk) == (given, curator)
    with pytest.raises(PermissionDenied):
        get_training_answer(other, given.pk)
    of_file = TrainingDeclaration.objects.create(
        system=result.system, source="mteb", declared="no", recorded_at=timezone.now()
    )
    with pytest.raises(Http404, match="There is no such answer"):
        get_training_answer(curator, of_file.pk)


def answer(system, person, **fields: Any) -> TrainingDeclaration:
    usual = {"declared": "yes", "text": "We did.", "url": "https://example.org/", "dataset": "NQ"}
    return answer_training(system=system, person=person, **usual | fields)


def test_an_answer_on_training_takes_the_place_of_ones_own_of_before():
    result, person = make_of("a"), make_user()
    with pytest.raises(ValidationError, match="say on which data set it was trained"):
        answer(result.system, person, dataset="")
    first = answer(result.system, person, split="train")
    assert (first.declared, first.split, first.confidence, first.evidence) == ("yes", "train", "low", "answer")
    assert (first.quotation, first.source, first.date) == (
        "We did.", "https://example.org/", first.recorded_at.date().isoformat(),
    )  # fmt: skip
    entry = Entry.objects.latest("pk")
    assert (entry.action, entry.subject_type, entry.subject_id, entry.actor, entry.after) == (
        "results.training.answered", "system", str(result.system_id), person, {"answer": first.pk},
    )  # fmt: skip
    assert answer(result.system, person, split="train") == first
    second = answer(result.system, person)
    assert second.split == "unspecified"
    of_all = answer(result.system, person, declared="no", dataset="", split="train")
    assert of_all.split == ""
    on_collection = answer(result.system, person, collection=result.leaderboard.collection)
    of_another = answer(result.system, make_user())
    assert list(TrainingDeclaration.objects.standing().order_by("pk")) == [second, of_all, on_collection, of_another]
    assert version(result) == 0
    merged = make_system("merged")
    System.objects.filter(pk=merged.pk).update(merged_into=result.system)
    merged.refresh_from_db()
    assert answer(merged, person).pk == second.pk


def test_an_authors_answer_has_the_boards_that_it_decides_studied_again():
    orcid = "0000-0002-1825-0097"
    paper = make_paper(author_orcids=[orcid])
    author = make_user(orcid=orcid, orcid_verified_at=timezone.now())
    result = make_of("a", paper=paper)
    make_result(result.leaderboard, result.system, source="else")
    elsewhere = make_result(system=result.system)
    on_set = answer(result.system, author)
    assert (on_set.confidence, version(result), version(elsewhere)) == ("high", 0, 0)
    on_collection = answer(result.system, author, collection=result.leaderboard.collection)
    assert (version(result), version(elsewhere)) == (1, 0)
    of_all = answer(result.system, author, declared="nothing", dataset="")
    assert (version(result), version(elsewhere)) == (2, 1)
    with pytest.raises(ValidationError, match="say why"):
        withdraw_training_answer(answer=of_all, actor=author, reason="")
    withdrawn = withdraw_training_answer(answer=of_all, actor=author, reason=" a mistake ")
    assert withdrawn.ended_at is not None
    assert (version(result), version(elsewhere)) == (3, 2)
    entry = Entry.objects.latest("pk")
    assert (entry.action, entry.subject_type, entry.subject_id, entry.actor, entry.reason, entry.before) == (
        "results.training.answer_withdrawn", "system", str(result.system_id), author, "a mistake",
        {"answer": of_all.pk},
    )  # fmt: skip
    withdraw_training_answer(answer=of_all, actor=author, reason="again")
    assert (Entry.objects.latest("pk"), version(result)) == (entry, 3)
    withdraw_training_answer(answer=on_collection, actor=author, reason="a mistake")
    assert (version(result), version(elsewhere)) == (4, 2)
    assert answer(elsewhere.system, make_user()).confidence == "low"
    withdraw_result(result=result, actor=None, reason="a mistake")
    assert answer(result.system, author, dataset="FiQA").confidence == "low"


def test_an_author_of_any_of_its_papers_is_found_in_few_queries(django_assert_num_queries):
    orcid = "0000-0002-1825-0097"
    author, system = make_user(orcid=orcid, orcid_verified_at=timezone.now()), make_system()
    for orcids in ([], ["0000-0001-5109-3700"], [orcid]):
        make_result(system=system, paper=make_paper(author_orcids=orcids))
    make_result(system=system)
    with django_assert_num_queries(1):
        assert _is_author(system, author)
    assert not _is_author(system, make_user())
    assert not _is_author(make_system(), author)


def test_what_somebody_said_of_training_is_exported_and_erased():
    result, person = make_of("a"), make_user()
    first = answer(result.system, person, split="dev", collection=result.leaderboard.collection)
    withdraw_training_answer(answer=first, actor=person, reason="a mistake")
    first.refresh_from_db()
    second, other = answer(result.system, person, declared="no"), answer(result.system, make_user())
    exported = sorted(export_training_answers(person), key=lambda one: one["created"])
    by_set = next(one for one in exported if one["collection"])
    assert by_set == {
        "system": "a", "collection": result.leaderboard.collection.slug, "dataset": "NQ", "declared": "yes",
        "split": "dev", "text": "We did.", "url": "https://example.org/",
        "created": first.recorded_at.isoformat(timespec="seconds"),
        "withdrawn": first.ended_at.isoformat(timespec="seconds"),
    }  # fmt: skip
    assert [(one["declared"], one["withdrawn"]) for one in exported if not one["collection"]] == [("no", None)]
    ended_at = first.ended_at
    erase_training_answers(person)
    for one in (first, second, other):
        one.refresh_from_db()
    assert (first.quotation, first.source, first.ended_at) == ("", "", ended_at)
    assert (second.quotation, second.ended_at is None) == ("", False)
    assert (other.quotation, other.ended_at) == ("We did.", None)


def test_pages_of_papers_list_a_hundred_systems_and_count_all(monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(tags, "MOST_SYSTEMS", 2)
    paper = make_paper()
    systems = [make_system(name) for name in ("b", "a", "c")]
    links = [link(system, paper, relation) for system, relation in zip(systems, ("uses", "uses", "cited"), strict=True)]
    link(make_system("d"), paper, ended_at=timezone.now())
    told = {"source": "test", "recorded_at": timezone.now(), "paper": paper, "place": 1}
    on = [
        CollectionPaper.objects.create(collection=make_collection(name=name), role=role, **told)
        for name, role in (("z", "describes"), ("y", "describes"), ("x", "overview"))
    ]
    found = tags.systems_of_paper(paper, None)
    assert (found["links"], found["n"], found["most"]) == ([links[2], links[1]], 3, 2)
    assert list(found["collections"]) == [on[1], on[0]]
    monkeypatch.setattr(tags, "MOST_SYSTEMS", 4)
    with django_assert_num_queries(2):
        found = tags.systems_of_paper(paper, None)
        assert [one.system.name for one in found["links"]] == ["c", "a", "b"]
        assert [one.collection.name for one in found["collections"]] == ["y", "z", "x"]
    assert found["n"] == 3
    yesterday = timezone.now().date() - timedelta(days=1)
    before = tags.systems_of_paper(paper, yesterday)
    assert (before["links"], before["n"], list(before["collections"])) == ([], 0, [])


def test_pages_of_systems_say_what_was_known_on_a_day():
    system, old = make_system("a"), make_system("z")
    older = make_system("b")
    System.objects.filter(pk__in=[old.pk, older.pk]).update(merged_into=system)
    facts = {"system": system, "source": "test", "recorded_at": timezone.now()}
    second = SystemFacts.objects.create(model="n", **facts)
    first = SystemFacts.objects.create(model="m", **facts)
    yesterday = timezone.now().date() - timedelta(days=1)
    found, before = tags.facts_of_system(system, None), tags.facts_of_system(system, yesterday)
    assert (found["facts"], list(found["aliases"])) == (first, [older, old])
    assert (before["facts"], list(before["aliases"])) == (None, [])
    assert second != first
    result = make_result(make_leaderboard(), system, year=2012)
    of_year, other = link(system, make_paper(), year=2012), link(system, make_paper(), year=2013)
    assert tags.papers_of_system(system, None) == {"links": [of_year, other]}
    assert tags.papers_of_result(result, None) == {"links": [of_year]}
    assert tags.papers_of_system(system, yesterday) == tags.papers_of_result(result, yesterday) == {"links": []}
    join_lineage(system=system, key="model:m", **WHY)
    shown = tags.lineages(system, None, True)
    assert [(str(named), tie.key) for named, tie in shown["ties"]] == [("m", "model:m")]
    assert (shown["asked"], shown["may_edit"], shown["system"]) == (system, True, system)
    then = tags.lineages(system, yesterday, False)
    assert (then["ties"], then["asked"], then["may_edit"]) == ([], None, False)
    assert LineageDecision.objects.count() == 1


def test_statements_on_systems_are_read_with_their_collections_and_people_in_one_query(django_assert_num_queries):
    system, person = make_of("a").system, make_user()
    collections = [make_collection(name) for name in ("fiqa", "nq")]
    given = [answer(system, person, declared="no", collection=one, dataset=one.slug) for one in collections]
    with django_assert_num_queries(1):
        found = statements_on([system.pk])
        told = [(one.collection.slug, one.person.username) for one in found]
    assert (found, told) == (given, [("fiqa", person.username), ("nq", person.username)])


def agreeing(n: int, first: int = 1, second: int = 2, differ: int = 0) -> list[tuple[int, int, float]]:
    """Two systems with the same scores on ``n`` leaderboards, and other ones on some more."""
    rows = [(system, board, 0.1 + board / 1000) for system in (first, second) for board in range(n)]
    return rows + [(system, 500 + board, system / 10) for system in (first, second) for board in range(differ)]


def test_systems_are_twins_from_ten_equal_scores_and_nineteen_in_twenty_on():
    assert find_twins(agreeing(10)) == [Twin(1, 2, 10, 10)]
    assert find_twins(agreeing(9)) == find_twins(agreeing(9, differ=5)) == []
    assert find_twins(agreeing(19, differ=1)) == [Twin(1, 2, 19, 20)]
    assert find_twins(agreeing(18, differ=1)) == []
    assert find_twins([*agreeing(10), (1, 0, 0.9)]) == [Twin(1, 2, 10, 10)], "the first of several counts"
    assert find_twins([(1, 0, 0.9), *agreeing(10)]) == []
    many = [row for system in range(1, 41) for row in agreeing(10, system, 900 + system)]
    assert len(find_twins(many[: 20 * 20])) == 40 * 39 / 2
    assert find_twins(many[: 20 * 20 + 10]) == [], "what more than forty share says nothing"
