"""Which runs and columns are executions of which systems, kept with what they were sent to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0002_no_figures_of_papers")]

    operations = [
        operation
        for model in ("owncollection", "upload")
        for operation in (
            migrations.AddField(
                model,
                "executions",
                models.JSONField(
                    default=dict,
                    help_text="By the name of a system the names of the runs and columns that are its executions.",
                ),
            ),
            migrations.AddField(
                model,
                "margin",
                models.FloatField(
                    blank=True, help_text="The smallest difference between these that matters.", null=True
                ),
            ),
        )
    ]
