"""A row is read once, when it is checked; pages and the record take what was read then."""

import pytest

from registry.catalog.models import Measure
from registry.results.models import Result
from registry.submissions.documents import describe_rows
from registry.submissions.services.changing import RowsRefused
from registry.submissions.services.reviewing import publish_submission
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_published, make_submitted, row

pytestmark = pytest.mark.usefixtures("board")


def publish(submission):
    return publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))


@pytest.mark.parametrize("content", ["", '["", {"system": "without all else"}]', '["cut off'])
def test_rows_that_an_earlier_release_kept_are_read_again(content):
    make_published()
    submission = make_submitted(rows=[row(value="0.3013")])
    submission.rows.update(content=content)
    (document,) = describe_rows(submission.rows.with_existing())
    assert [difference.new for difference in document.differences] == ["0.3013"]
    publish(submission)
    assert Result.objects.standing().get().printed == "0.3013"


def test_with_another_catalog_rows_are_read_again():
    submission = make_submitted()
    Measure.objects.filter(name="AP").update(high=0.2)
    with pytest.raises(RowsRefused):
        publish(submission)
    assert not Result.objects.exists()
