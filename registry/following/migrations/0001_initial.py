import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('catalog', '0001_initial'),
        ('leaderboards', '0001_initial'),
        ('results', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Digest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=200)),
                ('body', models.TextField()),
                ('site', models.CharField(max_length=300)),
                ('state', models.CharField(choices=[('waiting', 'waiting to be sent'), ('sent', 'sent'), ('refused', 'refused by the mail server'), ('dropped', 'not wanted any more')], default='waiting', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='digests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'closed_at'], name='digest_by_state')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('state', 'waiting')), models.Q(('closed_at__isnull', False), ('state__in', ['sent', 'refused', 'dropped'])), _connector='OR'), name='digest_state_known')],
            },
        ),
        migrations.CreateModel(
            name='Following',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('every', models.CharField(choices=[('day', 'daily'), ('week', 'weekly'), ('never', 'no mail')], default='week', max_length=5)),
                ('site', models.CharField(help_text='Where it was asked for; links begin with it.', max_length=300)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('told_entry', models.PositiveBigIntegerField(help_text='The last entry of the journal that digests covered.')),
                ('told_on', models.DateField(help_text='The day of the last digest that looked, whether or not it found anything.')),
                ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='catalog.collection')),
                ('leaderboard', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='catalog.leaderboard')),
                ('model', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='results.model')),
                ('paper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='results.paper')),
                ('system', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='results.system')),
                ('told_snapshot', models.ForeignKey(blank=True, help_text='Of a leaderboard.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leaderboards.snapshot')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['every', 'told_on'], name='following_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('collection__isnull', False)), fields=('user', 'collection'), name='following_collection_once'), models.UniqueConstraint(condition=models.Q(('leaderboard__isnull', False)), fields=('user', 'leaderboard'), name='following_leaderboard_once'), models.UniqueConstraint(condition=models.Q(('system__isnull', False)), fields=('user', 'system'), name='following_system_once'), models.UniqueConstraint(condition=models.Q(('paper__isnull', False)), fields=('user', 'paper'), name='following_paper_once'), models.UniqueConstraint(condition=models.Q(('model__isnull', False)), fields=('user', 'model'), name='following_model_once'), models.CheckConstraint(condition=models.Q(models.Q(('collection__isnull', False), ('leaderboard__isnull', True), ('model__isnull', True), ('paper__isnull', True), ('system__isnull', True)), models.Q(('collection__isnull', True), ('leaderboard__isnull', False), ('model__isnull', True), ('paper__isnull', True), ('system__isnull', True)), models.Q(('collection__isnull', True), ('leaderboard__isnull', True), ('model__isnull', True), ('paper__isnull', True), ('system__isnull', False)), models.Q(('collection__isnull', True), ('leaderboard__isnull', True), ('model__isnull', True), ('paper__isnull', False), ('system__isnull', True)), models.Q(('collection__isnull', True), ('leaderboard__isnull', True), ('model__isnull', False), ('paper__isnull', True), ('system__isnull', True)), _connector='OR'), name='following_one_thing'), models.CheckConstraint(condition=models.Q(('every__in', ['day', 'week', 'never'])), name='following_every_known')],
            },
        ),
    ]
