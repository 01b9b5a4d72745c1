"""The models of all parts, where Django looks for them."""

from registry.curation.lineage.models import (
    CollectionPaper,
    Lineage,
    LineageDecision,
    PaperLink,
    SystemFacts,
    TrainingDeclaration,
)
from registry.curation.oddities.models import Oddity, OddityDecision
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember

__all__ = [
    "CollectionPaper",
    "ElsewhereTable",
    "Lineage",
    "LineageDecision",
    "Oddity",
    "OddityDecision",
    "PaperLink",
    "Suite",
    "SuiteMember",
    "SystemFacts",
    "TrainingDeclaration",
]
