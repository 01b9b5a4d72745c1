"""Rows are checked when they come: those that still waited for a job are refused until they are saved once more."""

from typing import Any

from django.db import migrations, models

_WAITED = {"code": "unchecked", "message": "was not checked yet; save the row once more, and it is", "field": ""}


def refuse_unchecked(apps: Any, _: Any) -> None:
    rows = apps.get_model("submissions", "SubmittedRow").objects.filter(outcome="")
    rows.update(outcome="refused", rejections=[_WAITED])


class Migration(migrations.Migration):
    dependencies = [("submissions", "0001_initial")]

    operations = [
        migrations.RunPython(refuse_unchecked, migrations.RunPython.noop),
        migrations.RemoveConstraint("submittedrow", "submitted_row_outcome_known"),
        migrations.AlterField(
            "submittedrow",
            "outcome",
            models.CharField(
                choices=[
                    ("new", "new"),
                    ("same", "same as recorded"),
                    ("differs", "differs from what is recorded"),
                    ("refused", "refused"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "submittedrow",
            models.CheckConstraint(
                condition=models.Q(outcome__in=["new", "same", "differs", "refused"]),
                name="submitted_row_outcome_known",
            ),
        ),
    ]
