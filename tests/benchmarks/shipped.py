"""A site with all that ships, analysed: made anew, or a copy of one that is there."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.benchmarks.bench_loading import Database

#: The SQLite file of a site to take a copy of; without it, everything is loaded and analysed first, in some minutes.
SITE_VARIABLE = "PLUMBLINE_BENCHMARK_SITE"


def copy_to(target: Path) -> bool:
    """Copy the site that is there to a file; return False where none is named."""
    if there := os.environ.get(SITE_VARIABLE):
        source, copy = sqlite3.connect(f"file:{there}?mode=ro", uri=True), sqlite3.connect(target)
        with closing(source), closing(copy):
            source.backup(copy)
    return bool(there)


def shipped_site(home: Path) -> Database:
    """Make a database with everything, in a folder that is not there yet."""
    database = Database(home)
    is_copy = copy_to(home / database.FILE)
    database.run("migrate", "--create", "-v0")
    if not is_copy:
        database.run("load_shipped_data", "-v0")
        database.run("recompute", "--all", "--processes", "2", "-v0")
    database.run("index_search", "-v0")
    database.run("collectstatic", "--noinput", "-v0")
    return database
