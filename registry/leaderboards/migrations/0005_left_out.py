"""Headlines say whom they leave out for a caution; of those that stand it is read from their snapshots."""

import json

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def say_who_is_left_out(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for model, part in (("Analysis", "verdict"), ("SuiteAnalysis", "other_collections")):
        analyses = apps.get_model("leaderboards", model).objects.using(schema_editor.connection.alias)
        for analysis in analyses.exclude(snapshot=None).select_related("snapshot").iterator(100):
            verdict = json.loads(analysis.snapshot.content)["findings"][part]
            other = verdict["best_unflagged"]
            analysis.headline.pop("has_flag", None)
            analysis.headline["left_out"] = (
                "" if other is None else "others" if other["result"] == verdict["best"]["result"] else "highest"
            )
            # Not by save(), which would say that it was analysed now.
            analyses.filter(pk=analysis.pk).update(headline=analysis.headline)


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0004_suites")]

    operations = [migrations.RunPython(say_who_is_left_out, migrations.RunPython.noop, elidable=True)]
