"""What topic scores say of the systems of leaderboards."""

from django.db import models

from registry.tools.found_once import FoundOnce


class TopicStudy(FoundOnce):
    """What one matrix says."""

    class Meta:
        verbose_name_plural = "topic studies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(content="") ^ models.Q(obstacle=""), name="topic_study_or_obstacle"
            )
        ]
