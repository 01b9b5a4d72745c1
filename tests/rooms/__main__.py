"""``python -m tests.rooms`` prints how many rooms each walk goes through, and which functions there (``-v``)."""

import sys

from django.db import connection, transaction
from django.test.utils import setup_test_environment

import tests.conftest  # noqa: F401  (a throw-away home, before the settings are read)
from tests.databases import create_test_database
from tests.rooms.tracing import ROOT, entered, import_everything


def main(is_verbose: bool) -> None:
    from tests.rooms.walks import WALKS

    setup_test_environment()
    create_test_database(connection)
    import_everything()
    for prepare in WALKS:
        with transaction.atomic():
            walk = prepare()
            with entered() as rooms:
                walk()
            transaction.set_rollback(True)
        n_files, n_functions = (len({one[:size] for found in rooms.values() for one in found}) for size in (1, 2))
        print(f"{prepare.__name__}: {len(rooms)} rooms, {n_files} files, {n_functions} functions")
        for room in sorted(rooms):
            print(f"  {room}: {len(rooms[room])}")
            for file, name in sorted(rooms[room]) if is_verbose else ():
                print(f"    {file.removeprefix(str(ROOT))} {name}")


main("-v" in sys.argv[1:])
