import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def move_content_type(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    found = apps.get_model('contenttypes', 'ContentType').objects.filter(app_label='submissions', model='errand')
    found.update(app_label='accounts')


class Migration(migrations.Migration):
    """Large requests come from the submissions; their table is there already."""

    dependencies = [
        ('accounts', '0001_initial'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('submissions', '0003_errands_move'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Errand',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('request', models.JSONField(help_text="Method, path, headers that matter, the id of a program's token.")),
                        ('body', models.BinaryField(help_text="As it came, or a form's fields as JSON; blank once it is answered.")),
                        ('digest', models.CharField(db_index=True, help_text='Of all that, to know a second click by.', max_length=64)),
                        ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                        ('answered_at', models.DateTimeField(blank=True, null=True)),
                        ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('headers', models.JSONField(blank=True, default=dict)),
                        ('messages', models.JSONField(blank=True, default=list, help_text='Level and text of what the next page says.')),
                        ('answer', models.BinaryField(default=b'', help_text='Compressed.')),
                        ('user', models.ForeignKey(help_text='Blank for a visitor, who is known by the session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('answered_at__isnull', True), ('status__isnull', False), _connector='OR'), name='errand_answered_with_a_status')],
                    },
                ),
            ],
        ),
        migrations.RunPython(move_content_type, migrations.RunPython.noop),
    ]
