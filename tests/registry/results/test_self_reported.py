"""Whether nobody but its maker ran a system, and by what a score was computed: read, shown, kept."""

import pytest
from pytest_django.asserts import assertContains

from registry.results.documents import result_cells
from registry.results.models import Result
from registry.results.services.endings import supersede_result
from tests.registry.factory import make_result
from tests.registry.results.loading import line, load, standing


@pytest.mark.parametrize(
    ("cell", "is_self_reported"), [("yes", True), ("TRUE", True), ("1", True), ("", False), ("no", False), ("0", False)]
)
def test_a_file_says_so(robust04, tmp_path, cell, is_self_reported):
    load(tmp_path, line(self_reported=cell))
    assert standing().get().is_self_reported == is_self_reported


def test_a_result_that_turns_out_self_reported_takes_the_place_of_the_other(robust04, tmp_path):
    load(tmp_path, line())
    report = load(tmp_path, line(self_reported="yes"))
    assert (report.superseded, report.added) == (1, 0)
    assert standing().get().supersedes.get().is_self_reported is False


def test_by_what_and_on_what_a_score_was_computed_is_read_shown_and_kept(robust04, client, tmp_path):
    load(tmp_path, line(evaluator="mteb 2.1.0", dataset_revision="c22ab2a510", self_reported="yes"))
    result = standing().get()
    answer = client.get(f"/api/v1/results/{result.pk}/").json()
    assert (answer["evaluator"], answer["dataset_revision"]) == ("mteb 2.1.0", "c22ab2a510")
    page = client.get(result.get_absolute_url())
    assertContains(page, "by <bdi>mteb 2.1.0</bdi> on revision <bdi>c22ab2a510</bdi> of the data set")
    new = supersede_result(result=result, changes={"printed": "0.3"}, actor=None, reason="erratum")
    exported = result_cells(Result.objects.for_export().get())
    assert (exported["dataset_revision"], exported["self_reported"]) == (new.dataset_revision, "yes")
    assert (new.dataset_revision, new.is_self_reported) == ("c22ab2a510", True)
    assert "self_reported" not in result_cells(make_result())
