from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('submissions', '0005_whose_rows'),
    ]

    operations = [
        migrations.AlterField(
            model_name='signal',
            name='code',
            field=models.CharField(choices=[('duplicate', 'duplicate'), ('near_duplicate', 'near duplicate'), ('other_measure', 'score of another measure'), ('unreachable_value', 'value not reachable'), ('far_outside', 'far outside what is recorded'), ('contested', 'contested'), ('percent_scale', 'percent or fraction'), ('copied', 'scores of another system'), ('above_all', 'above all others'), ('other_topics', 'other number of topics'), ('moved', 'name of another organisation'), ('topic_scores', 'scores by topic'), ('impossible', 'scores that exclude each other')], max_length=30),
        ),
    ]
