from typing import Any

from django.db import migrations, models


def carry_over(apps: Any, schema_editor: Any) -> None:
    """Those that were not private were seen by whoever has their address."""
    apps.get_model("runs", "OwnCollection").objects.filter(is_private=False).update(visibility="unlisted")


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0006_figures_of_what_was_sent'),
    ]

    operations = [
        migrations.AddField(
            model_name='owncollection',
            name='visibility',
            field=models.CharField(choices=[('private', 'you alone'), ('unlisted', 'whoever has its address'), ('public', 'everybody')], default='private', help_text='Who sees it: its owner alone, everybody who has its address, or everybody, in a list.', max_length=10),
        ),
        migrations.AddField(
            model_name='owncollection',
            name='delisted_for',
            field=models.TextField(blank=True, help_text="Why an editor took it off the list of public ones; while it stands it can't be public."),
        ),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='owncollection',
            name='is_private',
        ),
        migrations.AddConstraint(
            model_name='owncollection',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('visibility', 'public'), _negated=True), ('delisted_for', ''), _connector='OR'), name='own_collection_delisted_not_public'),
        ),
    ]
