"""What topic scores say of the systems of a leaderboard."""

from registry.api.serializers.derived import describe
from registry.pairs.documents import PairsDocument, TopicsDocument
from registry.pairs.execution_documents import ExecutionsDocument
from registry.pairs.pair_documents import PairDocument

Pairs = describe("Pairs", PairsDocument)
Pair = describe("Pair", PairDocument)
Topics = describe("Topics", TopicsDocument)
Executions = describe("Executions", ExecutionsDocument)
