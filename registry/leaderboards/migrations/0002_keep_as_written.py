from django.db import migrations

from registry.core.triggers import keep_as_written


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0001_initial")]

    operations = [keep_as_written("leaderboards_snapshot")]
