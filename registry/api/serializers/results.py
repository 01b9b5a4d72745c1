"""Results with their history, systems, papers."""

from registry.api.serializers.derived import describe
from registry.curation.lineage.documents import KnownOfSystem
from registry.results.documents import PageOfResults, PaperDocument, ResultWithHistory, SystemDocument
from registry.tools.pairs.mean_documents import WithTopicMean

ResultDetail = describe("ResultDetail", ResultWithHistory, WithTopicMean)
System = describe("System", SystemDocument, KnownOfSystem, PageOfResults)
Paper = describe("Paper", PaperDocument, PageOfResults)
