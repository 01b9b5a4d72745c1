"""What follows from a decision on an oddity, what its end undoes, and who may look through the queue."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.utils import timezone

from registry.catalog.models import Curator
from registry.curation.lineage.models import Lineage, LineageDecision
from registry.curation.lineage.services.deciding import dissolve_lineage, join_lineage, leave_lineage, take_back
from registry.curation.oddities.access import get_decidable_oddity, oddities_of, require_curator
from registry.curation.oddities.models import Oddity, OddityDecision
from registry.curation.oddities.pipeline import ComparedResult, KnownPaper, odd_papers, odd_results
from registry.curation.oddities.queries import n_waiting_by_kind, read_papers, read_parts, read_rows
from registry.curation.oddities.services import decide_on_oddity, find_oddities, take_decision_back
from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.mass_changes import MassChange
from tests.registry.curation.suites.world import add_member, make_suite
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_system,
    make_user,
)
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db


def make_oddity(kind: str = "failed-run", key: str = "", **about: Any) -> Oddity:
    """An oddity of which nothing else is known."""
    about = about or {"result": make_result()}
    return Oddity.objects.create(
        kind=kind, key=key or str(Oddity.objects.count()), says="Something is odd.", found_at=timezone.now(), **about
    )


def decide(oddity: Oddity, kind: str, actor=None, **given: Any) -> OddityDecision:
    return decide_on_oddity(oddity=oddity, kind=kind, actor=actor or editor(), **given)


def standing(result: Result) -> Result:
    return Result.objects.standing().get(system=result.system)


def test_a_decision_has_the_reason_that_is_given_or_what_was_found():
    oddity, person = make_oddity(), editor()
    decision = decide(oddity, "right", person, reason=" It was so. ")
    assert (decision.entry.reason, decision.entry.actor, decision.done) == ("It was so.", person, {})
    assert decision.recorded_at == decision.entry.recorded_at
    entry = decision.entry
    assert (entry.action, entry.subject_type, entry.subject_id) == (
        "results.oddity.decided", "result", str(oddity.result_id),
    )  # fmt: skip
    assert entry.after == {"oddity": "failed-run", "decision": "right"}
    assert decide(oddity, "right", reason="Again.") == decision
    with pytest.raises(ValidationError, match="another decision holds"):
        decide(oddity, "error")
    ended = take_decision_back(oddity=oddity, actor=person)
    assert ended.ended_by.reason == "the decision was taken back"
    assert ended.ended_by.action == "results.oddity.decision_taken_back"
    assert ended.ended_by.before == {"oddity": "failed-run", "decision": "right"}
    with pytest.raises(ValidationError, match="no decision holds on this"):
        take_decision_back(oddity=oddity, actor=person)
    assert decide(oddity, "right", reason=" ").entry.reason == "it is right: Something is odd."


@pytest.mark.parametrize("kind", ["error", "right"])
def test_on_what_is_not_found_any_more_there_is_nothing_to_decide(kind):
    gone = make_oddity("systems", system=make_system(), other_system=make_system(), ended_at=timezone.now())
    with pytest.raises(ValidationError, match="it is not found any more"):
        decide(gone, kind)
    assert not OddityDecision.objects.exists()


def test_what_is_set_aside_comes_back_as_it_was_unless_it_says_something_else_by_now():
    result = make_result(comparability=Result.Comparability.TOPIC_SUBSET)
    oddity = make_oddity(result=result)
    decision = decide(oddity, "error", reason="broken")
    aside = standing(result)
    assert decision.done == {
        "result": aside.pk, "before": {"comparability": "topic_subset"}, "after": {"comparability": "doubtful"},
    }  # fmt: skip
    noted = supersede_result(result=aside, changes={"notes": "n"}, actor=None, reason="a note")
    oddity.refresh_from_db()
    Oddity.objects.filter(pk=oddity.pk).update(ended_at=timezone.now())
    take_decision_back(oddity=oddity, actor=editor(), reason="it was right")
    back = standing(result)
    assert (back.comparability, back.notes) == ("topic_subset", "n")
    assert back.pk != noted.pk
    oddity.refresh_from_db()
    assert (oddity.result, oddity.ended_at) == (back, None)


@pytest.mark.parametrize("what", ["changed", "withdrawn"])
def test_what_changed_since_stays_as_it_is(what):
    result = make_result()
    oddity = make_oddity(result=result)
    decide(oddity, "error")
    aside = standing(result)
    if what == "changed":
        after = supersede_result(result=aside, changes={"comparability": "standard"}, actor=None, reason="loaded")
    else:
        after = withdraw_result(result=aside, actor=None, reason="a mistake")
    n = Result.objects.count()
    take_decision_back(oddity=oddity, actor=editor())
    assert Result.objects.count() == n
    assert Result.objects.latest("pk").pk == after.pk


def test_systems_that_are_one_are_of_the_lineage_that_was_found_and_two_are_not():
    first, second = make_system("a"), make_system("b")
    oddity = make_oddity("systems", system=first, other_system=second)
    now = {"recorded_at": timezone.now(), "source": "test"}
    Lineage.objects.create(system=first, key="model:m", holds=True, origin="loaded", **now)
    Lineage.objects.create(system=first, key="twin:a", holds=True, origin="found", **now)
    error = decide(oddity, "error")
    decisions = LineageDecision.objects.standing().order_by("pk")
    assert [(one.system, one.key, one.kind) for one in decisions] == [
        (first, "twin:a", "join"), (second, "twin:a", "join"),
    ]  # fmt: skip
    assert error.done == {"lineage_decisions": [one.pk for one in decisions]}
    assert (error.entry.subject_type, error.entry.subject_id) == ("system", str(first.pk))
    take_decision_back(oddity=oddity, actor=editor())
    assert not LineageDecision.objects.standing().exists()
    decide(oddity, "right")
    assert [(one.system, one.kind) for one in LineageDecision.objects.standing()] == [(second, "leave")]


def test_what_an_editor_decided_before_stays_when_the_decision_is_taken_back():
    first, second = make_system("a"), make_system("b")
    oddity = make_oddity("systems", system=first, other_system=second)
    now = {"recorded_at": timezone.now(), "source": "test"}
    Lineage.objects.create(system=first, key="twin:a", holds=True, origin="found", **now)
    own = join_lineage(system=first, key="twin:a", actor=editor(), reason="I know")
    error = decide(oddity, "error")
    assert LineageDecision.objects.standing().count() == 2
    take_decision_back(oddity=oddity, actor=editor())
    assert list(LineageDecision.objects.standing()) == [own]
    assert own.pk not in error.done["lineage_decisions"]


def twins() -> tuple[Oddity, System, System]:
    """Two systems with the same scores."""
    first, second = make_system("a"), make_system("b")
    now = {"recorded_at": timezone.now(), "source": "test"}
    Lineage.objects.create(system=first, key="twin:a", holds=True, origin="found", **now)
    return make_oddity("systems", system=first, other_system=second), first, second


@pytest.mark.parametrize(
    ("earlier", "kind", "decision"), [(leave_lineage, "leave", "error"), (join_lineage, "join", "right")]
)
def test_what_a_decision_replaces_is_decided_again_when_it_is_taken_back(earlier, kind, decision):
    oddity, _, second = twins()
    own = earlier(system=second, key="twin:a", actor=editor(), reason="I know")
    done = decide(oddity, decision).done
    assert done["lineage_before"] == [own.pk]
    person = editor()
    take_decision_back(oddity=oddity, actor=person, reason="after all")
    again = LineageDecision.objects.standing().get()
    assert (again.system, again.key, again.kind) == (second, "twin:a", kind)
    assert (again.entry.actor, again.entry.reason) == (person, "after all")
    own.refresh_from_db()
    assert own.ended_at < again.recorded_at


@pytest.mark.parametrize("since", ["taken back", "merged", "dissolved"])
def test_what_was_decided_since_holds_when_a_decision_that_replaced_another_is_taken_back(since):
    oddity, _, second = twins()
    join_lineage(system=second, key="twin:a", actor=editor(), reason="I know")
    decide(oddity, "right")
    if since == "taken back":
        take_back(decision=LineageDecision.objects.standing().get(), actor=editor(), reason="not known")
    elif since == "merged":
        System.objects.filter(pk=second.pk).update(merged_into=make_system("c"))
    else:
        dissolve_lineage(key="twin:a", actor=editor(), reason="no family")
    take_decision_back(oddity=oddity, actor=editor())
    standing = LineageDecision.objects.standing().order_by("kind").values_list("kind", "system")
    assert list(standing) == ([("join", second.pk), ("leave", None)] if since == "dissolved" else [])


def test_papers_that_are_one_are_merged_and_parted_unless_somebody_did_so_before():
    one, other = make_paper("a"), make_paper("b")
    oddity = make_oddity("papers", paper=one, other_paper=other)
    decision = decide(oddity, "error", reason="one paper")
    other.refresh_from_db()
    assert other.merged_into == one
    merged = Entry.objects.get(action="results.paper.merged")
    assert decision.done == {"merged": merged.pk}
    assert (decision.entry.subject_type, decision.entry.subject_id) == ("paper", str(one.pk))
    Paper.objects.filter(pk=other.pk).update(merged_into=None)
    take_decision_back(oddity=oddity, actor=editor())
    assert not Entry.objects.filter(action__contains="unmerged").exists()
    apart = decide(oddity, "right")
    assert apart.done == {}
    other.refresh_from_db()
    assert other.merged_into is None


def test_on_collections_the_decision_is_noted_alone():
    one, other = make_collection("one"), make_collection("other")
    oddity = make_oddity("collections", collection=one, other_collection=other)
    decision = decide(oddity, "error")
    assert (decision.done, decision.entry.subject_type, decision.entry.subject_id) == ({}, "collection", "one")
    assert decision.entry.reason == "they are one: Something is odd."
    assert Paper.objects.count() == 0


def test_what_is_gone_ends_and_what_comes_again_waits_with_its_decisions_of_before():
    result = make_result(make_leaderboard(make_collection(year=2004)), year=2003)
    assert find_oddities(reason="a look")["year"] == 1
    (oddity,) = Oddity.objects.all()
    assert (oddity.kind, oddity.result, oddity.ended_at) == ("year", result, None)
    assert oddity.says == "The result is of 2003, its collection of 2004."
    Result.objects.filter(pk=result.pk).update(year=2004)
    assert find_oddities() == {}
    oddity.refresh_from_db()
    ended_at = oddity.ended_at
    assert ended_at is not None
    assert not Oddity.objects.waiting().exists()
    find_oddities()
    oddity.refresh_from_db()
    assert oddity.ended_at == ended_at, "it ended once"
    Result.objects.filter(pk=result.pk).update(year=2002)
    find_oddities()
    oddity.refresh_from_db()
    assert (oddity.says, oddity.ended_at) == ("The result is of 2002, its collection of 2004.", None)
    assert Oddity.objects.count() == 1
    other = make_result(make_leaderboard(make_collection(year=2004)), year=2003)
    decide(oddity, "error")
    decide(Oddity.objects.create(kind="year", key="x", says="x", result=other, found_at=timezone.now()), "error")
    Result.objects.standing().filter(system=result.system).update(year=2002)
    find_oddities()
    assert [one.ended_by.reason for one in OddityDecision.objects.exclude(ended_at=None)] == [
        "found again: what the decision changed stands in the record once more"
    ]
    assert OddityDecision.objects.get(ended_at=None).oddity.key == "x"
    kept = decide(oddity, "right")
    find_oddities()
    kept.refresh_from_db()
    assert kept.ended_at is None, "nothing was changed by it"


def test_the_queue_is_for_those_who_look_after_something(settings):
    mine, foreign = make_oddity(), make_oddity()
    pair = make_oddity("papers", paper=make_paper(), other_paper=make_paper())
    curator, person = make_user(), editor()
    Curator.objects.create(user=curator, collection=mine.result.leaderboard.collection)
    assert [require_curator(one) for one in (curator, person)] == [curator, person]
    with pytest.raises(PermissionDenied, match="Only editors and curators look through what is odd"):
        require_curator(make_user())
    assert set(oddities_of(person)) == {mine, foreign, pair}
    assert list(oddities_of(curator)) == [mine]
    assert get_decidable_oddity(mine.pk, curator) == mine
    with pytest.raises(Http404, match="There is no such oddity"):
        get_decidable_oddity(foreign.pk, curator)
    assert get_decidable_oddity(foreign.pk, person) == foreign
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    with pytest.raises(PermissionDenied, match="second factor"):
        require_curator(curator)


def test_kinds_stand_by_how_many_wait_and_decided_ones_by_the_last_decision(django_assert_max_num_queries):
    runs = [make_oddity() for _ in range(3)]
    year = make_oddity("year")
    outlier = make_oddity("outlier")
    assert n_waiting_by_kind() == [("failed run", 3), ("score alone at an end", 1), ("years out of order", 1)]
    for oddity in (year, *runs[:2]):
        decide(oddity, "right")
    take_decision_back(oddity=runs[0], actor=editor())
    Oddity.objects.filter(pk=outlier.pk).update(ended_at=timezone.now())
    assert n_waiting_by_kind() == [("failed run", 2)]
    assert list(Oddity.objects.decided()) == [runs[1], year]
    assert set(Oddity.objects.waiting()) == {runs[0], runs[2]}
    with django_assert_max_num_queries(2):
        listed = [(one.subject, [each.entry.actor_name for each in one.standing]) for one in
                  Oddity.objects.all().for_listing()]  # fmt: skip
    assert len(listed) == 5
    assert listed[0][0] == f"{runs[0].result} on {runs[0].result.leaderboard}"
    assert [len(actors) for _, actors in listed] == [0, 1, 0, 1, 0]


def test_the_queue_comes_in_pages_of_fifty_and_a_click_leads_back_to_its_kind():
    result = make_result()
    for number in range(51):
        make_oddity(key=str(number), result=result)
    client = signed_in(editor())
    page = client.get("/oddities/").context["page"]
    assert (len(page), page.paginator.num_pages) == (50, 2)
    assert len(client.get("/oddities/?page=2").context["page"]) == 1
    assert client.post("/oddities/").status_code == 405
    assert client.get("/oddities/?kind=nothing").status_code == 400
    oddity = Oddity.objects.first()
    address = f"/oddities/{oddity.pk}/decide/"
    assert client.get(f"{address}?decision=right").context["form"].initial["decision"] == "right"
    assert client.get(address).context["form"].initial["decision"] == ""
    for wrong in ({"decision": "perhaps"}, {"decision": "right", "reason": "x" * 2001}, {}):
        assert client.post(address, wrong).status_code == 200, wrong
    assert not OddityDecision.objects.exists()
    sent = client.post(address, {"decision": "right", "reason": "x" * 2000})
    assert (sent.status_code, sent["Location"]) == (302, "/oddities/?kind=failed-run")
    assert client.put(address).status_code == 405


def test_standing_comparable_results_are_looked_through_the_oldest_first():
    measure, other = make_measure(), make_measure(low=-1)
    board = make_leaderboard(make_collection(year=2004), measure)
    first = make_result(board, printed="0.3", year=2005, paper=make_paper(year=2006))
    make_result(board, replicate_of=first)
    make_result(board, comparability="doubtful")
    ended = {"ending": "withdrawn", "ended_at": timezone.now(), "ended_by": make_entry()}
    make_result(board, **ended)
    second = make_result(make_leaderboard(make_collection(), other), printed="0.2")
    assert read_rows() == [
        ComparedResult(
            first.pk, board.pk, board.collection_id, measure.pk, first.system_id, first.paper_id, 0.3, "baseline",
            2005, 2004, 2006, True,
        ),
        ComparedResult(
            second.pk, second.leaderboard_id, second.leaderboard.collection_id, other.pk, second.system_id, None, 0.2,
            "baseline", None, None, None, False,
        ),
    ]  # fmt: skip


def test_papers_with_the_most_results_come_first_and_merged_ones_never():
    few, many, gone = (make_paper(name, title=name, doi=f"10.1/{name}", year=2020) for name in "fmg")
    Paper.objects.filter(pk=gone.pk).update(merged_into=few)
    same = make_paper("s")
    for paper in (many, many, few):
        make_result(paper=paper)
    assert [one.paper for one in read_papers()] == [many.pk, few.pk, same.pk]
    assert read_papers()[0] == KnownPaper(many.pk, "m", "10.1/m", "", 2020)


def test_parts_are_those_of_a_member_under_its_measure():
    measure = make_measure()
    whole, one, two, apart = (make_leaderboard(make_collection(), measure) for _ in range(4))
    suite = make_suite("beir", [whole, apart])
    for place, board in enumerate((one, two), 5):
        add_member(suite, board, place, part_of=suite.members.get(position=0))
    key = (whole.collection_id, measure.pk)
    assert read_parts() == {key: frozenset({(one.collection_id, measure.pk), (two.collection_id, measure.pk)})}


def row(**fields: Any) -> ComparedResult:
    usual = {"result": 1, "board": 1, "collection": 1, "measure": 1, "system": 1, "paper": None, "value": 0.3}
    years = {"year": None, "collection_year": None, "paper_year": None}
    return ComparedResult(**usual | {"role": "baseline", "is_failed_at_zero": True} | years | fields)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"year": 2003, "collection_year": 2004}, ["The result is of 2003, its collection of 2004."]),
        ({"year": 2004, "collection_year": 2004}, []),
        ({"year": 2003}, []),
        ({"year": 2021, "paper_year": 2020}, ["The result is of 2021, the paper that prints it of 2020."]),
        ({"year": 2020, "paper_year": 2020}, []),
        ({"year": 2021}, []),
        ({"year": 2003, "collection_year": 2004, "role": "leaderboard"}, []),
        ({"collection_year": 2004, "paper_year": 2020}, []),
    ],
)
def test_years_are_out_of_order_where_one_is_before_its_collection_or_after_its_paper(fields, says):
    assert [(one.kind, one.says) for one in odd_results([row(**fields)], {})] == [("year", said) for said in says]


def test_of_two_identifiers_one_is_said_and_of_long_titles_two_hundred_characters():
    title = "A long title about the luck of runs " * 9
    papers = [
        KnownPaper(1, title, "10.48550/arXiv.2001.00001", "", 2020),
        KnownPaper(2, title, "", "2001.00001v2", 2020),
    ]
    (found,) = odd_papers(papers)
    assert (found.key, found.says) == ("1:2", "Both have the arXiv id “2001.00001v2”.")
    (by_title,) = odd_papers([KnownPaper(1, title, "", "", 2020), KnownPaper(2, title, "", "", 2021)])
    assert by_title.says == f"Both have the title “{title[:199]}…”, of 2020 and 2021."
    assert odd_papers([KnownPaper(1, "Two words", "", "", 1), KnownPaper(2, "Two words", "", "", 1)]) == []


def entries_after(pk: int) -> set[tuple[Any, str]]:
    """Who did what was recorded since, and why."""
    return set(Entry.objects.filter(pk__gt=pk).values_list("actor__username", "reason"))


@pytest.mark.parametrize("kind", ["failed-run", "systems", "papers"])
@pytest.mark.parametrize("decision", ["error", "right"])
def test_all_that_follows_is_recorded_under_who_decided_and_why(kind, decision, monkeypatch):
    first, second = make_system("a"), make_system("b")
    one, other = make_paper("a"), make_paper("b")
    make_result(system=second, paper=other)
    Lineage.objects.create(
        system=first, key="twin:a", holds=True, origin="found", recorded_at=timezone.now(), source="test"
    )
    about: dict[str, dict[str, Any]] = {
        "failed-run": {"result": make_result()}, "systems": {"system": first, "other_system": second},
        "papers": {"paper": one, "other_paper": other},
    }  # fmt: skip
    oddity, person = make_oddity(kind, **about[kind]), make_user("ada", is_editor=True)
    before = Entry.objects.latest("pk").pk
    decide(oddity, decision, person, reason="because")
    assert entries_after(before) == {("ada", "because")}
    before = Entry.objects.latest("pk").pk
    take_decision_back(oddity=oddity, actor=person, reason="after all")
    assert entries_after(before) == {("ada", "after all")}


@pytest.mark.parametrize("kind", ["failed-run", "papers"])
def test_much_at_once_is_confirmed_with_its_number_each_time(kind, monkeypatch):
    monkeypatch.setattr("registry.results.services.mass_changes.MOST_CHANGES", 0)
    one, other = make_paper("a"), make_paper("b")
    result = make_result(paper=other)
    about: dict[str, Any] = {"result": result} if kind == "failed-run" else {"paper": one, "other_paper": other}
    oddity, person = make_oddity(kind, **about), editor()
    with pytest.raises(MassChange):
        decide(oddity, "error", person)
    assert not OddityDecision.objects.exists()
    decide(oddity, "error", person, confirmed_rows=1)
    with pytest.raises(MassChange):
        take_decision_back(oddity=oddity, actor=person)
    # What was put in its place goes as well, within the same hour.
    take_decision_back(oddity=oddity, actor=person, confirmed_rows=2)
    assert OddityDecision.objects.get().ended_at is not None
