import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('catalog', '0001_initial'),
        ('results', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('way', models.CharField(choices=[('form', 'form'), ('table', 'table'), ('api', 'API')], max_length=10)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('submitted', 'submitted'), ('in_review', 'in review'), ('returned', 'returned'), ('published', 'published'), ('refused', 'refused')], default='draft', max_length=10)),
                ('note', models.TextField(blank=True, help_text='What its contributor wants the reviewer to know.')),
                ('version', models.PositiveIntegerField(default=1)),
                ('digest', models.CharField(help_text='Of the rows as they came, to know a second click by.', max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decision_reason', models.TextField(blank=True)),
                ('contributor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='submissions.submission')),
            ],
            options={
                'ordering': ['created_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SubmittedPaper',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('identity', models.CharField(help_text='What tells it from other papers, as the record has it.', max_length=900)),
                ('description', models.JSONField(help_text='Texts by field of a paper: title, authors, venue, bibtex and the like.')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='papers', to='submissions.submission')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='SubmittedRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.PositiveIntegerField(help_text='Of the table that it came in.')),
                ('cells', models.JSONField(help_text='Texts exactly as given, by column; blank ones are left out.')),
                ('outcome', models.CharField(blank=True, choices=[('', 'not checked yet'), ('new', 'new'), ('same', 'same as recorded'), ('differs', 'differs from what is recorded'), ('refused', 'refused')], default='', max_length=10)),
                ('rejections', models.JSONField(blank=True, default=list, help_text='Objects with code, message and field.')),
                ('content', models.TextField(blank=True, help_text='JSON: a digest of the catalog, and what the cells say by it.')),
                ('key', models.CharField(blank=True, help_text='What tells its result from others; blank if refused.', max_length=32)),
                ('collection', models.ForeignKey(blank=True, help_text='Blank when refused.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='catalog.collection')),
                ('existing', models.ForeignKey(blank=True, help_text='What stands there.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.result')),
                ('result', models.ForeignKey(blank=True, help_text='Once published.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='submitted_rows', to='results.result')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='submissions.submission')),
            ],
            options={
                'ordering': ['submission', 'line'],
            },
        ),
        migrations.CreateModel(
            name='Signal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(choices=[('duplicate', 'duplicate'), ('near_duplicate', 'near duplicate'), ('other_measure', 'score of another measure'), ('unreachable_value', 'value not reachable'), ('far_outside', 'far outside what is recorded'), ('contested', 'contested'), ('percent_scale', 'percent or fraction')], max_length=30)),
                ('severity', models.CharField(choices=[('info', 'for information'), ('warning', 'look here')], max_length=10)),
                ('message', models.TextField()),
                ('row', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signals', to='submissions.submittedrow')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('digest', models.CharField(help_text='Of the request.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(help_text='Blank only inside the transaction that answers.', null=True)),
                ('body', models.JSONField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='idempotency_key_once')],
            },
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['state', 'submitted_at'], name='submission_queue'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['contributor', '-created_at'], name='submission_by_contributor'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'submitted', 'in_review', 'returned', 'published', 'refused'])), name='submission_state_known'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'draft'), ('submitted_at__isnull', False), _connector='OR'), name='submission_says_when_submitted'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['published', 'refused']), _negated=True), ('decided_at__isnull', False), _connector='OR'), name='submission_says_when_decided'),
        ),
        migrations.AddConstraint(
            model_name='comment',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='comment_says_something'),
        ),
        migrations.AddConstraint(
            model_name='submittedpaper',
            constraint=models.UniqueConstraint(fields=('submission', 'identity'), name='submitted_paper_once'),
        ),
        migrations.AddIndex(
            model_name='submittedrow',
            index=models.Index(fields=['submission', 'outcome', 'line'], name='submitted_row_by_outcome'),
        ),
        migrations.AddIndex(
            model_name='submittedrow',
            index=models.Index(condition=models.Q(('key', ''), _negated=True), fields=['key'], name='submitted_row_by_key'),
        ),
        migrations.AddConstraint(
            model_name='submittedrow',
            constraint=models.UniqueConstraint(fields=('submission', 'line'), name='submitted_row_line_once'),
        ),
        migrations.AddConstraint(
            model_name='submittedrow',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['', 'new', 'same', 'differs', 'refused'])), name='submitted_row_outcome_known'),
        ),
        migrations.AddConstraint(
            model_name='signal',
            constraint=models.UniqueConstraint(fields=('row', 'code'), name='signal_once'),
        ),
    ]
