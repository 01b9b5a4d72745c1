"""The page on which one row is added or changed: what it shows, says and leads to."""

import pytest
from django.contrib.messages import get_messages

from registry.submissions.models import Submission
from registry.submissions.services.drafting import add_rows, update_row
from registry.submissions.services.reviewing import submit
from registry.submissions.views import submissions
from tests.registry.factory import make_user
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, make_submission, row

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft() -> Submission:
    """A draft of ada's with a good row, and one whose value is none."""
    make_robust04()
    return make_submission(make_user("ada"), rows=[row(), row(system="Model Y", value="much")])


def at(submission: Submission, tail: str) -> str:
    return f"{submission.get_absolute_url()}rows/{tail}/"


def said(answer) -> str:
    """The last of what is to be told on the next page."""
    return str(list(get_messages(answer.wsgi_request))[-1])


def test_a_row_is_shown_as_it_was_given_with_what_is_wrong_with_it(draft):
    browser = signed_in(draft.contributor)
    good, bad = (browser.get(at(draft, line)).context for line in "12")
    assert (good["title"], good["line"], good["rejections"], good["now"]) == ("Row 1", 1, [], None)
    assert good["form"].initial["version"] == draft.version
    assert good["form"].initial["system"] == "Model X"
    assert [one["field"] for one in bad["rejections"]] == ["value"]
    refused = browser.post(at(draft, 2), row(system="Model Y", value="more", version=str(draft.version)))
    assert (refused.status_code, refused.context["rejections"]) == (200, ())
    assert refused.context["form"].errors["value"]


def test_a_saved_row_is_told_with_its_outcome_and_leads_back_to_its_place(draft):
    browser = signed_in(draft.contributor)
    sent = row(system="Model Y", value="0.4", version=str(draft.version))
    done = browser.post(at(draft, 2) + "?outcome=refused&page=1&warnings=yes", sent)
    draft.refresh_from_db()
    assert said(done) == "Row 2 is saved: new."
    assert done["Location"].startswith(f"{draft.get_absolute_url()}?")
    assert done["Location"].endswith("#row-2")
    assert "outcome=refused" in done["Location"]
    assert "warnings=yes" in done["Location"]
    again = browser.post(at(draft, 2), sent)
    assert (again["Location"], said(again)) == (f"{draft.get_absolute_url()}#row-2", "Row 2 is saved: new.")
    assert draft.rows.get(line=2).cells["value"] == "0.4"


def test_a_row_that_was_changed_meanwhile_is_shown_beside_what_was_typed(draft):
    browser = signed_in(draft.contributor)
    update_row(submission=draft, line=1, cells=row(value="0.33"), version=draft.version, actor=draft.contributor)
    draft.refresh_from_db()
    assert draft.version == 2
    answer = browser.post(at(draft, 1), row(value="0.44", version="1"))
    assert (answer.status_code, answer.context["now"]["value"]) == (409, "0.33")
    assert answer.context["conflict"].submission == draft
    assert answer.context["form"].data["version"] == str(draft.version)
    assert answer.context["form"].data["value"] == "0.44"
    assert said(browser.post(at(draft, 1), dict(answer.context["form"].data.items()))) == "Row 1 is saved: new."


def test_a_row_is_added_behind_the_others(draft):
    browser = signed_in(draft.contributor)
    page = browser.get(at(draft, "add")).context
    assert (page["title"], page["line"], page["rejections"]) == ("Add a row", None, ())
    assert page["form"].initial["version"] == draft.version
    done = browser.post(at(draft, "add"), row(system="Model Z", version=str(draft.version)))
    assert (done["Location"], said(done)) == (
        f"{draft.get_absolute_url()}#rows", "The row is added, behind the others.",
    )  # fmt: skip
    assert [one.cells["system"] for one in draft.rows.order_by("line")] == ["Model X", "Model Y", "Model Z"]
    old = browser.post(at(draft, "add"), row(system="Model W", version="1"))
    assert (old.status_code, old.context["now"]) == (409, None)
    assert old.context["form"].data["version"] == str(Submission.objects.get().version)


def test_a_row_of_what_was_handed_in_meanwhile_stays(draft):
    browser = signed_in(draft.contributor)
    submit(submission=draft, version=draft.version, actor=draft.contributor, drop_refused=True)
    for path in (at(draft, 1), at(draft, "add")):
        assert browser.get(path).status_code == 403
    assert draft.rows.count() == 1


def test_nobody_else_sees_or_changes_a_row(draft):
    eve = signed_in(make_user("eve"))
    assert eve.get(at(draft, 1)).status_code == 404
    assert eve.post(at(draft, 1), row(value="0.9", version=str(draft.version))).status_code == 404
    assert signed_in(draft.contributor).get(at(draft, 9)).status_code == 404


def test_what_cannot_be_added_is_said_on_the_form(draft, monkeypatch):
    browser = signed_in(draft.contributor)
    monkeypatch.setattr("registry.submissions.services.drafting.MAX_ROWS", 2)
    answer = browser.post(at(draft, "add"), row(system="Model Z", version=str(draft.version)))
    assert answer.status_code == 200
    (error,) = answer.context["form"].non_field_errors()
    assert error[0].isupper()
    assert error.endswith(".")
    assert draft.rows.count() == 2


def test_adding_takes_of_what_somebody_may_hold(draft, monkeypatch):
    taken = []
    monkeypatch.setattr(submissions, "spend", lambda *spent: taken.append(spent))
    signed_in(draft.contributor).post(at(draft, "add"), row(system="Model Z", version=str(draft.version)))
    assert taken == [("draft rows: account", draft.contributor.pk, 1)]
    add_rows(submission=draft, rows=[row(system="Model V")], version=draft.version + 1, actor=draft.contributor)
    assert draft.rows.count() == 4
