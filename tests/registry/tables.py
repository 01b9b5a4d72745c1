"""Whether migrations make the tables that models describe."""

from io import StringIO

import pytest
from django.core.management import call_command


def assert_made_by_migrations(app: str) -> None:
    """No field, constraint or order of an app's models lacks a migration, which would leave its table without it."""
    said = StringIO()
    try:
        call_command("makemigrations", app, check_changes=True, dry_run=True, stdout=said)
    except SystemExit:
        pytest.fail(said.getvalue())
