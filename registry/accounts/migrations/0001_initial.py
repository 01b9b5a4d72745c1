import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'This user name is taken.'}, help_text='Public, and cannot be changed later: it stands beside what you contribute.', max_length=40, unique=True, validators=[django.core.validators.RegexValidator('^(?!former-contributor)[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]\\Z', 'Use letters without accents, digits, and . _ - between them; at least two characters.', code='username_form')], verbose_name='user name')),
                ('email', models.EmailField(blank=True, help_text='Blank for deleted accounts, and without login.', max_length=254, verbose_name='email address')),
                ('full_name', models.CharField(blank=True, help_text='As in papers. Public; may stay blank.', max_length=150)),
                ('is_editor', models.BooleanField(default=False, help_text='May check and correct everything that is recorded.')),
                ('orcid', models.CharField(blank=True, help_text='Set by signing in at ORCID, and in no other way.', max_length=19)),
                ('orcid_verified_at', models.DateTimeField(blank=True, null=True)),
                ('deleted_at', models.DateTimeField(blank=True, null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What it is for: “nightly evaluation”.', max_length=100)),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('shown', models.CharField(editable=False, help_text='The first characters, to tell tokens apart.', max_length=14)),
                ('scopes', models.JSONField(help_text='Sorted.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, help_text='To ten minutes.', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='user_name_once'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='user_email_once'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(condition=models.Q(('orcid', ''), _negated=True), fields=('orcid',), name='user_orcid_once'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('orcid', ''), ('orcid_verified_at__isnull', True)), models.Q(models.Q(('orcid', ''), _negated=True), ('orcid_verified_at__isnull', False)), _connector='OR'), name='user_orcid_verified'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('deleted_at__isnull', True), models.Q(('email', ''), ('full_name', ''), ('is_active', False), ('is_editor', False), ('is_staff', False), ('is_superuser', False), ('orcid', '')), _connector='OR'), name='user_deleted_is_nobody'),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='api_token_expires'),
        ),
    ]
