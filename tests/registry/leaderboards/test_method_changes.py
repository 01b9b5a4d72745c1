"""What newer methods made of verdicts: listed, led to from snapshots, and kept for good."""

import csv
import io

import pytest

from analysis.boards import METHODS
from registry.leaderboards.models import MethodChange
from tests.registry.factory import make_leaderboard, make_measure
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.method_changes import analysed_by_earlier_methods
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

PAGE = f"/methods/changes/{METHODS.version}/"


@pytest.fixture
def board():
    """Analysed by earlier methods, which kept eight for the best, and then by these."""
    board = make_board()
    analysed_by_earlier_methods(board, n_members=8, corrected=None, evidence="transferred")
    analyse(board)
    return board


def test_every_leaderboard_that_says_something_else_is_listed_with_what_differs(client, board):
    same = make_board()
    analysed_by_earlier_methods(same)
    analyse(same)
    page = read(client, PAGE)
    assert "Of 2 leaderboards that earlier methods had analysed here, 1 says the same" in page.text
    (row,) = [row for row in page.rows if f"{board.collection.name}, {board.measure.name}" in row]
    assert row[1] == "0.3100, 8 may be the best"
    assert row[2] == "0.3100, 4 may be the best"
    assert row[3] == (
        "rests on something else: variance between topics measured here; before: variance between topics taken from "
        "elsewhere; the set is smaller"
    )
    assert f"{same.collection.name}, {same.measure.name}" not in page.text


def test_changes_that_weigh_the_same_stand_by_name(client):
    for name, of in (("b", "P@2"), ("a", "P@3"), ("a", "P@1")):
        other = make_board(measure=make_measure(of))
        analysed_by_earlier_methods(other, n_members=8)
        type(other.collection).objects.filter(pk=other.collection_id).update(name=name)
        analyse(other)
    for before in "8357":
        MethodChange.objects.create(
            leaderboard=make_leaderboard(), version="9", version_before=before, before={}, after={"best": 1},
            is_of_same_results=True,
        )  # fmt: skip
    found = client.get(PAGE[:-1] + ".json").json()
    assert [(one["name"], one["measure"]) for one in found["boards"]] == [("a", "P@1"), ("a", "P@3"), ("b", "P@2")]
    assert (found["before"], found["n_leaderboards"], found["n_same"]) == (["1"], 3, 0)
    unkept = client.get("/methods/changes/9.json").json()
    assert unkept["before"] == ["3", "5", "7", "8"]
    assert [(one["snapshot_before"], one["snapshot"]) for one in unkept["boards"]] == [("", "")] * 4


def test_the_files_say_what_the_page_says(client, board):
    (row,) = csv.DictReader(io.StringIO(client.get(PAGE[:-1] + ".csv").content.decode()))
    assert (row["n_set_before"], row["evidence"]) == ("8", "own-variance")
    (listed,) = client.get(PAGE[:-1] + ".json").json()["boards"]
    assert "; ".join(listed["why"]) == row["why"]


def test_a_cited_snapshot_keeps_its_content_and_leads_to_what_changed(client, board):
    change = MethodChange.objects.get()
    page = read(client, f"/snapshots/{change.snapshot_before_id}/")
    assert page.link("something else") == PAGE
    assert page.link("their snapshot") == f"/snapshots/{change.snapshot_id}/"
    assert "made by an earlier release" in page.text
    newer = read(client, f"/snapshots/{change.snapshot_id}/")
    assert "something else" not in [text for text, _ in newer.links]


def test_results_that_changed_with_the_methods_are_said(client):
    board = make_board()
    analysed_by_earlier_methods(board)
    make_run(board, "0.9")
    mark_changed(board)
    analyse(board)
    (row,) = [row for row in read(client, PAGE).rows if f"{board.collection.name}, {board.measure.name}" in row]
    assert row[3].startswith("results came, went or changed at the same time; 9 rows compete, 8 before; another score")


def test_another_analysis_by_the_same_methods_is_no_change_of_methods(board):
    before = MethodChange.objects.get()
    make_run(board, "0.9")
    mark_changed(board)
    analyse(board)
    assert MethodChange.objects.get().snapshot_id == before.snapshot_id


@pytest.mark.parametrize("version", ["1", "none"])
def test_a_version_that_replaced_nothing_here_is_not_found(client, board, version):
    assert client.get(f"/methods/changes/{version}/").status_code == 404


def test_the_pages_of_versions_hang_on_the_page_of_all(client, board):
    page = read(client, "/methods/changes/")
    assert f"Version {METHODS.version}" in [text for _, text in page.headings]
