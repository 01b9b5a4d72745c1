"""``manage.py check_record``: does anything compete that its own source, its members or a twin refute?"""

import csv
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.core.listing import lines_of
from registry.core.loading import shipped_rows
from registry.curation.suites.refuted import KINDS, possible_errors, refuted_results


class Command(BaseCommand):
    help = "Count the results that something refutes, and name those that compete all the same; fail if there are any."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", action="store_true", help="print every refuted result as CSV, with its reason")
        parser.add_argument(
            "--possible", action="store_true", help="print possible errors as CSV, but for those decisions.csv settles"
        )

    def handle(self, **options: Any) -> None:
        if options["possible"]:
            self._print_possible()
            return
        found = sorted(refuted_results())
        if options["list"]:
            file = csv.writer(self.stdout, lineterminator="\n")
            file.writerow(("kind", "address", "says", "stands"))
            file.writerows((one.kind, one.address, one.says, "yes" if one.stands else "no") for one in found)
            return
        refuted = Counter(one.kind for one in found)
        open_ones = [one for one in found if not one.stands]
        unexplained = Counter(one.kind for one in open_ones)
        for kind, words in KINDS.items():
            self.stdout.write(f"{refuted[kind]:>9,} {words:<48} {unexplained[kind]:>6,} unexplained")
        for line in lines_of([f"{one.kind}: {one.address} {one.says}" for one in open_ones]):
            self.stdout.write(line)
        if open_ones:
            raise CommandError("Results compete that something refutes; see above.")

    def _print_possible(self) -> None:
        settled = {row["key"] for row in shipped_rows("decisions.csv") if row["decision"] == "settled"}
        found = [error for error in possible_errors() if error.key not in settled]
        file = csv.writer(self.stdout, lineterminator="\n")
        file.writerow(("key", "says", "address"))
        file.writerows(found)
        for kind, n in Counter(one.key.partition(":")[0] for one in found).items():
            self.stderr.write(f"{n:7,}  {kind}")
