"""Figures of papers, drawn of collections here."""

from django.db import models

from registry.tools.found_once import FoundOnce


class RedrawnFigures(FoundOnce):
    """The panels of the figures that one way of drawing gives of one matrix, by their names in addresses."""

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(content="") ^ models.Q(obstacle=""), name="redrawn_or_obstacle")
        ]
