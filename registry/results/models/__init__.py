"""Papers, models, systems, their published results, and the per-topic scores behind some of them."""

from registry.results.models.papers import LONGEST_SHORT_VENUE, Paper
from registry.results.models.results import (
    CONTENT,
    EARNED,
    Confirmation,
    CorrectionRequest,
    End,
    Result,
    TopicScores,
    UnnamedScores,
)
from registry.results.models.systems import Model, OwnSlugField, Source, System

__all__ = [
    "CONTENT",
    "EARNED",
    "LONGEST_SHORT_VENUE",
    "Confirmation",
    "CorrectionRequest",
    "End",
    "Model",
    "OwnSlugField",
    "Paper",
    "Result",
    "Source",
    "System",
    "TopicScores",
    "UnnamedScores",
]
