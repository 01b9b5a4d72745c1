"""Figures of papers are drawn of collections on record alone: those that were drawn of what people sent go."""

from typing import Any

from django.db import migrations, models


def delete_figures(apps: Any, _: Any) -> None:
    apps.get_model("runs", "Study").objects.filter(kind="figures").delete()


class Migration(migrations.Migration):
    dependencies = [("runs", "0001_initial")]

    operations = [
        migrations.RunPython(delete_figures, migrations.RunPython.noop),
        migrations.AlterField(
            "study",
            "kind",
            models.CharField(
                choices=[("board", "as a leaderboard"), ("documents", "against other documents")],
                default="board",
                max_length=10,
            ),
        ),
    ]
