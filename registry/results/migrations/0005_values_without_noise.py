"""Scores that programs printed with every digit they had count as the numbers that they stand for."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F
from django.db.models.functions import Length

from analysis.scores import real_digits

#: Of fewer characters a number has no noise.
_MIN_LENGTH = 15


def take_off_noise(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Equal scores that differ in their last bit tie from now on; their leaderboards are analysed again."""
    results = apps.get_model("results", "Result").objects.using(schema_editor.connection.alias)
    boards = apps.get_model("catalog", "Leaderboard").objects.using(schema_editor.connection.alias)
    long_ones = results.annotate(length=Length("printed")).filter(length__gte=_MIN_LENGTH)
    changed = set()
    for pk, printed, value, board in list(long_ones.values_list("pk", "printed", "value", "leaderboard_id")):
        if (real := float(real_digits(printed))) != value:
            results.filter(pk=pk).update(value=real)
            changed.add(board)
    boards.filter(pk__in=changed).update(results_version=F("results_version") + 1)


class Migration(migrations.Migration):

    dependencies = [
        ("results", "0004_topic_scores_in_time"),
        ("catalog", "0002_curator"),
    ]

    operations = [migrations.RunPython(take_off_noise, migrations.RunPython.noop)]
