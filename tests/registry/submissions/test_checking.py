"""What would become of each row: new, same, different, refused, each with its reasons."""

from pathlib import Path

import pytest

from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from registry.results.services.merging import merge_systems
from registry.submissions.services.drafting import submit
from registry.submissions.services.reviewing import publish_submission
from tests.registry.factory import make_system, make_user
from tests.registry.submissions.world import make_published, make_submission, outcomes, row
from tests.thoroughness import is_thorough

pytestmark = pytest.mark.usefixtures("board")


def check(**cells: str):
    """Check a new submission of one row; return the row."""
    return make_submission(rows=[row(**cells)]).rows.get()


def reasons(checked) -> list[tuple[str, str]]:
    return [(rejection["code"], rejection["field"]) for rejection in checked.rejections]


@pytest.fixture
def recorded() -> Result:
    make_published()
    return Result.objects.get()


def test_what_is_recorded_is_the_same_whatever_its_spelling(recorded):
    checked = check(collection="Trec-2004-Robust", measure="AP", system=" model  x ")
    assert (checked.outcome, checked.existing) == ("same", recorded)
    assert not checked.signals.exists()


@pytest.mark.parametrize("cells", [{"value": "0.301"}, {"year": "2021"}, {"run_type": "manual"}, {"locator": "p. 4"}])
def test_another_content_differs_from_what_is_recorded(recorded, cells):
    checked = check(**cells)
    assert (checked.outcome, checked.existing) == ("differs", recorded)


def test_a_name_that_was_merged_is_the_result_of_today(recorded):
    old = make_system("Model X (old)")
    merge_systems(source=old, target=recorded.system, actor=None, reason="one system")
    assert (check(system="Model X (old)").outcome, check(system="Model X").outcome) == ("same", "same")


def test_every_fault_of_a_row_is_told():
    checked = check(collection="robst04", value="30,12", role="winner", year="20021")
    assert checked.outcome == "refused"
    assert reasons(checked) == [
        ("unknown_collection", "collection"), ("choice", "role"), ("year", "year"), ("comma", "value"),
    ]  # fmt: skip
    assert "did you mean trec-2004-robust?" in checked.rejections[0]["message"]
    assert (checked.collection, checked.key, checked.existing) == (None, "", None)


def test_what_was_withdrawn_is_not_recorded_again(recorded):
    withdraw_result(result=recorded, actor=None, reason="an erratum")
    checked = check()
    assert (checked.outcome, reasons(checked)) == ("refused", [("withdrawn", "")])
    assert "an editor can undo the withdrawal" in checked.rejections[0]["message"]
    assert check(value="0.302").outcome == "new"


@pytest.mark.parametrize("provenance", ["double_checked", "author_confirmed", "topic_scores", "recomputed"])
def test_evidence_is_earned_and_not_claimed(provenance):
    checked = check(provenance=provenance)
    assert (checked.outcome, reasons(checked)) == ("refused", [("not_earned", "provenance")])


def test_a_replicate_names_a_result_that_is_there_or_comes_along():
    rows = [row(system="a, seed 2", replicate_of="a"), row(system="b, seed 2", replicate_of="b"), row(system="a")]
    submission = make_submission(rows=rows)
    assert outcomes(submission) == ["new", "refused", "new"]
    assert reasons(submission.rows.get(line=2)) == [("replicate_of", "replicate_of")]


def test_of_many_rows_three_are_bad_and_the_rest_is_kept():
    n = 2_000 if is_thorough(Path(__file__)) else 120
    rows = [row(system=f"system {number}", value=f"0.{number:04d}") for number in range(1, n + 1)]
    rows[16] |= {"value": "23.4"}
    rows[99] |= {"measure": "MPA"}
    rows[n - 1] |= {"system": ""}
    submission = make_submission(rows=rows, way="table")
    refused = {stored.line: stored.rejections[0]["code"] for stored in submission.rows.refused()}
    assert refused == {17: "range", 100: "unknown_measure", n: "blank"}
    submission = submit(submission=submission, version=1, actor=submission.contributor, drop_refused=True)
    publish_submission(submission=submission, version=2, actor=make_user(is_editor=True))
    assert Result.objects.standing().count() == n - 3
