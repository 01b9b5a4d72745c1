from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='RedrawnFigures',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('content', models.TextField(blank=True, help_text='The findings as JSON; blank where there are none.')),
                ('obstacle', models.CharField(blank=True, help_text='Why nothing can be found.', max_length=300)),
                ('studied_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('content', ''), ('obstacle', ''), _connector='XOR'), name='redrawn_or_obstacle')],
            },
        ),
        migrations.CreateModel(
            name='Resolution',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('content', models.TextField(blank=True, help_text='The findings as JSON; blank where there are none.')),
                ('obstacle', models.CharField(blank=True, help_text='Why nothing can be found.', max_length=300)),
                ('studied_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('content', ''), ('obstacle', ''), _connector='XOR'), name='resolution_or_obstacle')],
            },
        ),
        migrations.CreateModel(
            name='TopicStudy',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('content', models.TextField(blank=True, help_text='The findings as JSON; blank where there are none.')),
                ('obstacle', models.CharField(blank=True, help_text='Why nothing can be found.', max_length=300)),
                ('studied_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'topic studies',
                'constraints': [models.CheckConstraint(condition=models.Q(('content', ''), ('obstacle', ''), _connector='XOR'), name='topic_study_or_obstacle')],
            },
        ),
    ]
