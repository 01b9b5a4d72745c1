"""The admin: the catalog is edited there, the record is looked at."""

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from registry.catalog.models import Leaderboard
from registry.journal.models import Entry
from tests.registry import factory
from tests.registry.pages import read

APPS = {"accounts", "catalog", "journal", "results"}
MODELS = [model for model in admin.site._registry if model._meta.app_label in APPS]
READ_ONLY = {"results.result", "results.topicscores", "journal.entry", "catalog.topic"}


@pytest.fixture
def administrator(client: Client) -> Client:
    client.force_login(factory.make_user("root", is_staff=True, is_superuser=True))
    return client


def address(model: type, page: str, *arguments: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def edit(administrator: Client, row: Model, **fields: object) -> None:
    inline = {"aliases-TOTAL_FORMS": "0", "aliases-INITIAL_FORMS": "0"}
    response = administrator.post(address(type(row), "change", row.pk), fields | inline)
    assert response.status_code == 302, response.context["adminform"].form.errors
    row.refresh_from_db()


@pytest.mark.parametrize("model", [model for model in MODELS if model._meta.label_lower in READ_ONLY], ids=str)
def test_the_record_is_not_changed_there(administrator, model):
    leaderboard = factory.make_leaderboard()
    factory.make_topics(leaderboard.collection, ["301"])
    factory.make_topic_scores(factory.make_result(leaderboard), [0.2])
    row = model.objects.first()
    assert administrator.get(address(model, "add")).status_code == 403
    assert administrator.post(address(model, "change", row.pk), {}).status_code == 403
    assert administrator.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert administrator.post(
        address(model, "changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    ).status_code in {200, 302}
    assert model.objects.filter(pk=row.pk).exists()


def test_the_catalog_is_edited_there_in_the_journal_and_its_leaderboards_are_analysed_again(administrator):
    board = factory.make_leaderboard(factory.make_collection(name="Robust 2004"))
    factory.make_result(board)
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    edit(administrator, board.collection, slug=board.collection.slug, name="Robust 2004", n_topics="249")
    entry = Entry.objects.get(action="catalog.collection.edited")
    assert (entry.before, entry.after) == ({"n_topics": 50}, {"n_topics": 249})
    board.refresh_from_db()
    assert board.results_version == 2
    assert (board.collection.get_absolute_url(), board.collection.name) in read(
        administrator, entry.get_absolute_url()
    ).links
    assert "collection edited" in read(administrator, f"/collections/{board.collection.slug}/log/").text


def test_an_edit_of_a_measure_a_leaderboard_or_a_variance_has_those_that_rest_on_it_analysed_again(administrator):
    ap, other = factory.make_measure("AP"), factory.make_measure("RR")
    boards = [factory.make_leaderboard(measure=measure, results_version=1) for measure in (ap, ap, other)]
    empty = factory.make_leaderboard(measure=ap)
    variance = factory.make_variance(ap, 0.01, boards[0].collection)

    def versions() -> list[int]:
        return [Leaderboard.objects.get(pk=board.pk).results_version for board in (*boards, empty)]

    edit(administrator, ap, name="AP", decimals="3", low="0", high="1", higher_is_better="on")
    assert versions() == [2, 2, 1, 0], "what has no results has nothing to analyse"
    edit(administrator, boards[0], collection=boards[0].collection_id, measure=ap.pk, n_topics_here="40")
    assert versions() == [3, 2, 1, 0]
    edit(
        administrator, variance, measure=ap.pk, collection=boards[0].collection_id, residual_variance="0.02",
        n_systems="20", n_topics="50", sources='["its own runs"]',
    )  # fmt: skip
    assert versions() == [4, 3, 1, 0]
    assert {entry.action for entry in Entry.objects.all()} >= {
        "catalog.measure.edited",
        "catalog.leaderboard.edited",
        "catalog.residualvariance.edited",
    }
