from typing import Any

from django.db import migrations, models
from django.db.models import deletion

KINDS = [
    ("suite", "Suites"),
    ("collection", "Collections"),
    ("measure", "Measures"),
    ("result", "Results"),
    ("leaderboard", "Leaderboards"),
    ("system", "Systems"),
    ("paper", "Papers"),
    ("method", "Methods"),
]


def forget_state(apps: Any, schema_editor: Any) -> None:
    """The index is derived: without its state it is made again."""
    apps.get_model("search", "IndexState").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("search", "0001_initial")]

    operations = [
        migrations.DeleteModel(name="Term"),
        migrations.AlterField("thing", "kind", models.CharField(choices=KINDS, max_length=12)),
        migrations.AlterField("thing", "n_results", models.PositiveIntegerField(help_text="Standing results.")),
        migrations.AddField(
            "thing",
            "weight",
            models.PositiveIntegerField(
                default=0,
                help_text="What many look for comes first: the results of a system, the most that stand on one leaderboard.",
            ),
        ),
        migrations.CreateModel(
            name="Term",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=200)),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "its own name"),
                            (1, "a short name, or one that it shares"),
                            (2, "one word among others"),
                        ]
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=KINDS, help_text="Of the thing, so that nothing is joined.", max_length=12
                    ),
                ),
                ("weight", models.PositiveIntegerField(help_text="Of the thing as well.")),
                (
                    "thing",
                    models.ForeignKey(on_delete=deletion.CASCADE, related_name="terms", to="search.thing"),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["text", "place", "kind", "-weight", "thing"],
                        opclasses=["varchar_pattern_ops", "int2_ops", "text_ops", "int4_ops", "int8_ops"],
                        name="term_by_text",
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("thing", "text", "place"), name="term_once")],
            },
        ),
        migrations.RunPython(forget_state, migrations.RunPython.noop),
    ]
