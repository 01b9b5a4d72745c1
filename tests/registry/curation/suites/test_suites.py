"""Suites: loading them, and what a leaderboard is in them."""

import pytest

from registry.curation.suites.models import Suite
from registry.curation.suites.queries import membership_in_suites
from registry.curation.suites.services import load_suites
from tests.registry.curation.suites.world import add_member, make_boards, make_suite
from tests.registry.results.loading import refusals

pytestmark = pytest.mark.django_db

SUITES = "slug,name,is_zero_shot,is_average,is_screen,description,source,url\n"
MEMBERS = "suite,collection,measure,part_of,has_training_part\n"
BEIR = "beir,BEIR,true,false,true,Fourteen datasets,mteb,https://example.org/\n"


def write(folder, suites, members):
    (folder / "suites.csv").write_text(SUITES + suites)
    (folder / "suite_members.csv").write_text(MEMBERS + members)


def load(folder, suites, members):
    write(folder, suites, members)
    return load_suites(directory=folder)


@pytest.fixture
def boards():
    return make_boards("beir-cqadupstack", "beir-cqadupstack-tex", "beir-fiqa", "msmarco-passage-dev")


ROWS = (
    "beir,beir-fiqa,nDCG@10,,false\n"
    "beir,beir-cqadupstack,nDCG@10,,false\n"
    "beir,beir-cqadupstack-tex,nDCG@10,beir-cqadupstack,false\n"
)


def test_what_differs_takes_the_place_of_what_was_and_the_rest_stays(tmp_path, boards):
    load(tmp_path, BEIR, ROWS)
    for board in boards:
        board.refresh_from_db()
    before = [board.results_version for board in boards]
    reports = load(tmp_path, BEIR, ROWS)
    assert [(report.added, report.unchanged, report.superseded) for report in reports] == [(0, 1, 0), (0, 3, 0)]
    for board in boards:
        board.refresh_from_db()
    assert [board.results_version for board in boards] == before
    reports = load(tmp_path, BEIR.replace("true,false,true", "false,false,true"), ROWS.partition("\n")[0] + "\n")
    assert [(report.added, report.unchanged, report.superseded) for report in reports] == [(0, 0, 1), (0, 0, 1)]
    for board in boards:
        board.refresh_from_db()
    changed = [board.results_version - then for board, then in zip(boards, before, strict=True)]
    assert changed == [1, 1, 1, 0], "members and those that were"
    load(tmp_path, BEIR.replace("beir,", "nano,", 1), "nano,beir-fiqa,nDCG@10,,false\n")
    assert {suite.slug for suite in Suite.objects.all()} == {"beir", "nano"}


@pytest.mark.parametrize(
    ("suites", "members", "file", "message"),
    [
        (BEIR.replace("true", "perhaps", 1), ROWS, "suites.csv", "'perhaps' is neither true nor false"),
        (BEIR.replace("beir,", "be ir,", 1), ROWS, "suites.csv", "does not fit into an address"),
        (BEIR.replace(",mteb,", ",,"), ROWS, "suites.csv", "is blank"),
        (BEIR + BEIR, ROWS, "suites.csv", "is there already, in line 2"),
        (BEIR, ROWS.replace("beir-fiqa", "beir-fika"), "suite_members.csv", "did you mean beir-fiqa"),
        (BEIR, ROWS.replace("nDCG@10", "nDGC@10"), "suite_members.csv", "unknown measure"),
        (BEIR, ROWS + ROWS.partition("\n")[0] + "\n", "suite_members.csv", "is there already, in line 2"),
        (BEIR, ROWS + "nano,beir-fiqa,nDCG@10,,false\n", "suite_members.csv", "there is no suite 'nano' here"),
        (BEIR, ROWS.replace("\nbeir,beir-cqadupstack,nDCG@10,,false", ""), "suite_members.csv", "is no member"),
    ],
)
def test_one_bad_row_keeps_both_files_out(tmp_path, boards, suites, members, file, message):
    reports = {report.label: report for report in load(tmp_path, suites, members)}
    assert message in refusals(reports[file])[0][2]
    assert not Suite.objects.exists()


def test_training_is_remarked_on_where_a_suite_is_meant_zero_shot(boards):
    cqadupstack, tex, fiqa, msmarco = boards
    make_suite("beir", [cqadupstack, fiqa], position=0)
    make_suite("mteb", [cqadupstack, fiqa, msmarco], position=1, trained=[msmarco], is_screen=False)
    make_suite("miracl", [tex], position=2, is_zero_shot=False, is_screen=False)
    found = [membership_in_suites(board) for board in boards]
    assert [one.is_zero_shot for one in found] == [True, False, True, False]
    assert [one.screen and one.screen.suite.slug for one in found] == ["beir", None, "beir", None]


def test_a_suite_of_which_it_is_a_member_screens_before_one_that_has_it_as_a_part(boards):
    cqadupstack, tex, *others = boards
    first = make_suite("beir", [cqadupstack, *others], position=0)
    add_member(first, tex, 9, part_of=first.members.get(collection=cqadupstack.collection))
    make_suite("mteb", [tex, *others], position=1)
    assert membership_in_suites(tex).screen.suite.slug == "mteb"
    assert membership_in_suites(cqadupstack).screen.suite.slug == "beir"
