"""Collections that share topics, documents or judgements, and their relations."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Literal

from django.db.models import Q
from typing_extensions import TypedDict

from registry.catalog.models import Collection, CollectionLink
from registry.core.documents import document_of

#: Relation -> what the collection is of its base, and what such collections are called on the page of the base.
#: In the order in which pages list them.
with Path(__file__).with_name("relations.csv").open(encoding="utf-8", newline="") as _file:
    RELATIONS: Mapping[str, tuple[str, str]] = {
        row["relation"]: (row["of_base"], row["on_base"]) for row in csv.DictReader(_file)
    }
_PLACES = {relation: place for place, relation in enumerate(RELATIONS)}
#: The relation of a collection to the one whose scores are means over it and others.
MEMBER_OF = "member_of"
#: The relations of a collection to the larger or older one whose scores its own are checked against, and what that one
#: is to scores. Translations and parts of a collection are related too loosely to check a score.
CHECKS: Mapping[str, Literal["fewer-documents", "new-version", "other-topics", "new-judgements"]] = {
    "hard_negatives": "fewer-documents",
    "version": "new-version",
    "other_split": "other-topics",
    "re_judged": "new-judgements",
    "other_judgements": "new-judgements",
}
#: Of these, the one that checks scores only where a language model judged one of the two.
OTHER_JUDGEMENTS = "other_judgements"


def checked_links() -> Q:
    """Return the links along which scores are checked."""
    by_model = Q(collection__judge=Collection.Judge.MODEL) | Q(base__judge=Collection.Judge.MODEL)
    return Q(relation__in=CHECKS) & (~Q(relation=OTHER_JUDGEMENTS) | by_model)


class Relative(TypedDict):
    """A collection that shares topics, documents or judgements with this one."""

    slug: str
    name: str
    url: Annotated[str, "Path of its page on this site."]
    relation: Annotated[str, "What one is of the other: hard_negatives, translation, member_of …"]
    is_base: Annotated[bool, "Whether this collection is that of the other, and not the other way round."]
    topics: Annotated[str, "The topics of one beside those of the other: same, subset, overlap …"]
    judgements: Annotated[str, "The judgements likewise."]
    is_inferred: Annotated[bool, "From names and counts alone, hence likely and not proven."]
    evidence: Annotated[str, "How it is known."]
    source: Annotated[str, "Where that was read."]


@dataclass(frozen=True, slots=True)
class Relatives:
    """Collections of one relation, under its heading."""

    heading: str
    is_inferred: bool
    collections: Sequence[Relative]


def relatives_of(collection: Collection) -> list[Relative]:
    """Return the relatives of a collection, the nearest relations first; in one query."""
    links = CollectionLink.objects.filter(Q(collection=collection) | Q(base=collection))
    relatives = [_relative(link, collection) for link in links.select_related("collection", "base")]
    return sorted(relatives, key=lambda relative: (*_group_of(relative), relative["name"].casefold()))


def group_relatives(relatives: Sequence[Relative]) -> list[Relatives]:
    """Group relatives by relation, in their order."""
    groups = (list(group) for _, group in groupby(relatives, key=_group_of))
    return [
        Relatives(RELATIONS[first["relation"]][0 if first["is_base"] else 1], first["is_inferred"], [first, *rest])
        for first, *rest in groups
    ]


def _group_of(relative: Relative) -> tuple[int, bool, bool]:
    return _PLACES[relative["relation"]], not relative["is_base"], relative["is_inferred"]


def _relative(link: CollectionLink, collection: Collection) -> Relative:
    is_base = link.collection_id == collection.pk
    other = link.base if is_base else link.collection
    return document_of(Relative, link, slug=other.slug, name=other.name, url=other.get_absolute_url(), is_base=is_base)
