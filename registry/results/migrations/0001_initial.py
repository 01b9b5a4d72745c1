import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('catalog', '0001_initial'),
        ('journal', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Source',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='As results name it.', max_length=200, unique=True)),
                ('what', models.CharField(help_text='What is there, in a few words.', max_length=300)),
                ('state', models.CharField(blank=True, help_text='The commit or version that was read.', max_length=100)),
                ('address', models.URLField(help_text='Where it is, in that state.', max_length=500)),
                ('file_address', models.CharField(blank=True, help_text='Where one of its files is: an address with {path}, perhaps {state}.', max_length=500)),
                ('licence', models.CharField(blank=True, max_length=100)),
                ('terms', models.TextField(blank=True, help_text='What else holds for those who take it further.')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Paper',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cite', models.CharField(blank=True, help_text='Short form: Diaz (CIKM 2005).', max_length=300)),
                ('title', models.CharField(blank=True, max_length=500)),
                ('authors', models.TextField(blank=True, help_text='In their order, divided by semicolons; et al. stands last.')),
                ('venue', models.CharField(blank=True, max_length=200)),
                ('year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('month', models.PositiveSmallIntegerField(blank=True, help_text='Where its identifier says it.', null=True)),
                ('kind', models.CharField(blank=True, choices=[('', 'not stated'), ('article', 'article'), ('inproceedings', 'paper in proceedings'), ('misc', 'paper'), ('software', 'software'), ('page', 'page on a model')], default='', max_length=20)),
                ('imprint', models.JSONField(blank=True, default=dict, help_text='Where it was published, in the words of BibTeX.')),
                ('described_from', models.CharField(blank=True, help_text='What title and people were taken from, where a file says it.', max_length=300)),
                ('url', models.URLField(blank=True, max_length=500)),
                ('doi', models.CharField(blank=True, max_length=200)),
                ('arxiv_id', models.CharField(blank=True, max_length=40)),
                ('acl_id', models.CharField(blank=True, max_length=60)),
                ('dblp_key', models.CharField(blank=True, max_length=120)),
                ('bibtex', models.TextField(blank=True, help_text='As given, never rewritten.')),
                ('identity', models.CharField(help_text='What tells it from other papers; see services.', max_length=900, unique=True)),
                ('slug', models.CharField(editable=False, help_text='Its address, which stays.', max_length=120, unique=True)),
                ('author_orcids', models.JSONField(blank=True, default=list, help_text='ORCID iDs of its authors, as far as files say them.')),
                ('retraction', models.CharField(blank=True, help_text='Who took it back, when and why, where somebody did; noted by editors.', max_length=500)),
                ('reports_significance', models.BooleanField(blank=True, help_text='Whether it tests differences for significance; blank where nobody has looked.', null=True)),
                ('significance_said', models.CharField(blank=True, help_text='Which test, and where the paper says so.', max_length=300)),
                ('merged_into', models.ForeignKey(blank=True, help_text='The same paper under another identity; its results stand there.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_papers', to='results.paper')),
            ],
            options={
                'ordering': ['-year', 'cite'],
            },
        ),
        migrations.CreateModel(
            name='Model',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(help_text='Its address, which stays.', max_length=100, unique=True)),
                ('name', models.CharField(max_length=300)),
                ('name_key', models.CharField(help_text='Its name as names are compared.', max_length=600, unique=True)),
                ('maker', models.CharField(blank=True, max_length=300)),
                ('base', models.CharField(blank=True, help_text='The model that it was made from, by its name.', max_length=300)),
                ('published', models.CharField(blank=True, help_text='When its paper could be read.', max_length=10)),
                ('released', models.CharField(blank=True, help_text='When its checkpoint could be had.', max_length=10)),
                ('source', models.CharField(blank=True, help_text='Where that is known from.', max_length=300)),
                ('paper', models.ForeignKey(blank=True, help_text='On it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='models_introduced', to='results.paper')),
            ],
            options={
                'ordering': ['name_key'],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('printed', models.CharField(help_text='The score exactly as reported, with all digits.', max_length=40)),
                ('unit', models.CharField(blank=True, choices=[('', 'as the measure counts'), ('percent', 'in percent')], default='', help_text='What the printed digits are in.', max_length=10)),
                ('value', models.FloatField(help_text='The printed score as a number on the scale of its measure.')),
                ('year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('date', models.DateField(blank=True, null=True)),
                ('role', models.CharField(choices=[('trec_run', 'shared-task run'), ('leaderboard', 'leaderboard entry'), ('proposed', 'proposed'), ('baseline', 'baseline'), ('reference_implementation', 'reference implementation')], max_length=30)),
                ('run_type', models.CharField(blank=True, choices=[('', 'not stated'), ('automatic', 'automatic'), ('manual', 'manual')], default='', max_length=10)),
                ('provenance', models.CharField(choices=[('transcribed', 'transcribed'), ('double_checked', 'double-checked'), ('author_confirmed', 'author-confirmed'), ('topic_scores', 'per-topic scores'), ('recomputed', 'recomputed from a run')], default='transcribed', max_length=20)),
                ('comparability', models.CharField(choices=[('standard', 'standard'), ('topic_subset', 'other set of topics'), ('other_judgements', 'other judgements'), ('other_documents', 'other documents'), ('oracle', 'uses the judgements'), ('doubtful', 'doubtful figure')], default='standard', max_length=20)),
                ('n_topics_here', models.PositiveIntegerField(blank=True, help_text="Topics behind this mean, where not the leaderboard's.", null=True)),
                ('is_self_reported', models.BooleanField(default=False, help_text='Nobody but who made the system ran it, and the source does not vouch for it.')),
                ('locator', models.CharField(blank=True, help_text='Where in the paper: table, row, page.', max_length=200)),
                ('source', models.CharField(help_text='Where the figure was taken from.', max_length=500)),
                ('notes', models.TextField(blank=True)),
                ('recorded_at', models.DateTimeField(db_index=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ending', models.CharField(blank=True, choices=[('superseded', 'superseded'), ('withdrawn', 'withdrawn')], max_length=10)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ended_results', to='journal.entry')),
                ('leaderboard', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='catalog.leaderboard')),
                ('paper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='results.paper')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='recorded_results', to='journal.entry')),
                ('replicate_of', models.ForeignKey(blank=True, help_text='The first instance of the same non-deterministic system, which counts for all of them.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replicates', to='results.result')),
                ('superseded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='supersedes', to='results.result')),
            ],
        ),
        migrations.CreateModel(
            name='CorrectionRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('correct', 'correction'), ('dispute', 'dispute')], max_length=10)),
                ('proposed_printed', models.CharField(blank=True, help_text='The score that should stand there.', max_length=40)),
                ('proposed_unit', models.CharField(blank=True, choices=[('', 'as the measure counts'), ('percent', 'in percent')], default='', max_length=10)),
                ('reason', models.TextField()),
                ('state', models.CharField(choices=[('open', 'open'), ('accepted', 'accepted'), ('declined', 'declined')], default='open', max_length=10)),
                ('decision_reason', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requester', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to='results.result')),
            ],
            options={
                'ordering': ['created_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Confirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('second_transcription', 'second transcription'), ('author', 'confirmed by an author')], max_length=30)),
                ('printed', models.CharField(help_text='The score as this person read it.', max_length=40)),
                ('unit', models.CharField(blank=True, choices=[('', 'as the measure counts'), ('percent', 'in percent')], default='', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('result', models.ForeignKey(help_text='In the version that was confirmed.', on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='results.result')),
            ],
        ),
        migrations.CreateModel(
            name='System',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=300)),
                ('team', models.CharField(blank=True, max_length=300)),
                ('approach', models.TextField(blank=True)),
                ('name_key', models.CharField(max_length=600)),
                ('team_key', models.CharField(blank=True, max_length=600)),
                ('slug', models.CharField(editable=False, help_text='Its address, which stays.', max_length=120, unique=True)),
                ('merged_into', models.ForeignKey(blank=True, help_text='The same system under its name of today; its results stand there, and new ones go there.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_systems', to='results.system')),
                ('model', models.ForeignKey(blank=True, help_text='Null: of none.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='systems', to='results.model')),
                ('model_by', models.ForeignKey(blank=True, help_text='The entry of the log that says so, or that it is of none.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='systems_of_models', to='journal.entry')),
            ],
            options={
                'ordering': ['name_key'],
            },
        ),
        migrations.AddField(
            model_name='result',
            name='system',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='results.system'),
        ),
        migrations.CreateModel(
            name='TopicScores',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scores', models.JSONField(help_text='One number for each topic of the collection, null where the run had none.')),
                ('recorded_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topic_scores', to='results.result')),
            ],
            options={
                'verbose_name_plural': 'topic scores',
            },
        ),
        migrations.CreateModel(
            name='UnnamedScores',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(help_text='What the journal calls the file.', max_length=200, unique=True)),
                ('runs', models.CharField(help_text='What its columns are.', max_length=200)),
                ('n_topics', models.PositiveIntegerField()),
                ('n_runs', models.PositiveIntegerField()),
                ('content', models.BinaryField(help_text='Topics, runs and scores, as compressed JSON.')),
                ('sha256', models.CharField(help_text='Of the file.', max_length=64)),
                ('source', models.CharField(max_length=300)),
                ('licence', models.CharField(max_length=100)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('recorded_at', models.DateTimeField(auto_now=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='unnamed_scores', to='catalog.collection')),
                ('measure', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='unnamed_scores', to='catalog.measure')),
            ],
            options={
                'verbose_name_plural': 'unnamed scores',
                'ordering': ['collection', 'measure', 'label'],
            },
        ),
        migrations.AddConstraint(
            model_name='model',
            constraint=models.CheckConstraint(condition=models.Q(('published__regex', '^([0-9]{4}(-[0-9]{2}){0,2})?$'), ('released__regex', '^([0-9]{4}(-[0-9]{2}){0,2})?$')), name='model_days_are_days'),
        ),
        migrations.AddConstraint(
            model_name='model',
            constraint=models.CheckConstraint(condition=models.Q(('name_key', ''), _negated=True), name='model_has_name'),
        ),
        migrations.AddIndex(
            model_name='correctionrequest',
            index=models.Index(fields=['state', 'created_at'], name='correction_request_queue'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('result', 'requester', 'kind'), name='correction_request_open_once'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='correction_request_has_reason'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'correct'), _negated=True), models.Q(('proposed_printed', ''), _negated=True), _connector='OR'), name='correction_request_proposes'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'open')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ['accepted', 'declined'])), _connector='OR'), name='correction_request_decided_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='confirmation',
            constraint=models.UniqueConstraint(fields=('result', 'user', 'kind'), name='confirmation_once'),
        ),
        migrations.AddConstraint(
            model_name='system',
            constraint=models.UniqueConstraint(fields=('name_key', 'team_key'), name='system_once'),
        ),
        migrations.AddConstraint(
            model_name='system',
            constraint=models.CheckConstraint(condition=models.Q(('name_key', ''), _negated=True), name='system_has_name'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['leaderboard', 'ended_at'], name='result_on_leaderboard'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['role', 'leaderboard'], name='result_by_role'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('paper__isnull', False)), fields=('leaderboard', 'system', 'source', 'paper'), name='result_once'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('paper__isnull', True)), fields=('leaderboard', 'system', 'source'), name='result_without_paper_once'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('value__gt', -1000000000000.0), ('value__lt', 1000000000000.0)), name='result_value_finite'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('printed', ''), _negated=True), name='result_keeps_what_was_printed'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('unit__in', ['', 'percent'])), name='result_unit_known'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('year__isnull', True), ('year__range', (1950, 2100)), _connector='OR'), name='result_year_real'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['trec_run', 'leaderboard', 'proposed', 'baseline', 'reference_implementation'])), name='result_role_known'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True), ('ending', '')), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False), ('ending__in', ['superseded', 'withdrawn'])), _connector='OR'), name='result_ends_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('replicate_of__isnull', True), models.Q(('replicate_of', models.F('pk')), _negated=True), _connector='OR'), name='result_not_its_own_replicate'),
        ),
        migrations.AddConstraint(
            model_name='topicscores',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('result',), name='topic_scores_stand_once'),
        ),
    ]
