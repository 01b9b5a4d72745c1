"""What was measured, and the models that people mean by it."""

from django.db import models
from django.db.models import Q
from django.urls import reverse

from analysis.readers.slugs import slug_of_system
from registry.journal.models import Entry
from registry.results.models.slugs import OwnSlugField

#: A day, a month, a year, or nothing.
_DAY = r"^([0-9]{4}(-[0-9]{2}){0,2})?$"


#: A checkpoint that is older than its paper by more has a doubtful day, or another paper.
_MONTHS_BEFORE_PAPER = 6


def _month(day: str, unknown: str) -> int:
    """Months from year 0 to that of a day, of which the year may be all that is known."""
    year, month = [*day.split("-"), unknown][:2]
    return 12 * int(year) + int(month)


class Model(models.Model):
    """What people mean by a name: "SPLADE-v3", "BM25". Systems are its checkpoints, settings and runs by toolkits.

    Days are as far as they are known: ``2021-12-02``, ``2021-12`` or ``2021``.
    """

    slug = models.SlugField(max_length=100, unique=True, help_text="Its address, which stays.")
    name = models.CharField(max_length=300)
    name_key = models.CharField(max_length=600, unique=True, help_text="Its name as names are compared.")
    maker = models.CharField(max_length=300, blank=True)
    base = models.CharField(max_length=300, blank=True, help_text="The model that it was made from, by its name.")
    paper = models.ForeignKey(
        "results.Paper",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="models_introduced",
        help_text="On it.",
    )
    published = models.CharField(max_length=10, blank=True, help_text="When its paper could be read.")
    released = models.CharField(max_length=10, blank=True, help_text="When its checkpoint could be had.")
    source = models.CharField(max_length=300, blank=True, help_text="Where that is known from.")

    class Meta:
        ordering = ["name_key"]
        constraints = [
            models.CheckConstraint(
                condition=Q(published__regex=_DAY) & Q(released__regex=_DAY), name="model_days_are_days"
            ),
            models.CheckConstraint(condition=~Q(name_key=""), name="model_has_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("models:model-detail", args=[self.slug])

    @property
    def has_doubtful_days(self) -> bool:
        """Whether its checkpoint is dated long before the paper that introduces it, however its days are completed.

        Papers often follow their checkpoint within weeks.
        """
        if not self.published or not self.released:
            return False
        return _month(self.published, "01") - _month(self.released, "12") > _MONTHS_BEFORE_PAPER

    @property
    def known_since(self) -> str:
        """The earlier of the two days; blank where neither is known, and that of the paper where they are doubtful.

        A day is earlier than the month that it is in, which ends later.
        """
        if self.has_doubtful_days:
            return self.published
        return min(filter(None, (self.published, self.released)), key=lambda day: f"{day}-99-99"[:10], default="")


class System(models.Model):
    """What was measured: a run, a model, a configuration; known by its name and the team that made it.

    The keys are the names as they are compared: without case, in one Unicode form, with single blanks.
    """

    name = models.CharField(max_length=300)
    team = models.CharField(max_length=300, blank=True)
    approach = models.TextField(blank=True)
    name_key = models.CharField(max_length=600)
    team_key = models.CharField(max_length=600, blank=True)
    slug = OwnSlugField(slug_of_system, "name_key", "team_key")
    model = models.ForeignKey(
        Model, null=True, blank=True, on_delete=models.PROTECT, related_name="systems", help_text="Null: of none."
    )
    model_by = models.ForeignKey(
        Entry,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="systems_of_models",
        help_text="The entry of the log that says so, or that it is of none.",
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="merged_systems",
        help_text="The same system under its name of today; its results stand there, and new ones go there.",
    )

    class Meta:
        ordering = ["name_key"]
        constraints = [
            models.UniqueConstraint(fields=["name_key", "team_key"], name="system_once"),
            models.CheckConstraint(condition=~Q(name_key=""), name="system_has_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("results:system-detail", args=[self.slug])
