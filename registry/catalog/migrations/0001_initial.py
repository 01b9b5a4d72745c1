import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(help_text='As in URLs: trec-2004-robust.', max_length=100, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('ir_datasets_id', models.CharField(blank=True, max_length=200)),
                ('documents', models.CharField(blank=True, help_text='The corpus, in words.', max_length=200)),
                ('n_documents', models.PositiveBigIntegerField(blank=True, null=True)),
                ('n_topics', models.PositiveIntegerField(blank=True, help_text='Blank where unknown: no analysis then.', null=True)),
                ('n_topics_source', models.CharField(blank=True, max_length=200)),
                ('n_topics_at_least', models.PositiveIntegerField(blank=True, help_text='A proven lower bound, where the number is not known.', null=True)),
                ('n_topics_at_least_source', models.CharField(blank=True, max_length=200)),
                ('relevant_per_topic', models.FloatField(blank=True, help_text='Relevant documents a topic, on average; blank where nobody counted.', null=True)),
                ('task', models.CharField(blank=True, choices=[('', 'not stated'), ('ad-hoc', 'documents on a subject'), ('known-item', 'one right answer a topic')], default='', max_length=20)),
                ('mteb_task', models.CharField(blank=True, help_text='What the mteb package calls it; a subset in brackets.', max_length=200)),
                ('domain', models.CharField(blank=True, help_text='Medical, news, …; several with commas.', max_length=200)),
                ('year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('suite', models.CharField(blank=True, help_text='Track or benchmark it belongs to.', max_length=100)),
                ('language', models.CharField(blank=True, max_length=100)),
                ('url', models.URLField(blank=True, max_length=500)),
                ('notes', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['slug'],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('slug'), name='collection_slug_once'), models.CheckConstraint(condition=models.Q(('n_topics__isnull', True), ('n_topics__gt', 0), _connector='OR'), name='collection_has_topics'), models.CheckConstraint(condition=models.Q(('n_topics_at_least__isnull', True), ('n_topics_at_least__gt', 0), _connector='OR'), name='collection_has_topics_at_least'), models.CheckConstraint(condition=models.Q(('relevant_per_topic__isnull', True), ('relevant_per_topic__gt', 0), _connector='OR'), name='collection_has_relevant_documents'), models.CheckConstraint(condition=models.Q(('task__in', ['', 'ad-hoc', 'known-item'])), name='collection_task_known')],
            },
        ),
        migrations.CreateModel(
            name='Measure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='As in URLs: nDCG@10.', max_length=100, unique=True)),
                ('ir_measures', models.CharField(blank=True, help_text='What ir_measures.parse_measure takes.', max_length=100)),
                ('trec_eval', models.CharField(blank=True, max_length=100)),
                ('long_name', models.CharField(blank=True, max_length=200)),
                ('low', models.FloatField(blank=True, help_text='Blank where there is no lower end.', null=True)),
                ('high', models.FloatField(blank=True, help_text='Blank where there is no upper end.', null=True)),
                ('higher_is_better', models.BooleanField(default=True)),
                ('decimals', models.PositiveSmallIntegerField(default=4)),
                ('kind', models.CharField(blank=True, choices=[('', 'as its name says'), ('not-a-mean', 'not-a-mean'), ('reciprocal-rank', 'reciprocal-rank'), ('success', 'success'), ('first-rank', 'first-rank'), ('share', 'share'), ('many-valued', 'many-valued')], help_text='Values on a topic. Blank: name, range and direction say this and the next three.', max_length=20)),
                ('family', models.CharField(blank=True, choices=[('', 'none'), ('AP', 'AP'), ('Bpref', 'Bpref'), ('ERR', 'ERR'), ('P', 'P'), ('R', 'R'), ('RR', 'RR'), ('Rprec', 'Rprec'), ('Success', 'Success'), ('nDCG', 'nDCG')], help_text='Measures whose scores vary by one rule.', max_length=20)),
                ('cutoff', models.PositiveIntegerField(blank=True, help_text='How many documents it looks at.', null=True)),
                ('zero_is_failure', models.BooleanField(default=True, help_text='Whether a score of 0 is taken for a failed run.')),
                ('description', models.TextField(blank=True)),
                ('notes', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('name'), name='measure_name_once'), models.CheckConstraint(condition=models.Q(('low__isnull', True), ('high__isnull', True), ('low__lt', models.F('high')), _connector='OR'), name='measure_range_ordered'), models.CheckConstraint(condition=models.Q(('name__contains', '/'), _negated=True), name='measure_name_fits_url'), models.CheckConstraint(condition=models.Q(('family__in', ('', 'AP', 'Bpref', 'ERR', 'P', 'R', 'RR', 'Rprec', 'Success', 'nDCG')), ('kind__in', ['', 'not-a-mean', 'reciprocal-rank', 'success', 'first-rank', 'share', 'many-valued'])), name='measure_nature_known')],
            },
        ),
        migrations.CreateModel(
            name='CollectionAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('alias', models.CharField(max_length=200)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='catalog.collection')),
            ],
            options={
                'verbose_name_plural': 'collection aliases',
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('alias'), name='collection_alias_once')],
            },
        ),
        migrations.CreateModel(
            name='CollectionLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('relation', models.CharField(help_text='What the collection is of its base: hard_negatives.', max_length=40)),
                ('topics', models.CharField(blank=True, help_text='Those of the collection beside its base’s.', max_length=40)),
                ('judgements', models.CharField(blank=True, max_length=100)),
                ('is_inferred', models.BooleanField(default=False, help_text='From names and counts alone.')),
                ('evidence', models.CharField(blank=True, max_length=200)),
                ('source', models.CharField(blank=True, max_length=200)),
                ('base', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='linked', to='catalog.collection')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='catalog.collection')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('collection', 'base'), name='collection_link_once'), models.CheckConstraint(condition=models.Q(('collection', models.F('base')), _negated=True), name='collection_link_of_two')],
            },
        ),
        migrations.CreateModel(
            name='Curator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('appointed_at', models.DateTimeField(auto_now_add=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='curators', to='catalog.collection')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='curated', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['collection', 'user__username'],
                'constraints': [models.UniqueConstraint(fields=('user', 'collection'), name='curator_once')],
            },
        ),
        migrations.CreateModel(
            name='Density',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('unit', models.CharField(help_text='What one score belongs to: topic, session, turn …', max_length=40)),
                ('basis', models.CharField(blank=True, choices=[('', 'not known'), ('judgements', 'judgements'), ('statistics', 'statistics of the mteb package'), ('counts', 'judgements counted by grade'), ('pooled', 'statistics of several languages together'), ('members', 'the members together'), ('stand-in', 'another judging of the same topics')], max_length=20)),
                ('n_judged', models.PositiveIntegerField(blank=True, help_text='Topics with judgements.', null=True)),
                ('n_with_relevant', models.PositiveIntegerField(blank=True, null=True)),
                ('relevant_mean', models.FloatField(blank=True, null=True)),
                ('relevant_median', models.FloatField(blank=True, null=True)),
                ('share_with_one', models.FloatField(blank=True, help_text='Of topics, with exactly one; 0 to 1.', null=True)),
                ('mean_inverse', models.FloatField(blank=True, help_text='Mean of 1 / relevant documents; 0 to 1.', null=True)),
                ('shape', models.CharField(blank=True, choices=[('', 'not known'), ('exact', 'counted'), ('assumed', 'assuming that no judged document is irrelevant'), ('copied', 'those of a collection with equal counts')], max_length=10)),
                ('copied_from', models.SlugField(blank=True, help_text='The collection whose shape it is.', max_length=100)),
                ('relevant_at_least', models.FloatField(blank=True, help_text='A floor of the mean.', null=True)),
                ('at_least_from', models.CharField(blank=True, help_text='The measure whose results show the floor.', max_length=20)),
                ('relevant_grade', models.PositiveSmallIntegerField(default=1, help_text='From which on binary measures count.')),
                ('n_with_grade_2', models.PositiveIntegerField(blank=True, null=True)),
                ('grade_2_mean', models.FloatField(blank=True, null=True)),
                ('grade_2_median', models.FloatField(blank=True, null=True)),
                ('grade_2_share_with_one', models.FloatField(blank=True, null=True)),
                ('candidates_mean', models.FloatField(blank=True, help_text='Given documents a topic, for reranking.', null=True)),
                ('n_members', models.PositiveSmallIntegerField(blank=True, help_text='Of which a score is the mean.', null=True)),
                ('query_in_corpus', models.CharField(blank=True, choices=[('', 'not known'), ('possible', 'possible'), ('yes', 'yes')], max_length=10)),
                ('mteb_removes_query', models.BooleanField(blank=True, null=True)),
                ('anserini_removes_query', models.BooleanField(blank=True, null=True)),
                ('source', models.CharField(blank=True, max_length=300)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('collection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='density', to='catalog.collection')),
            ],
            options={
                'verbose_name_plural': 'densities',
                'constraints': [models.CheckConstraint(condition=models.Q(('relevant_grade__in', [1, 2])), name='density_relevant_grade_known'), models.CheckConstraint(condition=models.Q(models.Q(('shape', 'copied'), _negated=True), models.Q(('copied_from', ''), _negated=True), _connector='OR'), name='density_copied_from_somewhere')],
            },
        ),
        migrations.CreateModel(
            name='Leaderboard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n_topics_here', models.PositiveIntegerField(blank=True, help_text="Only where this measure averages over other topics than the collection's.", null=True)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('results_version', models.PositiveIntegerField(default=0)),
                ('results_changed_at', models.DateTimeField(blank=True, null=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leaderboards', to='catalog.collection')),
                ('measure', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leaderboards', to='catalog.measure')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('collection', 'measure'), name='leaderboard_once'), models.CheckConstraint(condition=models.Q(('n_topics_here__isnull', True), ('n_topics_here__gt', 0), _connector='OR'), name='leaderboard_has_topics')],
            },
        ),
        migrations.CreateModel(
            name='MeasureAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('alias', models.CharField(max_length=100)),
                ('measure', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='catalog.measure')),
            ],
            options={
                'verbose_name_plural': 'measure aliases',
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('alias'), name='measure_alias_once')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('collection', 'collection'), ('measure', 'measure')], max_length=10)),
                ('names', models.TextField(help_text='One on each line; other spellings of them are found as well.')),
                ('text', models.CharField(help_text='One question: Passage or document ranking?', max_length=300)),
                ('collections', models.ManyToManyField(blank=True, related_name='questions', to='catalog.collection')),
                ('measures', models.ManyToManyField(blank=True, related_name='questions', to='catalog.measure')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['collection', 'measure'])), name='question_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('names', ''), _negated=True), models.Q(('text', ''), _negated=True)), name='question_asks_something')],
            },
        ),
        migrations.CreateModel(
            name='ResidualVariance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('own-variance', 'measured on this collection'), ('transferred', 'typical of the measure in other collections')], max_length=20)),
                ('residual_variance', models.FloatField(help_text='Per topic, in squared units of the measure.')),
                ('degrees_of_freedom', models.FloatField(blank=True, help_text='How surely it is known elsewhere; of an own one it follows from the matrix.', null=True)),
                ('topic_variance', models.FloatField(blank=True, null=True)),
                ('n_topics', models.PositiveIntegerField(blank=True, null=True)),
                ('n_systems', models.PositiveIntegerField(blank=True, null=True)),
                ('n_makers', models.PositiveIntegerField(blank=True, help_text='Blank where the runs have no names.', null=True)),
                ('sources', models.JSONField(default=list, help_text='What it was measured on: one text for each.')),
                ('stands_in', models.CharField(blank=True, help_text='The measure whose value this is.', max_length=100)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='residual_variances', to='catalog.collection')),
                ('measure', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='residual_variances', to='catalog.measure')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('collection__isnull', False)), fields=('measure', 'collection'), name='residual_variance_once'), models.UniqueConstraint(condition=models.Q(('collection__isnull', True)), fields=('measure',), name='residual_variance_of_measure_once'), models.CheckConstraint(condition=models.Q(('residual_variance__gt', 0)), name='residual_variance_positive'), models.CheckConstraint(condition=models.Q(models.Q(('collection__isnull', False), ('degrees_of_freedom__isnull', True), ('kind', 'own-variance')), models.Q(('degrees_of_freedom__gt', 0), ('degrees_of_freedom__isnull', False), ('kind', 'transferred')), _connector='OR'), name='residual_variance_of_a_kind')],
            },
        ),
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('label', models.CharField(max_length=100)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topics', to='catalog.collection')),
            ],
            options={
                'ordering': ['collection', 'position'],
                'constraints': [models.UniqueConstraint(fields=('collection', 'position'), name='topic_position_once'), models.UniqueConstraint(fields=('collection', 'label'), name='topic_label_once')],
            },
        ),
    ]
