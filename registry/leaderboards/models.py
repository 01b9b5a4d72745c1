"""Findings about leaderboards: standing analyses, immutable snapshots, frozen reference sets."""

from django.db import models
from django.db.models import F, FloatField, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.urls import reverse

from registry.catalog.models import Leaderboard, Measure
from registry.curation.suites.models import Suite
from registry.results.models import Result


class Snapshot(models.Model):
    """One analysis of one leaderboard, or of one suite, once written never changed: the database refuses it.

    ``content`` is canonical JSON (sorted keys, no blanks, shortest floats): inputs, methods with versions and
    parameters, seed, library versions, results. ``id`` is the start of its SHA-256, so that anyone can check it.
    """

    id = models.CharField(primary_key=True, max_length=24)
    leaderboard = models.ForeignKey(
        Leaderboard, null=True, blank=True, on_delete=models.PROTECT, related_name="snapshots"
    )
    suite = models.ForeignKey(Suite, null=True, blank=True, on_delete=models.PROTECT, related_name="snapshots")
    content = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["leaderboard", "-created_at"], name="snapshot_by_leaderboard"),
            models.Index(fields=["created_at", "id"], name="snapshot_by_time"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(leaderboard__isnull=False, suite__isnull=True)
                | Q(leaderboard__isnull=True, suite__isnull=False),
                name="snapshot_of_leaderboard_or_suite",
            )
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("leaderboards:snapshot-detail", args=[self.pk])


class AnalysisQuerySet(models.QuerySet["Analysis"]):
    def with_resolves(self) -> "AnalysisQuerySet":
        """Return those that know what one planned test tells apart, with that as ``resolves``."""
        resolves = Cast(KeyTextTransform("resolves", "headline"), FloatField())
        # SQLite makes 0 of a null of JSON.
        return self.annotate(resolves=resolves).filter(resolves__gt=0)

    def current(self, leaderboard: Leaderboard, methods_version: str) -> "AnalysisQuerySet":
        """Return the analysis of this leaderboard, if it is up to date with the results and the methods."""
        return self.filter(
            leaderboard=leaderboard, results_version=F("leaderboard__results_version"), methods_version=methods_version
        )


class Analysis(models.Model):
    """The standing analysis of a leaderboard: the snapshot that is shown, or why there is none."""

    class Obstacle(models.TextChoices):
        """The reason that a leaderboard carries no analysis."""

        NONE = "", "none"
        NO_COMPARABLE_RESULT = "no_comparable_result", "no comparable result is recorded"
        NO_CONTENDER = "no_contender", "no result passes the filters"
        DOUBTFUL_SCORES = (
            "doubtful_scores",
            "a third of its scores or more are doubtful, and lie apart from the others by more than the margin",
        )

    leaderboard = models.OneToOneField(Leaderboard, primary_key=True, on_delete=models.CASCADE, related_name="analysis")
    snapshot = models.ForeignKey(Snapshot, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    obstacle = models.CharField(max_length=20, choices=Obstacle, blank=True)
    results_version = models.PositiveIntegerField(help_text="The version of the results that was analysed.")
    methods_version = models.CharField(max_length=20, help_text="The version of the methods that analysed them.")
    n_results = models.PositiveIntegerField(default=0, help_text="Results on the leaderboard, counted or not.")
    n_counted = models.PositiveIntegerField(default=0, help_text="Results that count towards N.")
    headline = models.JSONField(default=dict, help_text="The few numbers that lists show; empty without a snapshot.")
    standings = models.JSONField(default=dict, help_text="Leader, strip and ties, as lists show them.")
    analysed_at = models.DateTimeField(auto_now=True)

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.CheckConstraint(
                condition=Q(snapshot__isnull=False, obstacle="") | (Q(snapshot__isnull=True) & ~Q(obstacle="")),
                name="analysis_or_obstacle",
            )
        ]

    def __str__(self) -> str:
        return f"analysis of {self.leaderboard_id}"


class SuiteAnalysis(models.Model):
    """The standing analysis of a suite under a measure: the snapshot that is shown, or why there is none."""

    class Obstacle(models.TextChoices):
        """The reason that a suite carries no analysis."""

        NONE = "", "none"
        NO_COMPLETE_SYSTEM = "no_complete_system", "no system has a score on every member"
        NO_VERDICT_OF_MEMBER = "no_verdict_of_member", "the leaderboard of a member carries no analysis"

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="analyses")
    measure = models.ForeignKey(Measure, on_delete=models.PROTECT, related_name="+")
    snapshot = models.ForeignKey(Snapshot, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    obstacle = models.CharField(max_length=20, choices=Obstacle, blank=True)
    version = models.CharField(max_length=64, help_text="Of which analyses of the members, and by which methods.")
    headline = models.JSONField(default=dict, help_text="The few numbers that lists show; empty without a snapshot.")
    standings = models.JSONField(default=dict, help_text="Leader, strip and ties, as lists show them.")
    analysed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "suite analyses"
        constraints = [
            models.UniqueConstraint(fields=["suite", "measure"], name="suite_analysis_once"),
            models.CheckConstraint(
                condition=Q(snapshot__isnull=False, obstacle="") | (Q(snapshot__isnull=True) & ~Q(obstacle="")),
                name="suite_analysis_or_obstacle",
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.suite_id} under {self.measure_id}"


class ReferenceSet(models.Model):
    """The named, frozen set of systems that scores on a leaderboard are standardized against.

    Made once, from the original shared-task runs where there are any, else from reference implementations; results
    that arrive later don't change it. ``factors`` are what standardization needs: mean and sd of the reference means,
    or mean and sd per topic.
    """

    class Basis(models.TextChoices):
        TOPIC_SCORES = "topic-scores", "per-topic scores"
        PUBLISHED_MEANS = "published-means", "published means"

    leaderboard = models.ForeignKey(Leaderboard, on_delete=models.CASCADE, related_name="reference_sets")
    basis = models.CharField(max_length=20, choices=Basis)
    version = models.PositiveSmallIntegerField(default=1, help_text="The highest is in force; earlier ones stay.")
    name = models.CharField(max_length=200)
    n_systems = models.PositiveIntegerField()
    members = models.ManyToManyField(Result, related_name="+")
    factors = models.JSONField()
    frozen_on = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["leaderboard", "basis", "version"], name="reference_set_once")]

    def __str__(self) -> str:
        return self.name
