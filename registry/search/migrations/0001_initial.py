import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='IndexState',
            fields=[
                ('key', models.CharField(default='only', max_length=10, primary_key=True, serialize=False)),
                ('seen', models.TextField(help_text='What the registry looked like before it was read.')),
                ('written_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name='Thing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('suite', 'Suites'), ('collection', 'Collections'), ('measure', 'Measures'), ('result', 'Results'), ('leaderboard', 'Leaderboards'), ('model', 'Models'), ('system', 'Systems'), ('paper', 'Papers'), ('method', 'Methods')], max_length=12)),
                ('object_id', models.PositiveBigIntegerField()),
                ('title', models.CharField(max_length=500)),
                ('detail', models.CharField(blank=True, help_text='What tells it from others of that name.', max_length=500)),
                ('address', models.CharField(help_text='Path of its page.', max_length=500)),
                ('n_results', models.PositiveIntegerField(help_text='Standing results.')),
                ('weight', models.PositiveIntegerField(default=0, help_text='What many look for comes first: the results of a system, the most that stand on one leaderboard.')),
                ('digest', models.CharField(help_text='Of all of this and of its words, to see what changed.', max_length=32)),
            ],
            options={
                'indexes': [models.Index(fields=['kind', '-n_results', 'title'], name='thing_by_kind')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'object_id'), name='thing_once')],
            },
        ),
        migrations.CreateModel(
            name='Term',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=200)),
                ('place', models.PositiveSmallIntegerField(choices=[(0, 'its own name'), (1, 'a short name, or one that it shares'), (2, 'one word among others')])),
                ('kind', models.CharField(choices=[('suite', 'Suites'), ('collection', 'Collections'), ('measure', 'Measures'), ('result', 'Results'), ('leaderboard', 'Leaderboards'), ('model', 'Models'), ('system', 'Systems'), ('paper', 'Papers'), ('method', 'Methods')], help_text='Of the thing, so that nothing is joined.', max_length=12)),
                ('weight', models.PositiveIntegerField(help_text='Of the thing as well.')),
                ('thing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='terms', to='search.thing')),
            ],
            options={
                'indexes': [models.Index(fields=['text', 'place', 'kind', '-weight', 'thing'], name='term_by_text', opclasses=['varchar_pattern_ops', 'int2_ops', 'text_ops', 'int4_ops', 'int8_ops'])],
                'constraints': [models.UniqueConstraint(fields=('thing', 'text', 'place'), name='term_once')],
            },
        ),
    ]
