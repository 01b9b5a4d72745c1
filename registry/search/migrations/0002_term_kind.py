"""Words know the kind and the results of their things, so that a search joins nothing."""

from django.db import migrations, models

KINDS = [
    ("collection", "Collections"),
    ("suite", "Suites"),
    ("measure", "Measures"),
    ("leaderboard", "Leaderboards"),
    ("system", "Systems"),
    ("paper", "Papers"),
]

FILL = """
UPDATE search_term SET
    kind = (SELECT kind FROM search_thing WHERE search_thing.id = thing_id),
    n_results = (SELECT n_results FROM search_thing WHERE search_thing.id = thing_id)
"""


class Migration(migrations.Migration):
    # PostgreSQL makes no index in the transaction that wrote its rows.
    atomic = False

    dependencies = [("search", "0001_initial")]

    operations = [
        migrations.RemoveIndex("term", "term_by_text"),
        migrations.AddField(
            "term",
            "kind",
            models.CharField(
                choices=KINDS, default="", help_text="Of the thing, so that nothing is joined.", max_length=12
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "term",
            "n_results",
            models.PositiveIntegerField(default=0, help_text="Of the thing as well."),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            "term",
            models.Index(
                fields=["text", "is_name", "kind", "-n_results", "thing"],
                name="term_by_text",
                opclasses=["varchar_pattern_ops", "bool_ops", "text_ops", "int4_ops", "int8_ops"],
            ),
        ),
    ]
