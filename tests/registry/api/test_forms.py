"""What may be asked with what is sent: which wishes go together, and what is said of those that don't."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone

from analysis.readers.grids import MAX_CELL_LENGTH
from registry.api.forms import BodyForm, FileForm, LeaderboardForm, RunForm, SubmissionForm
from registry.runs.models import OwnCollection
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result

pytestmark = pytest.mark.django_db


def wrong(form) -> dict[str, list[str]]:
    """What is said of each field."""
    assert not form.is_valid()
    return {name: list(errors) for name, errors in form.errors.items()}


def asked(kind, query: str, **options):
    form = kind(QueryDict(query), **options)
    assert form.is_valid(), form.errors
    return form


@pytest.fixture
def result():
    board = make_leaderboard(make_collection("robust"), make_measure("AP"), results_version=1)
    return make_result(board)


def test_a_file_is_in_our_format_where_none_is_named():
    assert asked(FileForm, "").chosen.name == "json"
    assert asked(FileForm, "format=run_card").chosen.name == "run_card"
    assert list(wrong(FileForm(QueryDict("format=xml")))) == ["format"]


def test_what_holds_for_all_rows_is_what_was_said():
    assert asked(BodyForm, "").defaults() == {}
    assert asked(BodyForm, "collection=robust&unit=percent&year=&format=json").defaults() == {
        "collection": "robust", "unit": "percent",
    }  # fmt: skip
    assert list(wrong(BodyForm(QueryDict("role=best")))) == ["role"]
    assert list(wrong(BodyForm(QueryDict("source=" + "x" * (MAX_CELL_LENGTH + 1))))) == ["source"]


@pytest.mark.usefixtures("result")
def test_a_run_is_on_a_collection_or_on_one_of_ones_own():
    form = asked(RunForm, "collection=robust")
    assert (form.cleaned_data["kind"], form.cleaned_data["claimed"]) == ("run", None)
    assert asked(RunForm, "collection=robust&kind=matrix&measure=AP").cleaned_data["kind"] == "matrix"
    assert asked(RunForm, "own=key").cleaned_data["own"] == "key"
    either = {"collection": ["Name a collection, or one of your own with `own`."]}
    assert wrong(RunForm(QueryDict(""))) == wrong(RunForm(QueryDict("own=key&collection=robust"))) == either
    assert list(wrong(RunForm(QueryDict("collection=nowhere")))) == ["collection"]
    unknown = wrong(RunForm(QueryDict("collection=nowhere")))["collection"]
    assert len(unknown) == 1
    assert "nowhere" in unknown[0]
    of_all = "A run is scored under every measure; a table, with `kind=matrix`, is under one."
    assert wrong(RunForm(QueryDict("collection=robust&measure=AP"))) == {"measure": [of_all]}
    assert list(wrong(RunForm(QueryDict("collection=robust&kind=matrix")))) == ["measure"]


def test_the_result_of_a_run_may_be_called_by_either_name(result):
    for query in (f"result={result.pk}", f"claimed={result.pk}"):
        assert asked(RunForm, f"collection=robust&{query}").cleaned_data["claimed"].pk == result.pk
    both = wrong(RunForm(QueryDict(f"collection=robust&result={result.pk}&claimed={result.pk}")))
    assert both == {"claimed": ["This is `result`; give one of the two."]}
    unknown = wrong(RunForm(QueryDict("collection=robust&result=999999")))
    assert list(unknown) == ["result"]
    assert wrong(RunForm(QueryDict("collection=robust&claimed=999999"))) == {"claimed": unknown["result"]}


def test_what_is_sent_to_a_collection_of_ones_own_is_kept_with_it(result):
    leave_out = ["Leave it out beside `own`: what is sent there is kept with the collection."]
    assert wrong(RunForm(QueryDict(f"own=key&until={timezone.now().date() + timedelta(days=3)}"))) == {
        "until": leave_out,
    }  # fmt: skip
    assert wrong(RunForm(QueryDict(f"own=key&claimed={result.pk}")))["claimed"][-1:] == leave_out
    assert wrong(RunForm(QueryDict(f"own=key&result={result.pk}")))["result"][-1:] == leave_out
    asked(RunForm, f"collection=robust&until={timezone.now().date() + timedelta(days=3)}")
    assert OwnCollection.objects.count() == 0


def test_pages_of_a_leaderboard_belong_to_the_days_that_are_meant(result):
    today = timezone.now().date()
    forms = [
        asked(LeaderboardForm, query, leaderboard_id=result.leaderboard_id)
        for query in ("", "role=baseline&since=1990", f"as_of={today}", f"since=1990&as_of={today}&role=baseline")
    ]
    assert [form.question for form in forms] == [
        "", "role=baseline&since=1990", f"as_of={today}", f"as_of={today}&role=baseline&since=1990",
    ]  # fmt: skip
    assert [(form.window.start, form.window.size) for form in forms] == [(0, 200)] * 4


def test_rows_of_a_submission_are_chosen_by_what_became_of_them():
    assert asked(SubmissionForm, "outcome=refused").window.size == 200
    assert list(wrong(SubmissionForm(QueryDict("outcome=REFUSED")))) == ["outcome"]
