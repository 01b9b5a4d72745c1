from django.db import migrations, models

from registry.core.triggers import keep_as_written


class Migration(migrations.Migration):

    dependencies = [
        ('journal', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Head',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('n_seals', models.PositiveBigIntegerField(help_text='How many seals it covers.')),
                ('line', models.CharField(help_text='As ``/log/heads/`` has it (``analysis.heads``).', max_length=300)),
            ],
            options={
                'ordering': ['day'],
            },
        ),
        migrations.CreateModel(
            name='TouchedRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('transaction_number', models.BigIntegerField(help_text='Of PostgreSQL; 0 on SQLite.')),
                ('kind', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=200)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='seal',
            name='seal_once',
        ),
        migrations.AlterField(
            model_name='seal',
            name='digest',
            field=models.CharField(help_text='SHA-256 of salt and parts.', max_length=64),
        ),
        migrations.AlterField(
            model_name='seal',
            name='kind',
            field=models.CharField(help_text='The table of its rows (``journal.sealing``).', max_length=40),
        ),
        migrations.AlterField(
            model_name='seal',
            name='parts',
            field=models.BinaryField(help_text='MessagePack of the keys and the digests of the rows.'),
        ),
        migrations.AlterField(
            model_name='seal',
            name='subject',
            field=models.CharField(help_text='The entry, or entries; of what is derived, a key or blank.', max_length=80),
        ),
        migrations.AddIndex(
            model_name='seal',
            index=models.Index(fields=['kind', 'subject'], name='seal_by_subject'),
        ),
        keep_as_written('journal_seal'),
        keep_as_written('journal_head'),
    ]
