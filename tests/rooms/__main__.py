"""``python -m tests.rooms`` prints what the house counts beside its budgets, and what each walk goes through.

``-v`` names the functions of the walks.
"""

import sys

from django.db import connection, transaction
from django.test.utils import setup_test_environment

import tests.conftest  # noqa: F401  (a throw-away home, before the settings are read)
from tests.databases import create_test_database
from tests.rooms.tracing import ROOT, entered, import_everything


def main(is_verbose: bool) -> None:
    from tests.rooms.counting import count_house, read_budgets
    from tests.rooms.walks import WALKS

    budgets = read_budgets()
    for section, counts in count_house().items():
        print(section)
        for name, count in sorted(counts.items()):
            print(f"  {name}: {count:,} of {budgets[section].get(name, 0):,}")
    setup_test_environment()
    create_test_database(connection)
    import_everything()
    for prepare in WALKS:
        with transaction.atomic():
            walk = prepare()
            with entered() as rooms:
                walk()
            transaction.set_rollback(True)
        budget = budgets["walks"]
        n_files, n_functions = (len({place[:size] for places in rooms.values() for place in places}) for size in (1, 2))
        print(f"{prepare.__name__}: {len(rooms)} rooms,", end=" ")
        print(f"{n_files} files of {budget[prepare.__name__ + '_files']},", end=" ")
        print(f"{n_functions} functions of {budget[prepare.__name__ + '_functions']}")
        for room in sorted(rooms):
            print(f"  {room}: {len(rooms[room])}")
            for file, name in sorted(rooms[room]) if is_verbose else ():
                print(f"    {file.removeprefix(str(ROOT))} {name}")


main("-v" in sys.argv[1:])
