"""Writes the columns of the dump to ``schema.json``: after they were looked at, and the schema was counted up."""

import json
import os
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
django.setup()

from registry.dumps.tables import SCHEMA, TABLES  # noqa: E402 - needs the apps

tables = {table.name: {column.name: column.kind for column in table.columns} for table in TABLES}
Path(__file__).with_name("schema.json").write_text(json.dumps({"schema": SCHEMA, "tables": tables}, indent=1) + "\n")
