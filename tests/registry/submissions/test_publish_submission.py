"""Publishing a submission: its rows are on the record, all of them or none."""

import pytest

from registry.results.models import Result
from tests.registry.submissions.world import make_published, make_robust04, only_row

pytestmark = pytest.mark.django_db


def test_a_row_becomes_a_result():
    board = make_robust04()
    submission = make_published()
    result = Result.objects.get()
    assert (result.leaderboard, result.system.name, result.printed) == (board, "Model X", "0.3012")
    assert only_row(submission).result == result
    assert submission.state == "published"
