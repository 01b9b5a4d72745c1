from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from analysis.readers.slugs import slug_of_paper, slug_of_system
from registry.core.inserting import update_rows

_OPTIONS: dict[str, Any] = {'editable': False, 'help_text': 'Its address, which stays.', 'max_length': 120}


def fill(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give every system and paper the address that it has on every site."""
    system, paper = apps.get_model('results', 'System'), apps.get_model('results', 'Paper')
    systems = system.objects.values_list('pk', 'name_key', 'team_key')
    update_rows(system, ['slug'], [(pk, slug_of_system(name, team)) for pk, name, team in systems])
    papers = paper.objects.values_list('pk', 'identity')
    update_rows(paper, ['slug'], [(pk, slug_of_paper(identity)) for pk, identity in papers])


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0003_models'),
    ]

    operations = [
        migrations.AddField('paper', 'slug', models.CharField(default='', **_OPTIONS), preserve_default=False),
        migrations.AddField('system', 'slug', models.CharField(default='', **_OPTIONS), preserve_default=False),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField('paper', 'slug', models.CharField(unique=True, **_OPTIONS)),
        migrations.AlterField('system', 'slug', models.CharField(unique=True, **_OPTIONS)),
    ]
