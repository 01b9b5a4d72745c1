"""What matrices of topic scores say of their collections."""

from django.db import models


class Resolution(models.Model):
    """What one matrix says, or two of the same systems, found once: the key is the SHA-256 of the scores, the direction
    of the measure and the methods.

    Collections don't own it: where the same scores come again, the answer is there.
    """

    digest = models.CharField(primary_key=True, max_length=64)
    content = models.TextField(blank=True, help_text="The findings as JSON; blank where there are none.")
    obstacle = models.CharField(max_length=300, blank=True, help_text="Why nothing can be found.")
    studied_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(content="") ^ models.Q(obstacle=""), name="resolution_or_obstacle"
            )
        ]

    def __str__(self) -> str:
        return self.digest[:12]
