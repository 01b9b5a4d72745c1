"""The models of all parts, where Django looks for them."""

from registry.tools.found_once import RedrawnFigures, Resolution, TopicStudy

__all__ = ["RedrawnFigures", "Resolution", "TopicStudy"]
