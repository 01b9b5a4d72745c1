"""Since when per-topic scores are known, and until when they stood."""

from datetime import datetime

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def date_them(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Vectors that are there already are known since their result is, but not before scores of its leaderboard were loaded."""
    vectors = apps.get_model("results", "TopicScores").objects.using(schema_editor.connection.alias)
    entries = apps.get_model("journal", "Entry").objects.using(schema_editor.connection.alias)
    first_loads: dict[tuple[str, str], datetime] = {}
    for after, at in entries.filter(action="results.topic_scores.loaded").order_by("pk").values_list("after", "recorded_at"):
        first_loads.setdefault((after["collection"], after["measure"]), at)
    names = ("result__leaderboard__collection__slug", "result__leaderboard__measure__name")
    for pk, known, *board in vectors.values_list("pk", "result__recorded_at", *names):
        vectors.filter(pk=pk).update(recorded_at=max(known, first_loads.get(tuple(board), known)))


class Migration(migrations.Migration):

    dependencies = [
        ("results", "0003_confirmations"),
        ("journal", "0003_people_by_reference"),
    ]

    operations = [
        migrations.AddField(
            model_name="topicscores",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="topicscores",
            name="recorded_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name="topicscores",
            name="result",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="topic_scores", to="results.result"),
        ),
        migrations.AddConstraint(
            model_name="topicscores",
            constraint=models.UniqueConstraint(condition=models.Q(("ended_at__isnull", True)), fields=("result",), name="topic_scores_stand_once"),
        ),
        migrations.RunPython(date_them, migrations.RunPython.noop),
    ]
