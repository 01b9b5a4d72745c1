"""Suites, their members, and the scores of systems on all of them."""

from django.db import models
from django.db.models import Q

from registry.catalog.models import Collection, Measure


class Suite(models.Model):
    """Collections that people look at together, each under its customary measure."""

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    is_zero_shot = models.BooleanField(help_text="Meant for systems that were not trained on its members.")
    is_average = models.BooleanField(help_text="People quote the mean over its members.")
    is_screen = models.BooleanField(help_text="A score on one member can be held against those on the others.")
    description = models.TextField(blank=True)
    source = models.CharField(max_length=300, help_text="Who says that these are its members.")
    url = models.URLField(max_length=500, blank=True)
    position = models.PositiveIntegerField(help_text="A collection of several suites is screened by the first.")

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.name


class SuiteMember(models.Model):
    """A collection under a measure, at its place in a suite; or a part of a member that stands for several."""

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="members")
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="suite_memberships")
    measure = models.ForeignKey(Measure, on_delete=models.PROTECT, related_name="suite_memberships")
    position = models.PositiveIntegerField()
    part_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="parts", help_text="Blank for members."
    )
    has_training_part = models.BooleanField(
        default=False, help_text="It comes with topics to train on, so that training on it is nothing to remark on."
    )
    task = models.CharField(max_length=100, blank=True, help_text="Of several members: languages, lengths.")

    class Meta:
        ordering = ["suite", "position"]
        constraints = [
            models.UniqueConstraint(fields=["suite", "collection", "measure"], name="suite_member_once"),
            models.UniqueConstraint(fields=["suite", "position"], name="suite_position_once"),
            models.CheckConstraint(
                condition=Q(part_of__isnull=True) | ~Q(part_of=models.F("pk")), name="suite_member_not_its_own_part"
            ),
        ]
        indexes = [models.Index(fields=["collection", "measure"], name="suite_member_of_board")]

    def __str__(self) -> str:
        return f"{self.collection}, {self.measure}"


class ElsewhereTable(models.Model):
    """The scores of every system on the members of a suite, frozen on a day: later results make a new table.

    Analyses take from it how the systems of their results score elsewhere. It is refreshed once a day, and when a load
    is analysed, so that one new result doesn't make every leaderboard of its suite stale at once.
    """

    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="tables")
    as_of = models.DateField()
    content = models.BinaryField(help_text="Datasets in order, and scores by system, as compressed JSON.")
    sha256 = models.CharField(max_length=64, help_text="Of the JSON.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        get_latest_by = "pk"
        indexes = [models.Index(fields=["suite", "-created_at"], name="elsewhere_by_suite")]

    def __str__(self) -> str:
        return f"{self.suite_id} as of {self.as_of}"
