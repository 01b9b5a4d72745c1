"""A row is read once, when it is checked; pages and the record take what was read then."""

import pytest

from registry.catalog.models import Measure
from registry.results.models import Result
from registry.results.pipeline import rows as reading
from registry.submissions.documents import describe_rows
from registry.submissions.services.reviewing import RowsRefused, publish_submission
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted, row

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def board():
    return make_robust04()


@pytest.fixture
def unreadable(monkeypatch):
    """From here on, reading the cells of a row fails; what a test calls to begin that."""

    def fail(*_):
        raise AssertionError("the cells were read again")

    return lambda: monkeypatch.setattr(reading, "_parse", fail)


def publish(submission):
    return publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))


def test_what_was_checked_is_published(unreadable):
    submission = make_submitted(rows=[row(value="30.12", unit="percent", date="2021-07-11", paper="10.1145/1234.5678")])
    unreadable()
    publish(submission)
    result = Result.objects.get()
    assert (result.printed, result.unit, result.value, str(result.date)) == ("30.12", "percent", 0.3012, "2021-07-11")
    assert result.paper.doi == "10.1145/1234.5678"


def test_what_was_checked_is_compared_with_the_record(unreadable):
    make_published()
    submission = make_submission(rows=[row(value="0.3013")])
    unreadable()
    (document,) = describe_rows(submission.rows.with_existing())
    assert [(one.label, one.old, one.new) for one in document.differences] == [("Score", "0.3012", "0.3013")]


@pytest.mark.parametrize("content", ["", '["", {"system": "without all else"}]', '["cut off'])
def test_rows_that_an_earlier_release_kept_are_read_again(content):
    make_published()
    submission = make_submitted(rows=[row(value="0.3013")])
    submission.rows.update(content=content)
    (document,) = describe_rows(submission.rows.with_existing())
    assert [one.new for one in document.differences] == ["0.3013"]
    publish(submission)
    assert Result.objects.standing().get().printed == "0.3013"


def test_with_another_catalog_rows_are_read_again():
    submission = make_submitted()
    Measure.objects.filter(name="AP").update(high=0.2)
    with pytest.raises(RowsRefused):
        publish(submission)
    assert not Result.objects.exists()
