"""Lists bring the names that they show along: however many rows there are, the database is asked as often."""

import pytest

from registry.journal.models import Entry
from registry.results.access import get_visible_paper, get_visible_result, get_visible_system, visible_corrections
from registry.results.documents import describe_result, log_entries, result_cells
from registry.results.feeds import result_events
from registry.results.models import CorrectionRequest, Result
from registry.results.services.corrections import decline_correction, request_correction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import merge_papers, merge_systems
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system, make_user

pytestmark = pytest.mark.django_db


def test_a_feed_asks_for_what_came_and_for_what_went(django_assert_num_queries):
    ada = make_user("ada")
    results = [make_result(paper=make_paper()) for _ in range(2)]
    withdraw_result(result=results[0], actor=ada, reason="no such run")
    supersede_result(result=results[1], changes={"printed": "0.3"}, actor=ada, reason="misread")
    with django_assert_num_queries(2):
        events = result_events(Result.objects.all(), names_board=True)
    assert [event.at for event in events] == sorted((event.at for event in events), reverse=True)
    told = {(event.title.partition(":")[0], event.author, event.text) for event in events}
    assert ("Withdrawn", "ada", "no such run") in told
    assert ("Superseded", "ada", "misread") in told
    assert {event.path.endswith("#ended") for event in events if not event.title.startswith("Recorded")} == {True}
    plain = {event.title for event in result_events(Result.objects.all())}
    assert all(f", on {one.leaderboard}" not in title for title in plain for one in results)
    assert f"Recorded: {results[1].system}, 0.3, on {results[1].leaderboard}" in {event.title for event in events}


def test_what_is_shown_of_results_is_read_with_them(django_assert_num_queries):
    board = make_leaderboard()
    first = make_result(board, paper=make_paper(), printed="0.3")
    make_result(board, paper=make_paper(), printed="0.4", replicate_of=first)
    withdraw_result(
        result=make_result(board, paper=make_paper(), printed="0.5"), actor=make_user("ada"), reason="no such run"
    )
    with django_assert_num_queries(1):
        told = [describe_result(one) for one in Result.objects.for_listing()]
    assert [one["printed"] for one in told] == ["0.4", "0.3", "0.5"]
    assert told[2]["ended"]["entry"]["actor"] == "ada"
    with django_assert_num_queries(1):
        cells = [result_cells(one) for one in Result.objects.for_export()]
    assert [(one["value"], one.get("replicate_of")) for one in cells] == [("0.4", first.system.name), ("0.3", None)]
    new = supersede_result(result=first, changes={"notes": "seen"}, actor=None, reason="read again")
    with django_assert_num_queries(3):
        versions = list(Result.objects.versions_of(new))
        said = [(str(one), one.shown, one.recorded_by.actor_name, one.end and one.end.entry.reason) for one in versions]
    assert [(shown, reason) for _, shown, _, reason in said] == [(first.shown, "read again"), (first.shown, None)]
    with django_assert_num_queries(1):
        result = get_visible_result(new.pk)
        assert (result.recorded_by.reason, result.paper, result.leaderboard.collection.slug) == (
            "read again",
            first.paper,
            board.collection.slug,
        )


def test_a_name_that_leads_elsewhere_brings_that_along(django_assert_num_queries):
    ada = make_user("ada", is_editor=True)
    system, paper = make_system(), make_paper()
    merge_systems(source=system, target=make_system("other"), actor=ada, reason="one")
    merge_papers(source=paper, target=make_paper("Other (2001)"), actor=ada, reason="one")
    with django_assert_num_queries(2):
        assert str(get_visible_system(system.slug).merged_into) == "other"
        assert str(get_visible_paper(paper.slug).merged_into) == "Other (2001)"


def test_requests_are_listed_the_oldest_first_with_all_that_is_named(django_assert_num_queries):
    ada, grace, editor = make_user("ada"), make_user("grace"), make_user(is_editor=True)
    results = [make_result() for _ in range(3)]
    made = [
        request_correction(
            result=result, requester=who, kind="dispute", reason=f"because of {result.pk}", proposed_printed="0.7"
        )
        for result, who in zip(results, (ada, grace, ada), strict=True)
    ]
    decline_correction(request=made[2], actor=editor, reason="it is right")
    with django_assert_num_queries(1):
        listed = [
            (one.requester.username, str(one.result), one.result.leaderboard.collection.slug, str(one.decided_by))
            for one in CorrectionRequest.objects.for_listing()
        ]
    assert [name for name, *_ in listed] == ["ada", "grace", "ada"]
    assert listed[2][3] == str(editor)
    assert list(visible_corrections(editor)) == made[:2]
    assert list(visible_corrections(ada)) == [made[0], made[2]]
    assert list(visible_corrections(make_user())) == []


def test_entries_of_the_log_lead_to_their_subjects_with_one_question_a_kind(django_assert_num_queries):
    ada = make_user("ada", is_editor=True)
    for _ in range(2):
        merge_systems(source=make_system(), target=make_system(), actor=ada, reason="one")
        merge_papers(source=make_paper(), target=make_paper(), actor=ada, reason="one")
    entries = list(Entry.objects.public().filter(action__endswith=".merged"))
    with django_assert_num_queries(2):
        found = log_entries(entries)
    assert {one["subject_url"].split("/")[1] for one in found} == {"systems", "papers"}
    assert {one["what"] for one in found} == {"system merged", "paper merged"}
    with django_assert_num_queries(0):
        assert log_entries([]) == []
