import django.db.models.deletion
from django.db import migrations, models

from registry.core.triggers import keep_as_written


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('catalog', '0001_initial'),
        ('curation', '0001_initial'),
        ('results', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.CharField(max_length=24, primary_key=True, serialize=False)),
                ('content', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('leaderboard', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='catalog.leaderboard')),
                ('suite', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='curation.suite')),
            ],
        ),
        migrations.CreateModel(
            name='Analysis',
            fields=[
                ('leaderboard', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='analysis', serialize=False, to='catalog.leaderboard')),
                ('obstacle', models.CharField(blank=True, choices=[('', 'none'), ('no_comparable_result', 'no comparable result is recorded'), ('no_contender', 'no result passes the filters')], max_length=20)),
                ('results_version', models.PositiveIntegerField(help_text='The version of the results that was analysed.')),
                ('methods_version', models.CharField(help_text='The version of the methods that analysed them.', max_length=20)),
                ('n_results', models.PositiveIntegerField(default=0, help_text='Results on the leaderboard, counted or not.')),
                ('n_counted', models.PositiveIntegerField(default=0, help_text='Results that count towards N.')),
                ('headline', models.JSONField(default=dict, help_text='The few numbers that lists show; empty without a snapshot.')),
                ('analysed_at', models.DateTimeField(auto_now=True)),
                ('snapshot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leaderboards.snapshot')),
            ],
            options={
                'verbose_name_plural': 'analyses',
            },
        ),
        migrations.CreateModel(
            name='SuiteAnalysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('obstacle', models.CharField(blank=True, choices=[('', 'none'), ('no_complete_system', 'no system has a score on every member'), ('no_verdict_of_member', 'the leaderboard of a member carries no analysis')], max_length=20)),
                ('version', models.CharField(help_text='Of which analyses of the members, and by which methods.', max_length=64)),
                ('headline', models.JSONField(default=dict, help_text='The few numbers that lists show; empty without a snapshot.')),
                ('analysed_at', models.DateTimeField(auto_now=True)),
                ('measure', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalog.measure')),
                ('snapshot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leaderboards.snapshot')),
                ('suite', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='curation.suite')),
            ],
            options={
                'verbose_name_plural': 'suite analyses',
            },
        ),
        migrations.CreateModel(
            name='ReferenceSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('basis', models.CharField(choices=[('topic-scores', 'per-topic scores'), ('published-means', 'published means')], max_length=20)),
                ('version', models.PositiveSmallIntegerField(default=1, help_text='The highest is in force; earlier ones stay.')),
                ('name', models.CharField(max_length=200)),
                ('n_systems', models.PositiveIntegerField()),
                ('factors', models.JSONField()),
                ('frozen_on', models.DateField()),
                ('leaderboard', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reference_sets', to='catalog.leaderboard')),
                ('members', models.ManyToManyField(related_name='+', to='results.result')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('leaderboard', 'basis', 'version'), name='reference_set_once')],
            },
        ),
        migrations.AddIndex(
            model_name='snapshot',
            index=models.Index(fields=['leaderboard', '-created_at'], name='snapshot_by_leaderboard'),
        ),
        migrations.AddConstraint(
            model_name='snapshot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('leaderboard__isnull', False), ('suite__isnull', True)), models.Q(('leaderboard__isnull', True), ('suite__isnull', False)), _connector='OR'), name='snapshot_of_leaderboard_or_suite'),
        ),
        migrations.AddConstraint(
            model_name='analysis',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('obstacle', ''), ('snapshot__isnull', False)), models.Q(('snapshot__isnull', True), models.Q(('obstacle', ''), _negated=True)), _connector='OR'), name='analysis_or_obstacle'),
        ),
        migrations.AddConstraint(
            model_name='suiteanalysis',
            constraint=models.UniqueConstraint(fields=('suite', 'measure'), name='suite_analysis_once'),
        ),
        migrations.AddConstraint(
            model_name='suiteanalysis',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('obstacle', ''), ('snapshot__isnull', False)), models.Q(('snapshot__isnull', True), models.Q(('obstacle', ''), _negated=True)), _connector='OR'), name='suite_analysis_or_obstacle'),
        ),
        keep_as_written('leaderboards_snapshot'),
    ]
