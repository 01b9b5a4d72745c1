"""The models of all parts, where Django looks for them."""

from django.db import models

from registry.tools.found_once import RedrawnFigures, Resolution, TopicStudy

__all__ = ["ExampleAnswers", "RedrawnFigures", "Resolution", "TopicStudy"]


class ExampleAnswers(models.Model):
    """Answers of the tools to their examples, for the first page: one row, which a worker makes anew after a change."""

    version = models.TextField(help_text="The state of the record of which they say it.")
    content = models.JSONField(help_text="A sentence by tool.")

    class Meta:
        verbose_name_plural = "example answers"

    def __str__(self) -> str:
        return "what the tools say of their examples"
