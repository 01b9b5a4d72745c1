import django.db.models.deletion
import django.db.models.functions.text
import registry.runs.models
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
            name='Judgements',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.BinaryField(default=b'', help_text='Compressed lines of topic, iteration, document, grade; encrypted if sealed; blank with a file.')),
                ('file', models.CharField(blank=True, help_text='Of those that ship: where their file is, read when it is needed.', max_length=300)),
                ('sha256', models.CharField(help_text='Of the lines; of sealed ones keyed, so that it tells nothing.', max_length=64)),
                ('is_sealed', models.BooleanField(default=False)),
                ('n_topics', models.PositiveIntegerField()),
                ('n_judged', models.PositiveIntegerField(help_text='Documents with a grade, over all topics.')),
                ('source', models.CharField(max_length=300)),
                ('licence', models.CharField(blank=True, max_length=100)),
                ('terms', models.TextField(blank=True, help_text='On what terms they stand here, in the words of their source.')),
                ('note', models.TextField(blank=True)),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('collection', models.ForeignKey(help_text="Blank of those of somebody's own collection.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judgements', to='catalog.collection')),
                ('measure', models.ForeignKey(blank=True, help_text='Of sealed ones: the one under which runs are scored.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.measure')),
            ],
            options={
                'verbose_name_plural': 'judgements',
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_refused', models.BooleanField(help_text='Whether the run was refused because of what is judged.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(help_text='Who sent the run.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('judgements', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='runs.judgements')),
            ],
        ),
        migrations.CreateModel(
            name='OwnCollection',
            fields=[
                ('key', models.CharField(default=registry.runs.models.new_key, editable=False, max_length=43, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('visibility', models.CharField(choices=[('private', 'you alone'), ('unlisted', 'anyone with the link'), ('public', 'everybody')], default='private', help_text='Who sees it: its owner alone, everybody who has its address, or everybody, in a list.', max_length=10)),
                ('delisted_for', models.TextField(blank=True, help_text="Why an editor took it off the list of public ones; while it stands it can't be public.")),
                ('topics', models.JSONField(default=list, help_text='Their names; empty where they are those of the tables.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('forgotten_at', models.DateTimeField(db_index=True, help_text='When it is deleted, with all that was sent to it.')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.AddField(
            model_name='judgements',
            name='own_collection',
            field=models.ForeignKey(help_text='Never sealed.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='runs.owncollection'),
        ),
        migrations.CreateModel(
            name='OwnMeasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('ir_measures', models.CharField(blank=True, help_text='Blank where no run can be scored under it.', max_length=100)),
                ('low', models.FloatField(blank=True, help_text='Blank where there is no lower end.', null=True)),
                ('high', models.FloatField(blank=True, help_text='Blank where there is no upper end.', null=True)),
                ('higher_is_better', models.BooleanField(default=True)),
                ('decimals', models.PositiveSmallIntegerField(default=4)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='measures', to='runs.owncollection')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('key', models.CharField(default=registry.runs.models.new_key, editable=False, max_length=43, primary_key=True, serialize=False)),
                ('visitor', models.CharField(blank=True, help_text="Keyed hash of a visitor's address, whose budget it is worked on.", max_length=64)),
                ('name', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('forgotten_at', models.DateTimeField(db_index=True, help_text='When it is deleted, with all that was found.')),
                ('n_done', models.PositiveIntegerField(default=0, help_text='Topics that are scored so far.')),
                ('claimed', models.ForeignKey(blank=True, help_text='Whose run it is said to be.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.result')),
                ('collection', models.ForeignKey(blank=True, help_text="Blank of what belongs to a collection of one's own.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.collection')),
                ('measure', models.ForeignKey(blank=True, help_text='Of a table of scores.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.measure')),
                ('own_collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to='runs.owncollection')),
                ('own_measure', models.ForeignKey(blank=True, help_text="Of a table on a collection of one's own.", null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='runs.ownmeasure')),
                ('owner', models.ForeignKey(help_text='Blank for what visitors send: anyone with the link may keep or delete it.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('others', models.JSONField(default=list, help_text='Keys of further uploads of the same owner.')),
                ('kind', models.CharField(choices=[('board', 'as a leaderboard'), ('documents', 'against other documents'), ('figures', 'as figures of papers draw it')], default='board', max_length=10)),
                ('is_alone', models.BooleanField(help_text='Whether they are compared with each other only.')),
                ('n_done', models.PositiveIntegerField(default=0, help_text='Ranked lists that are resampled.')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'done')], default='waiting', max_length=10)),
                ('content', models.TextField(blank=True, help_text="As a snapshot's; blank while it is waited for, or impossible.")),
                ('obstacle', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('leaderboard', models.ForeignKey(help_text='Blank of a table under a measure that its collection has no leaderboard of.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.leaderboard')),
                ('own_measure', models.ForeignKey(help_text="Of all that was sent to a board of somebody's own.", null=True, on_delete=django.db.models.deletion.CASCADE, related_name='studies', to='runs.ownmeasure')),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='studies', to='runs.upload')),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Work',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('run', 'run'), ('matrix', 'table of topic scores')], max_length=10)),
                ('measures', models.JSONField(default=dict, help_text='Name to the spelling of ir-measures.')),
                ('content', models.BinaryField(help_text='As it was sent; blank once it is worked off.')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'done'), ('refused', 'refused')], default='waiting', max_length=10)),
                ('refusal', models.TextField(blank=True)),
                ('is_passing', models.BooleanField(default=False, help_text='Refused for what it cost here: whoever sends the same again has it tried again.')),
                ('report', models.JSONField(default=dict)),
                ('head', models.TextField(blank=True, help_text='The comments that the file begins with: perhaps ir_metadata.')),
                ('means', models.JSONField(default=dict, help_text='Name of the measure, or of the system, to the mean.')),
                ('scores', models.BinaryField(default=b'', help_text='Packed topic scores; blank where they are not given out.')),
                ('rankings', models.BinaryField(default=b'', help_text='Packed documents by judged topic, best first; blank of long runs and where judgements are sealed.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('judgements', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='runs.judgements')),
            ],
            options={
                'verbose_name_plural': 'work',
            },
        ),
        migrations.AddField(
            model_name='upload',
            name='work',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='runs.work'),
        ),
        migrations.AddConstraint(
            model_name='owncollection',
            constraint=models.CheckConstraint(condition=models.Q(('forgotten_at__gt', models.F('created_at'))), name='own_collection_forgotten_later'),
        ),
        migrations.AddConstraint(
            model_name='owncollection',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('visibility', 'public'), _negated=True), ('delisted_for', ''), _connector='OR'), name='own_collection_delisted_not_public'),
        ),
        migrations.AddConstraint(
            model_name='judgements',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('collection',), name='judgements_stand_once'),
        ),
        migrations.AddConstraint(
            model_name='judgements',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('own_collection',), name='own_judgements_stand_once'),
        ),
        migrations.AddConstraint(
            model_name='judgements',
            constraint=models.CheckConstraint(condition=models.Q(('collection__isnull', True), ('own_collection__isnull', True), _connector='XOR'), name='judgements_of_one_collection'),
        ),
        migrations.AddConstraint(
            model_name='judgements',
            constraint=models.CheckConstraint(condition=models.Q(('file', ''), ('is_sealed', False), _connector='OR'), name='judgements_of_files_are_public'),
        ),
        migrations.AddConstraint(
            model_name='ownmeasure',
            constraint=models.UniqueConstraint(models.F('collection'), django.db.models.functions.text.Lower('name'), name='own_measure_name_once'),
        ),
        migrations.AddConstraint(
            model_name='ownmeasure',
            constraint=models.CheckConstraint(condition=models.Q(('low__isnull', True), ('high__isnull', True), ('low__lt', models.F('high')), _connector='OR'), name='own_measure_range_ordered'),
        ),
        migrations.AddIndex(
            model_name='study',
            index=models.Index(fields=['digest'], name='study_by_digest'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.UniqueConstraint(fields=('upload', 'digest'), name='study_once'),
        ),
        migrations.AddConstraint(
            model_name='work',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'waiting'), ('content', b''), _connector='OR'), name='work_forgets_what_was_sent'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('forgotten_at__gt', models.F('created_at'))), name='upload_forgotten_later'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('collection__isnull', True), ('own_collection__isnull', True), _connector='XOR'), name='upload_on_one_collection'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('own_measure__isnull', True), ('own_collection__isnull', False), _connector='OR'), name='upload_under_own_measure'),
        ),
    ]
