from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0005_holders")]

    operations = [
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
