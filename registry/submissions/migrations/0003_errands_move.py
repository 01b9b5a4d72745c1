from django.db import migrations


class Migration(migrations.Migration):
    """Large requests are anybody's: their table goes to the accounts, with every row."""

    dependencies = [
        ('submissions', '0002_content'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.AlterModelTable('errand', 'accounts_errand')],
            state_operations=[migrations.DeleteModel('Errand')],
        ),
    ]
