"""Collections, measures, and how a leaderboard is named."""

from rest_framework import serializers as s

from registry.api.serializers.common import Paged, address, count, number_or_null, text
from registry.api.serializers.derived import describe
from registry.resolution.documents import ResolutionDocument
from registry.search.models import Thing


class CollectionBrief(s.Serializer):
    slug = text()
    name = text()
    ir_datasets_id = text("Blank where ir_datasets does not have it.")
    n_topics = count("Topics that a mean is an average of; null where unknown.", allow_null=True)


class MeasureBrief(s.Serializer):
    name = text("The ir-measures string where there is one.")
    long_name = text()
    trec_eval = text("What trec_eval prints, with the flags it needs; blank where it does not have the measure.")
    higher_is_better = s.BooleanField()
    decimals = count("Decimals to show; numbers here are not rounded to them.")


class LeaderboardBrief(s.Serializer):
    """A collection under a measure."""

    collection = CollectionBrief()
    measure = MeasureBrief()
    url = address()


class CollectionFull(CollectionBrief):
    """A collection: documents, topics and judgements in one version and split."""

    url = address()
    aliases = s.ListField(child=s.CharField())
    n_topics_source = text("How the number of topics is known.")
    documents = text("The corpus, in words.")
    n_documents = count(allow_null=True)
    year = count(allow_null=True)
    suite = text("Track or benchmark it belongs to.")
    language = text()
    source_url = text("Where it is described.")
    notes = text()


class CollectionList(Paged):
    results = CollectionFull(many=True)


CollectionResolution = describe(ResolutionDocument, "CollectionResolution")


class MeasureFull(MeasureBrief):
    """A measure: how a ranking is scored."""

    aliases = s.ListField(child=s.CharField())
    ir_measures = text("What ir_measures.parse_measure takes.")
    low = number_or_null("null where there is no lower end.")
    high = number_or_null("null where there is no upper end.")
    description = text()
    notes = text()


class MeasureList(Paged):
    results = MeasureFull(many=True)


class FoundThing(s.Serializer):
    """Something that has a page."""

    kind = text(f"One of {', '.join(Thing.Kind.values)}.")
    title = text()
    detail = text("What tells it from others of that name.")
    url = address()
    n_results = count("Its standing results; 0 for suites.")


class Found(Paged):
    """What is found, the best first."""

    searched_for = text("What was typed, or what was probably meant where nothing has a word of it.")
    is_corrected = s.BooleanField(help_text="Whether that is not what was typed.")
    kinds = s.DictField(child=s.IntegerField(), help_text="How many things are found, by kind.")
    results = FoundThing(many=True)
