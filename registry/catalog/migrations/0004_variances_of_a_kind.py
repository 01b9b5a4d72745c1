"""Whose a residual variance is, and how surely it is known; what collections ask for.

The library is loaded again from its file, which says what the rows of before did not.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("catalog", "0003_question"),
    ]

    operations = [
        migrations.DeleteModel(name="ResidualVariance"),
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
            ],
        ),
        migrations.AddField(
            model_name='collection',
            name='n_topics_at_least',
            field=models.PositiveIntegerField(blank=True, help_text='A proven lower bound, where the number is not known.', null=True),
        ),
        migrations.AddField(
            model_name='collection',
            name='n_topics_at_least_source',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name='collection',
            name='relevant_per_topic',
            field=models.FloatField(blank=True, help_text='Relevant documents a topic, on average; blank where nobody counted.', null=True),
        ),
        migrations.AddField(
            model_name='collection',
            name='task',
            field=models.CharField(blank=True, choices=[('', 'not stated'), ('ad-hoc', 'documents on a subject'), ('known-item', 'one right answer a topic')], default='', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('n_topics_at_least__isnull', True), ('n_topics_at_least__gt', 0), _connector='OR'), name='collection_has_topics_at_least'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('relevant_per_topic__isnull', True), ('relevant_per_topic__gt', 0), _connector='OR'), name='collection_has_relevant_documents'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('task__in', ['', 'ad-hoc', 'known-item'])), name='collection_task_known'),
        ),
        migrations.AddField(
            model_name='residualvariance',
            name='collection',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='residual_variances', to='catalog.collection'),
        ),
        migrations.AddField(
            model_name='residualvariance',
            name='measure',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='residual_variances', to='catalog.measure'),
        ),
        migrations.AddConstraint(
            model_name='residualvariance',
            constraint=models.UniqueConstraint(condition=models.Q(('collection__isnull', False)), fields=('measure', 'collection'), name='residual_variance_once'),
        ),
        migrations.AddConstraint(
            model_name='residualvariance',
            constraint=models.UniqueConstraint(condition=models.Q(('collection__isnull', True)), fields=('measure',), name='residual_variance_of_measure_once'),
        ),
        migrations.AddConstraint(
            model_name='residualvariance',
            constraint=models.CheckConstraint(condition=models.Q(('residual_variance__gt', 0)), name='residual_variance_positive'),
        ),
        migrations.AddConstraint(
            model_name='residualvariance',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('collection__isnull', False), ('degrees_of_freedom__isnull', True), ('kind', 'own-variance')), models.Q(('degrees_of_freedom__gt', 0), ('degrees_of_freedom__isnull', False), ('kind', 'transferred')), _connector='OR'), name='residual_variance_of_a_kind'),
        ),
    ]
