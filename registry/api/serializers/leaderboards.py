"""Leaderboards, what was found about them, and snapshots: described by the values that they are made of."""

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers as s

from registry.api.serializers.common import paged
from registry.api.serializers.derived import AnyField, describe
from registry.catalog.documents import CollectionDocument
from registry.catalog.relatives import Relative
from registry.leaderboards.documents import BoardDocument, BoardSummary, SnapshotDocument
from registry.leaderboards.suite_documents import SuiteDocument, SuiteSnapshotDocument, SuiteSummary
from registry.leaderboards.suite_records import SuiteListed
from registry.leaderboards.suite_records import SuiteRecord as SuiteRecordDocument
from registry.tools.check.best_of import BestOfDocument
from registry.tools.check.documents import CheckDocument, OfLeaderboard
from registry.tools.compare.documents import CompareDocument
from registry.tools.compare.forms import MAX_TOPICS
from registry.tools.compare.topics import TopicsDocument as ComparedTopicsDocument
from registry.tools.review_table.documents import ReviewDocument


def _content() -> AnyField:
    return s.DictField(help_text="Inputs, methods, libraries and findings as they were hashed.")


Leaderboard = describe("Leaderboard", BoardDocument)
LeaderboardSummary = describe("LeaderboardSummary", BoardSummary)
SnapshotOfLeaderboard = describe("SnapshotOfLeaderboard", SnapshotDocument, content=_content())
Suite = describe("Suite", SuiteDocument)
SnapshotOfSuite = describe("SnapshotOfSuite", SuiteSnapshotDocument, content=_content())
AnySnapshot = PolymorphicProxySerializer(
    component_name="Snapshot", serializers=[SnapshotOfLeaderboard, SnapshotOfSuite], resource_type_field_name=None
)
LeaderboardList = paged("LeaderboardList", LeaderboardSummary, meaning="Leaderboards, in pages.")
SuiteList = describe(
    "SuiteList",
    meaning="The suites whose mean people quote, in their order.",
    count=s.IntegerField(min_value=0),
    results=describe("SuiteSummary", SuiteSummary)(many=True),
    lists=describe("SuiteListed", SuiteListed)(many=True, help_text="Those whose mean is not judged here."),
)
SuiteRecord = describe("SuiteRecord", SuiteRecordDocument)
CollectionDetail = describe(
    "CollectionDetail",
    CollectionDocument,
    relatives=describe("Relative", Relative)(
        many=True, help_text="Collections that share topics, documents or judgements with it, the nearest first."
    ),
    leaderboards=LeaderboardSummary(
        many=True, help_text="Those with results, those with the most counted results first."
    ),
)
Check = describe("Check", CheckDocument, OfLeaderboard)
BestOf = describe("BestOf", BestOfDocument)
Compare = describe("Compare", CompareDocument)
ComparedTopics = describe("ComparedTopics", ComparedTopicsDocument)
Vectors = describe(
    "Vectors",
    meaning="The scores of two systems on the same topics, in the same order.",
    first=s.ListField(child=s.FloatField(), min_length=2, max_length=MAX_TOPICS),
    second=s.ListField(child=s.FloatField(), min_length=2, max_length=MAX_TOPICS),
    topics=s.ListField(
        child=s.CharField(),
        required=False,
        allow_null=True,
        help_text="Names of the topics, each once; without them they are counted.",
    ),
    margin=s.FloatField(
        required=False,
        allow_null=True,
        help_text="The largest difference of the means that makes no difference, chosen before the scores were seen.",
    ),
)
ReviewedTable = describe("ReviewedTable", ReviewDocument)
SentTable = describe(
    "SentTable",
    meaning="A table of scores, and what has to be known of them.",
    text=s.CharField(help_text="CSV, TSV, Markdown, LaTeX or aligned text.", trim_whitespace=False),
    form=s.CharField(required=False, allow_blank=True, help_text="Which of these it is; else told by its looks."),
    collection=s.CharField(required=False, allow_blank=True, help_text="Of the rows that name none."),
    measure=s.CharField(required=False, allow_blank=True, help_text="Of the rows that name none."),
    system=s.CharField(required=False, allow_blank=True, help_text="Of the rows that name none."),
    unit=s.CharField(required=False, allow_blank=True, help_text="percent or fraction; else as the table says."),
    baselines=s.ListField(
        child=s.CharField(),
        required=False,
        allow_null=True,
        help_text="Systems that count as baselines; without them those that the table says are.",
    ),
    answers=s.DictField(child=s.CharField(), required=False, help_text="By the keys of the questions that errors ask."),
)
