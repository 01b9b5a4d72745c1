import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('catalog', '0001_initial'),
        ('journal', '0001_initial'),
        ('results', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Suite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=100, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('is_zero_shot', models.BooleanField(help_text='Meant for systems that were not trained on its members.')),
                ('is_average', models.BooleanField(help_text='People quote the mean over its members.')),
                ('is_screen', models.BooleanField(help_text='A score on one member can be held against those on the others.')),
                ('description', models.TextField(blank=True)),
                ('source', models.CharField(help_text='Who says that these are its members.', max_length=300)),
                ('url', models.URLField(blank=True, max_length=500)),
                ('position', models.PositiveIntegerField(help_text='A collection of several suites is screened by the first.')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Oddity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('failed-run', 'failed run'), ('outlier', 'score alone at an end'), ('parts', 'not the mean of its parts'), ('year', 'years out of order'), ('systems', 'one system under two names'), ('collections', 'one collection under two names'), ('papers', 'one paper under two records')], max_length=20)),
                ('key', models.CharField(max_length=100)),
                ('says', models.CharField(help_text='What is odd, with its numbers.', max_length=300)),
                ('found_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, help_text='Since when it is not found any more.', null=True)),
                ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.collection')),
                ('other_collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.collection')),
                ('other_paper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.paper')),
                ('other_system', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.system')),
                ('paper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.paper')),
                ('result', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='oddities', to='results.result')),
                ('system', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.system')),
            ],
            options={
                'verbose_name_plural': 'oddities',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='OddityDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('error', 'an error'), ('right', 'as it should be')], max_length=10)),
                ('done', models.JSONField(blank=True, default=dict, help_text='What followed from it, so that it can be undone.')),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ended_oddity_decisions', to='journal.entry')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='oddity_decisions', to='journal.entry')),
                ('oddity', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='curation.oddity')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PaperLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(blank=True, help_text='Of the results that it is about; blank: of all. Teams use names again.', null=True)),
                ('relation', models.CharField(choices=[('listed', 'lists the run'), ('introduces', 'introduces it, or its method'), ('team', 'by its team on this track'), ('probable', 'probably: by its team, on another track'), ('cited', 'what its maker asks to be cited'), ('uses', 'on its base model, or a method that it uses'), ('toolkit', 'on the toolkit that ran it'), ('overview', 'overview of the track')], max_length=10)),
                ('source', models.CharField(help_text='How it is known.', max_length=300)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('paper', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='system_links', to='results.paper')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='paper_links', to='results.system')),
            ],
        ),
        migrations.CreateModel(
            name='ElsewhereTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('as_of', models.DateField()),
                ('content', models.BinaryField(help_text='Datasets in order, and scores by system, as compressed JSON.')),
                ('sha256', models.CharField(help_text='Of the JSON.', max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('suite', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='curation.suite')),
            ],
            options={
                'get_latest_by': 'pk',
            },
        ),
        migrations.CreateModel(
            name='SuiteMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('has_training_part', models.BooleanField(default=False, help_text='It comes with topics to train on, so that training on it is nothing to remark on.')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='suite_memberships', to='catalog.collection')),
                ('measure', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='suite_memberships', to='catalog.measure')),
                ('part_of', models.ForeignKey(blank=True, help_text='Blank for members.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='curation.suitemember')),
                ('suite', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='curation.suite')),
            ],
            options={
                'ordering': ['suite', 'position'],
            },
        ),
        migrations.CreateModel(
            name='SystemFacts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(help_text='Its name in the source, which may be that of today.', max_length=300)),
                ('organisation', models.CharField(blank=True, max_length=200)),
                ('released', models.DateField(blank=True, null=True)),
                ('n_parameters', models.BigIntegerField(blank=True, null=True)),
                ('n_active_parameters', models.BigIntegerField(blank=True, help_text='Those that a text passes through, without the table of words.', null=True)),
                ('base_model', models.CharField(blank=True, max_length=300)),
                ('superseded_by', models.CharField(blank=True, max_length=300)),
                ('revision', models.CharField(blank=True, max_length=100)),
                ('has_open_weights', models.BooleanField(blank=True, null=True)),
                ('licence', models.CharField(blank=True, max_length=200)),
                ('reference', models.URLField(blank=True, max_length=500)),
                ('training', models.CharField(choices=[('declared', 'declared'), ('none', 'an empty list'), ('unknown', 'no list')], default='unknown', max_length=10)),
                ('training_data', models.JSONField(blank=True, default=list, help_text='Names as the source lists them.')),
                ('source', models.CharField(max_length=300)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='facts', to='results.system')),
            ],
            options={
                'verbose_name_plural': 'system facts',
            },
        ),
        migrations.CreateModel(
            name='TrainingDeclaration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('declared', models.CharField(choices=[('yes', 'trained on it'), ('no', "not trained on it, or not in the package's list"), ('unknown', 'says nothing'), ('nothing', 'nothing to train')], max_length=10)),
                ('dataset', models.CharField(blank=True, help_text='As the source names it.', max_length=200)),
                ('split', models.CharField(blank=True, help_text='As far as the source says; else unspecified.', max_length=40)),
                ('evidence', models.CharField(choices=[('package', 'the list of the mteb package'), ('config', 'its training configuration'), ('readme', 'its repository'), ('paper', 'a paper'), ('card', 'a model or data set card'), ('thread', 'a thread of issues'), ('blog', 'a blog'), ('rule', 'a rule of this registry'), ('answer', 'an answer given here')], default='package', max_length=10)),
                ('quotation', models.CharField(blank=True, max_length=500)),
                ('how', models.CharField(blank=True, help_text='What to know of it: a similar task, a base model …', max_length=500)),
                ('source', models.CharField(max_length=500)),
                ('date', models.CharField(blank=True, help_text='Of the source: a year, a month or a day.', max_length=10)),
                ('confidence', models.CharField(choices=[('high', 'high'), ('medium', 'medium'), ('low', 'low')], default='medium', max_length=10)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='training_declarations', to='catalog.collection')),
                ('person', models.ForeignKey(blank=True, help_text='Who answered here.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='training_declarations', to='results.system')),
            ],
        ),
        migrations.CreateModel(
            name='CollectionPaper',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text='Its place among the papers on the collection.')),
                ('role', models.CharField(choices=[('describes', 'cited for it'), ('overview', 'overview of the track'), ('judgements', 'on its judgements'), ('suite', 'on the suite that packages it'), ('parent', 'on what it was made from')], max_length=10)),
                ('source', models.CharField(help_text='How it is known.', max_length=300)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='paper_links', to='catalog.collection')),
                ('paper', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collection_links', to='results.paper')),
            ],
            options={
                'ordering': ['place'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('collection', 'paper'), name='collection_paper_once'), models.CheckConstraint(condition=models.Q(('role__in', ['describes', 'overview', 'judgements', 'suite', 'parent'])), name='collection_paper_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Lineage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=600)),
                ('holds', models.BooleanField(default=True, help_text='No: team or paper would say so, and it is not true.')),
                ('origin', models.CharField(choices=[('loaded', 'from a file'), ('found', 'found in the registry')], max_length=10)),
                ('source', models.CharField(help_text='How it is known.', max_length=500)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('system', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lineages', to='results.system')),
            ],
            options={
                'indexes': [models.Index(fields=['key'], name='lineage_by_key')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('system__isnull', False)), fields=('system', 'key', 'origin'), name='lineage_once'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('system__isnull', True)), fields=('key', 'origin'), name='lineage_of_nobody_once'), models.CheckConstraint(condition=models.Q(('system__isnull', False), ('holds', False), _connector='OR'), name='lineage_without_system_is_nobodys'), models.CheckConstraint(condition=models.Q(('key__regex', '^[a-z]+:.')), name='lineage_key_has_kind')],
            },
        ),
        migrations.CreateModel(
            name='LineageDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('join', 'is of this lineage'), ('leave', 'is not of this lineage'), ('merge', 'is the same lineage as another')], max_length=10)),
                ('key', models.CharField(max_length=600)),
                ('into', models.CharField(blank=True, help_text='The key that merged ones go by.', max_length=600)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ended_lineage_decisions', to='journal.entry')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lineage_decisions', to='journal.entry')),
                ('system', models.ForeignKey(blank=True, help_text='Blank: of all systems.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lineage_decisions', to='results.system')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('system__isnull', False)), fields=('system', 'key'), name='lineage_decision_once'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('system__isnull', True)), fields=('key',), name='lineage_decision_on_all_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'merge'), ('system__isnull', True), models.Q(('into', ''), _negated=True)), models.Q(('into', ''), ('kind', 'leave')), models.Q(('into', ''), ('kind', 'join'), ('system__isnull', False)), _connector='OR'), name='lineage_decision_is_complete'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='lineage_decision_ends_with_a_reason')],
            },
        ),
        migrations.AddConstraint(
            model_name='oddity',
            constraint=models.UniqueConstraint(fields=('kind', 'key'), name='oddity_once'),
        ),
        migrations.AddConstraint(
            model_name='oddity',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'systems'), ('other_system__isnull', False), ('result__isnull', True), ('system__isnull', False)), models.Q(('collection__isnull', False), ('kind', 'collections'), ('other_collection__isnull', False), ('result__isnull', True)), models.Q(('kind', 'papers'), ('other_paper__isnull', False), ('paper__isnull', False), ('result__isnull', True)), models.Q(('kind__in', ['failed-run', 'outlier', 'parts', 'year']), ('result__isnull', False)), _connector='OR'), name='oddity_is_about_something'),
        ),
        migrations.AddConstraint(
            model_name='odditydecision',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('oddity',), name='oddity_decision_once'),
        ),
        migrations.AddConstraint(
            model_name='odditydecision',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['error', 'right'])), name='oddity_decision_known'),
        ),
        migrations.AddConstraint(
            model_name='odditydecision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='oddity_decision_ends_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='paperlink',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('system', 'paper'), name='paper_link_once'),
        ),
        migrations.AddConstraint(
            model_name='paperlink',
            constraint=models.CheckConstraint(condition=models.Q(('relation__in', ['listed', 'introduces', 'cited', 'team', 'probable', 'uses', 'toolkit', 'overview'])), name='paper_link_relation_known'),
        ),
        migrations.AddIndex(
            model_name='elsewheretable',
            index=models.Index(fields=['suite', '-created_at'], name='elsewhere_by_suite'),
        ),
        migrations.AddIndex(
            model_name='suitemember',
            index=models.Index(fields=['collection', 'measure'], name='suite_member_of_board'),
        ),
        migrations.AddConstraint(
            model_name='suitemember',
            constraint=models.UniqueConstraint(fields=('suite', 'collection', 'measure'), name='suite_member_once'),
        ),
        migrations.AddConstraint(
            model_name='suitemember',
            constraint=models.UniqueConstraint(fields=('suite', 'position'), name='suite_position_once'),
        ),
        migrations.AddConstraint(
            model_name='suitemember',
            constraint=models.CheckConstraint(condition=models.Q(('part_of__isnull', True), models.Q(('part_of', models.F('pk')), _negated=True), _connector='OR'), name='suite_member_not_its_own_part'),
        ),
        migrations.AddConstraint(
            model_name='systemfacts',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('system', 'model'), name='system_facts_once'),
        ),
        migrations.AddConstraint(
            model_name='systemfacts',
            constraint=models.CheckConstraint(condition=models.Q(('training__in', ['declared', 'none', 'unknown'])), name='system_facts_training_known'),
        ),
        migrations.AddIndex(
            model_name='trainingdeclaration',
            index=models.Index(fields=['collection', 'ended_at'], name='training_of_collection'),
        ),
        migrations.AddConstraint(
            model_name='trainingdeclaration',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('person__isnull', True)), fields=('system', 'collection', 'dataset', 'source', 'how'), name='training_statement_once'),
        ),
        migrations.AddConstraint(
            model_name='trainingdeclaration',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('person__isnull', False)), fields=('system', 'collection', 'dataset', 'person'), name='training_answer_once'),
        ),
        migrations.AddConstraint(
            model_name='trainingdeclaration',
            constraint=models.CheckConstraint(condition=models.Q(('declared__in', ['yes', 'no', 'unknown', 'nothing'])), name='training_declaration_known'),
        ),
        migrations.AddConstraint(
            model_name='trainingdeclaration',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__in', ['high', 'medium', 'low'])), name='training_confidence_known'),
        ),
        migrations.AddConstraint(
            model_name='trainingdeclaration',
            constraint=models.CheckConstraint(condition=models.Q(('person__isnull', True), ('evidence', 'answer'), _connector='OR'), name='training_answer_is_of_somebody'),
        ),
    ]
