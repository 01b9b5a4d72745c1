"""A number is never the name of a system, whichever way it comes in."""

import pytest

from registry.results.pipeline.rows import is_no_name
from registry.results.services.files import load_results_file
from tests.registry.submissions.world import make_submission, row

pytestmark = pytest.mark.usefixtures("board")


def test_rows_with_one_are_refused_with_what_to_write():
    submission = make_submission(rows=[row(system=name) for name in ("0.2031", "42", "20.3%", "0,2031", "1e-3")])
    for refused in submission.rows.all():
        assert [rejection["code"] for rejection in refused.rejections] == ["number"]
        assert "write the name" in refused.rejections[0]["message"]


def test_files_that_operators_load_are_refused_with_one(tmp_path):
    file = tmp_path / "results.csv"
    file.write_text("collection,measure,system,value,role,source\nrobust04,MAP,0.2031,0.3,baseline,a page\n")
    (rejection,) = load_results_file(path=file).rejections
    assert (rejection.line, rejection.column, "is a number, not the name of a system" in rejection.message) == (
        2,
        "system",
        True,
    )


def test_a_team_may_call_its_run_by_a_whole_number():
    assert not is_no_name("2", "a team")
    assert is_no_name("0.2", "a team")
    assert not make_submission(rows=[row(system="2", team="a team")]).rows.get().rejections
