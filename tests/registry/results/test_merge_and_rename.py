"""Merging and renaming: results move by superseding, old ids lead to the new ones, old names go on working."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.journal.models import Entry
from registry.results.models import Result, System, TopicScores
from registry.results.queries import names_at
from registry.results.services.corrections import request_correction
from registry.results.services.endings import withdraw_result
from registry.results.services.gathering import say_model
from registry.results.services.mass_changes import MassChange
from registry.results.services.merging import merge_papers, merge_systems, merged_by, rename_system
from tests.registry.factory import (
    make_entry,
    make_leaderboard,
    make_model,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_user,
)
from tests.registry.results.loading import line, load, make_robust04
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db


def merge(source, target) -> System:
    return merge_systems(source=source, target=target, actor=None, reason="one system")


def rename(system, name, team="") -> System:
    return rename_system(system=system, name=name, team=team, actor=None, reason="its name")


def test_results_move_and_what_was_stays_to_be_seen():
    source, target, before = make_system("BM 25"), make_system("BM25"), timezone.now()
    result = make_result(system=source, printed="0.25", recorded_at=before)
    make_topic_scores(result, [0.2, 0.3])
    merge(source, target)
    new = Result.objects.standing().get()
    assert (new.system, new.printed, new.topic_scores.get().scores) == (target, "0.25", [0.2, 0.3])
    assert Result.objects.known_at(before).get().system == source
    assert list(Result.objects.versions_of(new)) == [result, new]
    assert result.leaderboard.results.count() == 2


def test_the_old_address_leads_to_the_new_one(client):
    first, second, third = (make_system(name) for name in "abc")
    merge(first, second)
    merge(second, third)
    for system in (first, second):
        assert client.get(f"/systems/{system.slug}/").url == f"/systems/{third.slug}/"
        assert client.get(f"/api/v1/systems/{system.slug}/")["Location"] == f"/api/v1/systems/{third.slug}/"


def test_the_same_result_twice_becomes_one():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin = make_result(board, target, "0.25")
    replicate = make_result(board, printed="0.2", replicate_of=make_result(board, source, "0.250"))
    merge(source, target)
    replicate.refresh_from_db()
    assert replicate.replicate_of == twin
    assert Result.objects.standing().filter(system=target).get() == twin


def test_scores_by_topic_of_the_twin_stay_where_both_have_some():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin = make_result(board, target, "0.25")
    make_topic_scores(twin, [0.2, 0.3])
    make_topic_scores(make_result(board, source, "0.250"), [0.1, 0.4])
    merge(source, target)
    assert [one.scores for one in TopicScores.objects.filter(result__in=Result.objects.standing())] == [[0.2, 0.3]]


def test_results_that_contradict_each_other_keep_systems_apart():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    make_result(board, source, "0.25")
    make_result(board, target, "0.26")
    with pytest.raises(ValidationError, match="withdraw the wrong one first"):
        merge(source, target)
    source.refresh_from_db()
    assert source.merged_into is None
    assert Result.objects.standing().count() == 2


def test_a_system_is_merged_once_and_not_into_itself():
    source, target = make_system("a"), make_system("b")
    with pytest.raises(ValidationError, match="the same already"):
        merge(source, source)
    merge(source, target)
    for pair in ((source, target), (target, source)):
        with pytest.raises(ValidationError, match="merged into"):
            merge(*pair)


def test_files_may_go_on_using_the_old_name(tmp_path):
    board, source, target = make_robust04(), make_system("old"), make_system("new")
    gone = make_result(board, source, "0.11", source="a report")
    withdraw_result(result=gone, actor=None, reason="an erratum")
    merge(source, target)
    report = load(tmp_path, line(system="old", value="0.3"), line(system="old", value="0.11", source="a report"))
    assert (report.added, report.withdrawn, report.refused) == (1, 1, 0)
    assert Result.objects.standing().get().system == target


def test_papers_are_merged_too(client):
    source, target = make_paper("Doe 2001"), make_paper("Doe (2001)")
    result = make_result(paper=source)
    merge_papers(source=source, target=target, actor=None, reason="one paper")
    assert Result.objects.standing().get().paper == target
    assert client.get(f"/papers/{source.slug}/").url == f"/papers/{target.slug}/"
    assert Result.objects.get(pk=result.pk).ending == "superseded"


def test_a_new_spelling_keeps_the_id():
    system = make_system("bm25", "waterloo")
    assert rename(system, "BM25", "Waterloo") == system
    system.refresh_from_db()
    assert (system.name, system.team, system.name_key) == ("BM25", "Waterloo", "bm25")


def test_a_new_name_is_a_new_system_and_back_again():
    system = make_system("wrong")
    make_result(system=system)
    right = rename(system, "right")
    assert right.pk != system.pk
    assert Result.objects.standing().get().system == right
    assert rename(right, "wrong") == system
    assert Result.objects.standing().get().system == system
    right.refresh_from_db()
    assert right.merged_into == system


def test_back_under_its_old_name_it_is_of_the_model_that_was_said_since_and_spelled_as_it_is_now():
    old, new = make_model("old-model", "old-model"), make_model("new-model", "new-model")
    system = make_system("wrong", model=old)
    right = rename(system, "right")
    assert right.model == old
    say_model(system=right, model="new-model", actor=make_user(), reason="its card says so")
    back = rename(System.objects.get(pk=right.pk), "Wrong")
    assert (back.pk, back.name, back.model) == (system.pk, "Wrong", new)
    merged = Entry.objects.filter(action="results.system.merged").latest("pk")
    assert merged_by(merged) is None
    assert names_at(merged.recorded_at - timedelta(minutes=1))[system.pk]["system"] == "wrong"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("taken", "merge the two"),
        ("zero\u200bwidth", "cannot be seen"),
        (" ", "a system has a name"),
        ("0.25", "a number is not the name"),
        ("\ufdfa" * 100, "too long once written in plain characters"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name, message):
    make_system("taken")
    with pytest.raises(ValidationError, match=message):
        rename(make_system("x"), name)


def test_an_editor_does_it_by_a_page():
    source, target = make_system("a"), make_system("b")
    response = signed_in(editor()).post(f"/systems/{source.slug}/merge/", {"target": target.pk, "reason": "one"})
    assert response.url == f"/systems/{target.slug}/"
    response = signed_in(editor()).post(f"/systems/{target.slug}/rename/", {"name": "c", "reason": "its name"})
    assert System.objects.get(name="c").merged_into is None
    assert response.status_code == 302


def test_what_it_is_merged_into_is_named_by_the_address_of_its_page():
    target, gone = make_paper("Doe (2020)"), make_paper("Doe (2021)")
    merge_papers(source=gone, target=target, actor=None, reason="one paper")
    browser, page = signed_in(editor()), target.get_absolute_url()
    for number, said in enumerate((f"https://site.example.org{page}", page, f" {target.slug} ")):
        source = make_paper(f"Roe ({2000 + number})")
        response = browser.post(f"/papers/{source.slug}/merge/", {"target": said, "reason": "one"})
        assert response.url == page, said
        source.refresh_from_db()
        assert source.merged_into == target
    source = make_paper("Poe (2020)")
    for said in (gone.get_absolute_url(), "nothing", "9" * 30, "a b", "\0", "/", ""):
        response = browser.post(f"/papers/{source.slug}/merge/", {"target": said, "reason": "one"})
        assert response.status_code == 200, said
    assert (
        f"Nothing that it can be merged into has this address: {gone.slug}"
        in browser.post(
            f"/papers/{source.slug}/merge/", {"target": gone.get_absolute_url(), "reason": "one"}
        ).content.decode()
    )


def test_the_log_says_what_became_one_with_how_many_results_and_which_names_lead_there_too():
    first, second, third = make_system("a", "x"), make_system("b"), make_system("c")
    for system in (first, second):
        make_result(system=system)
    merge(first, second)
    merge(second, third)
    below, above = Entry.objects.filter(action="results.system.merged").order_by("pk")
    assert (below.subject_type, below.subject_id, below.reason, below.before) == (
        "system", str(first.pk), "one system", {"name": str(first)},
    )  # fmt: skip
    assert below.after == {"name": "b", "merged_into": second.pk, "results": 1}
    assert above.after == {"name": "c", "merged_into": third.pk, "results": 2, "names": [first.pk]}
    assert set(System.objects.filter(merged_into=third)) == {first, second}


def test_what_was_joined_names_its_twin_and_its_replicates_in_the_log():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin, first = make_result(board, target, "0.25"), make_result(board, source, "0.25")
    replicates = [make_result(board, printed="0.2", replicate_of=first) for _ in range(2)]
    merge(source, target)
    entry = Entry.objects.get(action="results.result.superseded")
    assert (entry.before, entry.after) == (None, {"joined with": twin.pk, "replicates": [one.pk for one in replicates]})
    first.refresh_from_db()
    assert (first.ending, first.superseded_by, first.ended_by) == ("superseded", twin, entry)


def test_a_renaming_says_both_names_and_keeps_what_is_said_of_the_system():
    entry = make_entry("results.model.gathered")
    system = make_system("bm25", "UWaterloo", approach="Lexical.", model=make_model("BM25", "bm25"), model_by=entry)
    assert rename(system, "bm25", "UWaterloo") == system
    assert not Entry.objects.filter(action="results.system.renamed").exists()
    right = rename(system, " BM25  tuned ", "Waterloo")
    said = Entry.objects.get(action="results.system.renamed")
    assert (said.subject_type, said.subject_id, said.reason) == ("system", str(system.pk), "its name")
    assert said.before == {"name": "bm25", "team": "UWaterloo"}
    assert said.after == {"name": "BM25 tuned", "team": "Waterloo"}
    assert (right.name, right.team, right.approach) == ("BM25 tuned", "Waterloo", "Lexical.")
    assert (right.model, right.model_by) == (system.model, entry)


@pytest.mark.parametrize(
    ("name", "team", "message"),
    [
        (" ", "", "a system has a name"),
        ("0.31", "", "a number is not the name"),
        ("7", "x", ""),
        ("x", "\u200b", "seen"),
    ],
)
def test_a_system_is_called_by_a_name_and_by_a_number_only_of_its_team(name, team, message):
    system = make_system("x1")
    if not message:
        assert rename(system, name, team).name == name
        return
    with pytest.raises(ValidationError, match=message):
        rename(system, name, team)
    with pytest.raises(ValidationError, match="say why"):
        rename_system(system=system, name="y", team="", actor=None, reason=" ")


def test_a_renaming_that_moves_very_many_results_is_confirmed_with_their_number(monkeypatch):
    monkeypatch.setattr("registry.results.services.mass_changes.MOST_CHANGES", 1)
    system = make_system("x")
    for _ in range(2):
        make_result(system=system)
    given = {"system": system, "name": "y", "team": "", "actor": editor(), "reason": "its name"}
    with pytest.raises(MassChange, match="type the number 2"):
        rename_system(**given)
    assert rename_system(**given, confirmed_rows=2).results.standing().count() == 2


def test_what_is_asked_of_a_joined_result_is_asked_of_its_twin_but_not_twice():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin, old = make_result(board, target, "0.25"), make_result(board, source, "0.25")
    ada, grace = make_user("ada"), make_user("grace")

    def ask(result, who, kind="dispute", proposed=""):
        return request_correction(
            result=result, requester=who, kind=kind, reason="not there", proposed_printed=proposed
        )

    known, again = ask(twin, ada), ask(old, ada)
    moved = [ask(old, grace), ask(old, ada, "correct", "0.31")]
    merge(source, target)
    assert set(twin.correction_requests.all()) == {known, *moved}
    assert list(old.correction_requests.all()) == [again]


def test_a_team_that_cannot_be_is_refused_and_a_number_needs_one():
    system = make_system("x")
    with pytest.raises(ValidationError) as caught:
        rename(system, "y", team="a\u200bteam")
    assert set(caught.value.message_dict) == {"team"}
    assert rename(system, "2", team="a team").name == "2"


def test_nothing_is_renamed_to_what_it_is_called():
    system = make_system("BM25", "a team")
    n_entries = Entry.objects.count()
    assert rename(system, " BM25 ", "a  team") == system
    assert Entry.objects.count() == n_entries


def test_what_has_the_new_name_has_the_approach_and_the_model_of_the_old():
    system = make_system("x", approach="learned sparse")
    system.model, system.model_by = make_model(), make_entry()
    system.save()
    new = rename(system, "y")
    assert (new.approach, new.model, new.model_by) == (system.approach, system.model, system.model_by)


def test_only_what_stands_for_the_same_thing_is_compared():
    board, source, target, paper = make_leaderboard(), make_system("a"), make_system("b"), make_paper()
    make_result(board, source, "0.25")
    make_result(make_leaderboard(), target, "0.26")
    make_result(board, target, "0.27", paper=paper)
    make_result(board, target, "0.28", source="elsewhere")
    withdraw_result(result=make_result(board, target, "0.29"), actor=None, reason="an erratum")
    merge(source, target)
    assert {one.printed for one in target.results.standing()} == {"0.25", "0.26", "0.27", "0.28"}


def test_what_ended_before_a_merge_is_no_part_of_a_joined_result():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin, first = make_result(board, target, "0.25"), make_result(board, source, "0.25")
    make_topic_scores(twin, [0.1, 0.4])
    TopicScores.objects.update(ended_at=timezone.now())
    make_topic_scores(first, [0.2, 0.3])
    withdraw_result(result=make_result(board, replicate_of=first), actor=None, reason="an erratum")
    merge(source, target)
    first.refresh_from_db()
    assert first.ended_by.after == {"joined with": twin.pk}
    assert twin.topic_scores.standing().get().scores == [0.2, 0.3]


def test_what_was_withdrawn_of_a_paper_stays_away_under_its_other_name(tmp_path):
    board, source, target = make_robust04(), make_paper("Doe 2001"), make_paper("Doe (2001)")
    gone = make_result(board, make_system("BM25"), "0.2500", source="a survey", paper=source)
    withdraw_result(result=gone, actor=None, reason="an erratum")
    merge_papers(source=source, target=target, actor=None, reason="one paper")
    report = load(tmp_path, line(paper="Doe (2001)"))
    assert (report.added, report.withdrawn) == (0, 1)
