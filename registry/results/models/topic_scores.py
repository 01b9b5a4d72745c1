"""Scores by topic: those behind results, and those of runs without names."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from registry.catalog.models import Collection, Measure
from registry.results.models.results import Result
from registry.results.querysets import TopicScoresQuerySet


class TopicScores(models.Model):
    """The per-topic vector behind a result, in the order of its collection's topics.

    Like results, vectors are not edited: one that another takes the place of gets ``ended_at`` and stays, so that an
    analysis as of an earlier day uses what was known then.
    """

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="topic_scores")
    scores = models.JSONField(help_text="One number for each topic of the collection, null where the run had none.")
    recorded_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = TopicScoresQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "topic scores"
        constraints = [
            models.UniqueConstraint(
                fields=["result"], condition=Q(ended_at__isnull=True), name="topic_scores_stand_once"
            )
        ]

    def __str__(self) -> str:
        return f"topic scores of {self.result_id}"


class UnnamedScores(models.Model):
    """Topic scores of runs without names, which tell how the scores of a collection vary.

    They stand behind no result and on no leaderboard. Who made the runs is withheld by the publisher, with the
    organisers' permission: they are never matched with names.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="unnamed_scores")
    measure = models.ForeignKey(Measure, on_delete=models.PROTECT, related_name="unnamed_scores")
    label = models.CharField(max_length=200, unique=True, help_text="What the journal calls the file.")
    runs = models.CharField(max_length=200, help_text="What its columns are.")
    n_topics = models.PositiveIntegerField()
    n_runs = models.PositiveIntegerField()
    content = models.BinaryField(help_text="Topics, runs and scores, as compressed JSON.")
    sha256 = models.CharField(max_length=64, help_text="Of the file.")
    source = models.CharField(max_length=300)
    licence = models.CharField(max_length=100)
    note = models.CharField(max_length=300, blank=True)
    recorded_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "unnamed scores"
        ordering = ["collection", "measure", "label"]

    def __str__(self) -> str:
        return self.label
