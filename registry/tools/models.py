"""The models of all parts, where Django looks for them."""

from registry.tools.pairs.models import TopicStudy
from registry.tools.reproductions.models import RedrawnFigures
from registry.tools.resolution.models import Resolution

__all__ = [
    "RedrawnFigures",
    "Resolution",
    "TopicStudy",
]
