import django.db.models.deletion
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
                ('into', models.CharField(blank=True, help_text='The key that this one goes by.', max_length=600)),
                ('origin', models.CharField(choices=[('loaded', 'from a file'), ('found', 'found in the registry'), ('decided', 'decided by editors')], max_length=10)),
                ('source', models.CharField(help_text='How it is known.', max_length=500)),
                ('recorded_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('system', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lineages', to='results.system')),
            ],
            options={
                'indexes': [models.Index(fields=['key'], name='lineage_by_key')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('system__isnull', False)), fields=('system', 'key', 'origin'), name='lineage_once'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('system__isnull', True)), fields=('key', 'origin'), name='lineage_of_nobody_once'), models.CheckConstraint(condition=models.Q(models.Q(('into', ''), ('system__isnull', False)), models.Q(('holds', False), ('system__isnull', True)), _connector='OR'), name='lineage_without_system_is_nobodys'), models.CheckConstraint(condition=models.Q(('key__regex', '^[a-z]+:.')), name='lineage_key_has_kind')],
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
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('system', 'paper'), name='paper_link_once'), models.CheckConstraint(condition=models.Q(('relation__in', ['listed', 'introduces', 'cited', 'team', 'probable', 'uses', 'toolkit', 'overview'])), name='paper_link_relation_known')],
            },
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
                'indexes': [models.Index(fields=['suite', '-created_at'], name='elsewhere_by_suite')],
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
                'indexes': [models.Index(fields=['collection', 'measure'], name='suite_member_of_board')],
                'constraints': [models.UniqueConstraint(fields=('suite', 'collection', 'measure'), name='suite_member_once'), models.UniqueConstraint(fields=('suite', 'position'), name='suite_position_once'), models.CheckConstraint(condition=models.Q(('part_of__isnull', True), models.Q(('part_of', models.F('pk')), _negated=True), _connector='OR'), name='suite_member_not_its_own_part')],
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
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('system', 'model'), name='system_facts_once'), models.CheckConstraint(condition=models.Q(('training__in', ['declared', 'none', 'unknown'])), name='system_facts_training_known')],
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
            options={
                'indexes': [models.Index(fields=['collection', 'ended_at'], name='training_of_collection')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('person__isnull', True)), fields=('system', 'collection', 'dataset', 'source', 'how'), name='training_statement_once'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('person__isnull', False)), fields=('system', 'collection', 'dataset', 'person'), name='training_answer_once'), models.CheckConstraint(condition=models.Q(('declared__in', ['yes', 'no', 'unknown', 'nothing'])), name='training_declaration_known'), models.CheckConstraint(condition=models.Q(('confidence__in', ['high', 'medium', 'low'])), name='training_confidence_known'), models.CheckConstraint(condition=models.Q(('person__isnull', True), ('evidence', 'answer'), _connector='OR'), name='training_answer_is_of_somebody')],
            },
        ),
    ]
