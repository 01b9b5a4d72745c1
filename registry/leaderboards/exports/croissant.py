"""Leaderboards, suites and collections as Croissant describes data sets: their CSV files with the columns of each.

They change with the record, so no digest of a file is given; a dump has one of each of its own.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from django.urls import reverse
from django.utils import timezone

from registry.catalog.models import Collection, Leaderboard
from registry.core.columns import COLUMNS
from registry.core.croissant import describe_dataset, describe_file, describe_table
from registry.core.http import site_address
from registry.leaderboards.documents.suite_shapes import SuiteDocument
from registry.leaderboards.exports.citing import citable_address, made_on, title_of
from registry.leaderboards.wording import Analysed

#: Of their CSV files.
BOARD_COLUMNS = (
    "id", "rank", "rank_low", "rank_high", "tier", "can_be_best", "behind", "margin", "rival", "family", "plausible",
    "is_counted", "system", "team", "printed", "unit", "value", "year", "role", "run_type", "provenance",
    "declared_training", "is_self_reported", "cautions", "z", "percentile", "topic_z", "why_not_comparable", "paper",
    "source", "training", "training_split", "can_be_best_unflagged", "is_held_back",
)  # fmt: skip

SUITE_COLUMNS = (
    "id", "rank", "system", "team", "value", "can_be_best", "can_be_best_unflagged", "can_be_best_here",
    "can_be_best_here_unflagged", "behind", "family", "is_original", "is_self_reported", "cautions",
    "place_low", "place_high", "new_low", "new_high", "place_guessed", "guessed_within", "missing",
    "is_held_back", "training", "n_trained_on",
)  # fmt: skip

#: Blank cells are no numbers, which programs tell by the type.
_KINDS = {"integer": "sc:Integer", "number": "sc:Float"}


def croissant_text(document: Analysed, site: str) -> str:
    """The description of a leaderboard or suite, as a file."""
    day, made = made_on(document)
    columns: Sequence[tuple[str, str, str]] = _described(BOARD_COLUMNS)
    if isinstance(document, SuiteDocument):
        scores = [(one.collection, "sc:Float", f"score on {one.name}") for one in document.members]
        columns = [*_described(SUITE_COLUMNS), *scores]
    title, address = title_of(document), site + citable_address(document)
    said = _dataset(
        title,
        description=document.verdict.sentence if document.verdict else f"Published results: {title}.",
        url=site + document.url,
        day=day,
        cite_as=f"Plumbline, {title}. {made}. {address}",
        tables=[("results", site + document.url, columns)],
    )
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def collection_data(collection: Collection, leaderboards: Iterable[Leaderboard]) -> dict[str, Any]:
    """The leaderboards of a collection, a table each."""
    url, columns = site_address(collection.get_absolute_url()), _described(BOARD_COLUMNS)
    return _dataset(
        collection.slug,
        description=f"Published results on the test collection {collection.name}, as printed and with sources.",
        url=url,
        day=timezone.localdate().isoformat(),
        cite_as=f"Plumbline, published results on {collection.name}. {url}",
        tables=[
            (_plain(board.measure.name), site_address(board.get_absolute_url()), columns) for board in leaderboards
        ],
    )


def _dataset(
    name: str,
    *,
    description: str,
    url: str,
    day: str,
    cite_as: str,
    tables: Sequence[tuple[str, str, Sequence[tuple[str, str, str]]]],
) -> dict[str, Any]:
    """Tables as they are on this day, each by its name, the address of its page and its columns."""
    return describe_dataset(
        name=_plain(name),
        description=description,
        url=url,
        datePublished=day,
        version=_version(day),
        citeAs=cite_as,
        creator={"@type": "sc:Organization", "name": "Plumbline", "url": site_address("/")},
        # No one licence holds for all rows: the page has those of each source.
        license=site_address(reverse("about:sources")),
        isLiveDataset=True,
        distribution=[
            describe_file(f"{name}.csv", quote(f"{page.rstrip('/')}.csv", safe="/:@%"), "text/csv")
            for name, page, _ in tables
        ],
        recordSet=[describe_table(name, f"{name}.csv", columns) for name, _, columns in tables],
    )


def _described(names: Iterable[str]) -> list[tuple[str, str, str]]:
    columns = [COLUMNS[name] for name in names]
    return [(column.name, _KINDS.get(column.type, "sc:Text"), column.meaning) for column in columns]


def _version(day: str) -> str:
    return ".".join(str(int(part)) for part in day.split("-"))


def _plain(name: str) -> str:
    """A name without what addresses and programs take for something else."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
