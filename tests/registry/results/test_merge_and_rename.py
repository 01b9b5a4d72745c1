"""Merging and renaming: results move by superseding, old ids lead to the new ones, old names go on working."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.results.models import Result, System, TopicScores
from registry.results.services.corrections import request_correction
from registry.results.services.endings import MassChange, withdraw_result
from registry.results.services.merging import merge_papers, merge_systems, rename_system
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system, make_topic_scores, make_user
from tests.registry.results.loading import line, load, make_robust04
from tests.registry.results.people import editor, signed_in


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


def test_the_same_result_twice_becomes_one_with_the_scores_by_topic_of_the_twin():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin, first = make_result(board, target, "0.25"), make_result(board, source, "0.250")
    make_topic_scores(twin, [0.2, 0.3])
    make_topic_scores(first, [0.1, 0.4])
    replicate = make_result(board, printed="0.2", replicate_of=first)
    merge(source, target)
    replicate.refresh_from_db()
    assert replicate.replicate_of == twin
    assert Result.objects.standing().filter(system=target).get() == twin
    assert [row.scores for row in TopicScores.objects.filter(result__in=Result.objects.standing())] == [[0.2, 0.3]]


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


def test_what_it_is_merged_into_is_named_by_the_address_of_its_page():
    target, gone = make_paper("Doe (2020)"), make_paper("Doe (2021)")
    merge_papers(source=gone, target=target, actor=None, reason="one paper")
    browser, page = signed_in(editor()), target.get_absolute_url()
    for number, typed in enumerate((f"https://site.example.org{page}", page, f" {target.slug} ")):
        source = make_paper(f"Roe ({2000 + number})")
        response = browser.post(f"/papers/{source.slug}/merge/", {"target": typed, "reason": "one"})
        assert response.url == page, typed
        source.refresh_from_db()
        assert source.merged_into == target
    source = make_paper("Poe (2020)")
    for typed in (gone.get_absolute_url(), "nothing", "9" * 30, "a b", "\0", "/", ""):
        response = browser.post(f"/papers/{source.slug}/merge/", {"target": typed, "reason": "one"})
        assert response.status_code == 200, typed
    assert (
        f"Nothing that it can be merged into has this address: {gone.slug}"
        in browser.post(
            f"/papers/{source.slug}/merge/", {"target": gone.get_absolute_url(), "reason": "one"}
        ).content.decode()
    )


def test_a_renaming_that_moves_very_many_results_is_confirmed_with_their_number(monkeypatch):
    monkeypatch.setattr("registry.results.services.endings.MOST_CHANGES", 1)
    system = make_system("x")
    for _ in range(2):
        make_result(system=system)
    renaming = {"system": system, "name": "y", "team": "", "actor": editor(), "reason": "its name"}
    with pytest.raises(MassChange, match="type the number 2"):
        rename_system(**renaming)
    assert rename_system(**renaming, confirmed_rows=2).results.standing().count() == 2


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


def test_what_was_withdrawn_of_a_paper_stays_away_under_its_other_name(tmp_path):
    board, source, target = make_robust04(), make_paper("Doe 2001"), make_paper("Doe (2001)")
    gone = make_result(board, make_system("BM25"), "0.2500", source="a survey", paper=source)
    withdraw_result(result=gone, actor=None, reason="an erratum")
    merge_papers(source=source, target=target, actor=None, reason="one paper")
    report = load(tmp_path, line(paper="Doe (2001)"))
    assert (report.added, report.withdrawn) == (0, 1)


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
