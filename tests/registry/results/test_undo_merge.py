"""Undoing a merge: what was one stands by itself again, with its results, and the log and earlier days say so."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from registry.results.queries import what_it_is
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import merge_papers, merge_systems, merged_by, undo_merge
from registry.results.services.papers import correct_paper, load_papers_file
from registry.results.services.undoing import undo_batch
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.results.loading import line, load, make_robust04
from tests.registry.results.people import editor, signed_in


def merge(source, target) -> Entry:
    merge_systems(source=source, target=target, actor=None, reason="one system")
    return last(source)


def last(system, action="results.system.merged") -> Entry:
    return Entry.objects.filter(action=action, subject_id=str(system.pk)).latest("pk")


def undo(entry: Entry, **fields) -> Entry:
    return undo_merge(entry=entry, actor=editor(), reason="they are two", **fields)


def standing(thing) -> list[str]:
    return sorted(thing.results.standing().values_list("printed", flat=True))


def test_results_come_back_and_the_other_keeps_its_own():
    collection = make_collection()
    make_topics(collection, ["1", "2"])
    board, source, target = make_leaderboard(collection), make_system("a"), make_system("b")
    make_topic_scores(make_result(board, source, "0.25"), [0.2, 0.3])
    make_result(board, target, "0.31", source="elsewhere")
    entry = merge(source, target)
    version = type(board).objects.get(pk=board.pk).results_version
    undone = undo(entry)
    assert (standing(source), standing(target)) == (["0.25"], ["0.31"])
    again = source.results.standing().get()
    assert again.topic_scores.get().scores == [0.2, 0.3]
    assert (again.recorded_by, undone.before["merged_into"]) == (undone, target.pk)
    assert System.objects.get(pk=source.pk).merged_into is None
    assert type(board).objects.get(pk=board.pk).results_version > version


def test_leaderboards_of_either_are_studied_again_for_what_is_said_of_the_other():
    """Its training and its lineage, by whichever of its names."""
    source, target = make_system("a"), make_system("b")
    of_source, of_target = make_result(system=source).leaderboard, make_result(system=target).leaderboard

    def versions() -> list[int]:
        boards = type(of_source).objects.in_bulk([of_source.pk, of_target.pk])
        return [boards[of_source.pk].results_version, boards[of_target.pk].results_version]

    entry = merge(source, target)
    assert versions() == [1, 1]
    undo(entry)
    assert versions() == [2, 2]


def test_what_was_corrected_since_comes_back_corrected_and_what_was_withdrawn_stays_so(tmp_path):
    board, source, target = make_robust04(), make_system("old"), make_system("new")
    make_result(board, source, "0.25", source="a report")
    make_result(board, source, "0.11", source="another")
    entry = merge(source, target)
    moved = {result.printed: result for result in target.results.standing()}
    supersede_result(result=moved["0.25"], changes={"printed": "0.26"}, actor=None, reason="a slip")
    withdraw_result(result=moved["0.11"], actor=None, reason="an erratum")
    undo(entry)
    assert (standing(source), standing(target)) == (["0.26"], [])
    report = load(tmp_path, line(system="old", value="0.11", source="another"))
    assert (report.added, report.withdrawn) == (0, 1)


def test_results_that_were_joined_are_two_again():
    collection = make_collection()
    make_topics(collection, ["1", "2"])
    board, source, target = make_leaderboard(collection), make_system("a"), make_system("b")
    twin, first = make_result(board, target, "0.25"), make_result(board, source, "0.25")
    make_topic_scores(first, [0.2, 0.3])
    replicate = make_result(board, printed="0.2", replicate_of=first)
    entry = merge(source, target)
    undo(entry)
    again = source.results.standing().get()
    replicate.refresh_from_db()
    assert (standing(source), standing(target), replicate.replicate_of) == (["0.25"], ["0.25"], again)
    assert again.topic_scores.get().scores == [0.2, 0.3]
    assert not twin.topic_scores.standing().exists()


def test_a_merge_over_a_merge_leaves_the_earlier_one():
    first, second, third = (make_system(name) for name in "abc")
    make_result(system=first, printed="0.1")
    make_result(system=second, printed="0.2")
    below = merge(first, second)
    above = merge(second, third)
    undo(above)
    first.refresh_from_db()
    assert (first.merged_into, standing(second), standing(third)) == (second, ["0.1", "0.2"], [])
    undo(below)
    assert (standing(first), standing(second)) == (["0.1"], ["0.2"])


def test_a_merge_is_undone_once_and_by_its_own_entry():
    source, target = make_system("a"), make_system("b")
    result = make_result(system=source)
    entry = merge(source, target)
    result.refresh_from_db()
    with pytest.raises(ValidationError, match="was merged into"):
        undo_batch(entry=result.ended_by, actor=editor(), reason="back")
    undone = undo(entry)
    with pytest.raises(ValidationError, match="nothing of it is left"):
        undo(entry)
    with pytest.raises(ValidationError, match="merge the two again"):
        undo_batch(entry=undone, actor=editor(), reason="back")


def test_a_file_does_not_merge_again_what_somebody_parted(tmp_path):
    source = make_paper("Doe (2002)", doi="10.1145/2", identity="doi:10.1145/2")
    target = make_paper("Doe (2001)", doi="10.1145/1", identity="doi:10.1145/1")
    path = tmp_path / "papers.csv"
    header = "paper,paper_url,title,authors,year,kind,also,source"
    row = "Doe (2001),https://doi.org/10.1145/1,On Luck,Jane Doe,2001,misc,https://doi.org/10.1145/2,us"
    path.write_text(f"{header}\n{row}\n", encoding="utf-8")
    load_papers_file(path=path)
    assert Paper.objects.get(pk=source.pk).merged_into == target
    undo(Entry.objects.get(action="results.paper.merged"))
    load_papers_file(path=path)
    assert Paper.objects.get(pk=source.pk).merged_into is None


def test_an_editor_does_it_from_the_log_and_earlier_days_stay(client):
    source, target = make_system("a"), make_system("b")
    make_result(system=source, printed="0.25")
    entry = merge(source, target)
    pages = signed_in(editor())
    assert "stands by itself again" in pages.get(f"/log/{entry.pk}/").content.decode()
    merged = timezone.now()
    assert pages.post(f"/log/{entry.pk}/undo/", {"reason": "they are two"}).status_code == 302
    assert "stands by itself again" not in pages.get(f"/log/{entry.pk}/").content.decode()
    assert client.get(f"/systems/{source.slug}/").status_code == 200
    assert what_it_is(System.objects.get(pk=source.pk), merged) == target
    assert what_it_is(System.objects.get(pk=source.pk), timezone.now()) is None
    undone = last(source, "results.system.merge_undone")
    assert "they are two" in client.get(f"/log/{undone.pk}/").content.decode()


def test_what_was_joined_with_a_result_that_was_withdrawn_since_comes_back_withdrawn():
    board, source, target = make_leaderboard(), make_system("a"), make_system("b")
    twin = make_result(board, target, "0.25")
    make_result(board, source, "0.25", notes="of the source")
    entry = merge(source, target)
    withdraw_result(result=twin, actor=None, reason="an erratum")
    undone = undo(entry)
    assert (standing(source), standing(target)) == ([], [])
    again = Result.objects.get(system=source, ending="withdrawn")
    assert (again.notes, again.recorded_by, again.ended_by) == ("of the source", undone, undone)
    assert again.recorded_at == again.ended_at
    assert undone.after["results"] == 0


def test_what_is_noted_of_a_merged_paper_does_not_keep_the_merge():
    source, target = make_paper("Doe (2001)"), make_paper("Doe (2002)")
    merge_papers(source=source, target=target, actor=None, reason="one paper")
    correct_paper(paper=source, retraction="by its authors", actor=None, reason="arXiv says so")
    entry = Entry.objects.get(action="results.paper.merged")
    assert merged_by(entry) == source
    undo(entry)
    assert merged_by(entry) is None


def noted(paper: Paper) -> tuple[str, list[str], bool | None, str]:
    paper.refresh_from_db()
    return paper.retraction, paper.author_orcids, paper.reports_significance, paper.significance_said


NOTED = {"retraction": "by its authors", "author_orcids": ["0000-0002-1825-0097", "0000-0001-5109-3700"],
         "reports_significance": True, "significance_said": "a t test"}  # fmt: skip
NOTHING = ("", [], None, "")


def test_what_is_noted_of_a_paper_is_noted_of_the_one_that_it_is_merged_into_until_that_is_undone():
    source, target = make_paper("Doe (2001)"), make_paper("Doe (2002)")
    Paper.objects.filter(pk=source.pk).update(**NOTED)
    merge_papers(source=source, target=target, actor=None, reason="one paper")
    entry = last(source, "results.paper.merged")
    assert noted(target) == noted(source) == tuple(NOTED.values())
    assert NOTED.items() <= entry.after.items()
    undone = undo(entry)
    assert (noted(target), noted(source)) == (NOTHING, tuple(NOTED.values()))
    assert NOTED.items() <= undone.before.items()
