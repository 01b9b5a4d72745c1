"""Variances are measured ones: what is typical of a measure elsewhere goes, and unknown counts are 0, as read before."""

from typing import Any

from django.db import migrations, models
from django.db.models.functions import Coalesce


def keep_own(apps: Any, _: Any) -> None:
    variances = apps.get_model("catalog", "ResidualVariance").objects
    variances.exclude(kind="own-variance").delete()
    # In one update: PostgreSQL alters no table with rows that one transaction changed twice.
    variances.filter(models.Q(n_topics=None) | models.Q(n_systems=None)).update(
        n_topics=Coalesce("n_topics", 0), n_systems=Coalesce("n_systems", 0)
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0005_holders")]

    operations = [
        migrations.RunPython(keep_own, migrations.RunPython.noop),
        migrations.RemoveConstraint("residualvariance", "residual_variance_once"),
        migrations.RemoveConstraint("residualvariance", "residual_variance_of_measure_once"),
        migrations.RemoveConstraint("residualvariance", "residual_variance_of_a_kind"),
        migrations.RemoveField("residualvariance", "kind"),
        migrations.RemoveField("residualvariance", "degrees_of_freedom"),
        migrations.RemoveField("residualvariance", "stands_in"),
        migrations.AlterField(
            "residualvariance",
            "collection",
            models.ForeignKey(
                on_delete=models.deletion.CASCADE, related_name="residual_variances", to="catalog.collection"
            ),
        ),
        migrations.AlterField("residualvariance", "n_topics", models.PositiveIntegerField()),
        migrations.AlterField("residualvariance", "n_systems", models.PositiveIntegerField()),
        migrations.AddConstraint(
            "residualvariance",
            models.UniqueConstraint(fields=["measure", "collection"], name="residual_variance_once"),
        ),
    ]
