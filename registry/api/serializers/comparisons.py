"""What topic scores say of the systems of a leaderboard."""

from registry.api.serializers.derived import describe
from registry.tools.pairs.documents import PairsDocument
from registry.tools.pairs.execution_documents import ExecutionsDocument
from registry.tools.pairs.pair_documents import PairDocument
from registry.tools.pairs.topic_documents import OneTopicDocument, TopicsDocument

Pairs = describe("Pairs", PairsDocument)
Pair = describe("Pair", PairDocument)
Topics = describe("Topics", TopicsDocument)
Topic = describe("Topic", OneTopicDocument)
Executions = describe("Executions", ExecutionsDocument)
