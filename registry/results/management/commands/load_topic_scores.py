"""Load a table of per-topic scores."""

from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from analysis.readers.rejections import Refused
from registry.catalog.management.base import LoadingCommand
from registry.catalog.queries import CatalogNames
from registry.results.models import Result
from registry.results.services.topic_scores import Origin, load_topic_scores


class Command(LoadingCommand):
    help = "Put per-topic scores behind results: a CSV file with a row for each topic and a column for each system."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--collection", required=True, metavar="SLUG")
        parser.add_argument("--measure", required=True, metavar="NAME")
        parser.add_argument("--role", default="", choices=Result.Role.values, help="of systems without a result")
        parser.add_argument("--run-type", default="", choices=[value for value in Result.RunType.values if value])
        parser.add_argument("--team", default="", help="whose systems these are; needed where names are ambiguous")
        parser.add_argument("--year", default="")
        parser.add_argument("--paper", default="", help="short form, as Diaz (CIKM 2005)")
        parser.add_argument("--paper-url", default="")
        parser.add_argument("--source", default="", help="where the scores were taken from; by default the file's name")
        parser.add_argument(
            "--replace", action="store_true", help="let other scores of the same mean end those recorded"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")

    def handle(self, *, file: Path, replace: bool, dry_run: bool, verbosity: int, **options: Any) -> None:
        names = CatalogNames()
        try:
            collection = names.collection(options["collection"], under=options["measure"])
            measure = names.measure(options["measure"], on=collection)
        except Refused as refused:
            raise CommandError(refused.message) from refused
        report = load_topic_scores(
            path=file,
            collection=collection,
            measure=measure,
            origin=Origin(**{field.name: options[field.name] for field in fields(Origin)}),
            replace=replace,
            dry_run=dry_run,
            **self.for_journal(options),
        )
        self.show(report, verbosity=verbosity)
        self.exit([report])
