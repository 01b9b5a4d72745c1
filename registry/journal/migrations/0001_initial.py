import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from registry.core.triggers import keep_as_written


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='VerifiedShare',
            fields=[
                ('number', models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ('due_on', models.DateField()),
                ('checked_at', models.DateTimeField(null=True)),
                ('problems', models.JSONField(default=list)),
                ('n_seals', models.PositiveBigIntegerField(default=0, help_text='How long the chain of seals was then.')),
                ('head', models.CharField(blank=True, help_text='The last head of the chain then.', max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('id', models.PositiveBigIntegerField(help_text='Its place in the chain, from 1.', primary_key=True, serialize=False)),
                ('kind', models.CharField(help_text='Of what was sealed (``journal.sealing``).', max_length=20)),
                ('subject', models.CharField(help_text='The id of the row, or of what its rows belong to.', max_length=40)),
                ('salt', models.CharField(max_length=32)),
                ('digest', models.CharField(help_text='SHA-256 of salt and content.', max_length=64)),
                ('parts', models.BinaryField(help_text='CRC-32 of every column or row, to name those that changed.')),
                ('head', models.CharField(help_text='SHA-256 of the head before, place, kind, subject and digest.', max_length=64)),
                ('sealed_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('kind', 'subject'), name='seal_once')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(help_text='Dotted and past tense, as results.result.withdrawn.', max_length=60)),
                ('subject_type', models.CharField(help_text='The kind of row: result, system, file …', max_length=40)),
                ('subject_id', models.CharField(max_length=200)),
                ('reason', models.TextField(blank=True)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('recorded_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('actor', models.ForeignKey(blank=True, help_text='Blank for the registry itself.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'entries',
                'indexes': [models.Index(fields=['subject_type', 'subject_id'], name='entry_by_subject'), models.Index(fields=['subject_type', 'id'], name='entry_by_type')],
                'constraints': [models.CheckConstraint(condition=models.Q(('action__regex', '^[a-z_]+(\\.[a-z_]+)+$')), name='entry_action_dotted')],
            },
        ),
        keep_as_written('journal_entry'),
        keep_as_written('journal_seal'),
    ]
