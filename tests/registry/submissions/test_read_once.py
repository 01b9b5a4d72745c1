"""A row is read once, when it is checked; pages and the record take what was read then."""

import pytest
from django.test import Client

from registry.catalog.models import Measure
from registry.results.models import Result
from registry.results.pipeline import rows as reading
from registry.submissions.documents import describe_rows
from registry.submissions.models import Submission
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import RowsRefused, publish_submission, submit
from tests.registry.factory import make_user
from tests.registry.submissions.test_submit_form import send, signed_in
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


def handed_in() -> Submission:
    """Return the draft that a form has made, handed in."""
    draft = Submission.objects.get()
    return submit(submission=draft, version=draft.version, actor=draft.contributor)


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


def test_a_form_is_read_once(monkeypatch):
    given = []
    parse = reading._parse
    monkeypatch.setattr(reading, "_parse", lambda *told: given.append(told) or parse(*told))
    send(signed_in())
    assert len(given) == 1
    assert publish(handed_in()).rows.get().result.printed == "0.3012"
    assert len(given) == 1


def test_a_row_that_is_added_or_changed_by_a_form_is_read_once(monkeypatch):
    submission = make_submission()
    client, given, parse = Client(), [], reading._parse
    client.force_login(submission.contributor)
    monkeypatch.setattr(reading, "_parse", lambda *told: given.append(told) or parse(*told))
    more = row(system="Another", value="0.29")
    assert client.post(f"/submissions/{submission.pk}/rows/add/", {**more, "version": 1}).status_code == 302
    assert client.post(f"/submissions/{submission.pk}/rows/1/", {**row(value="0.31"), "version": 2}).status_code == 302
    assert len(given) == 2
    assert [(one.line, one.said().line, one.said().printed) for one in submission.rows.order_by("line")] == [
        (1, 1, "0.31"),
        (2, 2, "0.29"),
    ]


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


def test_other_cells_say_something_else():
    submission = make_submission()
    assert submission.rows.get().said().printed == "0.3012"
    cells = row(value="0.4")
    submission = update_row(submission=submission, line=1, cells=cells, version=1, actor=submission.contributor)
    assert submission.rows.get().said().printed == "0.4"
    cells = row(value="4")
    submission = update_row(submission=submission, line=1, cells=cells, version=2, actor=submission.contributor)
    assert submission.rows.get().said() is None
