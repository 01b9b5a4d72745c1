from typing import Any

from django.db import migrations, models
from django.db.models import F


def show_all(apps: Any, schema_editor: Any) -> None:
    """Those that stand were seen by all from the start."""
    requests = apps.get_model("results", "CorrectionRequest").objects.using(schema_editor.connection.alias)
    requests.filter(kind="dispute").update(shown_at=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("results", "0003_evaluator_and_revision")]

    operations = [
        migrations.AddField(
            "correctionrequest",
            "shown_at",
            models.DateTimeField(
                null=True,
                blank=True,
                help_text="Of a dispute: since when all see it; before, who asked and who decides do.",
            ),
        ),
        migrations.RunPython(show_all, migrations.RunPython.noop),
        migrations.AlterField(
            "result",
            "role",
            models.CharField(
                choices=[
                    ("trec_run", "shared-task run"),
                    ("leaderboard", "leaderboard entry"),
                    ("proposed", "proposed"),
                    ("baseline", "baseline"),
                    ("reference_implementation", "reference run"),
                ],
                max_length=30,
            ),
        ),
    ]
