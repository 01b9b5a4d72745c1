"""Collections and leaderboards as data sets, for programs that read JSON-LD in the words of schema.org."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse

from registry.catalog.models import Collection, Leaderboard
from registry.core.http import site_address
from registry.core.linked_data import CONTEXT
from registry.core.templatetags.formatting import plural
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.documents.suite_shapes import SuiteDocument
from registry.leaderboards.presentation import Format


def collection_linked_data(
    collection: Collection, aliases: Iterable[str], leaderboards: Sequence[Leaderboard]
) -> dict[str, Any]:
    """The results that are recorded on a collection."""
    boards = plural(len(leaderboards), "leaderboard,leaderboards")
    about = f"What systems scored on the test collection {collection.name}, as printed and with sources: {boards}."
    return _dataset(
        collection.get_absolute_url(),
        name=f"Published results on {collection.name}",
        description=about,
        alternateName=list(aliases),
        identifier=collection.ir_datasets_id or collection.slug,
        hasPart=[
            {"@type": "Dataset", "url": site_address(board.get_absolute_url()), "name": str(board)}
            for board in leaderboards
        ],
    )


def board_linked_data(document: BoardDocument | SuiteDocument, formats: Iterable[Format]) -> dict[str, Any]:
    """The results on a leaderboard or a suite, with its verdict as what they come to."""
    measure = document.measure
    return _dataset(
        document.url,
        name=f"Published results on {document.name}, {measure['name']}",
        description=document.verdict.sentence if document.verdict else document.analysis.message,
        variableMeasured={"@type": "PropertyValue", "name": measure["name"], "description": measure["long_name"]},
        dateModified=document.snapshot.created if document.snapshot else "",
        distribution=[
            {"@type": "DataDownload", "contentUrl": site_address(one.address), "encodingFormat": one.media_type}
            for one in formats
        ],
    )


def _dataset(url: str, **said: Any) -> dict[str, Any]:
    fixed = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "url": site_address(url),
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Plumbline", "url": site_address("/")},
        # No one licence holds for all rows: the page has those of each source.
        "license": site_address(reverse("about:sources")),
        "isPartOf": {"@type": "DataCatalog", "name": "Plumbline", "url": site_address(reverse("dumps:dump-list"))},
    }
    return fixed | {name: value for name, value in said.items() if value}
