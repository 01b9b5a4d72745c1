"""What matrices of topic scores say of their collections."""

from django.db import models

from registry.tools.found_once import FoundOnce


class Resolution(FoundOnce):
    """What one matrix says, or two of the same systems."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(content="") ^ models.Q(obstacle=""), name="resolution_or_obstacle"
            )
        ]
