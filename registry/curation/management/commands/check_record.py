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
        refutations = sorted(refuted_results())
        if options["list"]:
            file = csv.writer(self.stdout, lineterminator="\n")
            file.writerow(("kind", "address", "says", "stands"))
            file.writerows(
                (refutation.kind, refutation.address, refutation.says, "yes" if refutation.stands else "no")
                for refutation in refutations
            )
            return
        n_refuted = Counter(refutation.kind for refutation in refutations)
        unexplained = [refutation for refutation in refutations if not refutation.stands]
        n_unexplained = Counter(refutation.kind for refutation in unexplained)
        for kind, words in KINDS.items():
            self.stdout.write(f"{n_refuted[kind]:>9,} {words:<48} {n_unexplained[kind]:>6,} unexplained")
        for line in lines_of([str(refutation) for refutation in unexplained]):
            self.stdout.write(line)
        if unexplained:
            raise CommandError("Results compete that something refutes; see above.")

    def _print_possible(self) -> None:
        settled = {row["key"] for row in shipped_rows("decisions.csv") if row["decision"] == "settled"}
        errors = [error for error in possible_errors() if error.key not in settled]
        file = csv.writer(self.stdout, lineterminator="\n")
        file.writerow(("key", "says", "address"))
        file.writerows(errors)
        for kind, n in Counter(error.key.partition(":")[0] for error in errors).items():
            self.stderr.write(f"{n:7,}  {kind}")
