"""Results with their history, systems, papers."""

from registry.api.serializers.derived import describe
from registry.lineage.documents import KnownOfSystem
from registry.pairs.mean_documents import WithTopicMean
from registry.results.documents import PageOfResults, PaperDocument, ResultWithHistory, SystemDocument

ResultDetail = describe("ResultDetail", ResultWithHistory, WithTopicMean)
System = describe("System", SystemDocument, KnownOfSystem, PageOfResults)
Paper = describe("Paper", PaperDocument, PageOfResults)
