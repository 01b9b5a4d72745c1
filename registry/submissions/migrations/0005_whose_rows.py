from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('submissions', '0004_topics_of_rows'),
    ]

    operations = [
        migrations.AddField(
            model_name='submittedrow',
            name='whose',
            field=models.CharField(blank=True, default='', help_text="Why it may be its author's own: bold, or last.", max_length=10),
            preserve_default=False,
        ),
    ]
