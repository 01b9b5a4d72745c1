"""Databases of other releases, which this one leaves as they are."""

from django.apps import apps
from django.core.management import CommandError
from django.db.migrations.loader import MigrationLoader


def require_own_database(loader: MigrationLoader) -> None:
    """Refuse a database that has migrations of our apps which this release does not know."""
    own_apps = {config.label for config in apps.get_app_configs() if config.name.startswith("registry.")}
    applied = {key for key in loader.applied_migrations or () if key[0] in own_apps}
    unknown = sorted(".".join(key) for key in applied - loader.disk_migrations.keys())
    if unknown:
        raise CommandError(
            f"This database is of another release ({', '.join(unknown)}), and nothing was changed in it. Export a dump "
            "with the release that it is of, and load it into a new database; docs/operations.md, Upgrading, says how."
        )
