"""What topic scores say of the systems of leaderboards."""

from django.db import models


class TopicStudy(models.Model):
    """What one matrix says, found once: the key is the SHA-256 of the matrix, its direction and the methods."""

    digest = models.CharField(primary_key=True, max_length=64)
    content = models.TextField(blank=True, help_text="The findings as JSON; blank where there are none.")
    obstacle = models.CharField(max_length=300, blank=True, help_text="Why nothing can be found.")
    studied_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "topic studies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(content="") ^ models.Q(obstacle=""), name="topic_study_or_obstacle"
            )
        ]

    def __str__(self) -> str:
        return self.digest[:12]
