from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0009_papers_described'),
    ]

    operations = [
        migrations.RenameField(
            model_name='result',
            old_name='evidence',
            new_name='provenance',
        ),
    ]
