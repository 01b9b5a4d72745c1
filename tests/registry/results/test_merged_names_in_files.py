"""Files that name systems and papers by the names of before they were merged: one result is one, in one file too."""

import pytest

from registry.results.models import Result
from registry.results.services.merging import merge_papers, merge_systems
from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.results.loading import counts, line, load, only_refusal, refusals, standing


@pytest.fixture
def merged():
    """A system that was known as "old", and is "new" today."""
    source, target = make_system("old"), make_system("new")
    merge_systems(source=source, target=target, actor=None, reason="one system")
    return target


@pytest.fixture
def merged_paper():
    """A paper that was cited in another way before."""
    source, target = make_paper("Doe 2001"), make_paper("Doe (SIGIR 2001)")
    merge_papers(source=source, target=target, actor=None, reason="one paper")
    return target


def test_one_result_under_both_names_is_named_with_both_lines(robust04, merged, tmp_path):
    report = load(tmp_path, line(system="old"), line(system="new"))
    assert only_refusal(report) == (
        3, "system", "is the same result as line 2 ('old' there, 'new' here); leave one out",
    )  # fmt: skip
    assert not standing().exists()


def test_two_values_under_both_names_refuse_each_other(robust04, merged, tmp_path):
    report = load(tmp_path, line(system="new", value="0.25"), line(system="old", value="0.26"))
    assert refusals(report) == [
        (2, "system", "is the result of line 3 too ('old' there, 'new' here), with printed 0.26 there and printed 0.25 "
         "here; keep the right one"),
        (3, "system", "is the result of line 2 too ('new' there, 'old' here), with printed 0.25 there and printed 0.26 "
         "here; keep the right one"),
    ]  # fmt: skip


def test_what_is_kept_of_a_file_with_both_names_is_one_result(robust04, merged, tmp_path):
    report = load(tmp_path, line(system="old"), line(system="new"), line(system="third"), keep_good=True)
    assert counts(report) == (2, 0, 0, 1)
    assert [result.system.name for result in standing()] == ["new", "third"]
    assert counts(load(tmp_path, line(system="new"))) == (0, 1, 0, 0)


def test_one_result_under_both_papers_is_named_with_both(robust04, merged_paper, tmp_path):
    cites = ("Doe 2001", "Doe (SIGIR 2001)")
    report = load(tmp_path, *(line(paper=cite, source="Table 1") for cite in cites))
    assert only_refusal(report) == (
        3, "system",
        "is the same result as line 2 (the paper is 'Doe 2001' there, 'Doe (SIGIR 2001)' here); leave one out",
    )  # fmt: skip
    assert counts(load(tmp_path, line(paper=cites[0], source="Table 1"))) == (1, 0, 0, 0)
    assert standing().get().paper == merged_paper


def test_replicates_may_name_their_first_instance_by_its_old_name(robust04, merged, tmp_path):
    report = load(tmp_path, line(system="new"), line(system="new, seed 2", replicate_of="old"))
    assert counts(report) == (2, 0, 0, 0)
    assert standing().last().replicate_of == standing().first()


def test_first_instances_may_have_moved_to_another_team(robust04, tmp_path):
    source, target = make_system("first", "lab"), make_system("first", "laboratory")
    first = make_result(robust04, source, source="a survey")
    merge_systems(source=source, target=target, actor=None, reason="one team")
    report = load(tmp_path, line(system="second", team="lab", replicate_of="first"))
    assert counts(report) == (1, 0, 0, 0)
    first.refresh_from_db()
    assert standing().last().replicate_of == first.superseded_by


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_system_is_no_replicate_of_its_own_other_name(robust04, merged, tmp_path, is_recorded):
    if is_recorded:
        load(tmp_path, line(system="new"))
    report = load(tmp_path, line(system="old", replicate_of="new"))
    assert only_refusal(report) == (
        2, "replicate_of", "names the system itself, by a name that was merged with its own; leave it blank",
    )  # fmt: skip


@pytest.mark.parametrize("at", ["comparing", "recording"])
def test_a_merge_while_the_file_is_read_or_recorded_is_told(robust04, tmp_path, at):
    waiting = [(make_system("old"), make_system("new"))]

    def look(what, n_rows):
        if what.startswith(at) and waiting:
            source, target = waiting.pop()
            merge_systems(source=source, target=target, actor=None, reason="one system")

    report = load(tmp_path, line(system="old"), progress=look)
    assert [rejection.code for rejection in report.rejections] == ["merged"]
    assert not Result.objects.exists()


def test_papers_that_nobody_cites_are_named_by_their_addresses(robust04, tmp_path):
    pages = [f"https://example.org/{name}" for name in "ab"]
    papers = [make_paper(" ", identity=f"url:example.org/{name}") for name in "ab"]
    merge_papers(source=papers[0], target=papers[1], actor=None, reason="one paper")
    report = load(tmp_path, *(line(paper_url=page) for page in pages))
    assert f"(the paper is {pages[0]!r} there, {pages[1]!r} here)" in only_refusal(report)[2]
