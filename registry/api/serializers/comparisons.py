"""What topic scores say of the systems of a leaderboard."""

from registry.api.serializers.derived import describe
from registry.pairs.documents import PairsDocument
from registry.pairs.execution_documents import ExecutionsDocument
from registry.pairs.pair_documents import PairDocument
from registry.pairs.topic_documents import OneTopicDocument, TopicsDocument

Pairs = describe("Pairs", PairsDocument)
Pair = describe("Pair", PairDocument)
Topics = describe("Topics", TopicsDocument)
Topic = describe("Topic", OneTopicDocument)
Executions = describe("Executions", ExecutionsDocument)
