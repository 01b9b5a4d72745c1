"""The models of all parts, where Django looks for them."""

from registry.curation.lineage.models import CollectionPaper, Lineage, PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember

__all__ = [
    "CollectionPaper",
    "ElsewhereTable",
    "Lineage",
    "PaperLink",
    "Suite",
    "SuiteMember",
    "SystemFacts",
    "TrainingDeclaration",
]
