"""What looks wrong in the record, and decisions on it."""

from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q

from registry.catalog.models import Collection
from registry.core.constraints import one_standing
from registry.journal.models import Entry
from registry.results.models import Paper, Result, System

KEY_LENGTH = 100


class OddityQuerySet(models.QuerySet["Oddity"]):
    def waiting(self) -> "OddityQuerySet":
        """Those that are found today, and on which nobody decided."""
        decisions = OddityDecision.objects.filter(ended_at__isnull=True, oddity=OuterRef("pk"))
        return self.filter(~Exists(decisions), ended_at__isnull=True)

    def decided(self) -> "OddityQuerySet":
        """Those on which a decision holds, found today or not, the last decision first."""
        return self.filter(decisions__ended_at__isnull=True, decisions__isnull=False).order_by("-decisions__pk")

    def for_listing(self) -> "OddityQuerySet":
        """With everything that a list names, and the decisions that hold."""
        standing = OddityDecision.objects.filter(ended_at__isnull=True).select_related("entry__actor")
        names = ("result__system", "result__leaderboard__collection", "result__leaderboard__measure")
        pairs = (f"{other}{name}" for name in ("system", "collection", "paper") for other in ("", "other_"))
        return self.select_related(*names, *pairs).prefetch_related(Prefetch("decisions", queryset=standing))


class Oddity(models.Model):
    """Something in the record that looks like an error, found by ``services.find_oddities``.

    It is about one result, two systems, two collections, or two papers. The key says what it is about in a way that
    reloads leave alone, so that a decision holds however often it is found.
    """

    class Kind(models.TextChoices):
        FAILED_RUN = "failed-run", "failed run"
        OUTLIER = "outlier", "score alone at an end"
        PARTS = "parts", "not the mean of its parts"
        YEAR = "year", "years out of order"
        SYSTEMS = "systems", "one system under two names"
        COLLECTIONS = "collections", "one collection under two names"
        PAPERS = "papers", "one paper under two records"

    kind = models.CharField(max_length=20, choices=Kind)
    key = models.CharField(max_length=KEY_LENGTH)
    says = models.CharField(max_length=300, help_text="What is odd, with its numbers.")
    result = models.ForeignKey(Result, null=True, blank=True, on_delete=models.PROTECT, related_name="oddities")
    system = models.ForeignKey(System, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    other_system = models.ForeignKey(System, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    collection = models.ForeignKey(Collection, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    other_collection = models.ForeignKey(Collection, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    paper = models.ForeignKey(Paper, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    other_paper = models.ForeignKey(Paper, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    found_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Since when it is not found any more.")

    objects = OddityQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "oddities"
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="oddity_once"),
            models.CheckConstraint(
                condition=Q(kind="systems", system__isnull=False, other_system__isnull=False, result__isnull=True)
                | Q(kind="collections", collection__isnull=False, other_collection__isnull=False, result__isnull=True)
                | Q(kind="papers", paper__isnull=False, other_paper__isnull=False, result__isnull=True)
                | Q(kind__in=["failed-run", "outlier", "parts", "year"], result__isnull=False),
                name="oddity_is_about_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.says}"

    @property
    def standing(self) -> "list[OddityDecision]":
        """The decision that holds, if any."""
        return [one for one in self.decisions.all() if one.ended_at is None]

    @property
    def subjects(self) -> list[System | Collection | Paper | Result]:
        """What it is about, where two are one perhaps; else the result."""
        systems, papers = (self.system, self.other_system), (self.paper, self.other_paper)
        found = (*systems, self.collection, self.other_collection, *papers, self.result)
        return [one for one in found if one is not None]

    @property
    def subject(self) -> str:
        """What it is about, in words."""
        about = " and ".join(str(one) for one in self.subjects)
        return f"{about} on {self.result.leaderboard}" if self.result else about

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What may be decided, with the words of its buttons."""
        error, right = OddityDecision.Kind.ERROR.value, OddityDecision.Kind.RIGHT.value
        if self.result is None:
            one = "They are one: merge them" if self.kind == self.Kind.PAPERS else "They are one"
            return ((error, one), (right, "They are two"))
        return (
            (error, "Leave its year out" if self.kind == self.Kind.YEAR else "Set it aside"),
            (right, "It is right"),
        )


class OddityDecision(models.Model):
    """What a curator decided on an oddity; it holds until it is taken back."""

    class Kind(models.TextChoices):
        ERROR = "error", "an error"
        RIGHT = "right", "as it should be"

    oddity = models.ForeignKey(Oddity, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind)
    done = models.JSONField(default=dict, blank=True, help_text="What followed from it, so that it can be undone.")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="oddity_decisions")
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="ended_oddity_decisions"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            one_standing("oddity", name="oddity_decision_once"),
            models.CheckConstraint(condition=Q(kind__in=["error", "right"]), name="oddity_decision_known"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="oddity_decision_ends_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.oddity_id}: {self.get_kind_display()}"
