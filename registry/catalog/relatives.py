"""Which collections share topics, documents or judgements with one, and what they are of each other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Literal

from django.db.models import F, Q
from typing_extensions import TypedDict

from registry.catalog.models import Collection, CollectionLink, Leaderboard
from registry.catalog.querysets import LeaderboardQuerySet
from registry.core.documents import document_of

#: Relation -> what the collection is of its base, and what such collections are called on the page of the base.
#: In the order in which pages list them.
RELATIONS: Mapping[str, tuple[str, str]] = {
    "member_of": ("Member of the mean", "Members of the mean"),
    "same_set": ("Another name of", "Other names"),
    "same_judgements": ("Same judgements as", "Same judgements"),
    "re_judged": ("Topics judged anew, of", "Judged anew"),
    "other_judgements": ("Other judgements than", "Other judgements"),
    "derived_judgements": ("Judgements derived from", "Judgements derived from these"),
    "other_threshold": ("Other threshold than", "Other thresholds"),
    "other_level": ("Other level than", "Other levels"),
    "version": ("Other version of", "Other versions"),
    "instructions": ("With instructions, of", "With instructions"),
    "long_documents": ("Whole pages, of", "Whole pages"),
    "hard_negatives": ("Hard negatives of", "Hard negatives"),
    "lite": ("Lite version of", "Lite versions"),
    "nano": ("Nano version of", "Nano versions"),
    "topic_subset": ("Some topics of", "Subsets of topics"),
    "topic_superset": ("All topics of", "Part of"),
    "category": ("Part of the documents of", "Parts of the documents"),
    "reranking": ("Reranking of", "Reranking"),
    "residual_round": ("Round on what is left of", "Rounds on what is left"),
    "translation": ("Translation of", "Translations"),
    "translation_hard_negatives": ("Translated hard negatives of", "Translated hard negatives"),
    "query_language": ("Topics in another language, of", "Topics in other languages"),
    "query_or_document_language": ("Other language than", "Other languages"),
    "sibling_language": ("Of one task with", "Other languages of the task"),
    "other_corpus": ("Same topics, other corpus than", "Same topics, other corpora"),
    "other_documents": ("Same topics, other documents than", "Same topics, other documents"),
    "same_documents": ("Same documents as", "Same documents"),
    "other_split": ("Other split of", "Other splits"),
    "task_split": ("Other split of the task than", "Other splits of the task"),
    "other_task": ("Other task than", "Other tasks of the track"),
    "other_condition": ("Other condition than", "Other conditions"),
    "other_facet": ("Other facet than", "Other facets"),
    "sibling_subset": ("Of one task with", "Other subsets of the task"),
    "adapted": ("Declared to be adapted from", "Declared to be adapted from this"),
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
    """The links along which scores are checked."""
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
    """Those of one relation, under its heading."""

    heading: str
    is_inferred: bool
    collections: Sequence[Relative]


def relatives_of(collection: Collection) -> list[Relative]:
    """The relatives of a collection, the nearest relations first; in one query."""
    links = CollectionLink.objects.filter(Q(collection=collection) | Q(base=collection))
    found = [_relative(link, collection) for link in links.select_related("collection", "base")]
    return sorted(found, key=lambda one: (*_group_of(one), one["name"].casefold()))


def group_relatives(relatives: Sequence[Relative]) -> list[Relatives]:
    """Relatives in their order, those of one relation together."""
    return [
        Relatives(RELATIONS[some[0]["relation"]][0 if some[0]["is_base"] else 1], some[0]["is_inferred"], some)
        for some in (list(group) for _, group in groupby(relatives, key=_group_of))
    ]


def _group_of(relative: Relative) -> tuple[int, bool, bool]:
    return _PLACES[relative["relation"]], not relative["is_base"], relative["is_inferred"]


def _relative(link: CollectionLink, collection: Collection) -> Relative:
    is_base = link.collection_id == collection.pk
    other = link.base if is_base else link.collection
    return document_of(Relative, link, slug=other.slug, name=other.name, url=other.get_absolute_url(), is_base=is_base)


def resting_on(leaderboards: Sequence[int]) -> LeaderboardQuerySet:
    """The other leaderboards whose verdicts take something from some of these, under their measures: means over their
    collections, and those whose scores are checked against theirs."""
    means = _at_the_other_end(leaderboards, [MEMBER_OF], here="collection", there="base")
    larger = _at_the_other_end(leaderboards, CHECKS, here="collection", there="base")
    smaller = _at_the_other_end(leaderboards, CHECKS, here="base", there="collection")
    return (means | larger | smaller).exclude(pk__in=leaderboards)


def _at_the_other_end(
    leaderboards: Sequence[int], relations: Iterable[str], *, here: str, there: str
) -> LeaderboardQuerySet:
    """The leaderboards with results to which links lead from some of these, under the same measures."""
    of_these = {f"{here}__leaderboards__in": leaderboards}
    alike = {f"{there}__leaderboards__measure": F(f"{here}__leaderboards__measure")}
    links = CollectionLink.objects.filter(relation__in=relations, **of_these, **alike)
    return Leaderboard.objects.filter(pk__in=links.values(f"{there}__leaderboards"), results_version__gt=0)
