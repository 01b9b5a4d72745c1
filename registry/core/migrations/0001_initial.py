import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Bucket',
            fields=[
                ('name', models.CharField(help_text='What is limited, and a hash of for whom.', max_length=120, primary_key=True, serialize=False)),
                ('full_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('beaten_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='RoutineState',
            fields=[
                ('name', models.CharField(help_text='The name of a ``core.jobs.Routine``.', max_length=60, primary_key=True, serialize=False)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('succeeded_at', models.DateTimeField(blank=True, null=True)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('n_starts', models.PositiveIntegerField(default=0)),
                ('n_failures', models.PositiveIntegerField(default=0, help_text='In a row, since it last succeeded.')),
                ('error', models.TextField(blank=True, help_text='Of the last failure; blank once it succeeded.')),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(help_text='The name of a ``core.jobs.Kind``.', max_length=60)),
                ('args', models.JSONField(help_text='Ids only, made by the registry itself.')),
                ('key', models.CharField(help_text='Kind and arguments; at most one queued job has a given key.', max_length=200)),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('published_at', models.DateTimeField(blank=True, help_text='When a worker was last woken up for it.', null=True)),
                ('error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('awaited_at', models.DateTimeField(blank=True, help_text='Since when somebody waits for it.', null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'created_at'], name='job_by_state'), models.Index(fields=['key'], name='job_by_key')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'queued')), fields=('key',), name='job_queued_once'), models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed'])), name='job_state_known')],
            },
        ),
    ]
