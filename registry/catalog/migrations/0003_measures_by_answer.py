"""Measures by answer strings get the name that the field gives them; what they were called leads on."""

import re

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_WAS, _IS = re.compile(r"top_([0-9]+)_accuracy"), re.compile(r"Top-([0-9]+) accuracy \(answers\)")


def _rename(apps: Apps, found: re.Pattern[str], called: str) -> None:
    measures = apps.get_model("catalog", "Measure").objects
    for measure in list(measures.all()):
        match = found.fullmatch(measure.name)
        if match and not measures.filter(name=called.format(match[1])).exists():
            measures.filter(pk=measure.pk).update(name=called.format(match[1]))


def rename(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    _rename(apps, _WAS, "Top-{} accuracy (answers)")


def undo(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    _rename(apps, _IS, "top_{}_accuracy")


class Migration(migrations.Migration):

    dependencies = [
        ("catalog", "0002_densities_and_links"),
    ]

    operations = [
        migrations.RunPython(rename, undo),
    ]
