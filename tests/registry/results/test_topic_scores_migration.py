"""What the migration says of per-topic scores that were there before they had a time of their own."""

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from registry.journal.models import Entry
from registry.results.models import TopicScores
from tests.registry.factory import make_entry, make_result, make_topic_scores

pytestmark = pytest.mark.django_db

LOADED = datetime(2026, 3, 1, tzinfo=UTC)
MIGRATION = "registry.results.migrations.0004_topic_scores_in_time"


@pytest.mark.parametrize("days", [-5, 5], ids=["recorded before", "recorded after"])
def test_they_are_known_since_their_result_and_not_before_they_were_loaded(days, monkeypatch):
    result = make_result(recorded_at=LOADED + timedelta(days=days))
    elsewhere = make_result(recorded_at=LOADED - timedelta(days=9))
    vector, other = make_topic_scores(result, [0.2]), make_topic_scores(elsewhere, [0.2])
    board = {"collection": result.leaderboard.collection.slug, "measure": result.leaderboard.measure.name}
    monkeypatch.setattr("django.utils.timezone.now", lambda: LOADED)
    make_entry("results.topic_scores.loaded", after=board)
    monkeypatch.undo()
    assert Entry.objects.get(action="results.topic_scores.loaded").recorded_at == LOADED
    import_module(MIGRATION).date_them(apps, connection.schema_editor())
    known = dict(TopicScores.objects.values_list("pk", "recorded_at"))
    assert known[vector.pk] == LOADED + timedelta(days=max(days, 0))
    assert known[other.pk] == elsewhere.recorded_at
